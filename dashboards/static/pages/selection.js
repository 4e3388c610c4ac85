// The one selection of a page, kept in its address, so that a link shows the same view.
const listeners = new Set();
let state = read();

function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Commas and colons are allowed there, and read better than their codes.
function written(values) {
  return new URLSearchParams(values).toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function tell() {
  listeners.forEach((listener) => listener(state));
}

export const selection = {
  get: () => state,
  // Change some of it; what is null or empty leaves the address.
  set(changes) {
    const next = Object.fromEntries(Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null && value !== ""));
    const text = written(next);
    if (text === written(state)) return;
    state = next;
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    tell();
  },
  listen: (listener) => listeners.add(listener),
  // Calls the listener only when one of these entries changed.
  watch(names, listener) {
    const now = () => JSON.stringify(names.map((name) => state[name] ?? ""));
    let seen = now();
    listeners.add(() => {
      const next = now();
      if (next === seen) return;
      seen = next;
      listener(state);
    });
  },
};

addEventListener("hashchange", () => {
  state = read();
  tell();
});
