// A question before something that cannot be taken back; the answer is a promise.
import { h } from "./dom.js";

// Resolves to what `read()` gives when the action is chosen, else to null. `fields` stand between text and buttons.
// With `send`, the dialog stays open while that works on what was read, and afterwards unless it gives true.
export function ask({ title, text, action, fields = [], read = () => true, send = async () => true }) {
  return new Promise((resolve) => {
    const submit = h("button", { type: "submit", class: "main" }, action);
    const cancel = h("button", { type: "button", on: { click: () => dialog.close() } }, "Cancel");
    const form = h(
      "form",
      { class: "stack", on: { submit: choose } },
      h("h2", { id: "dialog-title" }, title),
      text && h("p", {}, text),
      fields,
      h("div", { class: "row" }, submit, cancel),
    );
    const dialog = h("dialog", { aria: { labelledby: "dialog-title" } }, form);
    let chosen = null;

    async function choose(event) {
      event.preventDefault();
      const wanted = read();
      submit.disabled = true;
      const done = await send(wanted);
      submit.disabled = false;
      if (!done) return;
      chosen = wanted;
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
