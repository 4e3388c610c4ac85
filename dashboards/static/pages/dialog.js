// A question before something that cannot be taken back; the answer is a promise.
import { h } from "./dom.js";

// Resolves to what `read()` gives when the action is chosen, else to null. `fields` are between text and buttons.
export function ask({ title, text, action, fields = [], read = () => true }) {
  return new Promise((resolve) => {
    const cancel = h("button", { type: "button", on: { click: () => dialog.close() } }, "Cancel");
    const form = h(
      "form",
      { class: "stack", on: { submit: choose } },
      h("h2", { id: "dialog-title" }, title),
      text && h("p", {}, text),
      fields,
      h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, action), cancel),
    );
    const dialog = h("dialog", { aria: { labelledby: "dialog-title" } }, form);
    let chosen = null;

    function choose(event) {
      event.preventDefault();
      chosen = read();
      dialog.close();
    }

    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
