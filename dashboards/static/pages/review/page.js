// The empty sections of the review page in reading order; other scripts fill them.
import { selection } from "../../core/address.js";
import { address, online } from "../../core/api.js";
import { byId, h, replace, scrollBox } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce, failure } from "../../core/messages.js";
import { drawAfter, save } from "../../core/plot.js";
import { follow, throttled } from "../../core/stream.js";
import { axisChoice, Ranges, Suggestions } from "./controls.js";
import { showDetails } from "./details.js";
import { fetchEvaluations } from "./front_figure.js";
import { Front } from "./front.js";
import { Parallel } from "./parallel.js";
import { Pins } from "./pins.js";
import { Robot } from "./robot.js";
import { short, Study } from "./study.js";
import { Table } from "./table.js";
import { axes, select, selected } from "./view.js";

// Returns { content, ...places by name }.
function createPlaces() {
  const made = {
    picks: h("div", { class: "picks" }),
    axes: h("div", { class: "row axes" }),
    front: h("div", { class: "plot", id: "front", aria: { busy: "true" } }),
    frontCaption: h("figcaption", {}),
    cloud: h("label", {}, h("input", { type: "checkbox", id: "cloud" }), " All evaluations"),
    whole: h(
      "label",
      { hidden: true },
      h("input", { type: "checkbox", id: "whole" }),
      " Axes over all of them",
    ),
    robot: h("figure", { class: "space", role: "group", aria: { label: "Robot of the selected design" } }),
    parallel: h("div", { class: "parallel", aria: { busy: "true" } }),
    count: h("div", { class: "row", id: "in-ranges" }),
    ranges: scrollBox("Ranges"),
    table: scrollBox("Designs on the front"),
    tableFoot: h("div", { class: "row" }),
    details: h("section", { class: "details", aria: { label: "Selected design" } }),
    pins: h("section", { class: "pins", hidden: true }),
  };
  made.table.classList.add("tall");
  const front = h(
    "figure",
    { class: "space", role: "group", aria: { labelledby: "front-title" } },
    h("h2", { id: "front-title" }, "Front"),
    made.axes,
    h("div", { class: "marked" }, made.front),
    h("div", { class: "row" }, made.cloud, made.whole),
    made.frontCaption,
  );
  const parallel = h(
    "figure",
    { class: "wide", role: "group", aria: { labelledby: "parallel-title" } },
    h("h2", { id: "parallel-title" }, "Variables and objectives"),
    made.count,
    made.parallel,
    h(
      "figcaption",
      {},
      "Drag along an axis to set a range, click on it to let the range go, click on a line to select its design.",
    ),
    h("details", { id: "range-fields" }, h("summary", {}, "Ranges as numbers"), made.ranges),
  );
  const designs = h(
    "section",
    { aria: { labelledby: "table-title" } },
    h("h2", { id: "table-title" }, "Designs"),
    made.table,
    made.tableFoot,
  );
  made.content = [
    made.picks,
    h("div", { class: "review" }, front, made.robot),
    parallel,
    made.pins,
    h("div", { class: "review lists" }, designs, made.details),
  ];
  return made;
}

// ------------------------------------------------------------------ downloads

// Everything of a study as a file.
const KINDS = [
  ["csv", "CSV"],
  ["parquet", "Parquet"],
  ["json", "JSON"],
];

