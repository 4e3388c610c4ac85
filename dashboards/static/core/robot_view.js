// The robot of a design in 3D: requested once, cancelled when another design is selected, with one camera for all.
/** @import { Figure, PlotBox, Range } from "./types.js" */
import { selection } from "./url_state.js";
import { get, messageOf, online, pathPart, statusOf, studyPath } from "./api.js";
import { h, replace } from "./dom.js";
import { shortKey } from "./format.js";
import { createPlayer } from "./player.js";
import { draw, forget, plotBox, relayout, save } from "./plot.js";
import { cameraOf, cameraText, fromAfar } from "./scatter/axes_3d.js";

// The study of a robot: its name, its layouts, of which several are named, and its address in the interface. Of one
// that is not stored yet, `ask` has the figure instead.
/** @typedef {(key: string, signal?: AbortSignal) => Promise<Figure>} AskFigure */
/** @typedef {{ name: string, layouts: string[] } & ({ path: ReturnType<typeof studyPath> } | { ask: AskFigure })} RobotStudy */

const MOST_CACHED = 24;
const TOO_MANY = 429;
const MOST_TRIES = 5;
const PAUSE = 700;
const NO_MARGIN = { l: 0, r: 0, t: 0, b: 0 };
const FARTHER = [
  [320, 1.5],
  [480, 1.2],
];
/** @type {Map<string, Figure>} */
const figures = new Map();
// The boxes of all robots of the page, which are turned together.
/** @type {Set<PlotBox>} */
const boxes = new Set();

// The figure of a design's scene; the newest ones are cached.
/** @param {RobotStudy} study @param {string} key @param {AbortSignal} [signal] */
async function figureOf(study, key, signal) {
  const cached = figures.get(key);
  if (cached) return cached;
  const figure =
    "ask" in study
      ? await study.ask(key, signal)
      : await get(`${study.path}/designs/${pathPart(key)}/figure`, {}, signal);
  figures.set(key, figure);
  const [oldest] = figures.keys();
  if (figures.size > MOST_CACHED) figures.delete(oldest);
  return figure;
}

// A user who passes many designs quickly requests more views than the server draws for one account at a time.
/** @template Found @param {() => Promise<Found>} ask @param {AbortSignal} signal */
async function patiently(ask, signal) {
  for (let again = 0; ; again += 1) {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) !== TOO_MANY || again === MOST_TRIES || signal.aborted) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

