// Announces changes to screen readers, which others only see.
import { byId } from "./dom.js";

export function say(text) {
  byId("announcer").textContent = text;
}

// Tells of progress at every tenth, not at every event: tenths(f)(done, total) calls f(percent) then.
export function tenths(tell) {
  let told = 0;
  return (done, total) => {
    const tenth = Math.floor((10 * done) / Math.max(total, 1));
    if (tenth === told) return;
    told = tenth;
    tell(10 * tenth);
  };
}
