// Review: the front, parallel coordinates, table and robot of a study, linked by one selection in the address.
/** @import { Child, Query } from "../../core/types.js" */
/** @import { KnownDesign } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { address, messageOf, online, statusOf } from "../../core/api.js";
import { byId, h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce, failure } from "../../core/messages.js";
import { follow, throttled } from "../../core/stream.js";
import { createAnnotationPanel } from "./annotation_panel.js";
import { createAnnotationFilter } from "./annotations.js";
import { createSuggestions } from "./controls.js";
import { createDecide } from "./decide.js";
import { showDetails } from "./details.js";
import { createFront } from "./front.js";
import { createImportance } from "./importance.js";
import { createLeaders } from "./leaders.js";
import { createParallel } from "./parallel_coordinates.js";
import { createPins } from "./pinned_designs.js";
import { createRanges } from "./ranges.js";
import { createRobot } from "../../core/robot_view.js";
import { createSensitivity } from "./sobol_indices.js";
import { short, Study } from "./study.js";
import { createTable } from "./table.js";
import { createViewControls } from "./view_controls.js";
import { select, selected } from "./view_state.js";

const RESTING = 120;
const LATER = 3000;
const BETWEEN_REFRESHES = 2000;
const content = byId("content");
const study = new Study(document.body.dataset.study ?? "");

// The parts of the page, once there is a design to show.
/** @type {ReturnType<typeof createParts> | null} */
let parts = null;

function createParts() {
  const robotFigure = h("figure", {
    class: "space",
    role: "group",
    aria: { label: "Robot of the selected design" },
  });
  return {
    suggestions: createSuggestions(study),
    filter: createAnnotationFilter(study),
    front: createFront(study, choose),
    robot: createRobot(study, robotFigure, { heading: "h2", viewControls: createViewControls(study) }),
    parallel: createParallel(study, choose),
    ranges: createRanges(study),
    table: createTable(study),
    pins: createPins(study),
    importance: createImportance(study),
    sensitivity: createSensitivity(study),
    leaders: createLeaders(study),
    decide: createDecide(study),
    annotations: createAnnotationPanel(study),
    details: h("section", { class: "details", aria: { label: "Selected design" } }),
  };
}

// The parts in reading order.
/** @param {ReturnType<typeof createParts>} parts */
function arranged({
  suggestions,
  filter,
  front,
  robot,
  parallel,
  ranges,
  pins,
  table,
  details,
  importance,
  sensitivity,
  leaders,
  decide,
}) {
  const help =
    "Arrows point to the better end of an axis. Drag along an axis to set a range, drag its middle or an end to change it, " +
    "click on it to let it go. Click on a line to select its design.";
  const coordinates = h(
    "figure",
    { class: "wide", role: "group", aria: { labelledby: "parallel-title" } },
    h("h2", { id: "parallel-title" }, "Variables and objectives"),
    h("div", { class: "row" }, ranges.count, parallel.scaling),
    parallel.element,
    h("figcaption", {}, help),
    h("details", { id: "range-fields" }, h("summary", {}, "Ranges as numbers"), ranges.element),
  );
  const drawn = h("div", { class: "review" }, front.element, robot.element);
  const chosen = [suggestions.element, filter.element];
  return [
    matchMedia("(max-width: 40rem)").matches ? [drawn, chosen] : [chosen, drawn], // a phone has one screen for both
    coordinates,
    pins.element,
    h("div", { class: "review lists" }, table.element, details),
    importance.element,
    sensitivity.element,
    leaders.element,
    decide.element,
  ];
}

async function begin() {
  try {
    await study.load();
  } catch (error) {
    replace(content, failure(messageOf(error), begin));
    content.removeAttribute("aria-busy");
    if (statusOf(error) === 0) setTimeout(begin, LATER);
    return;
  }
  if (study.designs.length) show();
  else wait();
  refreshOnEvents();
}

// While there is no design on any front, say why.
function wait() {
  const reasons = [...new Set(study.runs.flatMap((run) => [run.message, ...run.reasons]).filter(Boolean))];
  const states = [...new Set(study.runs.map((run) => run.state))].join(", ");
  const text = study.moves
    ? "No feasible design so far. The front appears here as soon as there is one."
    : `No feasible design to review (${states}).`;
  const list = h(
    "ul",
    { class: "plain" },
    reasons.map((reason) => h("li", {}, reason)),
  );
  const link = h("a", { href: `/studies/${study.name}` }, "Runs of this study");
  replace(
    content,
    h("div", { class: "empty" }, h("p", {}, text), reasons.length > 0 && list, h("p", {}, link)),
  );
  content.removeAttribute("aria-busy");
}

function show() {
  if (!selected().key) choose(beginning());
  const made = createParts();
  parts = made;
  const figures = {
    front: made.front.save,
    robot: made.robot.save,
    parallel: () => made.parallel.save(`${study.name}-parallel`),
  };
  replace(byId("links"), downloads(study, figures));
  replace(content, arranged(made));
  selection.watch(["layout", "key"], () => followSelection(RESTING));
  update(made);
  content.removeAttribute("aria-busy");
  performance.mark("content");
  followSelection(0);
}

