// Short messages below the page's heading: what was done, with a way back for a while, and what went wrong.
import { h } from "./dom.js";

const SECONDS = 8;

// A region for messages. `done(text, { undo, end })` offers "Undo" for 8 s, then calls end(); `fault(text)` stays.
export function notices() {
  const region = h("div", { class: "notices", role: "status" });
  const waiting = new Set();

  function done(text, { undo, end = () => {} }) {
    const finish = (action) => {
      clearTimeout(entry.timer);
      waiting.delete(entry);
      line.remove();
      action();
    };
    const button = h("button", { type: "button", on: { click: () => finish(undo) } }, "Undo");
    const line = h("p", { class: "row" }, h("span", {}, text), button);
    const entry = { end: () => finish(end), timer: setTimeout(() => finish(end), 1000 * SECONDS) };
    waiting.add(entry);
    region.append(line);
    return button;
  }

  function fault(text) {
    const close = h("button", { type: "button", on: { click: () => line.remove() } }, "Dismiss");
    const line = h("p", { class: "fault row" }, h("span", {}, text), close);
    region.append(line);
  }

  // What waits to be undone is done now.
  const settle = () => [...waiting].forEach((entry) => entry.end());

  return { region, done, fault, settle };
}
