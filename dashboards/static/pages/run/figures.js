// The hypervolume and the front, drawn anew when a generation came.
import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { FigureBox } from "../scatter/figure_box.js";
import { MOVING } from "../state.js";

const CAPTIONS = {
  history: "Hypervolume of all feasible designs found so far, one line per seed, all against one point.",
  front: "Designs that nothing dominates, jointly over the seeds of a layout. Arrows on the axes point to the better end.",
};

export function createFigures({ path }) {
  const history = figure("history", "Hypervolume", CAPTIONS.history);
  const front = figure("front-1", "Front", CAPTIONS.front);
  const element = h("section", { class: "plots", aria: { label: "What it found so far" }, hidden: true }, history.element, front.element);

  // Before a design is feasible there is neither: the places stand, so that nothing moves when they come.
  async function update({ designs, feasible, runs, state }) {
    element.hidden = !designs;
    for (const one of [history, front]) one.wait(noneText(state, feasible));
    if (!runs.some((run) => run.front)) return;
    for (const one of [history, front]) await one.show(await get(`${path}/figures/${one.id}`));
  }

  return { element, update };
}

// What stands in the place of a figure until there is one.
function noneText(state, feasible) {
  if (feasible) return "Drawing\u2026";
  return MOVING.has(state) ? "No design is feasible yet." : "No design is feasible.";
}

function figure(id, title, caption) {
  const none = h("p", { class: "quiet" });
  const place = h("div", { class: "place" }, none);
  const heading = h("h2", { id: `title-${id}` }, title);
  const element = h("figure", { role: "group", aria: { labelledby: `title-${id}` } }, heading, place, h("figcaption", {}, caption));
  let drawing;

  async function show(made) {
    if (!drawing) {
      drawing = new FigureBox(h("div", { class: "plot", data: { figure: id }, aria: { busy: "true" } }));
      replace(place, drawing.box);
    }
    await drawing.show(made);
  }

  const wait = (text) => (none.textContent = text);

  return { id, element, show, wait };
}