// The initial selection: the design nearest to the ideal point, of the first layout that has one.
function beginning() {
  const pick = study.picks.find((one) => one.kind === "ideal") ?? study.picks[0];
  return study.designs[study.place(pick.layout, pick.key)];
}

/** @param {Pick<KnownDesign, "layout" | "key">} design */
function choose(design) {
  select(design.layout, design.key);
}

// What needs no plotly.js comes first. The table comes after the other numbers: measuring its rows makes the browser
// lay out the page.
/** @param {ReturnType<typeof createParts>} parts */
function update({ suggestions, filter, ranges, parallel, pins, table, front, importance, decide }) {
  for (const part of [suggestions, filter, ranges, parallel, pins, table, importance, decide]) part.update();
  return front.update();
}

// Details and robot follow the selection after a pause: with the arrow keys, a user passes many designs quickly.
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** @param {number} pause */
function followSelection(pause) {
  clearTimeout(resting);
  resting = setTimeout(settle, pause);
}

async function settle() {
  const { layout: stated, key } = selected();
  if (!key || !parts) return;
  const isCurrent = () => selected().key === key;
  // A link may name a design by the first letters of its key, and without its layout.
  const known = study.known(stated, key);
  const chosen = { layout: known?.layout ?? stated, key: known?.key ?? key };
  parts.robot.update(chosen);
  const design = await showDetails(study, parts.details, chosen, isCurrent, parts.annotations);
  if (!design || !isCurrent()) return;
  const where = study.layouts.length > 1 ? chosen.layout : study.name;
  announce(`Design ${short(design.key)} of ${where} is selected.`);
  // A design that is not on the front can be marked in the figures only after its values have arrived.
  if (study.place(chosen.layout, chosen.key) < 0) {
    parts.front.mark();
    parts.parallel.mark();
  }
}

// ------------------------------------------------------------------ while runs go on

// New designs on the front during a run: requested after events. A failed request is sent again; the page's banner
// shows the reason. While the server does not answer, a request now and then checks whether it is back.
function refreshOnEvents() {
  const soon = throttled(() => refresh().catch(() => soon()), BETWEEN_REFRESHES);
  online.listen((answers) => answers || soon());
  follow(soon, study.name);
}

async function refresh() {
  const before = study.designs.length;
  const changed = await study.refresh();
  if (!parts) {
    if (study.designs.length) show();
    else wait();
    return;
  }
  if (!changed) return;
  await update(parts);
  const now = study.designs.length;
  if (!study.moves) announce(`The runs have ended with ${counted(now, "design")} on the front.`);
  else if (Math.floor(before / 10) !== Math.floor(now / 10))
    announce(`${counted(now, "design is", "designs are")} on the front.`);
}

// What colleagues wrote meanwhile is there when somebody comes back to the page.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && parts) study.annotations.load().catch(() => {});
});

// When the server answers again, show the design that was selected meanwhile.
online.listen((answers) => {
  if (answers && parts && parts.details.dataset.key !== selected().key) followSelection(0);
});
begin();

// ------------------------------------------------------------------ downloads

// Everything of a study as a file: tables, the study file, the report, and the figures as they are drawn.

const KINDS = [
  ["csv", "CSV"],
  ["parquet", "Parquet"],
  ["json", "JSON"],
];

// Figures of the page that can be saved, each in a format: "svg" or "png".
/** @typedef {Record<"front" | "robot" | "parallel", (format: string) => void>} SavedFigures */

/** @param {Study} study @param {SavedFigures} figures */
function downloads(study, figures) {
  const { name } = study;
  return h(
    "details",
    { class: "menu" },
    h("summary", {}, "Download"),
    h(
      "ul",
      {},
      tables(study, "All evaluations", false),
      tables(study, "Designs on the front", true),
      h("li", {}, link(study, "Study file (TOML)", "file", {}, `${name}.toml`)),
      h("li", {}, link(study, "Report (HTML)", "report", {}, `${name}.html`)),
      saved("Front as drawn", figures.front, ["svg", "png"]),
      saved("Robot as drawn", figures.robot, ["svg", "png"]),
      saved("Parallel coordinates", figures.parallel, ["png"]),
    ),
  );
}

/** @param {Study} study @param {string} label @param {string} route @param {Query} query @param {string} file */
const link = ({ path }, label, route, query, file) =>
  h("a", { href: address(`${path}/${route}`, query), download: file }, label);

/** @param {Study} study @param {string} label @param {boolean} front */
function tables(study, label, front) {
  const links = KINDS.map(([format, kind]) =>
    link(
      study,
      kind,
      "export",
      { format, front: front || null },
      `${study.name}-${front ? "front" : "all"}.${format}`,
    ),
  );
  return h("li", {}, `${label}: `, separated(links, ", "));
}

/** @param {string} label @param {(format: string) => void} save @param {string[]} formats */
function saved(label, save, formats) {
  const buttons = formats.map((format) =>
    h("button", { type: "button", class: "link", on: { click: () => save(format) } }, format.toUpperCase()),
  );
  return h("li", {}, `${label}: `, separated(buttons, " "));
}

/** @param {Child[]} items @param {string} separator */
const separated = (items, separator) => items.map((item, place) => [place > 0 && separator, item]);
