// States of studies and runs: a sign, a word, and a colour, so that none of them is needed alone.
import { h } from "./dom.js";

const LOOKS = {
  draft: ["○", "quiet"],
  queued: ["…", "quiet"],
  running: ["▸", "lively"],
  pausing: ["‖", "unsure"],
  paused: ["‖", "unsure"],
  cancelling: ["×", "unsure"],
  cancelled: ["×", "quiet"],
  failed: ["!", "bad"],
  diverged: ["!", "bad"],
  done: ["✓", "good"],
};

export const MOVING = new Set(["queued", "running", "pausing", "cancelling"]);

export function stateMark(state) {
  const [sign, look] = LOOKS[state] ?? ["", "quiet"];
  return h("span", { class: `state ${look}`, data: { state } }, h("span", { aria: { hidden: "true" } }, sign), ` ${state}`);
}
