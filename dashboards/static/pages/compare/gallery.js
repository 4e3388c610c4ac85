// Figures of the comparison, one box each. A box stays when its figure changes, and so does the view in it.
import { h } from "../dom.js";
import { drawAfter } from "../plot.js";
import { FigureBox } from "../scatter/figure_box.js";
import { loadFigure } from "./loading.js";

// Those figures that `mine` takes; `onPick(key, label)` is told of a mark that is clicked, and whose it is. Those of a
// gallery that is `first` are seen before plotly.js keeps the page busy.
export function gallery(names, mine, { onPick, first = false } = {}) {
  const element = h("div", { class: "plots" });
  const shown = new Map();

  function update(figures) {
    const wanted = figures.filter(mine);
    for (const [name, item] of shown) {
      if (wanted.some((figure) => figure.figure === name)) continue;
      item.drawing.close();
      item.element.remove();
      shown.delete(name);
    }
    for (const figure of wanted) {
      if (!shown.has(figure.figure)) shown.set(figure.figure, made(figure, onPick));
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

function made(figure, onPick) {
  const id = `figure-${figure.figure}`;
  const box = h("div", { class: "plot", data: { figure: figure.figure }, aria: { busy: "true" } });
  const frame = figure.kind === "wide" ? h("div", { class: "scroll-plot", tabindex: 0, role: "region", aria: { label: figure.title } }, box) : box;
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
