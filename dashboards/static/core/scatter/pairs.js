// Every pair of some quantities, each in a plane of its own: below the diagonal, a row of planes for each quantity.
/** @import { MarkGroup, PlotBox, Point, ScatterFigure } from "../types.js" */
/** @import { SavedMark } from "./scatter.js" */
import { h, replace } from "../dom.js";
import { saveDrawing, Scatter } from "./scatter.js";

const nextFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** @typedef {{ x: number, y: number, scatter: Scatter, element: HTMLElement }} Plane */

export class Pairs {
  /** @type {Plane[]} */
  planes = [];
  // Names of the groups that are hidden.
  /** @type {Set<string>} */
  hidden = new Set();
  // The figure shows designs far from the others where they are.
  showsAll = false;
  turn = 0;

  // Calls pick(group, number) of a mark that was clicked, drawn() after each picture.
  /** @param {PlotBox} box @param {{ pick: (group: MarkGroup, number: number) => void, drawn: () => void }} on */
  constructor(box, on) {
    this.box = box;
    this.on = on;
  }

  isOpen() {
    return this.planes.length > 0;
  }

  // Show a figure of two or more axes. Planes come one after the other: thousands of marks do not block the page.
  /** @param {ScatterFigure} figure */
  async show(figure) {
    const count = figure.axes.length;
    if (this.planes.length !== (count * (count - 1)) / 2) this.open(count);
    const mine = (this.turn += 1);
    for (const { x, y, scatter } of this.planes) {
      scatter.showsAll = this.showsAll;
      scatter.show(pairOf(figure, x, y), null);
      await nextFrame();
      if (mine !== this.turn) return;
    }
    this.box.dataset.drawn = "yes";
    this.box.removeAttribute("aria-busy");
  }

  /** @param {number} count */
  open(count) {
    this.close();
    for (let y = 1; y < count; y += 1)
      for (let x = 0; x < y; x += 1) {
        const element = h("div", { class: "plane" });
        Object.assign(element.style, { gridColumn: String(x + 1), gridRow: String(y) });
        const scatter = new Scatter(element, this.on, { plain: true });
        scatter.hidden = this.hidden;
        this.planes.push({ x, y, scatter, element });
      }
    this.box.classList.add("pairs");
    replace(
      this.box,
      this.planes.map(({ element }) => element),
    );
  }

  // Where values stand in the box: in each plane that shows them.
  /** @param {Point} values */
  project(values) {
    const { left, top } = this.box.getBoundingClientRect();
    return this.planes.flatMap(({ x, y, scatter }) => {
      const place = scatter.figure && scatter.project([values[x], values[y]]);
      const stage = scatter.stage.getBoundingClientRect();
      return place ? [[place[0] + stage.left - left, place[1] + stage.top - top]] : [];
    });
  }

  // Save all planes as one picture, with symbols at marked values.
  /** @param {string} format @param {string} filename @param {SavedMark[]} marked */
  save(format, filename, marked) {
    const { left, top } = this.box.getBoundingClientRect();
    return saveDrawing(format, filename, this.box.clientWidth, this.box.clientHeight, (pen) => {
      for (const { x, y, scatter } of this.planes) {
        const stage = scatter.stage.getBoundingClientRect();
        const own = marked.map((mark) => ({ ...mark, values: [mark.values[x], mark.values[y]] }));
        pen.shifted(stage.left - left, stage.top - top, () => scatter.paintOn(pen, own));
      }
    });
  }

  close() {
    this.turn += 1;
    for (const { scatter } of this.planes) scatter.close();
    this.planes = [];
    this.box.classList.remove("pairs");
    this.box.replaceChildren();
    delete this.box.dataset.drawn;
  }
}

/** @param {ScatterFigure} figure @param {number} x @param {number} y @returns {ScatterFigure} */
const pairOf = ({ axes, groups, ideal }, x, y) => ({
  axes: [axes[x], axes[y]],
  groups: groups.map((group) => ({ ...group, columns: [group.columns[x], group.columns[y]] })),
  ideal: ideal && [ideal[x], ideal[y]],
});
