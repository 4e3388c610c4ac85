// The one selection of a page, kept in its address, so that a link shows the same view.
import { pathPart } from "./api.js";

// Changes of these are steps of the browser's history: Back goes to the selection, pins and ranges before. Steps that
// follow each other quickly, as by a key that is held, are one.
const STEPS = ["key", "pins", "brush"];
const QUICK = 800;
let stepped = 0;

/** @type {Set<(state: Record<string, string>) => void>} */
const listeners = new Set();
/** @type {Record<string, string>} */
let state = read();

function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Commas and colons are allowed there, and read better than their codes.
/** @param {Record<string, string>} values */
function addressText(values) {
  return new URLSearchParams(values).toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function notify() {
  listeners.forEach((listener) => listener(state));
}

export const selection = {
  get: () => state,
  // Change some of it; what is null or empty leaves the address.
  /** @param {Record<string, string | null | undefined>} changes */
  set(changes) {
    /** @type {Record<string, string>} */
    const next = {};
    for (const [name, value] of Object.entries({ ...state, ...changes })) if (value) next[name] = value;
    const text = addressText(next);
    if (text === addressText(state)) return;
    const isStep = STEPS.some((name) => state[name] !== next[name]) && Boolean(state.key);
    const isQuick = Date.now() - stepped < QUICK;
    if (isStep) stepped = Date.now();
    state = next;
    const address = text ? `#${text}` : location.pathname + location.search;
    if (isStep && !isQuick) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    notify();
  },
  /** @param {(state: Record<string, string>) => void} listener */
  listen: (listener) => listeners.add(listener),
  // Calls the listener only when one of these entries changed.
  /** @param {string[]} names @param {(state: Record<string, string>) => void} listener */
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

for (const event of ["popstate", "hashchange"])
  addEventListener(event, () => {
    state = read();
    notify();
  });

// ------------------------------------------------------------------ addresses

// Addresses of pages that others lead to.
// The review of a study, with a layout, or one of its designs, chosen.
/** @param {string} study @param {string} layout */
export function reviewAddress(study, layout, key = "") {
  const chosen = new URLSearchParams({ layout, ...(key && { key }) });
  return `/studies/${pathPart(study)}/review#${chosen}`;
}
