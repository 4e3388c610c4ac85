// Keys of the review that work wherever the focus is, but in a field: through the designs, pin, favourite, help.
import { h } from "../../core/dom.js";

const HELP = [
  ["J or Down", "the next design of the table"],
  ["K or Up", "the design before"],
  ["P", "pin the selected design, or take the pin back"],
  ["F", "make it a favourite, or take that back"],
  ["Back of the browser", "the selection, pins and ranges before"],
  ["?", "this list"],
];

/** @param {{ step: (by: number) => void, pin: () => void, favourite: () => void }} actions */
export function listenToKeys({ step, pin, favourite }) {
  /** @type {Record<string, () => void>} */
  const actions = { j: () => step(1), k: () => step(-1), p: pin, f: favourite, "?": showHelp };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function showHelp() {
  const rows = HELP.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
  const close = h("button", { type: "submit" }, "Close");
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", {}, rows),
    close,
  );
  const dialog = h("dialog", { aria: { labelledby: "keys-title" } }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
