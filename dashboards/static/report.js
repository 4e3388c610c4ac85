// Draws the figures of a report, keeps them in the page's theme, and runs its few controls.
/** @import { Camera, Corner, Figure, PlotBox } from "./core/types.js" */
/* global Plotly */
import { byId, find, findAll, saveFile } from "./core/dom.js";
import { createPlayer } from "./core/player.js";
import { onTheme, startTheme, themedData, themedLayout } from "./core/theme.js";

const root = document.documentElement;
const SETTINGS = JSON.parse(byId("settings").textContent ?? "");
// Browsers drop the oldest of more than about sixteen WebGL drawings; we let go of hidden ones first.
const MOST_SPACES = 8;
/** @type {PlotBox[]} */
const spaces = [];
// Figures that move, with their controls.
/** @type {Map<PlotBox, { figure: Figure, show: () => Promise<void> }>} */
const moving = new Map();

// Labels stand beside the axes and need room where a figure is narrow.
const NARROW = 480;
/** @param {Corner} eye @param {number} factor */
function stepBack(eye, factor) {
  eye.x *= factor;
  eye.y *= factor;
  eye.z *= factor;
}

const SPACES = ["space", "motion"];
/** @param {string} id */
const read = (id) => JSON.parse(byId(`data-${id}`).textContent ?? "");

// The figure of a motion as it stands, and its controls below it.
/** @param {PlotBox} box @param {string} key @returns {Figure} */
function motionOf(box, key) {
  const known = moving.get(box);
  if (known) return known.figure;
  const figure = read(key);
  const holder = box.closest("figure");
  if (!figure.frames || !holder) return figure;
  const { element, show } = createPlayer(box, figure, byId(`${key}-title`).textContent ?? "");
  find(holder, ".player").replaceWith(element);
  moving.set(box, { figure, show });
  return figure;
}

/** @param {PlotBox} box */
async function draw(box) {
  const key = box.dataset.figure ?? "";
  const figure = box.dataset.kind === "motion" ? motionOf(box, key) : read(key);
  const layout = themedLayout(figure.layout);
  if (layout.height) box.style.height = `${layout.height}px`;
  const camera = robots.includes(box) ? viewpoint : box.layout?.scene?.camera;
  if (camera) layout.scene.camera = structuredClone(camera);
  else if (layout.scene && box.clientWidth < NARROW)
    stepBack(layout.scene.camera.eye, robots.includes(box) ? 1.2 : 1.4);
  layout.uirevision = key;
  if (SPACES.includes(box.dataset.kind ?? "")) remember(box);
  await Plotly.react(box, themedData(figure.data, SETTINGS.lifted), layout, SETTINGS.config);
  await moving.get(box)?.show();
  if (box.closest(".view")) follow(box);
  box.dataset.drawn = key; // another one may have been chosen meanwhile
  box.removeAttribute("aria-busy");
}

// Boxes of the report in which plotly.js draws.
/** @param {string} selector */
const plotBoxes = (selector) => /** @type {PlotBox[]} */ (findAll(document, selector));

// Turning one robot turns all, so that layouts are seen from the same side.
const robots = plotBoxes(".view .plot");
/** @type {Camera | undefined} */
let viewpoint;

/** @param {Camera} camera @param {PlotBox} [source] */
function turn(camera, source) {
  viewpoint = camera;
  for (const box of robots) {
    if (box !== source && box.dataset.drawn)
      Plotly.relayout(box, { "scene.camera": structuredClone(camera) });
  }
}

/** @param {PlotBox} box */
function follow(box) {
  if (box.dataset.followed) return;
  box.dataset.followed = "yes";
  box.on("plotly_relayout", (change) => {
    const camera = change["scene.camera"];
    if (camera && JSON.stringify(camera) !== JSON.stringify(viewpoint)) turn(camera, box);
  });
}

for (const button of findAll(document, "[data-eye]")) {
  button.addEventListener("click", () => {
    const [x, y, z] = (button.dataset.eye ?? "").split(" ").map(Number);
    const oblique = button.hasAttribute("data-oblique");
    const eye = { x, y, z };
    if (robots[0].clientWidth < NARROW) stepBack(eye, 1.2);
    turn({
      eye,
      center: { x: 0, y: 0, z: oblique ? -0.25 : -0.05 },
      up: { x: 0, y: 0, z: 1 },
      projection: { type: "perspective" },
    });
  });
}

/** @param {PlotBox} box */
function remember(box) {
  const known = spaces.indexOf(box);
  if (known >= 0) spaces.splice(known, 1);
  spaces.push(box);
  while (spaces.length > MOST_SPACES) {
    const hidden = spaces.find((other) => other !== box && !other.dataset.near) ?? spaces[0];
    spaces.splice(spaces.indexOf(hidden), 1);
    Plotly.purge(hidden);
    delete hidden.dataset.drawn;
    delete hidden.dataset.followed;
  }
}

const boxes = plotBoxes(".plot");
const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const box = /** @type {PlotBox} */ (entry.target);
      if (!entry.isIntersecting) {
        delete box.dataset.near;
        continue;
      }
      box.dataset.near = "yes";
      if (!box.dataset.drawn) draw(box);
    }
  },
  { rootMargin: "300px" },
);
boxes.forEach((box) => watcher.observe(box));

const redraw = () => boxes.filter((box) => box.dataset.drawn).forEach((box) => draw(box));

onTheme(redraw);
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
  redraw();
});
