// The runs, one per layout and seed: state, counts, and what they have to say.
import { all } from "../api.js";
import { h, replace } from "../dom.js";
import { count, duration, number } from "../format.js";
import { stateMark } from "../state.js";

const HEADS = ["Run", "State", "Generation", "Designs", "Feasible", "Failed", "On the front", "Own hypervolume", "Searching"];

export function createRuns({ path }) {
  const warnings = new Map();
  let shown = [];
  const body = h("tbody", {});
  const head = h("tr", {}, HEADS.map((text, column) => h("th", { scope: "col", class: column > 1 ? "number" : null }, text)));
  const table = h("table", { class: "runs" }, h("thead", {}, head), body);
  const box = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Runs" } }, table);
  const element = h("section", {}, h("h2", {}, "Runs"), box, h("p", { class: "quiet small" }, "Each run measures its hypervolume against a point of its own; the figure measures all against one."));

  function update(runs) {
    shown = runs;
    replace(body, runs.map((run) => row(run, warnings.get(run.id) ?? [])));
  }

  // What the back-end warns of in designs on the fronts, which costs more than the counts.
  async function warn() {
    for (const run of await all(`${path}/runs`)) warnings.set(run.id, run.warnings);
    update(shown);
  }

  return { element, update, warn };
}

function row(run, warnings) {
  const designs = run.planned === null ? count(run.designs) : `${count(run.designs)} of ${count(run.planned)}`;
  const numbers = [count(run.generations), designs, count(run.feasible), count(run.failed), count(run.front), number(run.hypervolume), duration(run.seconds)];
  const gone = run.owner_gone && run.state === "running" ? "its process is gone" : "";
  const said = [run.message, gone].filter(Boolean).join("; ");
  return h(
    "tr",
    { data: { run: run.id } },
    h("th", { scope: "row" }, `${run.layout}, seed ${run.seed}`),
    h("td", {}, stateMark(run.state), [said, ...warnings].filter(Boolean).map((text) => h("span", { class: "note" }, text))),
    numbers.map((text) => h("td", { class: "number" }, text)),
  );
}
