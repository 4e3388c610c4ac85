// Whether the server answers. Whoever asks it says so here; the banner of the page follows.
const listeners = new Set();
let state = true;

export const online = {
  get: () => state,
  set(now) {
    if (now === state) return;
    state = now;
    listeners.forEach((listener) => listener(state));
  },
  // Calls listener(answers) at every change; returns what ends it.
  listen(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
