// Review: the front, parallel coordinates, table and robot of a study, linked by one selection in the address.
import { say } from "./announce.js";
import { byId, h, replace } from "./dom.js";
import { counted } from "./format.js";
import { online } from "./online.js";
import { drawAfter, save } from "./plot.js";
import { axisChoice } from "./review/axis_choice.js";
import { fetchCloud } from "./review/cloud.js";
import { showDetails } from "./review/details.js";
import { downloads } from "./review/downloads.js";
import { Front } from "./review/front.js";
import { live } from "./review/live.js";
import { places } from "./review/page.js";
import { Parallel } from "./review/parallel.js";
import { Picks } from "./review/picks.js";
import { Pins } from "./review/pins.js";
import { Ranges } from "./review/ranges.js";
import { Robot } from "./review/robot.js";
import { short, Study } from "./review/study.js";
import { Table } from "./review/table.js";
import { axes, select, selected } from "./review/view.js";
import { selection } from "./selection.js";

const RESTING = 120;
const LATER = 3000;
const content = byId("content");
const study = new Study(document.body.dataset.study);

async function begin() {
  try {
    await study.load();
  } catch (error) {
    replace(content, h("p", { class: "fault", role: "alert" }, error.message), h("button", { type: "button", on: { click: begin } }, "Try again"));
    content.removeAttribute("aria-busy");
    if (error.status === 0) setTimeout(begin, LATER);
    return;
  }
  if (study.designs.length) show();
  else wait();
  live(study, refresh);
}

let shown = null;

// While there is no design on any front, say why.
function wait() {
  const reasons = [...new Set(study.runs.flatMap((run) => [run.message, ...run.reasons]).filter(Boolean))];
  const states = [...new Set(study.runs.map((run) => run.state))].join(", ");
  replace(content, h("div", { class: "empty" },
    h("p", {}, study.moves ? "No feasible design so far. The front appears here as soon as there is one." : `No feasible design to review (${states}).`),
    reasons.length > 0 && h("ul", { class: "plain" }, reasons.map((text) => h("li", {}, text))),
    h("p", {}, h("a", { href: `/studies/${study.name}` }, "Runs of this study"))));
  content.removeAttribute("aria-busy");
}

function show() {
  if (!selected().key) choose(beginning());
  const box = places();
  shown = {
    box,
    picks: new Picks(study, box.picks),
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
  box.cloud.querySelector("input").addEventListener("change", (event) => selection.set({ cloud: event.target.checked ? "1" : null }));
  box.whole.querySelector("input").addEventListener("change", (event) => selection.set({ range: event.target.checked ? "all" : null, zoom: null }));
  selection.watch(["cloud", "axes", "view"], showCloud);
  selection.watch(["range"], showWhole);
  selection.watch(["layout", "key"], () => follow(RESTING));
  drawNumbers();
  drawFront();
  content.removeAttribute("aria-busy");
  performance.mark("content");
  follow(0);
}

async function drawFront() {
  await shown.front.draw();
  performance.mark("front");
  if (selection.get().cloud) await showCloud();
}

// What is selected before anybody chose: the design nearest to the ideal of the first layout that has one.
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

// What needs no plotly.js. The table comes last: it looks where its rows are, for which the page is laid out.
function drawNumbers() {
  shown.picks.draw();
  shown.ranges.draw();
  shown.parallel.draw();
  shown.pins.draw();
  shown.table.draw();
}

// Details and robot follow the selection once it rests: who walks through a table passes many designs.
let resting;
function follow(pause) {
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
  say(`Design ${short(design.key)} of ${study.layouts.length > 1 ? layout : study.name} is selected.`);
  // One that is not on the front has no place in the figures before its numbers came.
  if (study.place(layout, key) < 0) {
    shown.front.mark();
    shown.parallel.mark();
  }
}

// All evaluations behind the front. A cloud that was asked for before others is let go.
let asked = 0;
async function showCloud() {
  const wanted = selection.get().cloud === "1";
  const turn = (asked += 1);
  const input = shown.box.cloud.querySelector("input");
  input.checked = wanted;
  showWhole();
  if (!wanted) {
    if (shown.front.cloud) await put(null);
    return;
  }
  shown.box.cloud.setAttribute("aria-busy", "true");
  try {
    const coming = fetchCloud(study, axes(study).columns, choose);
    drawAfter(coming);
    const cloud = await coming;
    if (turn === asked) await put(cloud);
  } catch (error) {
    if (turn !== asked) return;
    say(error.message);
    selection.set({ cloud: null });
  } finally {
    if (turn === asked) shown.box.cloud.removeAttribute("aria-busy");
  }
}

async function put(cloud) {
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
  if (!study.moves) say(`The runs have ended with ${counted(study.designs.length, "design")} on the front.`);
  else if (Math.floor(before / 10) !== Math.floor(study.designs.length / 10)) say(`${counted(study.designs.length, "design is", "designs are")} on the front.`);
}

// What was selected while the server did not answer is told now.
online.listen((answers) => answers && shown && shown.box.details.dataset.key !== selected().key && follow(0));
begin();
