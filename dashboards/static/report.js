// Draws the figures of a report, keeps them in the page's theme, and runs its few controls.
/** @import { Camera, Corner, Figure, PlotBox, Trace } from "./core/types.js" */
/* global Plotly */
import { byId, find, findAll, saveFile } from "./core/dom.js";
import { onTheme, startTheme, themedData, themedLayout } from "./core/theme.js";

const root = document.documentElement;
const SETTINGS = JSON.parse(byId("settings").textContent ?? "");
// Browsers drop the oldest of more than about sixteen WebGL drawings; we let go of hidden ones first.
const MOST_SPACES = 8;
/** @type {PlotBox[]} */
const spaces = [];
/** @type {Map<HTMLElement, { show: () => Promise<void> }>} */
const players = new Map();

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

/** @param {PlotBox} box */
async function draw(box) {
  const key = box.dataset.figure ?? "";
  const figure = read(key);
  const layout = themedLayout(figure.layout);
  const camera = robots.includes(box) ? viewpoint : box.layout?.scene?.camera;
  if (camera) layout.scene.camera = structuredClone(camera);
  else if (layout.scene && box.clientWidth < NARROW)
    stepBack(layout.scene.camera.eye, robots.includes(box) ? 1.2 : 1.4);
  layout.uirevision = key;
  if (SPACES.includes(box.dataset.kind ?? "")) remember(box);
  // The page has its own controls, which the keyboard reaches and which follow its colours.
  delete layout.updatemenus;
  delete layout.sliders;
  await Plotly.react(box, themedData(figure.data, SETTINGS.lifted), layout, SETTINGS.config);
  await players.get(box)?.show();
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

// Figures that move: a button and a slider step through their frames.
const PAUSE = 60;
/** @param {number} time */
const wait = (time) => new Promise((done) => setTimeout(done, time));

/** @param {PlotBox} box @param {HTMLElement} controls */
function startPlayer(box, controls) {
  const button = find(controls, "button");
  const slider = find(controls, "input", HTMLInputElement);
  const label = find(controls, "output");
  /** @type {Figure | undefined} */
  let known;
  let playing = false;

  async function show() {
    /** @type {Figure} */
    const figure = (known ??= read(box.dataset.figure ?? ""));
    const number = Number(slider.value);
    label.textContent = figure.layout.sliders[0].steps[number].label;
    slider.setAttribute("aria-valuetext", label.textContent ?? "");
    if (box.data === undefined) return;
    const { data, traces } = figure.frames?.[number] ?? {};
    /** @param {string} axis */
    const part = (axis) => data.map((/** @type {Trace} */ trace) => trace[axis]);
    await Plotly.restyle(box, { x: part("x"), y: part("y"), z: part("z") }, traces);
    box.dataset.moment = String(number);
  }

  function stop() {
    playing = false;
    button.textContent = "Play";
  }

  async function play() {
    playing = true;
    button.textContent = "Pause";
    if (slider.value === slider.max) slider.value = slider.min;
    while (playing && slider.value !== slider.max) {
      slider.stepUp();
      await show();
      await wait(PAUSE);
    }
    stop();
  }

  button.addEventListener("click", () => (playing ? stop() : play()));
  slider.addEventListener("input", () => {
    stop();
    show();
  });
  controls.hidden = false;
  players.set(box, { show });
}

for (const controls of findAll(document, ".player")) {
  const figure = controls.closest("figure");
  if (figure) startPlayer(/** @type {PlotBox} */ (find(figure, ".plot")), controls);
}

const save = byId("save-study");
save.hidden = false;
save.addEventListener("click", () => {
  saveFile(save.dataset.name ?? "", new Blob([byId("study-file").textContent ?? ""], { type: "text/plain" }));
});

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
