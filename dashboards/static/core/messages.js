// What a page reports: announcements for screen readers, notices, faults with a way to try again, and dialogs.
/** @import { Child } from "./types.js" */
import { ApiError, messageOf } from "./api.js";
import { byId, h } from "./dom.js";
import { atPlace } from "./format.js";

/** @param {string} text */
export function announce(text) {
  byId("announcer").textContent = text;
}

// Reports progress at every tenth, not at every event: everyTenth(f)(done, total) calls f(percent) then.
/** @param {(percent: number) => void} report */
export function everyTenth(report) {
  let reported = 0;
  /** @param {number} done @param {number} total */
  return (done, total) => {
    const tenth = Math.floor((10 * done) / Math.max(total, 1));
    if (tenth === reported) return;
    reported = tenth;
    report(10 * tenth);
  };
}

// The message in place of a part that cannot be shown; it offers `retry` where that can help.
/** @param {string} text @param {(() => void) | null | null} [retry] */
export function failure(text, retry = null) {
  const button = retry && h("button", { type: "button", on: { click: retry } }, "Try again");
  return h("div", { class: "fault", role: "alert" }, h("p", {}, text), button);
}

// Why the server refused something, each fault once: a list where it names their places, else its message.
/** @param {unknown} error @param {number} [skip] how many steps of a place say nothing to the reader */
export function refusalBox(error, skip = 0) {
  const faults = error instanceof ApiError ? error.faults : [];
  const items = faults.map(({ path, detail }) => h("li", {}, atPlace((path ?? []).slice(skip), detail)));
  const told = items.length ? h("ul", {}, items) : h("p", {}, messageOf(error));
  return h("div", { class: "fault", role: "alert" }, told);
}

// ------------------------------------------------------------------ notices

// Short messages below the page's heading: what was done, with a way back for a while, and what went wrong.
const SECONDS = 8;

// A region for messages. `done(text, { undo, end })` offers "Undo" for 8 s, then calls end(); `fault(text)` stays.
export function notices() {
  const region = h("div", { class: "notices", role: "status" });
  /** @type {Set<{ end: () => void, timer: ReturnType<typeof setTimeout> }>} */
  const waiting = new Set();

  /** @param {string} text @param {{ undo: () => void, end?: () => void }} options */
  function done(text, { undo, end = () => {} }) {
    /** @param {() => void} action */
    const finish = (action) => {
      clearTimeout(entry.timer);
      waiting.delete(entry);
      line.remove();
      action();
    };
    const button = h(
      "button",
      { type: "button", data: { icon: "undo" }, on: { click: () => finish(undo) } },
      "Undo",
    );
    const line = h("p", { class: "row" }, h("span", {}, text), button);
    const entry = { end: () => finish(end), timer: setTimeout(() => finish(end), 1000 * SECONDS) };
    waiting.add(entry);
    region.append(line);
    return button;
  }

  /** @param {string} text */
  function fault(text) {
    /** @type {HTMLElement} */
    const line = h("p", { class: "fault row" }, h("span", {}, text));
    const close = h(
      "button",
      { type: "button", data: { icon: "close" }, on: { click: () => line.remove() } },
      "Dismiss",
    );
    line.append(close);
    region.append(line);
  }

  // End the wait of every action that could still be undone.
  const settle = () => [...waiting].forEach((entry) => entry.end());

  return { region, done, fault, settle };
}

// ------------------------------------------------------------------ dialogs

// A question before something that cannot be taken back; the answer is a promise.
// Resolves to what `read()` gives when the action is chosen, else to null. `fields` stand between text and buttons.
// With `send(value)`, the dialog stays open until that resolves to true.
/**
 * @template Value
 * @param {{ title: string, text: string, action: string, fields?: Child[], read: () => Value, send?: (value: Value) => Promise<boolean> }} options
 * @returns {Promise<Value | null>}
 */
export function askDialog({ title, text, action, fields = [], read, send = async () => true }) {
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
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { aria: { labelledby: "dialog-title" } }, form);
    /** @type {Value | null} */
    let chosen = null;

    /** @param {Event} event */
    async function choose(event) {
      event.preventDefault();
      const values = read();
      submit.disabled = true;
      const done = await send(values);
      submit.disabled = false;
      if (!done) return;
      chosen = values;
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
