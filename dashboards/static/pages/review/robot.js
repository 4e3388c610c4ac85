// The robot of a design in 3D: requested once, cancelled when another design is selected, with one camera for all.
import { selection } from "../../core/address.js";
import { get, online, pathPart } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { draw, relayout } from "../../core/plot.js";
import { cameraOf, cameraText, fromAfar } from "../../core/scatter/axes_3d.js";
import { short } from "./study.js";

const KEPT = 24;
const TOO_MANY = 429;
const MOST_TRIES = 5;
const PAUSE = 700;
const FARTHER = [[480, 1.2]];
const figures = new Map();
const views = new Set();

// The figure of a design's scene; the newest ones are cached.
async function figureOf(study, key, signal) {
  if (!figures.has(key)) {
    figures.set(key, await get(`${study.path}/designs/${pathPart(key)}/figure`, {}, signal));
    if (figures.size > KEPT) figures.delete(figures.keys().next().value);
  }
  return figures.get(key);
}

// A user who passes many designs quickly requests more views than the server draws for one account at a time.
async function patiently(ask, signal) {
  for (let again = 0; ; again += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== TOO_MANY || again === MOST_TRIES || signal.aborted) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

// One view of a robot; all views of a page are turned together.
export class Robot {
  /** @param {any} study @param {HTMLElement} figure @param {{ heading?: "h2" | "h3", name?: string }} [options] */
  constructor(study, figure, { heading = "h3", name = "Robot" } = {}) {
    this.name = name;
    this.study = study;
    /** @type {any} a box in which plotly.js draws */
    this.plot = h("div", { class: "plot", aria: { busy: "true" } });
    this.title = h(heading, {}, name);
    this.caption = h("figcaption", {});
    this.note = h("p", { class: "empty", hidden: true });
    replace(figure, this.title, this.plot, this.note, this.caption);
    this.waiting = null;
    this.requested = "";
    this.shown = "";
    views.add(this);
    online.listen((answers) => answers && this.failed && this.show(this.failed));
  }

  // Draw the robot of a design and cancel the previous request.
  async show({ layout, key }, frame = null) {
    if (this.requested === key && frame === this.frame) return;
    this.waiting?.abort();
    this.requested = key;
    this.waiting = new AbortController();
    this.failed = null;
    this.frame = frame;
    const { signal } = this.waiting;
    this.title.textContent = [
      `${this.name}:`,
      layout && this.study.layouts.length > 1 && `${layout},`,
      `design ${short(key)}`,
    ]
      .filter(Boolean)
      .join(" ");
    this.plot.setAttribute("aria-busy", "true");
    try {
      const figure = await patiently(() => figureOf(this.study, key, signal), signal);
      if (!signal.aborted) await this.draw(key, figure, frame);
    } catch (error) {
      if (signal.aborted) return;
      this.requested = ""; // whoever asks for it again has it tried again
      if (error.status === 0) this.failed = { layout, key };
      this.showNote(error.status === 0 ? "The view is drawn when the server answers again." : error.message);
    }
  }

  async draw(key, figure, frame) {
    this.shown = key;
    if (!figure.data.length)
      return this.showNote(figure.caption || "This back-end draws no picture of its designs.");
    this.note.hidden = true;
    this.plot.hidden = false;
    const copy = structuredClone(figure);
    if (frame) fit(copy.layout.scene, frame);
    copy.layout.uirevision = "robot";
    const { scene } = copy.layout;
    scene.camera = cameraOf(selection.get().side) ?? fromAfar(scene.camera, this.plot.clientWidth, FARTHER);
    await draw(this.plot, copy);
    if (!this.listens && this.plot.dataset.drawn) {
      this.listens = true;
      this.plot.on(
        "plotly_relayout",
        (change) => change["scene.camera"] && selection.set({ side: cameraText(change["scene.camera"]) }),
      );
    }
    if (this.requested !== key) return; // another one was asked for meanwhile
    this.plot.dataset.key = key;
    replace(this.caption, h("p", {}, figure.caption), h("p", {}, `Shown: ${figure.summary}`));
  }

  showNote(text) {
    this.plot.removeAttribute("aria-busy");
    this.plot.hidden = true;
    this.plot.dataset.key = this.shown;
    this.note.hidden = false;
    this.note.textContent = text;
    replace(this.caption);
  }

  close() {
    this.waiting?.abort();
    views.delete(this);
  }
}

// Turning one robot turns all; so does a link with a camera.
selection.watch(["side"], ({ side }) => {
  const camera = cameraOf(side);
  if (!camera) return;
  for (const { plot } of views) {
    const now = plot.layout?.scene?.camera;
    if (now && cameraText(now) !== cameraText(camera))
      relayout(plot, { "scene.camera": structuredClone(camera) });
  }
});

const AXES = ["xaxis", "yaxis", "zaxis"];
const LONGEST = 1.15;

// The frame in which all these designs' robots fit, so that sizes can be compared.
export async function commonFrame(study, keys) {
  const found = await Promise.all(keys.map((key) => figureOf(study, key).catch(() => null)));
  const scenes = found.filter((figure) => figure?.data.length).map((figure) => figure.layout.scene);
  if (!scenes.length) return null;
  return AXES.map((axis) => {
    const [from, to] = scenes[0][axis].range;
    const ends = scenes.flatMap((scene) => scene[axis].range);
    const range = [Math.min(...ends), Math.max(...ends)];
    return from < to ? range : range.reverse();
  });
}

// The same scale along all axes between the frame's ends, as dashboards/figures/upright.py has it.
function fit(scene, frame) {
  const spans = frame.map(([from, to]) => Math.abs(to - from));
  const size = Math.max(Math.cbrt(spans[0] * spans[1] * spans[2]), Math.max(...spans) / LONGEST);
  AXES.forEach((axis, place) => (scene[axis].range = frame[place]));
  scene.aspectratio = { x: spans[0] / size, y: spans[1] / size, z: spans[2] / size };
}