function downloads(study, figures) {
  const { path, name } = study;
  const link = (label, where, query, file) =>
    h("a", { href: address(`${path}/${where}`, query), download: file }, label);
  const tables = (label, front) =>
    h(
      "li",
      {},
      `${label}: `,
      KINDS.map(([format, kind], place) => [
        place > 0 && ", ",
        link(
          kind,
          "export",
          { format, front: front || null },
          `${name}-${front ? "front" : "all"}.${format}`,
        ),
      ]),
    );
  const saved = (label, what, formats) =>
    h(
      "li",
      {},
      `${label}: `,
      formats.map((format, place) => [
        place > 0 && " ",
        h(
          "button",
          { type: "button", class: "link", on: { click: () => figures[what](format) } },
          format.toUpperCase(),
        ),
      ]),
    );
  return h(
    "details",
    { class: "menu" },
    h("summary", {}, "Download"),
    h(
      "ul",
      {},
      tables("All evaluations", false),
      tables("Designs on the front", true),
      h("li", {}, link("Study file (TOML)", "file", {}, `${name}.toml`)),
      h("li", {}, link("Report (HTML)", "report", {}, `${name}.html`)),
      saved("Front as drawn", "front", ["svg", "png"]),
      saved("Robot as drawn", "robot", ["svg", "png"]),
      saved("Parallel coordinates", "parallel", ["png"]),
    ),
  );
}

// ------------------------------------------------------------------ while runs go on

// New designs on the front during a run: requested after events, at most every two seconds.
// While the server does not answer, a request now and then checks whether it is back.
const SOONEST = 2000;

function refreshOnEvents(study, refresh) {
  // A failed request is sent again; the page's banner shows the reason.
  const soon = throttled(() => refresh().catch(() => soon()), SOONEST);
  online.listen((answers) => answers || soon());
  follow(soon, study.name);
}

// ------------------------------------------------------------------ the page

// Review: the front, parallel coordinates, table and robot of a study, linked by one selection in the address.
const RESTING = 120;
const LATER = 3000;
const content = byId("content");
const study = new Study(document.body.dataset.study);

async function begin() {
  try {
    await study.load();
  } catch (error) {
    replace(content, failure(error.message, begin));
    content.removeAttribute("aria-busy");
    if (error.status === 0) setTimeout(begin, LATER);
    return;
  }
  if (study.designs.length) show();
  else wait();
  refreshOnEvents(study, refresh);
}

/** @type {any} The parts of the page, once there is a design to show. */
let shown = null;

// While there is no design on any front, say why.
function wait() {
  const reasons = [...new Set(study.runs.flatMap((run) => [run.message, ...run.reasons]).filter(Boolean))];
  const states = [...new Set(study.runs.map((run) => run.state))].join(", ");
  replace(
    content,
    h(
      "div",
      { class: "empty" },
      h(
        "p",
        {},
        study.moves
          ? "No feasible design so far. The front appears here as soon as there is one."
          : `No feasible design to review (${states}).`,
      ),
      reasons.length > 0 &&
        h(
          "ul",
          { class: "plain" },
          reasons.map((text) => h("li", {}, text)),
        ),
      h("p", {}, h("a", { href: `/studies/${study.name}` }, "Runs of this study")),
    ),
  );
  content.removeAttribute("aria-busy");
}

function show() {
  if (!selected().key) choose(beginning());
  const box = createPlaces();
  shown = {
    box,
    picks: new Suggestions(study, box.picks),
    front: new Front(study, box.front, box.frontCaption, choose),
    robot: new Robot(study, box.robot, { heading: "h2" }),
    parallel: new Parallel(study, box.parallel, choose),
    ranges: new Ranges(study, box.ranges, box.count),
    table: new Table(study, box.table, box.tableFoot),
    pins: new Pins(study, box.pins),
  };
  const figures = {
    front: (format) => shown.front.save(format),
    robot: (format) => save(shown.robot.plot, format, `${study.name}-robot`),
    parallel: () => shown.parallel.save(`${study.name}-parallel`),
  };
  replace(byId("links"), downloads(study, figures));
  replace(content, box.content);
  shown.updateAxes = axisChoice(study, box.axes);
  box.cloud
    .querySelector("input")
    .addEventListener("change", (event) => selection.set({ cloud: event.target.checked ? "1" : null }));
  box.whole
    .querySelector("input")
    .addEventListener("change", (event) =>
      selection.set({ range: event.target.checked ? "all" : null, zoom: null }),
    );
  selection.watch(["cloud", "axes", "view"], showCloud);
  selection.watch(["range"], showWhole);
  selection.watch(["layout", "key"], () => followSelection(RESTING));
  drawNumbers();
  drawFront();
  content.removeAttribute("aria-busy");
  performance.mark("content");
  followSelection(0);
}

