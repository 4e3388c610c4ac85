// The runs, one per layout and seed: state, counts, and what they have to say.
/** @import { RunContext } from "./page.js" */
/** @import { Child, Schemas } from "../../core/types.js" */
import { all, get, getText, messageOf } from "../../core/api.js";
import { find, h, replace, scrollBox } from "../../core/dom.js";
import { count, counted, duration, moment, number } from "../../core/format.js";
import { asCards, stateMark } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";

// Headings of the table, with what they count.
const HEADS = [
  ["Run", ""],
  ["State", ""],
  ["Generation", "how many generations of designs the search has finished"],
  ["Designs", "how many designs the search has asked for"],
  ["Feasible", "designs that can be built, work and keep all constraints"],
  ["Failed", "designs whose evaluation ended with an error or beyond its limits"],
  ["On the front", "feasible designs of this run that none of its others beats in everything"],
  [
    "Hypervolume",
    "the volume of objective space that the front dominates, up to one common point; more is better",
  ],
  ["Searching", "how long the run has searched, without the time in which it waited"],
];

/** @param {RunContext} options */
export function createRuns({ path }) {
  /** @type {Map<number, string[]>} */
  const warnings = new Map();
  /** @type {Set<string>} */
  const opened = new Set();
  /** @type {Map<string, Schemas["SeedSpreadResource"]>} */
  let spreads = new Map();
  /** @type {Schemas["RunProgress"][]} */
  let shown = [];
  const body = h("tbody", {});
  const head = h(
    "tr",
    {},
    HEADS.map(([text, tooltip], column) =>
      h("th", { scope: "col", class: column > 1 ? "number" : null }, tipped(text, tooltip)),
    ),
  );
  const table = h("table", { class: "runs" }, h("thead", {}, head), body);
  const box = scrollBox("Runs", table);
  const measured = h("p", { class: "quiet small", data: { part: "measured" }, hidden: true });
  const element = h("section", {}, h("h2", {}, "Runs"), box, measured);

  // Runs of a layout that are done stand in its one line until it is opened; all others are always seen.
  /** @param {Schemas["RunProgress"][]} runs */
  function update(runs) {
    shown = runs;
    const layouts = [...new Set(runs.map((run) => run.layout))];
    const focused = body.contains(document.activeElement)
      ? document.activeElement?.closest("tr")?.dataset.layout
      : undefined;
    replace(
      body,
      layouts.map((layout) => {
        const own = runs.filter((run) => run.layout === layout);
        const isOpen = opened.has(layout);
        const listed = own.filter((run) => isOpen || own.length === 1 || run.state !== "done");
        return [
          own.length > 1 && sum(layout, own),
          listed.map((run) => row(run, warnings.get(run.id) ?? [])),
        ];
      }),
    );
    asCards(table);
    if (focused) find(body, `tr[data-layout="${CSS.escape(focused)}"] button`, HTMLButtonElement).focus();
  }

  // All seeds of a layout in one line.
  /** @param {string} layout @param {Schemas["RunProgress"][]} own */
  function sum(layout, own) {
    const isOpen = opened.has(layout);
    const done = own.filter((run) => run.state === "done");
    const toggle = () => {
      isOpen ? opened.delete(layout) : opened.add(layout);
      update(shown);
    };
    const button = h(
      "button",
      { type: "button", class: "fold", aria: { expanded: String(isOpen) }, on: { click: toggle } },
      `${layout}, ${counted(own.length, "seed")}`,
    );
    /** @param {"feasible" | "failed" | "seconds" | "designs"} name */
    const total = (name) => own.reduce((all, run) => all + run[name], 0);
    const spread = spreads.get(layout);
    const range =
      spread && h("span", { class: "note" }, `${number(spread.least)} to ${number(spread.greatest)}`);
    const state = done.length === own.length ? stateMark("done") : `${done.length} of ${own.length} done`;
    const told = new Set(done.flatMap((run) => warnings.get(run.id) ?? []));
    const cells = [
      count(Math.max(...own.map((run) => run.generations))),
      count(total("designs")),
      count(total("feasible")),
      count(total("failed")),
      null, // fronts of seeds do not add up
      [spread ? `median ${number(spread.median)}` : "\u2013", range],
      duration(total("seconds")),
    ];
    return h(
      "tr",
      { class: "sum", data: { layout } },
      h("th", { scope: "row" }, done.length ? button : button.textContent),
      h("td", {}, state, isOpen ? null : [...told].map(note)),
      cells.map((content) => numeric(content)),
    );
  }

  // Notes of the search, and warnings of the back-end for designs on the fronts, which cost the server more than counts.
  async function warn() {
    for (const run of await all(`${path}/runs`))
      warnings.set(run.id, [...(run.notes ?? []), ...run.warnings]);
    update(shown);
  }

  // The point that all runs share, and how far the seeds of a layout lie apart.
  /** @param {Schemas["ProgressResource"]} options */
  function measure({ point, spread }) {
    spreads = new Map(spread.map((one) => [one.layout, one]));
    measured.hidden = !point;
    replace(measured, `All hypervolumes are measured against one point: ${point}.`);
    update(shown);
  }

  return { element, update, measure, warn };
}

