// Draws the figures of a report, keeps them in the page's theme, and runs its few controls.
/* global Plotly */
import { byId, saveFile } from "./core/dom.js";
import { onTheme, startTheme, themedData, themedLayout } from "./core/theme.js";

const root = document.documentElement;
const SETTINGS = JSON.parse(document.getElementById("settings").textContent);
// Browsers drop the oldest of more than about sixteen WebGL drawings; we let go of hidden ones first.
const MOST_SPACES = 8;
const spaces = [];
const players = new Map();

// Labels stand beside the axes and need room where a figure is narrow.
const NARROW = 480;
function stepBack(eye, factor) {
  for (const axis of ["x", "y", "z"]) eye[axis] *= factor;
}

const SPACES = ["space", "motion"];
const read = (id) => JSON.parse(document.getElementById(`data-${id}`).textContent);

async function draw(box) {
  const key = box.dataset.figure;
  const figure = read(key);
  const layout = themedLayout(figure.layout);
  const camera = robots.includes(box) ? viewpoint : box.layout?.scene?.camera;
  if (camera) layout.scene.camera = structuredClone(camera);
  else if (layout.scene && box.clientWidth < NARROW)
    stepBack(layout.scene.camera.eye, robots.includes(box) ? 1.2 : 1.4);
  layout.uirevision = key;
  if (SPACES.includes(box.dataset.kind)) remember(box);
  // The page has its own controls, which the keyboard reaches and which follow its colours.
  delete layout.updatemenus;
  delete layout.sliders;
  await Plotly.react(box, themedData(figure.data, SETTINGS.lifted), layout, SETTINGS.config);
  await players.get(box)?.show();
  if (box.closest(".view")) follow(box);
  box.dataset.drawn = key; // another one may have been chosen meanwhile
  box.removeAttribute("aria-busy");
}

// Turning one robot turns all, so that layouts are seen from the same side.
const robots = [...document.querySelectorAll(".view .plot")];
let viewpoint;

function turn(camera, source) {
  viewpoint = camera;
  for (const box of robots) {
    if (box !== source && box.dataset.drawn)
      Plotly.relayout(box, { "scene.camera": structuredClone(camera) });
  }
}

function follow(box) {
  if (box.dataset.followed) return;
  box.dataset.followed = "yes";
  box.on("plotly_relayout", (change) => {
    const camera = change["scene.camera"];
    if (camera && JSON.stringify(camera) !== JSON.stringify(viewpoint)) turn(camera, box);
  });
}

for (const button of document.querySelectorAll("[data-eye]")) {
  button.addEventListener("click", () => {
    const [x, y, z] = button.dataset.eye.split(" ").map(Number);
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

const boxes = [...document.querySelectorAll(".plot")];
const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const box = /** @type {HTMLElement} */ (entry.target);
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

const redraw = () => boxes.filter((box) => box.dataset.drawn).forEach(draw);

onTheme(redraw);
startTheme();

// Buttons that choose which design a 3D view shows; the caption follows.
for (const group of document.querySelectorAll(".view .choice")) {
  const view = group.closest(".view");
  const buttons = [...group.querySelectorAll("button")];
  group.addEventListener("click", (event) => {
    const chosen = event.target.closest("button");
    if (!chosen) return;
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
    const box = view.querySelector(".plot");
    box.dataset.figure = chosen.dataset.figure;
    view.querySelectorAll("[data-caption]").forEach((caption) => {
      caption.hidden = caption.dataset.caption !== chosen.dataset.figure;
    });
    draw(box);
  });
}

// Figures that move: a button and a slider step through their frames.
const PAUSE = 60;
const wait = (time) => new Promise((done) => setTimeout(done, time));

for (const controls of document.querySelectorAll(".player")) {
  const box = controls.closest("figure").querySelector(".plot");
  const [button, slider, label] = ["button", "input", "output"].map((name) => controls.querySelector(name));
  let figure;
  let playing = false;
  async function show() {
    figure ??= read(box.dataset.figure);
    const number = Number(slider.value);
    label.textContent = figure.layout.sliders[0].steps[number].label;
    slider.setAttribute("aria-valuetext", label.textContent);
    if (box.data === undefined) return;
    const { data, traces } = figure.frames[number];
    const part = (axis) => data.map((trace) => trace[axis]);
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

const save = document.getElementById("save-study");
save.hidden = false;
save.addEventListener("click", () => {
  saveFile(save.dataset.name, new Blob([byId("study-file").textContent], { type: "text/plain" }));
});

// Paper is light and shows everything.
let before;
addEventListener("beforeprint", () => {
  before = root.dataset.theme;
  root.dataset.theme = "light";
  document.querySelectorAll("details").forEach((part) => (part.open = true));
  boxes.forEach(draw);
});
addEventListener("afterprint", () => {
  if (before) root.dataset.theme = before;
  else delete root.dataset.theme;
  redraw();
});
