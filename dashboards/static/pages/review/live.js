// New members of the front while runs go on: asked for at most every two seconds, and only when something happened.
// While the server does not answer, this asks now and then whether it does again.
import { online } from "../online.js";
import { follow } from "../stream.js";

const SOONEST = 2000;

// Calls refresh() after events, one call at a time.
export function live(study, refresh) {
  let due = false;
  let busy = false;
  let last = -SOONEST;
  let timer;

  async function run() {
    if (busy || !due) return;
    busy = true;
    due = false;
    try {
      await refresh();
    } catch {
      due = true; // the page's banner says why
    }
    last = performance.now();
    busy = false;
    if (due) soon();
  }

  function soon() {
    due = true;
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, last + SOONEST - performance.now()));
  }

  online.listen((answers) => answers || soon());
  follow(soon, study.name);
}
