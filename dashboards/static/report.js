// Draws the figures of a report, keeps them in the page's theme, and runs its few controls.
/** @import { Camera, Figure, PlotBox } from "./core/types.js" */
import { byId, find, findAll, saveFile } from "./core/dom.js";
import { createPlayer } from "./core/player.js";
import { FigureBox } from "./core/scatter/figure_box.js";
import { startTheme } from "./core/theme.js";

const root = document.documentElement;
// Figures that move, with their controls.
/** @type {Map<PlotBox, { figure: Figure, show: () => void }>} */
const moving = new Map();
/** @type {Map<PlotBox, FigureBox>} */
const drawn = new Map();

/** @param {string} id @returns {Figure} */
const read = (id) => JSON.parse(byId(`data-${id}`).textContent ?? "");

/** @param {PlotBox} box */
function figureBoxOf(box) {
  const known = drawn.get(box);
  if (known) return known;
  const figureBox = new FigureBox(box, { onView: (camera) => robots.includes(box) && turn(camera, box) });
  drawn.set(box, figureBox);
  return figureBox;
}

// The figure of a motion as it stands, and its controls below it.
/** @param {PlotBox} box @param {string} key @returns {Figure} */
function motionOf(box, key) {
  const known = moving.get(box);
  if (known) return known.figure;
  const figure = read(key);
  const holder = box.closest("figure");
  if (!figure.frames || !holder) return figure;
  const { element, show } = createPlayer(box, figure, byId(`${key}-title`).textContent ?? "", (traces) =>
    figureBoxOf(box).space?.refresh(traces),
  );
  find(holder, ".player").replaceWith(element);
  moving.set(box, { figure, show });
  return figure;
}

/** @param {PlotBox} box */
async function draw(box) {
  const key = box.dataset.figure ?? "";
  const figure = box.dataset.kind === "motion" ? motionOf(box, key) : read(key);
  if (figure.layout.height) box.style.height = `${figure.layout.height}px`;
  await figureBoxOf(box).show(figure, robots.includes(box) ? viewpoint : null);
  moving.get(box)?.show();
  box.dataset.drawn = key; // another one may have been chosen meanwhile
}

// Boxes of the report in which figures are drawn.
/** @param {string} selector */
const plotBoxes = (selector) => /** @type {PlotBox[]} */ (findAll(document, selector));

// Turning one robot turns all, so that layouts are seen from the same side.
const robots = plotBoxes(".view .plot");
/** @type {Camera | null} */
let viewpoint = null;

/** @param {Camera | null} camera @param {PlotBox} [source] */
function turn(camera, source) {
  viewpoint = camera;
  for (const box of robots) if (box !== source) drawn.get(box)?.space?.look(camera);
}

for (const button of findAll(document, "[data-eye]")) {
  button.addEventListener("click", () => {
    const way = (button.dataset.eye ?? "").split(" ").map(Number);
    drawn.get(robots[0])?.space?.lookAlong(way);
  });
}

const boxes = plotBoxes(".plot");
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const box = /** @type {PlotBox} */ (target);
      if (isIntersecting && !drawn.has(box)) draw(box);
    }
  },
  { rootMargin: "300px" },
);
boxes.forEach((box) => watcher.observe(box));
startTheme();

// Buttons that choose which design a 3D view shows; the caption follows.
/** @param {Element} view @param {HTMLElement} group */
function startChoice(view, group) {
  const buttons = findAll(group, "button");
  const [box] = /** @type {PlotBox[]} */ (findAll(view, ".plot"));
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
    box.dataset.figure = chosen.dataset.figure;
    findAll(view, "[data-caption]").forEach((caption) => {
      caption.hidden = caption.dataset.caption !== chosen.dataset.figure;
    });
    draw(box);
  };
  buttons.forEach((button) => button.addEventListener("click", () => choose(button)));
}

for (const group of findAll(document, ".view .choice")) {
  const view = group.closest(".view");
  if (view) startChoice(view, group);
}

// The page of a robot has no study file to save.
for (const save of findAll(document, "#save-study")) {
  save.hidden = false;
  save.addEventListener("click", () => {
    saveFile(
      save.dataset.name ?? "",
      new Blob([byId("study-file").textContent ?? ""], { type: "text/plain" }),
    );
  });
}

// Paper is light and shows everything.
/** @type {string | undefined} */
let before;
addEventListener("beforeprint", () => {
  before = root.dataset.theme;
  root.dataset.theme = "light";
  document.querySelectorAll("details").forEach((part) => (part.open = true));
  boxes.forEach((box) => draw(box));
});
addEventListener("afterprint", () => {
  if (before) root.dataset.theme = before;
  else delete root.dataset.theme;
  boxes.filter((box) => box.dataset.drawn).forEach((box) => draw(box));
});
