// Figures of the comparison, one box each. A box stays when its figure changes, and so does the view in it. A figure is
// asked for and drawn once its box is near what is seen: what stands far below keeps nobody waiting.
/** @import { Figure, Schemas } from "../../core/types.js" */
/** @import { Asked } from "./request.js" */
import { ApiError } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { selection } from "../../core/url_state.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { loadFigure } from "./request.js";

/** @typedef {ReturnType<typeof createFigure>} Drawn */

// How far from what is seen, in its height.
const NEAR = "15% 0px";

// Those figures that `belongsHere` takes; `onPick(key, label)` is called for a clicked mark. With `choice`, one is shown,
// which a row of buttons chooses; the address has it under that name.
/** @param {Asked} asked @param {(figure: Schemas["ComparedFigure"]) => boolean} belongsHere @param {{ onPick?: (key: string, label: string) => void, choice?: string }} [options] */
export function createFigures(asked, belongsHere, { onPick, choice = "" } = {}) {
  const gallery = h("div", { class: "plots" });
  const chooser = h("div", { class: "row", role: "group", aria: { label: "Figure" }, hidden: true });
  const element = h("div", {}, chooser, gallery);
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
      item.place.leave();
      item.element.remove();
      shown.delete(name);
    }
    for (const figure of requested) {
      const item = shown.get(figure.figure) ?? createFigure(figure, comesNear, onPick);
      shown.set(figure.figure, item);
      replace(item.caption, figure.caption);
      gallery.append(item.element);
    }
    if (choice && requested.length) choose(requested);
  }

  // Which one is shown, as the address says; the first without.
  /** @param {Schemas["ComparedFigure"][]} figures */
  function choose(figures) {
    const current = figures.find(({ figure }) => figure === selection.get()[choice]) ?? figures[0];
    chooser.hidden = figures.length < 2;
    replace(
      chooser,
      figures.map(({ figure, title }) => {
        const click = () => {
          selection.set({ [choice]: figure });
          choose(figures);
          document.getElementById(`choose-${figure}`)?.focus();
        };
        const aria = { pressed: String(figure === current.figure) };
        return h("button", { type: "button", id: `choose-${figure}`, aria, on: { click } }, title);
      }),
    );
    for (const [name, item] of shown) item.element.hidden = name !== current.figure;
  }

  // Those that are near are asked for at once, and drawn as they come; the others later.
  async function draw() {
    for (const item of shown.values()) item.stale = true;
    await Promise.all([...shown.values()].map(({ place }) => place.known));
    await drawStale();
  }

  function drawStale() {
    const wanted = [...shown].filter(([, { stale, place }]) => stale && place.near);
    const coming = wanted.map(([name, item]) => ({ item, figure: ask(name, item) }));
    return Promise.all(coming.map(({ item, figure }) => drawOne(item, figure)));
  }

  /** @param {string} name @param {Drawn} item */
  function ask(name, item) {
    item.stale = false;
    if (!item.box.dataset.drawn) item.box.setAttribute("aria-busy", "true");
    return loadFigure(asked, name);
  }

  // What does not come now is asked for with the others, at the next event.
  function comesNear() {
    drawStale().catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }

  /** @param {Drawn} item @param {Promise<Figure>} coming */
  async function drawOne(item, coming) {
    const figure = await coming;
    if (!item.element.isConnected) return;
    if (figure.layout.height) item.box.style.height = `${figure.layout.height}px`;
    const { caption, numbers } = figure.layout.meta ?? {};
    if (caption) replace(item.caption, volumes(numbers), caption);
    await item.drawing.show(figure);
  }

  return { element, update, draw };
}

// What a figure says in a few numbers.
/** @param {{ label: string, text: string }[]} numbers */
const volumes = (numbers) =>
  h(
    "dl",
    { class: "volumes" },
    numbers.map(({ label, text }) => h("div", {}, h("dt", {}, label), h("dd", {}, text))),
  );

/** @param {Schemas["ComparedFigure"]} figure @param {() => void} comesNear @param {((key: string, label: string) => void) | undefined} onPick */
function createFigure(figure, comesNear, onPick) {
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
  return {
    element,
    box,
    caption,
    drawing: new FigureBox(box, { onPick }),
    stale: true,
    place: createPlace(box, comesNear),
  };
}

// Whether a box is near what is seen: `known` comes once that is known. Paper shows what is not hidden.
/** @param {HTMLElement} box @param {() => void} onNear */
function createPlace(box, onNear) {
  let isKnown = false;
  /** @type {(value?: unknown) => void} */
  let found;
  const place = { near: false, known: new Promise((done) => (found = done)), leave };
  const observer = new IntersectionObserver(([entry]) => change(entry.isIntersecting), { rootMargin: NEAR });

  /** @param {boolean} near */
  function change(near) {
    const comes = near && isKnown && !place.near;
    place.near ||= near;
    if (!place.near) box.removeAttribute("aria-busy"); // nobody waits for it
    isKnown = true;
    found();
    if (comes) onNear();
  }

  const print = () => box.offsetParent && change(true);

  function leave() {
    observer.disconnect();
    removeEventListener("beforeprint", print);
  }

  observer.observe(box);
  addEventListener("beforeprint", print);
  return place;
}
