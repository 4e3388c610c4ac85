// Events of the store, as they happen: from the one that had come when the page was made, so that none is missed
// while the page asks for its numbers and draws them. After a break it goes on where it was.
import { address, get } from "./api.js";
import { online } from "./online.js";

const SOONEST = 1000;
const LATEST = 15000;

// Calls onEvent(event) for each event of a study, or of all; returns what ends it.
export function follow(onEvent, study) {
  let last = Number(document.body.dataset.after);
  let wait = SOONEST;
  let source;
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