async function drawFront() {
  await shown.front.draw();
  performance.mark("front");
  if (selection.get().cloud) await showCloud();
}

// The initial selection: the design nearest to the ideal point, of the first layout that has one.
function beginning() {
  const pick = study.picks.find((one) => one.kind === "ideal") ?? study.picks[0];
  return study.designs[study.place(pick.layout, pick.key)];
}

function choose(design) {
  select(design.layout, design.key);
}

function drawAll() {
  drawNumbers();
  shown.front.draw();
}

// Everything that needs no plotly.js. The table comes last: measuring its rows makes the browser lay out the page.
function drawNumbers() {
  shown.picks.draw();
  shown.ranges.draw();
  shown.parallel.draw();
  shown.pins.draw();
  shown.table.draw();
}

// Details and robot follow the selection after a pause: with the arrow keys, a user passes many designs quickly.
let resting;
function followSelection(pause) {
  clearTimeout(resting);
  resting = setTimeout(settle, pause);
}

async function settle() {
  const { layout: stated, key } = selected();
  if (!key) return;
  const isCurrent = () => selected().key === key;
  // A link may name a design by the first letters of its key, and without its layout.
  const known = study.known(stated, key);
  const layout = known?.layout ?? stated;
  const whole = known?.key ?? key;
  shown.robot.show({ layout, key: whole });
  const design = await showDetails(study, shown.box.details, { layout, key: whole }, isCurrent);
  if (!design || !isCurrent()) return;
  announce(`Design ${short(design.key)} of ${study.layouts.length > 1 ? layout : study.name} is selected.`);
  // A design that is not on the front can be marked in the figures only after its values have arrived.
  if (study.place(layout, key) < 0) {
    shown.front.mark();
    shown.parallel.mark();
  }
}

// All evaluations behind the front. The answer to an older request is ignored.
let cloudTurn = 0;
async function showCloud() {
  const isOn = selection.get().cloud === "1";
  const turn = (cloudTurn += 1);
  const input = shown.box.cloud.querySelector("input");
  input.checked = isOn;
  showWhole();
  if (!isOn) {
    if (shown.front.cloud) await setCloud(null);
    return;
  }
  shown.box.cloud.setAttribute("aria-busy", "true");
  try {
    const coming = fetchEvaluations(study, axes(study).columns, choose);
    drawAfter(coming);
    const cloud = await coming;
    if (turn === cloudTurn) await setCloud(cloud);
  } catch (error) {
    if (turn !== cloudTurn) return;
    announce(error.message);
    selection.set({ cloud: null });
  } finally {
    if (turn === cloudTurn) shown.box.cloud.removeAttribute("aria-busy");
  }
}

async function setCloud(cloud) {
  shown.front.cloud = cloud;
  await shown.front.draw();
  performance.mark("cloud");
}

function showWhole() {
  shown.box.whole.hidden = selection.get().cloud !== "1";
  shown.box.whole.querySelector("input").checked = selection.get().range === "all";
}

async function refresh() {
  const before = study.designs.length;
  const changed = await study.refresh();
  if (!shown) return study.designs.length ? show() : wait();
  if (!changed) return;
  drawAll();
  shown.updateAxes();
  if (selection.get().cloud === "1") await showCloud();
  if (!study.moves)
    announce(`The runs have ended with ${counted(study.designs.length, "design")} on the front.`);
  else if (Math.floor(before / 10) !== Math.floor(study.designs.length / 10))
    announce(`${counted(study.designs.length, "design is", "designs are")} on the front.`);
}

// When the server answers again, show the design that was selected meanwhile.
online.listen(
  (answers) => answers && shown && shown.box.details.dataset.key !== selected().key && followSelection(0),
);
begin();
