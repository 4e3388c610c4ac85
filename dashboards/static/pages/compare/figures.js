// Figures of the comparison, one box each. A box stays when its figure changes, and so does the view in it.
import { reviewAddress, selection } from "../../core/address.js";
import { ApiError, get, pathPart } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { quantity, words } from "../../core/format.js";
import { drawAfter } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure.js";

const query = (names) => new URLSearchParams(names.map((name) => ["of", name])).toString();

// A comparison, as the interface gives it.
export const load = (names) => get(`comparison?${query(names)}`);
const loadFigure = (names, figure) => get(`comparison/figures/${encodeURIComponent(figure)}?${query(names)}`);

// Those figures that `mine` takes; `onPick(key, label)` is called for a clicked mark. Those of a
// gallery that is `first` are seen before plotly.js keeps the page busy.
/** @param {string[]} names @param {(figure: any) => boolean} belongsHere @param {{ onPick?: (key: string, label: string) => void, first?: boolean }} [options] */
export function createFigures(names, belongsHere, { onPick, first = false } = {}) {
  const element = h("div", { class: "plots" });
  const shown = new Map();

  function update(figures) {
    const requested = figures.filter(belongsHere);
    for (const [name, item] of shown) {
      if (requested.some((figure) => figure.figure === name)) continue;
      item.drawing.close();
      item.element.remove();
      shown.delete(name);
    }
    for (const figure of requested) {
      if (!shown.has(figure.figure)) shown.set(figure.figure, createFigure(figure, onPick));
      const item = shown.get(figure.figure);
      item.caption.textContent = figure.caption;
      element.append(item.element);
    }
  }

  // All are asked for at once, and drawn as they come.
  function draw() {
    const coming = [...shown].map(([name, item]) => [item, loadFigure(names, name)]);
    if (first) drawAfter(Promise.allSettled(coming.map(([, figure]) => figure)));
    return Promise.all(coming.map(([item, figure]) => drawOne(item, figure)));
  }

  async function drawOne(item, coming) {
    const figure = await coming;
    if (!item.element.isConnected) return;
    if (figure.layout.height) item.box.style.height = `${figure.layout.height}px`;
    await item.drawing.show(figure);
  }

  return { element, update, draw };
}

function createFigure(figure, onPick) {
  const id = `figure-${figure.figure}`;
  const box = h("div", { class: "plot", data: { figure: figure.figure }, aria: { busy: "true" } });
  const frame =
    figure.kind === "wide"
      ? h("div", { class: "scroll-plot", tabindex: 0, role: "region", aria: { label: figure.title } }, box)
      : box;
  const caption = h("figcaption", { id: `${id}-caption` });
  const element = h(
    "figure",
    { class: figure.kind, role: "group", aria: { labelledby: `${id}-title`, describedby: `${id}-caption` } },
    h("h3", { id: `${id}-title` }, figure.title),
    frame,
    caption,
  );
  return { element, box, caption, drawing: new FigureBox(box, onPick) };
}

// ------------------------------------------------------------------ the chosen design

// The design that was picked in a front, kept in the address: whose it is, its objectives, and the way to its review.
const LETTERS = 10;

// { element, select(key, label), update(found) }
export function createChosenDesign() {
  const element = h("p", { class: "picked", aria: { live: "polite" } });
  let found;
  let shown;

  const select = (key, label) => selection.set({ of: label, key });

  async function show() {
    const { of, key } = selection.get();
    const contender = found?.contenders.find((each) => each.label === of);
    const requested = contender && key ? `${of} ${key}` : "";
    if (requested === shown) return;
    shown = requested;
    if (!requested) {
      replace(element, h("span", { class: "quiet" }, "Click a design in a figure to see it here."));
      return;
    }
    const way = h("a", { href: reviewAddress(contender.study, contender.layout, key) }, "Review this design");
    const head = [h("strong", {}, of), `, design ${key.slice(0, LETTERS)}: `];
    try {
      const design = await get(`studies/${pathPart(contender.study)}/designs/${pathPart(key)}`);
      const values = found.objectives.map(
        (name, place) => `${words(name)} ${quantity(design.metrics[name], found.units[place])}`,
      );
      if (shown === requested) replace(element, head, `${values.join(", ")}. `, way);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown !== requested) return;
      shown = undefined;
      replace(element, head, `${error.message}.`);
    }
  }

  selection.listen(show);
  return {
    element,
    select,
    update(now) {
      found = now;
      show();
    },
  };
}
