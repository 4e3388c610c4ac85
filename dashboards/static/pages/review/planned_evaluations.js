// A question that takes evaluations on the server: a form that asks, round after round, until it is answered.
/** @import { Child } from "../../core/types.js" */
import { ApiError, messageOf, statusOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count } from "../../core/format.js";

/** @typedef {{ done: boolean, evaluated: number, wanted: number }} Progress */

const FORBIDDEN = 403;
const TOO_MANY = 429;
const PAUSE = 500;
const READER =
  "The store does not hold these evaluations yet, and you may only read. Ask somebody with an editor's account to compute them: then you see the result here.";

// `ask` sends what the fields say now, and always the same until the answer is `done`; `show` fills the result.
/**
 * @template {Progress} Found
 * @param {{ label: string, fields: Child, ask: () => (signal: AbortSignal) => Promise<Found>, show: (result: HTMLElement, found: Found) => void }} options
 */
export function evaluationForm({ label, fields, ask, show }) {
  const result = h("div", { aria: { live: "polite" } });
  const submit = h("button", { type: "submit", class: "main" }, label);
  const stop = h("button", { type: "button", hidden: true }, "Stop");

  /** @param {Event} event */
  async function evaluate(event) {
    event.preventDefault();
    const control = new AbortController();
    stop.onclick = () => control.abort();
    submit.disabled = true;
    stop.hidden = false;
    try {
      replace(result, h("p", { role: "status" }, "Evaluating…"));
      const found = await untilDone(ask(), result, control.signal);
      if (found) show(result, found);
      else replace(result, h("p", { role: "status" }, "Stopped; what is evaluated is kept."));
    } catch (error) {
      replace(result, refusal(error));
    } finally {
      submit.disabled = false;
      stop.hidden = true;
    }
  }

  return h("form", { on: { submit: evaluate } }, fields, h("div", { class: "row" }, submit, stop), result);
}

// Null when somebody stops. While the server computes something else for the account, it waits.
/**
 * @template {Progress} Found
 * @param {(signal: AbortSignal) => Promise<Found>} ask
 * @param {HTMLElement} result
 * @param {AbortSignal} signal
 */
async function untilDone(ask, result, signal) {
  while (!signal.aborted) {
    try {
      const found = await ask(signal);
      if (found.done) return found;
      const text = `${count(found.evaluated)} of ${count(found.wanted)} evaluations`;
      replace(
        result,
        h("p", { role: "status" }, text),
        h("progress", { max: found.wanted, value: found.evaluated, aria: { label: text } }),
      );
    } catch (error) {
      if (signal.aborted) return null;
      if (statusOf(error) !== TOO_MANY) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
  return null;
}

/** @param {unknown} error */
function refusal(error) {
  if (statusOf(error) === FORBIDDEN) return h("p", { class: "quiet", role: "status" }, READER);
  const faults = error instanceof ApiError ? error.faults : [];
  return h(
    "div",
    { class: "fault", role: "alert" },
    h("p", {}, messageOf(error)),
    h(
      "ul",
      {},
      faults.map((fault) => h("li", {}, `${(fault.path ?? []).join(".")}: ${fault.detail}`)),
    ),
  );
}
