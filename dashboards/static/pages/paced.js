// Work that events ask for: never twice at once, never more often than every `least` ms, and with pauses that
// grow with what it takes, so that a slow server is not kept busy by those who look at it.
const PAUSES = 3;

export function paced(work, least = 1000) {
  let timer;
  let busy = false;
  let wanted = false;
  let free = 0;

  async function go() {
    busy = true;
    wanted = false;
    const began = performance.now();
    try {
      await work();
    } finally {
      busy = false;
      const took = performance.now() - began;
      free = performance.now() + Math.max(least - took, PAUSES * took);
      if (wanted) plan();
    }
  }

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(go, Math.max(0, free - performance.now()));
  }

  return () => {
    if (wanted) return;
    wanted = true;
    if (!busy) plan();
  };
}
