// The three views of a study's results: review (front, designs, the robot beside them), analyse, and decide.
/** @import { Child } from "../../core/types.js" */
/** @import { KnownDesign, Study } from "./study.js" */
import { createRobot } from "../../core/robot_view.js";
import { h, nextTask } from "../../core/dom.js";
import { selection } from "../../core/url_state.js";
import { announce } from "../../core/messages.js";
import { createAnnotationPanel } from "./annotation_panel.js";
import { createAnnotationFilter } from "./annotations.js";
import { createFigureChoice, createSuggestions } from "./controls.js";
import { createDecide } from "./decide.js";
import { showDetails } from "./details.js";
import { createFront } from "./front.js";
import { createImportance } from "./importance.js";
import { listenToKeys } from "./keys.js";
import { createLeaders } from "./leaders.js";
import { createParallel } from "./parallel_coordinates.js";
import { createPins } from "./pinned_designs.js";
import { createRanges } from "./ranges.js";
import { createSensitivity } from "./sobol_indices.js";
import { short } from "./study.js";
import { createTable } from "./table.js";
import { areLinesShown } from "./view_state.js";
import { createViewControls } from "./view_controls.js";

/** @typedef {Pick<KnownDesign, "layout" | "key">} Chosen */
/** @typedef {Record<string, { save: (format: string) => void, formats: string[] }>} SavedFigures */
/** @typedef {{ elements: Child[], update: () => unknown, begin?: () => Promise<void>, show: (chosen: Chosen, isCurrent: () => boolean) => boolean | Promise<boolean>, figures: SavedFigures }} View */

const LINES_HELP =
  "Arrows point to the better end of an axis. Drag along an axis to set a range, drag its middle or an end to change it, " +
  "click on it to let it go. Click on a line to select its design.";

// One figure above the table of designs; beside them the robot and the numbers of the selected design, always in sight.
/** @param {Study} study @param {(design: Chosen) => void} choose @returns {View} */
function createReview(study, choose) {
  const suggestions = createSuggestions(study);
  const filter = createAnnotationFilter(study);
  const front = createFront(study, choose);
  const parallel = createParallel(study, choose);
  const ranges = createRanges(study);
  const table = createTable(study, [filter.element, ranges.count]);
  const pins = createPins(study);
  const robot = robotOf(study);
  const annotations = createAnnotationPanel(study);
  const details = h("section", { class: "details", aria: { label: "Selected design" } });
  const rangeFields = h(
    "details",
    { id: "range-fields" },
    h("summary", {}, "Ranges as numbers"),
    h("p", { class: "quiet small" }, LINES_HELP),
    ranges.element,
  );
  const lines = h(
    "figure",
    { class: "lines", role: "group", aria: { label: "Variables and objectives" } },
    parallel.scaling,
    parallel.element,
    rangeFields,
  );
  const chooser = createFigureChoice(study, showFigure);

  // One figure at a time; one that was hidden could not measure itself.
  /** @param {string} name */
  function showFigure(name) {
    const areLines = name === "lines";
    if (lines.hidden !== areLines) return; // it is shown already
    lines.hidden = !areLines;
    front.element.hidden = front.controls.hidden = areLines;
    if (areLines) parallel.update();
    else front.update();
  }

  const updateTable = () => {
    for (const part of [suggestions, filter, ranges, parallel, pins, table]) part.update();
  };

  function update() {
    updateTable();
    return front.update();
  }

  // In two tasks: with ten thousand designs, each takes a tenth of a second.
  async function begin() {
    updateTable();
    await nextTask();
    front.update();
  }

  // A figure that is saved is shown first: it is saved as it is drawn.
  /** @param {string} format */
  async function saveFront(format) {
    if (areLinesShown()) {
      selection.set({ view: null });
      await front.update();
    }
    front.save(format);
  }

  // The fields of the ranges, which stand below the lines.
  function openRanges() {
    selection.set({ view: "lines" });
    rangeFields.open = true;
    ranges.element.querySelector("input")?.focus();
  }

  function saveLines() {
    selection.set({ view: "lines" });
    parallel.save(`${study.name}-parallel`);
  }

  /** @param {Chosen} chosen @param {() => boolean} isCurrent */
  async function show(chosen, isCurrent) {
    robot.update(chosen);
    const design = await showDetails(study, details, chosen, isCurrent, { annotations, draw: robot.vary });
    if (!design || !isCurrent()) return false;
    const where = study.layouts.length > 1 ? chosen.layout : study.name;
    announce(`Design ${short(design.key)} of ${where} is selected.`);
    // A design that is not on the front can be marked in the figures only after its values have arrived.
    if (study.place(chosen.layout, chosen.key) < 0) {
      front.mark();
      parallel.mark();
    }
    return true;
  }

  lines.hidden = true;
  chooser.update();
  /** @param {string} selector */
  const press = (selector) => () => details.querySelector(selector)?.dispatchEvent(new MouseEvent("click"));
  listenToKeys({ step: table.step, pin: press(".pin"), favourite: press(".star"), filter: openRanges });
  const figures = [h("div", { class: "row" }, chooser.element, front.controls), front.element, lines];
  const left = h(
    "div",
    { class: "worktop" },
    matchMedia("(max-width: 40rem)").matches
      ? [figures, suggestions.element]
      : [suggestions.element, figures], // a phone has one screen for both
    table.element,
  );
  const inspector = h(
    "aside",
    { class: "inspector", tabindex: 0, aria: { label: "Robot and numbers of the selected design" } },
    robot.element,
    details,
  );
  return {
    elements: [h("div", { class: "workbench" }, left, inspector), pins.element],
    begin,
    update,
    show,
    figures: {
      "Front as drawn": { save: saveFront, formats: ["svg", "png"] },
      "Robot as drawn": { save: robot.save, formats: ["svg", "png"] },
      "Parallel coordinates": { save: saveLines, formats: ["png"] },
    },
  };
}

// What the metrics depend on, and whether the leaders stay leaders.
/** @param {Study} study @returns {View} */
function createAnalyse(study) {
  const importance = createImportance(study);
  const sensitivity = createSensitivity(study);
  const leaders = createLeaders(study);
  importance.element.open = true;
  return {
    elements: [importance.element, sensitivity.element, leaders.element],
    update: () => importance.update(),
    show: () => true,
    figures: {},
  };
}

// The rule, the front above the ranking, and the robot beside them.
/** @param {Study} study @param {(design: Chosen) => void} choose @returns {View} */
function createDecision(study, choose) {
  const front = createFront(study, choose, { folded: true });
  const decide = createDecide(study, front.element);
  const robot = robotOf(study);
  const beside = h("aside", { class: "inspector", tabindex: 0, aria: { label: "Robot" } }, robot.element);
  const left = h("div", { class: "worktop" }, decide.element);
  return {
    elements: [h("div", { class: "workbench" }, left, beside)],
    update: () => Promise.all([decide.update(), front.update()]),
    show: (chosen) => {
      robot.update(chosen);
      front.mark();
      return true;
    },
    figures: {},
  };
}

/** @param {Study} study */
function robotOf(study) {
  const aria = { label: "Robot of the selected design" };
  const figure = h("figure", { class: "space", role: "group", aria });
  return createRobot(study, figure, {
    heading: "h2",
    folded: true,
    viewControls: createViewControls(study),
  });
}

/** @type {Record<string, (study: Study, choose: (design: Chosen) => void) => View>} */
export const VIEWS = { review: createReview, analyse: createAnalyse, decide: createDecision };