/** @param {Schemas["RunProgress"]} run @param {string[]} warnings */
function row(run, warnings) {
  const designs =
    run.planned === null ? count(run.designs) : `${count(run.designs)} of ${count(run.planned)}`;
  const numbers = [
    count(run.generations),
    designs,
    count(run.feasible),
    count(run.failed),
    count(run.front),
    number(run.hypervolume),
    duration(run.seconds),
  ];
  const gone = run.owner_gone && run.state === "running" ? "its process has ended" : "";
  const said = [run.message, gone].filter(Boolean).join("; ");
  return h(
    "tr",
    { data: { run: run.id } },
    h("th", { scope: "row" }, `${run.layout}, seed ${run.seed}`),
    h(
      "td",
      { data: { head: HEADS[1][0] } },
      stateMark(run.state),
      [said, ...warnings].filter(Boolean).map(note),
    ),
    numbers.map((text) => numeric(text)),
  );
}

/** @param {string} text */
const note = (text) => h("span", { class: "note" }, text);
/** @param {Child} content */
const numeric = (content) => h("td", { class: "number" }, content);

// ------------------------------------------------------------------ versions and file

// The versions that ran the study, and its file; fetched when the user opens them.
/** @param {RunContext} options */
export function createProvenance({ path }) {
  const provenance = fold("Versions and machines", () => loadProvenance(path));
  const file = fold("Study file", async () =>
    h("pre", { tabindex: 0, aria: { label: "Study file" } }, await getText(`${path}/file`)),
  );
  const element = h("section", { aria: { label: "More of this study" } }, provenance.element, file.element);
  return { element, update: provenance.renew };
}

// Details whose content is fetched when they are opened, and anew after something changed.
/** @param {string} title @param {() => Promise<HTMLElement>} load */
function fold(title, load) {
  const place = h("div", {});
  const element = h("details", { on: { toggle } }, h("summary", {}, title), place);
  let known = false;
  let asked = 0;

  async function toggle() {
    if (!element.open || known) return;
    known = true;
    const turn = (asked += 1);
    try {
      const found = await load();
      if (turn === asked) replace(place, found); // else something changed meanwhile, and a newer one is on its way
    } catch (error) {
      if (turn !== asked) return;
      known = false;
      replace(
        place,
        h(
          "p",
          { class: "fault" },
          `It cannot be shown: ${messageOf(error)}. Close and open it to try again.`,
        ),
      );
    }
  }

  return { element, renew: () => ((known = false), toggle()) };
}

/** @param {RunContext["path"]} path */
async function loadProvenance(path) {
  const { items: runs } = await get(`${path}/runs`, { limit: 1000 });
  const started = runs.filter((run) => run.state !== "draft" && run.state !== "queued").slice(0, 20);
  const pages = await Promise.all(started.map((run) => get(`${path}/runs/${run.id}/provenance`)));
  const facts = new Map();
  for (const record of pages.flatMap((page) => page.items)) {
    for (const [name, value] of factsOf(record)) facts.set(name, (facts.get(name) ?? new Set()).add(value));
  }
  if (!facts.size)
    return h("p", { class: "quiet" }, "No run has started, so there are no versions to record.");
  const rows = [...facts].map(([name, values]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "long" }, [...values].join("; "))),
  );
  return scrollBox("Versions and machines", h("table", {}, h("tbody", {}, rows)));
}

/** @param {any} record */
function factsOf(record) {
  const { git, packages = {} } = record;
  return [
    ["back-end", `${record.model} version ${record.model_version}`],
    ["source", git ? `${git.commit}${git.dirty ? " with local changes" : ""}` : "installed package"],
    [
      "packages",
      Object.entries(packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
    ["Python", record.python ?? ""],
    ["machine", `${record.machine ?? ""}, ${record.processor ?? ""}, ${record.cores ?? "?"} cores`],
    ["started", moment(new Date(1000 * record.started).toISOString())],
  ];
}
