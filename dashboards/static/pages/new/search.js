// How the designs are searched, and what ends a run.
import { h } from "../dom.js";
import { area, choice, entry, folded, section } from "./fields.js";
import { listed, readingOf, shown, typed } from "./reading.js";

const PLAIN = readingOf("1", []);
const EXAMPLE = '[{"beta1": "30 deg", "beta2": "45 deg"}]';

export function search(draft, algorithms) {
  const now = draft.get("search", "algorithm") ?? "nsga2";
  return section(
    "Search",
    ["search"],
    h(
      "div",
      { class: "fields" },
      chooser(draft, algorithms, now),
      count(draft, "population", "Population", "40", "designs of a generation"),
      count(draft, "generations", "Generations", "no limit", "of one run"),
      count(draft, "evaluations", "Evaluations", "no limit", "designs that one run asks for"),
      now === "grid" && count(draft, "points", "Points", "10", "values of each real variable, ends included"),
    ),
    folded(
      "budgets",
      "Other budgets, and designs to start from",
      h(
        "div",
        { class: "fields" },
        count(draft, "wall_time", "Time of a run", "no limit", "such as 2 h", "s"),
        count(draft, "stagnation", "Stagnation", "never", "generations without growth of the hypervolume"),
        initial(draft),
      ),
    ),
  );
}

function chooser(draft, algorithms, now) {
  const place = ["search", "algorithm"];
  const known = algorithms.find(({ algorithm }) => algorithm === now);
  const goals = Object.keys(draft.get("objectives") ?? {}).length;
  const choices = algorithms.map((algorithm) => [algorithm.algorithm, named(algorithm, goals)]);
  const onChange = (value) => draft.reshape(() => draft.set(place, value));
  return choice({ place, label: "Algorithm", hint: known && help(known), wide: true }, { value: now, choices, onChange });
}

function count(draft, key, label, placeholder, hint, after = "") {
  const place = ["search", key];
  const onType = (text) => draft.set(place, typed(text));
  return entry({ place, label, hint, after }, { value: shown(draft.get(...place), PLAIN), placeholder, onType });
}

function initial(draft) {
  const place = ["search", "initial"];
  const given = draft.get(...place);
  const hint = "a list of tables in JSON, each with a value for every variable";
  return area(
    { place, label: "Designs to start from", hint, wide: true },
    {
      value: given === undefined ? "" : listed(given),
      placeholder: EXAMPLE,
      code: true,
      onType: (text) => draft.set(place, typed(text)),
    },
  );
}

// An algorithm that does not take as many objectives says how many it takes.
function named({ algorithm, objectives: [least, most] }, goals) {
  if (!goals || (goals >= least && goals <= most)) return algorithm;
  return `${algorithm} (${least === most ? least : `${least} to ${most}`} objective${most > 1 ? "s" : ""})`;
}

function help({ suits, summary, constraints }) {
  return `Choose it when you have ${suits}. ${summary}${constraints ? "" : " It takes no constraints."}`;
}
