// Events of the store as they happen. The stream starts at the newest event at the time when the server made the page,
// so none is missed while the page loads. After a lost connection it continues with the next event.
import { address, get, online } from "./api.js";

const SOONEST = 1000;
const LATEST = 15000;

// Calls onEvent(event) for each event of a study, or of all studies; returns a function that ends the stream.
/** @import { StoreEvent } from "./types.js" */
/** @param {(event: StoreEvent) => void} onEvent @param {string} [study] */
export function follow(onEvent, study) {
  let last = Number(document.body.dataset.after);
  let wait = SOONEST;
  /** @type {EventSource} */
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
    source.onmessage = (message) => {
      last = Number(message.lastEventId);
      onEvent(JSON.parse(message.data));
    };
    // The browser stops its own retries when the server answers with an error; ours continue. The request for `me`
    // shows whether the server is away or the session has ended; an ended session opens the login.
    source.onerror = async () => {
      source.close();
      await get("me").catch(() => undefined);
      if (ended) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LATEST);
    };
  }

  // Another request has found that the server answers again: connect at once.
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

// Work after events: one call at a time, at most one every `least` ms. The pauses grow with the duration of the work,
// so that open pages do not overload a slow server. No pause is longer than LONGEST. `now` starts at once, for an
// action of the user.
const PAUSES = 3;
const LONGEST = 3000;

// `work(isCurrent)`: the answer to a request from before a call of `now` is no longer current.
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