// One view of a robot. `name` begins its title; `element` is the figure. A `brief` one has its name alone as
// title, no legend, and a caption that is opened on request.
/** @param {RobotStudy} study @param {HTMLElement} element @param {{ heading?: "h2" | "h3", name?: string, brief?: boolean }} [options] */
export function createRobot(study, element, { heading = "h3", name = "Robot", brief = false } = {}) {
  const plot = plotBox({ aria: { busy: "true" } });
  const title = h(heading, {}, name);
  const caption = h("figcaption", {});
  const note = h("p", { class: "empty", hidden: true });
  const controls = h("div", {});
  replace(element, title, plot, controls, note, caption);
  /** @type {ReturnType<typeof createPlayer> | null} */
  let player = null;
  let request = new AbortController();
  let requested = "";
  let shown = "";
  let isFollowed = false;
  /** @type {Range[] | null} */
  let frame = null;
  // The design that is drawn when the server answers again.
  /** @type {{ layout: string, key: string } | null} */
  let failed = null;

  // Draw the robot of a design and cancel the previous request.
  /** @param {{ layout: string, key: string }} design @param {Range[] | null} [common] */
  async function update(design, common = null) {
    const { layout, key } = design;
    if (requested === key && common === frame) return;
    request.abort();
    request = new AbortController();
    const { signal } = request;
    requested = key;
    frame = common;
    failed = null;
    const named = layout && study.layouts.length > 1 ? `${layout}, design` : "design";
    title.textContent = brief ? name : `${name}: ${named} ${shortKey(key)}`;
    plot.setAttribute("aria-busy", "true");
    try {
      const figure = await patiently(() => figureOf(study, key, signal), signal);
      if (!signal.aborted) await show(key, figure);
    } catch (error) {
      if (signal.aborted) return;
      requested = ""; // whoever asks for it again has it tried again
      const isAway = statusOf(error) === 0;
      if (isAway) failed = design;
      showNote(isAway ? "The view is drawn when the server answers again." : messageOf(error));
    }
  }

  /** @param {string} key @param {Figure} figure */
  async function show(key, figure) {
    shown = key;
    removePlayer();
    if (!figure.data.length) {
      showNote(figure.caption || "This back-end draws no picture of its designs.");
      return;
    }
    note.hidden = true;
    plot.hidden = false;
    const copy = structuredClone(figure);
    const { scene } = copy.layout;
    if (frame) fit(scene, frame);
    copy.layout.uirevision = "robot";
    if (brief) Object.assign(copy.layout, { showlegend: false, margin: NO_MARGIN });
    scene.camera = cameraOf(selection.get().side) ?? fromAfar(scene.camera, plot.clientWidth, FARTHER);
    const next = copy.frames?.length ? createPlayer(plot, copy, title.textContent ?? "") : null;
    await draw(plot, copy);
    followTurns();
    if (requested !== key) return; // another one was asked for meanwhile
    player = next;
    replace(controls, player?.element);
    plot.dataset.key = key;
    const texts = [h("p", {}, figure.caption), h("p", {}, `Shown: ${figure.summary}`)];
    replace(caption, brief ? h("details", {}, h("summary", {}, "What is shown"), texts) : texts);
  }

  function removePlayer() {
    player?.stop();
    player = null;
    replace(controls);
    delete plot.dataset.moment;
  }

  function followTurns() {
    if (isFollowed || !plot.dataset.drawn) return;
    isFollowed = true;
    plot.on("plotly_relayout", (change) => {
      const camera = change["scene.camera"];
      if (camera) selection.set({ side: cameraText(camera) });
    });
  }

  /** @param {string} text */
  function showNote(text) {
    plot.removeAttribute("aria-busy");
    plot.hidden = true;
    plot.dataset.key = shown;
    note.hidden = false;
    note.textContent = text;
    replace(caption);
  }

  boxes.add(plot);
  const stopListening = online.listen((answers) => {
    if (answers && failed) update(failed);
  });

  function close() {
    request.abort();
    removePlayer();
    stopListening();
    boxes.delete(plot);
    forget(plot);
  }

  /** @param {string} format */
  const saveAs = (format) => save(plot, format, `${study.name}-robot`);
  return { element, update, close, save: saveAs };
}

// Turning one robot turns all; so does a link with a camera.
selection.watch(["side"], ({ side }) => {
  const camera = cameraOf(side);
  if (!camera) return;
  for (const box of boxes) {
    const now = box.layout?.scene?.camera;
    if (now && cameraText(now) !== cameraText(camera))
      relayout(box, { "scene.camera": structuredClone(camera) });
  }
});

const AXES = ["xaxis", "yaxis", "zaxis"];
const LONGEST = 1.15;

// The frame in which all these designs' robots fit, so that sizes can be compared.
/** @param {{ study: RobotStudy, key: string }[]} designs */
export async function commonFrame(designs) {
  const found = await Promise.all(designs.map(({ study, key }) => figureOf(study, key).catch(() => null)));
  const scenes = found.flatMap((figure) => (figure?.data.length ? [figure.layout.scene] : []));
  if (!scenes.length) return null;
  return AXES.map((axis) => {
    const [from, to] = scenes[0][axis].range;
    const ends = scenes.flatMap((scene) => scene[axis].range);
    const range = [Math.min(...ends), Math.max(...ends)];
    return from < to ? range : range.reverse();
  });
}

// The same scale along all axes between the frame's ends, as dashboards/figures/upright.py has it.
/** @param {Figure["layout"]["scene"]} scene @param {Range[]} frame */
function fit(scene, frame) {
  const spans = frame.map(([from, to]) => Math.abs(to - from));
  const size = Math.max(Math.cbrt(spans[0] * spans[1] * spans[2]), Math.max(...spans) / LONGEST);
  AXES.forEach((axis, place) => (scene[axis].range = frame[place]));
  scene.aspectratio = { x: spans[0] / size, y: spans[1] / size, z: spans[2] / size };
}
