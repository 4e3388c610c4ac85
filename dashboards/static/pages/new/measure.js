// How long a design takes: the one in the middle of each layout's ranges, evaluated now.
import { ApiError, part, send } from "../api.js";

const PAUSE = 800;
// Layouts beyond these are taken for the mean of them.
export const MOST_LAYOUTS = 4;

const results = new Map();
// By back-end, the longest that an answer took beyond the evaluation itself.
const preparations = new Map();
const keyOf = (model, layout) => JSON.stringify([model, layout.middle]);

// Measures when asked; afterwards what changes the design is measured again, after a pause.
export class Measure {
  busy = false;
  trouble = "";
  #wanted = false;
  #timer;

  constructor(draft, onChange) {
    this.draft = draft;
    this.onChange = onChange;
  }

  // What came of each layout's design; undefined where it was not tried as it is now.
  get results() {
    const model = this.draft.get("model");
    return (this.draft.answer?.layouts ?? []).map((layout) => results.get(keyOf(model, layout)));
  }

  // Seconds of a design of each layout; empty when none was tried.
  get seconds() {
    const known = this.results.filter(Boolean).map((result) => result.seconds);
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return known.length ? this.results.map((result) => result?.seconds ?? mean) : [];
  }

  // Seconds that loading the back-end took before the first design: programs, and kernels that may have to be compiled.
  get preparation() {
    return preparations.get(this.draft.get("model")) ?? 0;
  }

  async run({ again }) {
    clearTimeout(this.#timer);
    if (this.busy || !this.draft.answer?.layouts.length) return;
    this.#wanted = this.busy = true;
    this.trouble = "";
    this.onChange();
    try {
      await this.#try(again);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error.message;
    } finally {
      this.busy = false;
      this.onChange();
    }
    this.follow();
  }

  follow() {
    clearTimeout(this.#timer);
    const stale = this.results.slice(0, MOST_LAYOUTS).some((result) => !result);
    if (this.#wanted && stale && !this.trouble) this.#timer = setTimeout(() => this.run({ again: false }), PAUSE);
  }

  async #try(again) {
    const model = this.draft.get("model");
    for (const layout of this.draft.answer.layouts.slice(0, MOST_LAYOUTS)) {
      const key = keyOf(model, layout);
      if (!again && results.has(key)) continue;
      const begun = performance.now();
      const result = await send("POST", `models/${part(model)}/evaluate`, layout.middle);
      const beyond = (performance.now() - begun) / 1000 - result.seconds;
      preparations.set(model, Math.max(beyond, preparations.get(model) ?? 0));
      results.set(key, result);
    }
  }
}
