// Keys of the review that work wherever the focus is, but in a field: through the designs, pin, favourite, help.
import { h } from "../../core/dom.js";

const HELP = [
  ["J or Down", "the next design of the table"],
  ["K or Up", "the design before"],
  ["/", "the fields that filter by ranges"],
  ["P", "pin the selected design, or take the pin back"],
  ["F", "make it a favourite, or take that back"],
  ["Back of the browser", "the selection, pins and ranges before"],
  ["?", "this list"],
];

/** @param {{ step: (by: number) => void, pin: () => void, favourite: () => void, filter: () => void }} actions */
export function listenToKeys({ step, pin, favourite, filter }) {
  const [next, before] = [() => step(1), () => step(-1)];
  /** @type {Record<string, () => void>} */
  const actions = { j: next, k: before, p: pin, f: favourite, "/": filter, "?": showHelp };
  // After a click into a figure, too; elsewhere the arrow keys scroll.
  /** @type {Record<string, () => void>} */
  const arrows = { ArrowDown: next, ArrowUp: before };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (!(target instanceof Element) || target.closest("input, select, textarea, dialog")) return;
    const isFree = target.matches("body, main") || target.closest(".worktop");
    const action = actions[event.key.toLowerCase()] ?? (isFree && arrows[event.key]);
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
