// The runs, one per layout and seed: state, counts, and what they have to say.
import { all } from "../api.js";
import { h, replace } from "../dom.js";
import { count, duration, number } from "../format.js";
import { stateMark } from "../state.js";

const HEADS = ["Run", "State", "Generation", "Designs", "Feasible", "Failed", "On the front", "Hypervolume", "Searching"];

export function createRuns({ path }) {
  const warnings = new Map();
  let shown = [];
  const body = h("tbody", {});
  const head = h("tr", {}, HEADS.map((text, column) => h("th", { scope: "col", class: column > 1 ? "number" : null }, text)));
  const table = h("table", { class: "runs" }, h("thead", {}, head), body);
  const box = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Runs" } }, table);
  const measured = h("p", { class: "quiet small", data: { part: "measured" }, hidden: true });
  const element = h("section", {}, h("h2", {}, "Runs"), box, measured);

  function update(runs) {
    shown = runs;
    replace(body, runs.map((run) => row(run, warnings.get(run.id) ?? [])));
  }

  // What the back-end warns of in designs on the fronts, which costs more than the counts.
  async function warn() {
    for (const run of await all(`${path}/runs`)) warnings.set(run.id, run.warnings);
    update(shown);
  }

  // The point that all runs share, and how far the seeds of a layout lie apart.
  function measure({ point, spread }) {
    measured.hidden = !point;
    const apart = spread.filter((row) => row.seeds > 1).map((row) => `${row.layout}: ${row.seeds} seeds, least ${number(row.least)}, median ${number(row.median)}, greatest ${number(row.greatest)}.`);
    measured.textContent = [`All hypervolumes are measured against one point: ${point}.`, ...apart].join(" ");
  }

  return { element, update, measure, warn };
}

function row(run, warnings) {
  const designs = run.planned === null ? count(run.designs) : `${count(run.designs)} of ${count(run.planned)}`;
  const numbers = [count(run.generations), designs, count(run.feasible), count(run.failed), count(run.front), number(run.hypervolume), duration(run.seconds)];
  const gone = run.owner_gone && run.state === "running" ? "its process has ended" : "";
  const said = [run.message, gone].filter(Boolean).join("; ");
  return h(
    "tr",
    { data: { run: run.id } },
    h("th", { scope: "row" }, `${run.layout}, seed ${run.seed}`),
    h("td", {}, stateMark(run.state), [said, ...warnings].filter(Boolean).map((text) => h("span", { class: "note" }, text))),
    numbers.map((text) => h("td", { class: "number" }, text)),
  );
}
