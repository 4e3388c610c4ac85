// What one evaluation may take, and against what fronts are measured.
import { h } from "../dom.js";
import { unitText } from "../format.js";
import { entry, folded } from "./fields.js";
import { readingOf, shown, typed } from "./reading.js";
import { pointerOf } from "./tree.js";

const PLAIN = readingOf("1", []);
const WHAT =
  "A value for each objective; every useful design is better. If it is empty, it is taken from the first generation with a feasible design.";

export function limits(draft) {
  const one = (key, label, placeholder, hint, after) =>
    plain(draft, ["evaluation", key], { label, hint, after }, placeholder);
  return folded(
    "limits",
    "Limits of an evaluation",
    h(
      "div",
      { class: "fields" },
      one("timeout", "Time of a design", "no limit", "such as 10 min", "s"),
      one("memory", "Memory of a design", "no limit", "such as 2 GiB", "byte"),
      one("max_failure_share", "Share of failures", "0.2", "with more, a run stops as failed"),
      one("seed", "Evaluation seed", "0", "of back-ends that draw random numbers"),
    ),
  );
}

export function indicators(draft, model) {
  const place = ["indicators", "reference_point"];
  const names = Object.keys(draft.get("objectives") ?? {});
  const unit = (name) => unitText(model.metric(name)?.unit);
  const values = names.map((name) => plain(draft, [...place, name], { label: name, after: unit(name) }));
  return folded(
    "indicators",
    "Reference point of the hypervolume",
    h("p", { class: "quiet small" }, WHAT),
    h(
      "div",
      { data: { pointer: pointerOf(["indicators"]) } },
      h("p", { class: "told", hidden: true }),
      h("div", { class: "fields" }, values),
    ),
  );
}

function plain(draft, place, options, placeholder) {
  const onType = (text) => draft.set(place, typed(text));
  return entry({ place, ...options }, { value: shown(draft.get(...place), PLAIN), placeholder, onType });
}
