// Events of the store, as they happen: from the one that had come when the page was made, so that none is missed
// while the page asks for its numbers and draws them. After a break it goes on where it was.
import { address, get, online } from "./api.js";

const SOONEST = 1000;
const LATEST = 15000;

// Calls onEvent(event) for each event of a study, or of all; returns what ends it.
/** @param {(event: any) => void} onEvent @param {string | undefined} [study] */
export function follow(onEvent, study) {
  let last = Number(document.body.dataset.after);
  let wait = SOONEST;
  /** @type {any} */
  let source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let ended = false;

  function open() {
    source = new EventSource(address("events", { study, after: last }));
    source.onopen = () => {
      wait = SOONEST;
      online.set(true);
    };
    source.onmessage = (/** @type {any} */ message) => {
      last = Number(message.lastEventId);
      onEvent(JSON.parse(message.data));
    };
    // The browser's own retries stop for good when the server answers with an error; ours do not. Asking who
    // one is tells whether the server is away, or the session over, which leads to the login.
    source.onerror = async () => {
      source.close();
      await get("me").catch(() => undefined);
      if (ended) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LATEST);
    };
  }

  // When somebody else finds the server back, there is nothing to wait for.
  const back = online.listen((answers) => {
    if (!answers || source.readyState !== EventSource.CLOSED || ended) return;
    clearTimeout(timer);
    wait = SOONEST;
    open();
  });

  open();
  return () => {
    back();
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}

// ------------------------------------------------------------------ throttling

// Work that events ask for: never twice at once, never more often than every `least` ms, and with pauses that
// grow with what it takes, so that a slow server is not kept busy by those who look at it. No pause is longer than
// LONGEST, and what somebody does is not kept waiting: `now` begins at once.
const PAUSES = 3;
const LONGEST = 3000;

// `work(isCurrent)`: an answer that was asked for before `now` was called is no longer current.
/** @param {(isCurrent: () => boolean) => Promise<unknown> | unknown} work */
export function throttled(work, least = 1000) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let turn = 0;
  let busy = false;
  let pending = false;
  let free = 0;

  async function go() {
    clearTimeout(timer);
    const thisTurn = (turn += 1);
    busy = true;
    pending = false;
    const began = performance.now();
    try {
      await work(() => thisTurn === turn);
    } finally {
      if (thisTurn === turn) {
        busy = false;
        const took = performance.now() - began;
        free = performance.now() + Math.min(LONGEST, Math.max(least - took, PAUSES * took));
        if (pending) plan();
      }
    }
  }

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(go, Math.max(0, free - performance.now()));
  }

  function request() {
    if (pending) return;
    pending = true;
    if (!busy) plan();
  }

  return Object.assign(request, { now: go });
}
