// The evaluation time of a design: we measure the one in the middle of each layout's ranges.
/** @import { Draft } from "./draft.js" */
/** @import { Child, Schemas } from "../../core/types.js" */
import { ApiError, messageOf, pathPart, patiently, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { duration, quantity } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { button, entry } from "./fields.js";

/** @typedef {Schemas["EvaluationResource"] | undefined} Result */

const PAUSE = 800;
// A robot that is computed for its picture at the same time would count.
const isDrawing = () => document.querySelector(".draft-robot .plot[aria-busy]") !== null;
// Further layouts count with the mean of these.
const MOST_LAYOUTS = 4;

/** @type {Map<string, NonNullable<Result>>} */
const results = new Map();
// By back-end: the longest time of a request without the evaluation itself, in seconds.
/** @type {Map<string, number>} */
const preparations = new Map();
/** @param {string} model @param {Schemas["DraftLayout"]} layout */
const keyOf = (model, layout) => JSON.stringify([model, layout.middle]);

// It starts by itself, a pause after the design has changed.
class Measure {
  busy = false;
  trouble = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Draft} draft @param {boolean} mayCompute @param {() => void} onChange */
  constructor(draft, mayCompute, onChange) {
    this.draft = draft;
    this.mayCompute = mayCompute;
    this.onChange = onChange;
  }

  // The result of each layout's design; undefined where the current design was not measured.
  get results() {
    const model = this.draft.get("model");
    return (this.draft.answer?.layouts ?? []).map((layout) => results.get(keyOf(model, layout)));
  }

  // Seconds per design of each layout; empty before the first measurement.
  get seconds() {
    const known = this.results.flatMap((result) => (result ? [result.seconds] : []));
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return known.length ? this.results.map((result) => result?.seconds ?? mean) : [];
  }

  // Seconds for loading the back-end before the first design, with the compilation of its kernels where needed.
  get preparation() {
    return preparations.get(this.draft.get("model")) ?? 0;
  }

  /** @param {{ again: boolean }} options */
  async run({ again }) {
    clearTimeout(this.#timer);
    if (this.busy || !this.draft.answer?.layouts?.length) return;
    this.busy = true;
    this.trouble = "";
    this.onChange();
    try {
      await this.#try(again);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = messageOf(error);
    } finally {
      this.busy = false;
      this.onChange();
    }
    this.follow();
  }

  follow() {
    clearTimeout(this.#timer);
    const stale = this.results.slice(0, MOST_LAYOUTS).some((result) => !result);
    if (this.mayCompute && stale && !this.trouble)
      this.#timer = setTimeout(() => (isDrawing() ? this.follow() : this.run({ again: false })), PAUSE);
  }

  /** @param {boolean} again */
  async #try(again) {
    const model = this.draft.get("model");
    for (const layout of (this.draft.answer?.layouts ?? []).slice(0, MOST_LAYOUTS)) {
      const key = keyOf(model, layout);
      if (!again && results.has(key)) continue;
      let start = 0;
      const result = await patiently(() => {
        start = performance.now();
        return send("POST", `models/${pathPart(model)}/evaluate`, layout.middle);
      });
      const overhead = (performance.now() - start) / 1000 - result.seconds;
      preparations.set(model, Math.max(overhead, preparations.get(model) ?? 0));
      results.set(key, result);
    }
  }
}

// ------------------------------------------------------------------ what is shown

// The estimated duration of the study: designs times seconds per design, divided by the workers.
const DIGITS = 3;
const BUSY = "Evaluating the design in the middle\u2026";
const ASSUMED =
  "Every design is assumed to take as long as the one in the middle of the ranges. The first time on a machine, the model is compiled as well, which takes a minute or more.";

/** @param {Draft} draft @param {{ workers: number | null, mayCompute: boolean }} options */
export function createCost(draft, { workers, mayCompute }) {
  const state = { workers };
  const measure = new Measure(draft, mayCompute, draw);
  const facts = h("dl", { class: "facts" });
  const gist = h("span", { class: "gist" });
  const status = h("p", { class: "hint", role: "status" });
  const assumed = h("p", { class: "hint" });
  const measureButton = button("Measure again", async () => {
    await measure.run({ again: true });
    if (!measure.trouble) announce(`About ${timeOf(draft, measure, state.workers)}`);
  });
  /** @param {string} text */
  const onType = (text) => {
    state.workers = Number(text) || null;
    draw();
  };
  const field = entry(
    { place: ["", "workers"], label: "Workers" },
    { value: workers ?? "", placeholder: "1", inputmode: "numeric", onType },
  );

  function draw() {
    const layouts = draft.answer?.layouts ?? [];
    const tried = measure.seconds.length > 0;
    measureButton.disabled = measure.busy || !layouts.length || !mayCompute;
    measureButton.textContent = "Measure again";
    replace(facts, layouts.length ? counted(draft, measure, state.workers) : unknown(draft));
    replace(status, measure.busy ? BUSY : measure.trouble || remarks(layouts, measure.results));
    assumed.textContent = tried ? ASSUMED : "";
    gist.textContent = inShort(draft, measure, state.workers);
  }

  draft.listen("answer", () => {
    measure.trouble = "";
    draw();
    measure.follow();
  });
  draw();
  const element = h(
    "div",
    { class: "cost" },
    facts,
    h("div", { class: "row" }, field, measureButton),
    status,
    assumed,
  );
  return { element, gist };
}

/** @param {string} name @param {...Child} values */
const fact = (name, ...values) => [h("dt", {}, name), h("dd", {}, values)];
// What the server found out about the study, without an answer nothing.
/** @param {Draft} draft */
const checkOf = ({ answer }) => ({ layouts: answer?.layouts ?? [], runs: answer?.runs ?? 0 });

/** @param {Draft} options */
const unknown = ({ answer }) => fact("Designs", answer ? "known when the faults are corrected" : "\u2026");
/** @param {number} n @param {string} word */
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
/** @param {number} n */
const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");

// Designs of all runs, and the word before them where they are an upper limit.
/** @param {Draft} draft */
function totalOf(draft) {
  const { layouts, runs } = checkOf(draft);
  const total = layouts.reduce((sum, { designs }) => sum + designs, 0) * (runs / layouts.length);
  return { total, most: layouts.every((layout) => layout.stated) ? "" : "at most " };
}

// Time and designs, for a line.
/** @param {Draft} draft @param {Measure} measure @param {number | null} workers */
function inShort(draft, measure, workers) {
  if (!checkOf(draft).layouts.length) return "";
  const { total, most } = totalOf(draft);
  const time = measure.seconds.length
    ? `${most}about ${timeOf(draft, measure, workers)}`
    : "not measured yet";
  return `${time}; ${most}${whole(total)} designs`;
}

/** @param {Draft} draft @param {Measure} measure @param {number | null} workers */
function counted(draft, measure, workers) {
  const { layouts, runs } = checkOf(draft);
  const seeds = runs / layouts.length;
  const designs = layouts.map((layout) => layout.designs);
  const { total, most } = totalOf(draft);
  const each = new Set(designs).size === 1 ? whole(designs[0]) : designs.map(whole).join(" + ");
  const tried = measure.seconds.length > 0;
  return [
    fact("Time", tried ? estimate(draft, measure, workers, most) : "not measured yet"),
    fact("Runs", `${runs} (${plural(layouts.length, "layout")}, ${plural(seeds, "seed")})`),
    fact("Designs", `${most}${whole(total)}`, h("span", { class: "note" }, `${each} in a run`)),
    tried &&
      fact(
        "One design",
        layouts.map((layout, i) => single(layout, measure.results[i], layouts.length)),
      ),
    tried && fact("Start of the workers", quantity(measure.preparation, "s", 2)),
  ];
}

/** @param {Draft} draft @param {Measure} measure @param {number | null} workers @param {string} most */
function estimate(draft, measure, workers, most) {
  const seconds = secondsOf(draft, measure, workers);
  return h(
    "strong",
    { data: { estimate: seconds, preparation: measure.preparation } },
    `${most}about ${timeOf(draft, measure, workers)}`,
  );
}

/** @param {Schemas["DraftLayout"]} options @param {Result} result @param {number} count */
function single({ layout }, result, count) {
  if (!result) return null;
  const name = count > 1 ? ` (${layout})` : "";
  return h("span", { class: "each" }, quantity(result.seconds, "s", DIGITS) + name);
}

/** @param {Draft} draft @param {Measure} measure @param {number | null} workers */
function secondsOf(draft, measure, workers) {
  const { layouts, runs } = checkOf(draft);
  const sum = layouts.reduce((total, layout, i) => total + layout.designs * measure.seconds[i], 0);
  return measure.preparation + (sum * (runs / layouts.length)) / (workers || 1);
}

/** @param {Draft} draft @param {Measure} measure @param {number | null} workers */
function timeOf(draft, measure, workers) {
  const seconds = secondsOf(draft, measure, workers);
  return `${seconds < 1 ? "a second" : duration(seconds)} with ${plural(workers || 1, "worker")}`;
}

/** @param {Schemas["DraftLayout"][]} layouts @param {Result[]} results */
function remarks(layouts, results) {
  const strange = results.map((result, i) => {
    if (!result || result.status === "done") return "";
    return `${layouts[i].layout}: the design in the middle is ${result.status} (${result.reason}); others may take longer.`;
  });
  const tried = layouts.length > MOST_LAYOUTS && results.some(Boolean);
  return [...strange, tried ? `The first ${MOST_LAYOUTS} layouts were tried.` : ""].filter(Boolean).join(" ");
}
