// The front as a part of the page: over chosen axes, with marks of the selection above it, and the cloud behind it.
/** @import { ViewChange } from "../../core/scatter/scatter.js" */
/** @import { Point, Range, ScatterFigure } from "../../core/types.js" */
/** @import { Evaluations } from "./point_cloud.js" */
/** @import { KnownDesign, Study } from "./study.js" */
/** @import { AxesView } from "./view_state.js" */
import { selection } from "../../core/url_state.js";
import { messageOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { plotBox } from "../../core/plot.js";
import { cameraOf, cameraText } from "../../core/scatter/axes_3d.js";
import { Pairs } from "../../core/scatter/pairs.js";
import { farDesigns, fittedAxes } from "../../core/scatter/far_values.js";
import { farEntry, fillLegend, legendEntries } from "../../core/scatter/legend.js";
import { Scatter } from "../../core/scatter/scatter.js";
import { DesignMarks, favourites, marked, SAVED } from "./design_marks.js";
import { fetchEvaluations } from "./point_cloud.js";
import { createAxisChoice } from "./controls.js";
import { createEncodingChoice } from "./mark_encoding.js";
import { scatterFigure } from "./front_figure.js";
import { isMarkFiltered } from "./annotations.js";
import { axes, FILTERS, inside, zoomOf, zoomText } from "./view_state.js";

const PHONE = matchMedia("(max-width: 40rem)");

// A `folded` one holds its controls; they and its caption are opened on request.
/** @param {Study} study @param {(design: Pick<KnownDesign, "layout" | "key">) => void} choose @param {{ folded?: boolean }} [options] */
export function createFront(study, choose, { folded = false } = {}) {
  const box = plotBox({ id: "front", aria: { busy: "true" } });
  const caption = h("figcaption", {});
  const axisChoice = createAxisChoice(study);
  const encodingChoice = createEncodingChoice(study);
  const cloudSwitch = createCloudSwitch(study, choose, showCloud);
  const marks = new DesignMarks(positionOf);
  const scatter = new Scatter(box, {
    pick: (group, number) =>
      group.background ? cloud?.pick(group.data?.[number]) : choose(study.designs[group.data?.[number]]),
    view: turned,
    drawn: () => marks.place(),
  });
  const pairs = new Pairs(box, {
    pick: (group, number) => choose(study.designs[group.data?.[number]]),
    drawn: () => marks.place(),
  });
  const legend = h("div", { class: "row legend", hidden: true });
  const fold = folded ? foldOf : foldedOnPhones;
  const controls = fold("Axes, colours and sizes", axisChoice.element, encodingChoice.element);
  const below = folded ? [controls, foldOf("What is shown", caption)] : caption;
  const element = h(
    "figure",
    { class: "space", role: "group", aria: { labelledby: "front-title" } },
    h("h2", { id: "front-title", class: "unseen" }, "Front"),
    legend,
    h("div", { class: "marked" }, box),
    h("div", { class: "row below" }, cloudSwitch.element, below),
  );
  let view = axes(study);
  /** @type {Evaluations | null} */
  let cloud = null;

  // After designs came: the axes that can be chosen may be others.
  async function update() {
    axisChoice.update();
    encodingChoice.update();
    await redraw();
    performance.mark("front");
    await cloudSwitch.update();
  }

  async function redraw() {
    if (element.hidden) {
      box.removeAttribute("aria-busy"); // it cannot measure itself, and is drawn when it is shown
      return;
    }
    view = axes(study);
    const visible = inside(study);
    if (view.mode === "matrix") {
      if (scatter.figure) scatter.close();
      await showPairs(visible);
    } else showScatter(visible);
    describe(visible);
    mark();
  }

  /** @param {Uint8Array} visible */
  function showScatter(visible) {
    if (pairs.isOpen()) pairs.close();
    legend.hidden = true;
    const figure = scatterFigure(study, view, visible, cloud);
    scatter.show(figure, addressedView());
    scatter.stage.append(marks.layer);
    tell(figure);
  }

  /** @param {Uint8Array} visible */
  async function showPairs(visible) {
    const figure = scatterFigure(study, view, visible, null);
    tell(figure);
    const again = () => showPairs(visible);
    const far = farEntry(farDesigns(fittedAxes(figure), figure.groups), pairs.showsAll, () => {
      pairs.showsAll = !pairs.showsAll;
      again();
    });
    fillLegend(legend, [legendEntries(figure.groups, pairs.hidden, again), far]);
    legend.hidden = false;
    box.after(marks.layer);
    await pairs.show(figure);
  }

  // The drawn data, in the form that plotly.js gives a box.
  /** @param {ScatterFigure} figure */
  function tell({ groups }) {
    box.data = groups.map(({ name, meta, data, columns, background }) => ({
      name,
      meta: background ? "evaluations" : meta,
      customdata: data,
      ...Object.fromEntries(columns.map((values, place) => ["xyz"[place], values])),
    }));
  }

  /** @param {Evaluations | null} found */
  async function showCloud(found) {
    cloud = found;
    await redraw();
    performance.mark("cloud");
  }

  function mark() {
    marks.set(marked(study));
  }

  /** @param {KnownDesign} design */
  function valuesOf(design) {
    return view.columns.map((column) => column.of(design) * column.scale.factor);
  }

  // Where a design stands in the drawing in pixels, and the lines from it to the floor.
  /** @param {KnownDesign} design */
  function positionOf(design) {
    const values = valuesOf(design);
    if (view.mode === "matrix") return { places: pairs.project(values), drops: [] };
    const place = scatter.project(values);
    return place ? { places: [place], drops: scatter.drops(values) } : { places: [], drops: [] };
  }

  /** @param {string} format */
  function saveAs(format) {
    const name = `${study.name}-front`;
    const symbols = marked(study).map(({ design, kind, letter }) => ({
      values: valuesOf(design),
      letter,
      ...SAVED[kind],
    }));
    return (view.mode === "matrix" ? pairs : scatter).save(format, name, symbols);
  }

  // The camera of a space, or the part of a plane, from the address; null for the default.
  function addressedView() {
    const { eye, zoom } = selection.get();
    return view.mode === "3d" ? cameraOf(eye) : zoomOf(view.columns, zoom);
  }

  // The user turned or zoomed: the address gets the view, and the drawing shows it with the address's precision.
  /** @param {ViewChange} change */
  function turned({ camera, zoom }) {
    if (view.mode === "3d") selection.set({ eye: camera && cameraText(camera) });
    else selection.set({ zoom: zoomText(view.columns, zoom) });
    scatter.showView(addressedView());
  }

  // The address has changed: show its view.
  function showAddressedView() {
    if (!scatter.figure || view.mode === "matrix") return;
    const { own } = scatter;
    const shown = Array.isArray(own) ? zoomText(view.columns, own) : own && cameraText(own);
    const stated = view.mode === "3d" ? selection.get().eye : selection.get().zoom;
    if ((shown ?? "") !== (stated ?? "")) scatter.showView(addressedView());
  }

  /** @param {Uint8Array} visible */
  function describe(visible) {
    const left = visible.reduce((sum, one) => sum + one, 0);
    const texts = [
      countText(study, left),
      view.mode === "matrix" ? "" : "Arrows: the better end.",
      scatter.figure?.ideal ? "Large star: the ideal point, the best value of each axis at once." : "",
      favourites(study).length ? "Small star: a favourite of yours." : "",
      cloud?.description(view) ?? "",
    ];
    replace(caption, texts.filter(Boolean).join(" "));
    box.dataset.designs = String(study.designs.length);
    box.dataset.inside = String(left);
  }

  selection.watch([...FILTERS, "view", "axes", "log", "range", "colour", "size"], redraw);
  study.annotations.listen(redraw);
  selection.watch(["layout", "key", "pins"], mark);
  selection.watch(["eye", "zoom"], showAddressedView);
  return { element, controls, update, mark, save: saveAs };
}

/** @param {string} title @param {...HTMLElement} controls */
const foldOf = (title, ...controls) =>
  h("details", {}, h("summary", {}, title), h("div", { class: "row" }, controls));

// Controls that are folded where the drawing would stand below the first screen with them.
/** @param {string} title @param {...HTMLElement} controls */
function foldedOnPhones(title, ...controls) {
  const details = foldOf(title, ...controls);
  details.className = "phone-fold";
  details.open = !PHONE.matches;
  PHONE.addEventListener("change", () => (details.open = !PHONE.matches));
  return details;
}

/** @param {Study} study @param {number} left */
function countText({ designs, layouts }, left) {
  const all = counted(designs.length, "design");
  const fronts = layouts.length > 1 ? ` (fronts of ${layouts.length} layouts)` : "";
  if (left === designs.length) return `${all} on the front${fronts}.`;
  const verb = left === 1 ? "is" : "are";
  return `${left} of ${all} on the front ${verb} ${isMarkFiltered() ? "shown" : "in the ranges"}${fronts}.`;
}

// ------------------------------------------------------------------ all evaluations

// Whether all evaluations are drawn behind the front, and whether the axes take them in. `onChange(cloud)` is called
// with what was fetched, or with null.
/** @param {Study} study @param {(design: Pick<KnownDesign, "layout" | "key">) => void} choose @param {(cloud: Evaluations | null) => Promise<void>} onChange */
function createCloudSwitch(study, choose, onChange) {
  const cloud = h("input", {
    type: "checkbox",
    id: "cloud",
    on: { change: (event) => selection.set({ cloud: event.currentTarget.checked ? "1" : null }) },
  });
  const whole = h("input", {
    type: "checkbox",
    id: "whole",
    on: {
      change: (event) => selection.set({ range: event.currentTarget.checked ? "all" : null, zoom: null }),
    },
  });
  const cloudLabel = h("label", {}, cloud, " All evaluations");
  const wholeLabel = h("label", { hidden: true }, whole, " Axes over all of them");
  const element = h("div", { class: "row" }, cloudLabel, wholeLabel);
  let isDrawn = false;
  let turn = 0;

  // The answer to an older request is ignored.
  async function update() {
    const isOn = selection.get().cloud === "1";
    const thisTurn = (turn += 1);
    cloud.checked = isOn;
    showWhole();
    if (isOn) await fetchCloud(() => thisTurn === turn);
    else if (isDrawn) {
      isDrawn = false;
      await onChange(null);
    }
  }

  /** @param {() => boolean} isCurrent */
  async function fetchCloud(isCurrent) {
    cloudLabel.setAttribute("aria-busy", "true");
    try {
      const found = await fetchEvaluations(study, axes(study).columns, choose);
      if (!isCurrent()) return;
      isDrawn = true;
      await onChange(found);
    } catch (error) {
      if (!isCurrent()) return;
      announce(messageOf(error));
      selection.set({ cloud: null });
    } finally {
      if (isCurrent()) cloudLabel.removeAttribute("aria-busy");
    }
  }

  function showWhole() {
    wholeLabel.hidden = selection.get().cloud !== "1";
    whole.checked = selection.get().range === "all";
  }

  selection.watch(["cloud", "axes", "view"], update);
  selection.watch(["range"], showWhole);
  return { element, update };
}
