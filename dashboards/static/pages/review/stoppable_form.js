// Forms whose work can be stopped, and those that ask the server for evaluations until they are answered.
/** @import { Child } from "../../core/types.js" */
import { patiently, send, statusOf, studyPath } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count } from "../../core/format.js";
import { refusalBox } from "../../core/messages.js";

/** @typedef {{ done: boolean, evaluated: number, wanted: number, study: string, job: number }} Progress */

const FORBIDDEN = 403;
const READER =
  "The store does not hold these evaluations yet, and you may only read. Ask somebody with an editor's account to compute them: then you see the result here.";

// A form whose work can be stopped: `work(signal)` goes on until it is done or stopped, `refused(error)` shows why it
// failed. `fields` stand above the buttons, `more` beside them, `below` under them.
/** @param {{ label: string, fields: Child, more?: Child, below: Child, work: (signal: AbortSignal) => Promise<void>, refused: (error: unknown) => void }} options */
export function stoppableForm({ label, fields, more, below, work, refused }) {
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
      await work(control.signal);
    } catch (error) {
      refused(error);
    } finally {
      submit.disabled = false;
      stop.hidden = true;
    }
  }

  return h(
    "form",
    { on: { submit: evaluate } },
    fields,
    h("div", { class: "row" }, more, submit, stop),
    below,
  );
}

// What `ask` brings; null when somebody stops. While the server computes something else for the account, it waits.
/** @template Found @param {() => Promise<Found>} ask @param {AbortSignal} signal */
export async function whenFree(ask, signal) {
  try {
    return await patiently(ask);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

// `ask` sends what the fields say now, and always the same until the answer is `done`; `show` fills the result.
/**
 * @template {Progress} Found
 * @param {{ label: string, fields: Child, ask: () => (signal: AbortSignal) => Promise<Found>, show: (result: HTMLElement, found: Found) => void }} options
 */
export function evaluationForm({ label, fields, ask, show }) {
  const result = h("div", { aria: { live: "polite" } });

  /** @param {AbortSignal} signal */
  async function work(signal) {
    replace(result, h("p", { role: "status" }, "Evaluating…"));
    const found = await untilDone(ask(), result, signal);
    if (found) show(result, found);
    else replace(result, h("p", { role: "status" }, "Stopped; what is evaluated is kept."));
  }

  /** @param {unknown} error */
  const refused = (error) => replace(result, refusal(error));
  return stoppableForm({ label, fields, below: result, work, refused });
}

// Null when somebody stops, which cancels the job.
/**
 * @template {Progress} Found
 * @param {(signal: AbortSignal) => Promise<Found>} ask
 * @param {HTMLElement} result
 * @param {AbortSignal} signal
 */
async function untilDone(ask, result, signal) {
  /** @type {Found | null} */
  let last = null;
  for (;;) {
    const found = await whenFree(() => ask(signal), signal);
    if (!found && last) await send("POST", `${studyPath(last.study)}/jobs/${last.job}/stop`);
    if (!found || found.done) return found;
    last = found;
    const text = `${count(found.evaluated)} of ${count(found.wanted)} evaluations`;
    replace(
      result,
      h("p", { role: "status" }, text),
      h("progress", { max: found.wanted, value: found.evaluated, aria: { label: text } }),
    );
  }
}

/** @param {unknown} error */
function refusal(error) {
  if (statusOf(error) === FORBIDDEN) return h("p", { class: "quiet", role: "status" }, READER);
  return refusalBox(error);
}
