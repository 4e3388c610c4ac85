// Figures of the comparison, one box each. A box stays when its figure changes, and so does the view in it.
/** @import { Figure, Schemas } from "../../core/types.js" */
/** @import { Asked } from "./request.js" */
import { h, replace } from "../../core/dom.js";
import { drawAfter } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { loadFigure } from "./request.js";

/** @typedef {ReturnType<typeof createFigure>} Drawn */

// Those figures that `mine` takes; `onPick(key, label)` is called for a clicked mark. Those of a
// gallery that is `first` are seen before plotly.js keeps the page busy.
/** @param {Asked} asked @param {(figure: Schemas["ComparedFigure"]) => boolean} belongsHere @param {{ onPick?: (key: string, label: string) => void, first?: boolean }} [options] */
export function createFigures(asked, belongsHere, { onPick, first = false } = {}) {
  const element = h("div", { class: "plots" });
  /** @type {Map<string, Drawn>} */
  const shown = new Map();

  /** @param {Schemas["ComparedFigure"][]} figures */
  function update(figures) {
    // Those in the plane come before those in space.
    const requested = figures
      .filter(belongsHere)
      .sort((one, other) => Number(one.kind === "space") - Number(other.kind === "space"));
    for (const [name, item] of shown) {
      if (requested.some((figure) => figure.figure === name)) continue;
      item.drawing.close();
      item.element.remove();
      shown.delete(name);
    }
    for (const figure of requested) {
      const item = shown.get(figure.figure) ?? createFigure(figure, onPick);
      shown.set(figure.figure, item);
      replace(item.caption, figure.caption);
      element.append(item.element);
    }
  }

  // All are asked for at once, and drawn as they come.
  function draw() {
    const coming = [...shown].map(([name, item]) => ({ item, figure: loadFigure(asked, name) }));
    if (first) drawAfter(Promise.allSettled(coming.map(({ figure }) => figure)));
    return Promise.all(coming.map(({ item, figure }) => drawOne(item, figure)));
  }

  /** @param {Drawn} item @param {Promise<Figure>} coming */
  async function drawOne(item, coming) {
    const figure = await coming;
    if (!item.element.isConnected) return;
    if (figure.layout.height) item.box.style.height = `${figure.layout.height}px`;
    await item.drawing.show(figure);
  }

  return { element, update, draw };
}

/** @param {Schemas["ComparedFigure"]} figure @param {((key: string, label: string) => void) | undefined} onPick */
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
