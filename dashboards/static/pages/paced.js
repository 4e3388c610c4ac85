// Work that events ask for: never twice at once, never more often than every `least` ms, and with pauses that
// grow with what it takes, so that a slow server is not kept busy by those who look at it. No pause is longer than
// LONGEST, and what somebody does is not kept waiting: `now` begins at once.
const PAUSES = 3;
const LONGEST = 3000;

// `work(isCurrent)`: an answer that was asked for before `now` was called is no longer current.
export function paced(work, least = 1000) {
  let timer;
  let turn = 0;
  let busy = false;
  let wanted = false;
  let free = 0;

  async function go() {
    clearTimeout(timer);
    const mine = (turn += 1);
    busy = true;
    wanted = false;
    const began = performance.now();
    try {
      await work(() => mine === turn);
    } finally {
      if (mine === turn) {
        busy = false;
        const took = performance.now() - began;
        free = performance.now() + Math.min(LONGEST, Math.max(least - took, PAUSES * took));
        if (wanted) plan();
      }
    }
  }

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(go, Math.max(0, free - performance.now()));
  }

  function wish() {
    if (wanted) return;
    wanted = true;
    if (!busy) plan();
  }

  return Object.assign(wish, { now: go });
}
