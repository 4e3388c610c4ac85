// The robot of a design in 3D: requested once, cancelled when another design is selected, with one camera for all.
/** @import { Camera, Figure, PlotBox, Range } from "./types.js" */
import { selection } from "./url_state.js";
import { ApiError, get, messageOf, online, pathPart, patiently, send, statusOf, studyPath } from "./api.js";
import { h, replace } from "./dom.js";
import { shortKey } from "./format.js";
import { beginAt, createPlayer } from "./player.js";
import { plotBox } from "./plot.js";
import { cableTable, createTools } from "./robot_tools.js";
import { cameraOf, cameraText } from "./scatter/axes_3d.js";
import { SceneCanvas } from "./scatter/scene_canvas.js";
import { unsafeMark } from "./tooltips.js";
import { asChosen, ASKED, DRAWN, sparse, viewQuery } from "./scene_view.js";

// The study of a robot: its name, its layouts, of which several are named, and its address in the interface. Of one
// that is not stored yet, `ask` has the figure instead.
/** @typedef {(key: string, signal?: AbortSignal) => Promise<Figure>} AskFigure */
/** @typedef {{ name: string, layouts: string[] } & ({ path: ReturnType<typeof studyPath> } | { ask: AskFigure })} RobotStudy */
// What several robots have in common: the ends of the axes, and those of colour scales by their titles.
/** @typedef {{ axes: Range[], colours: Map<string, Range> }} Frame */
// Controls of what is drawn, which follow the figure.
/** @typedef {{ element: HTMLElement, update: (figure: Figure) => void }} ViewControls */

const MOST_CACHED = 24;
// A picture so narrow has no room for the numbers of cables [px].
const NARROW = 320;
/** @type {Map<string, Figure>} */
const figures = new Map();
// The boxes of all robots of the page, which are turned together, and how each is drawn again.
/** @type {Map<PlotBox, (names: string[]) => void>} */
const boxes = new Map();
/** @type {Map<PlotBox, SceneCanvas>} */
const canvases = new Map();

// A design and what the address asks for of its figure.
/** @param {string} key */
const nameOf = (key) => `${key} ${JSON.stringify(viewQuery())}`;

// The figure of a design's scene as the address asks for it; the newest ones are cached. A user who passes many designs
// quickly requests more of them than the server draws for one account at a time.
/** @param {RobotStudy} study @param {string} key @param {AbortSignal} [signal] */
async function figureOf(study, key, signal) {
  const name = nameOf(key);
  const cached = figures.get(name);
  if (cached) return cached;
  const figure = await patiently(() =>
    "ask" in study ? study.ask(key, signal) : askFigure(study.path, key, signal),
  );
  figures.set(name, figure);
  const [oldest] = figures.keys();
  if (figures.size > MOST_CACHED) figures.delete(oldest);
  return figure;
}

// A design whose joints do not reach the posture, or that has none, is drawn in its own; the caption says so.
/** @param {ReturnType<typeof studyPath>} path @param {string} key @param {AbortSignal} [signal] @returns {Promise<Figure>} */
async function askFigure(path, key, signal) {
  const query = viewQuery();
  const address = /** @type {const} */ (`${path}/designs/${pathPart(key)}/figure`);
  try {
    return await get(address, query, signal);
  } catch (error) {
    const place = error instanceof ApiError ? error.problem.place : "";
    if (!place?.startsWith("posture")) throw error;
    const figure = await get(address, { ...query, posture: [] }, signal);
    return { ...figure, caption: `Drawn in its own posture: ${messageOf(error)}. ${figure.caption}` };
  }
}

// One view of a robot. `name` begins its title; `element` is the figure. A `brief` one has its name alone as
// title, no legend, and a caption that is opened on request; a `folded` one has such a caption alone.
/** @param {RobotStudy} study @param {HTMLElement} element @param {{ heading?: "h2" | "h3", name?: string, brief?: boolean, folded?: boolean, viewControls?: ViewControls }} [options] */
export function createRobot(
  study,
  element,
  { heading = "h3", name = "Robot", brief = false, folded = brief, viewControls } = {},
) {
  const plot = plotBox({ aria: { busy: "true" } });
  const title = h(heading, {}, name);
  const safety = h("span", {});
  const caption = h("figcaption", {});
  const note = h("p", { class: "empty", hidden: true });
  const remark = h("p", { class: "quiet small", hidden: true });
  const controls = h("div", {});
  const cables = h("div", { class: "small cable-list" });
  const tools = brief ? null : createTools(element, (way) => canvas.lookAlong(way));
  const files = h("div", { class: "row small", hidden: true }, "Save", ["png", "svg"].map(saveButton));
  replace(
    element,
    title,
    tools?.element,
    plot,
    remark,
    controls,
    cables,
    viewControls?.element,
    note,
    !brief && files,
    caption,
  );
  /** @type {ReturnType<typeof createPlayer> | null} */
  let player = null;
  let request = new AbortController();
  let requested = "";
  let shown = "";
  /** @type {Frame | null} */
  let frame = null;
  // Holds the design in all postures in which it was drawn, so that it does not change its size.
  /** @type {Frame | null} */
  let own = null;
  /** @type {{ layout: string, key: string } | null} */
  let current = null;
  // Other values of the design's variables: the robot that they give is drawn, and the stored one as its ghost.
  /** @type {Record<string, unknown> | null} */
  let varied = null;
  // The design that is drawn when the server answers again.
  /** @type {{ layout: string, key: string } | null} */
  let failed = null;

  // Draw the robot of a design and cancel the previous request.
  /** @param {{ layout: string, key: string }} design @param {Frame | null} [common] */
  async function update(design, common = null) {
    const { layout, key } = design;
    const asked = nameOf(key);
    if (requested === asked && common === frame) return;
    request.abort();
    request = new AbortController();
    const { signal } = request;
    requested = asked;
    frame = common;
    current = design;
    varied = null;
    failed = null;
    const named = layout && study.layouts.length > 1 ? `${layout}, design` : "design";
    replace(title, brief ? name : `${name}: ${named} ${shortKey(key)}`, safety);
    replace(safety);
    if (!figures.has(asked)) plot.setAttribute("aria-busy", "true");
    try {
      const figure = await figureOf(study, key, signal);
      if (!signal.aborted) show(key, figure);
    } catch (error) {
      if (signal.aborted) return;
      requested = ""; // whoever asks for it again has it tried again
      const isAway = statusOf(error) === 0;
      if (isAway) failed = design;
      showNote(isAway ? "The view is drawn when the server answers again." : messageOf(error));
    }
  }

  // Draw the robot with other values of the variables, and the stored one as a ghost; null draws the stored one alone.
  /** @param {Record<string, unknown> | null} variables */
  async function vary(variables) {
    if (!current || !("path" in study) || (!variables && !varied)) return;
    const { key } = current;
    varied = variables;
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const stored = await figureOf(study, key, signal);
      if (signal.aborted) return;
      if (!variables) {
        show(key, stored);
        return;
      }
      const address = /** @type {const} */ (`${study.path}/designs/${pathPart(key)}/figure`);
      const drawn = await patiently(() => send("POST", address, { variables }, { signal }));
      if (!signal.aborted) show(key, withGhost(drawn, stored));
    } catch (error) {
      if (!signal.aborted) showNote(messageOf(error));
    }
  }

  /** @param {string} key @param {Figure} figure */
  function show(key, figure) {
    const moment = shown === key ? plot.dataset.moment : undefined;
    if (shown !== key) own = null;
    shown = key;
    removePlayer();
    files.hidden = !figure.data.length;
    if (figure.data.length) viewControls?.update(figure);
    if (figure.data.length) tools?.update(figure);
    replace(cables, !brief && cableTable(figure.lines ?? []));
    replace(safety, unsafeMark(figure.unsafe));
    if (!figure.data.length) {
      showNote(figure.caption || "This back-end draws no picture of its designs.");
      return;
    }
    note.hidden = true;
    plot.hidden = false;
    remark.hidden = !figure.remark;
    replace(remark, figure.remark);
    const chosenFigure = asChosen(figure);
    const copy = structuredClone(brief ? sparse(chosenFigure, plot.clientWidth < NARROW) : chosenFigure);
    own = own ? wider(own, frameOf(figure.layout)) : frameOf(figure.layout);
    fit(copy.layout, frame ?? own);
    const chosen = cameraOf(selection.get().side);
    const words = [h("p", {}, figure.caption), h("p", {}, `Shown: ${figure.summary}`)];
    if (moment) beginAt(copy, Number(moment));
    if (copy.frames?.length)
      player = createPlayer(plot, copy, title.firstChild?.textContent ?? "", (traces) =>
        canvas.refresh(traces),
      );
    canvas.showScene(copy, chosen);
    replace(controls, player?.element);
    if (moment) plot.dataset.moment = moment;
    plot.dataset.key = key;
    replace(caption, brief || folded ? h("details", {}, h("summary", {}, "What is shown"), words) : words);
  }

  function removePlayer() {
    player?.stop();
    player = null;
    replace(controls);
    delete plot.dataset.moment;
  }

  /** @param {string} text */
  function showNote(text) {
    plot.removeAttribute("aria-busy");
    plot.hidden = true;
    plot.dataset.key = shown;
    remark.hidden = true;
    note.hidden = false;
    replace(note, text);
    replace(caption);
  }

  // Draw it again as the address says now; who gave a common frame gives another one for another figure.
  /** @param {string[]} names */
  function again(names) {
    if (!current || (frame && names === ASKED)) return;
    const sameFrame = frame;
    requested = "";
    return update(current, sameFrame);
  }

  const canvas = new SceneCanvas(
    plot,
    { view: ({ camera }) => selection.set({ side: camera ? cameraText(camera) : null }) },
    { plain: brief },
  );
  canvases.set(plot, canvas);
  boxes.set(plot, again);
  const stopListening = online.listen((answers) => {
    if (answers && failed) update(failed);
  });

  function close() {
    request.abort();
    removePlayer();
    stopListening();
    boxes.delete(plot);
    canvas.close();
    canvases.delete(plot);
  }

  /** @param {string} format */
  function saveAs(format) {
    return canvas.save(format, `${study.name}-robot-${shortKey(shown)}`);
  }

  /** @param {string} format */
  function saveButton(format) {
    const aria = { label: `${format.toUpperCase()} of ${name}` };
    const on = { click: () => saveAs(format) };
    return h("button", { type: "button", class: "link", aria, on }, format.toUpperCase());
  }

  return { element, update, vary, close, save: saveAs };
}

// Turning one robot turns all; so does a link with a camera.
selection.watch(["side"], ({ side }) => {
  const camera = cameraOf(side);
  for (const canvas of canvases.values()) canvas.look(camera);
});

for (const names of [ASKED, DRAWN])
  selection.watch(names, () => boxes.forEach((drawAgain) => drawAgain(names)));

const AXES = ["xaxis", "yaxis", "zaxis"];
const LONGEST = 1.15;

const GHOST = { colour: "#8a8f98", opacity: 0.45, width: 2 };

// A figure with the lines of another one behind it, faint and without names.
/** @param {Figure} figure @param {Figure} other @returns {Figure} */
function withGhost(figure, other) {
  const lines = other.data.filter(({ mode, meta }) => mode?.includes("lines") && !meta);
  const ghosts = lines.map((trace) => ({
    ...trace,
    mode: "lines",
    line: { color: GHOST.colour, width: GHOST.width },
    opacity: GHOST.opacity,
    showlegend: false,
    hoverinfo: "skip",
  }));
  const caption = `As stored in grey, with the other values in colour. ${figure.caption}`;
  return { ...figure, data: [...ghosts, ...figure.data], caption };
}

// The frame in which all these designs' robots fit, so that sizes can be compared.
/** @param {{ study: RobotStudy, key: string }[]} designs @returns {Promise<Frame | null>} */
export async function commonFrame(designs) {
  const found = await Promise.all(designs.map(({ study, key }) => figureOf(study, key).catch(() => null)));
  const frames = found.flatMap((figure) => (figure?.data.length ? [frameOf(figure.layout)] : []));
  return frames.length ? frames.reduce(wider) : null;
}

/** @param {Figure["layout"]} layout @returns {Frame} */
const frameOf = (layout) => ({
  axes: AXES.map((axis) => layout.scene[axis].range),
  colours: new Map(
    colourScales(layout).map(({ colorbar, cmin, cmax }) => [colorbar.title.text, [cmin, cmax]]),
  ),
});

// The frame that holds both; axes keep their direction.
/** @param {Frame} one @param {Frame} other @returns {Frame} */
function wider(one, other) {
  const colours = new Map(one.colours);
  for (const [title, range] of other.colours) colours.set(title, around(colours.get(title) ?? range, range));
  return { axes: one.axes.map((range, place) => around(range, other.axes[place])), colours };
}

/** @param {Range} one @param {Range} other */
function around(one, other) {
  const range = [Math.min(...one, ...other), Math.max(...one, ...other)];
  return one[0] < one[1] ? range : range.reverse();
}

/** @param {Figure["layout"]} layout */
const colourScales = (layout) =>
  Object.entries(layout).flatMap(([name, part]) => (name.startsWith("coloraxis") ? [part] : []));

// The same scale along all axes between the frame's ends, as dashboards/figures/up_axis.py has it, and the same colours.
/** @param {Figure["layout"]} layout @param {Frame} frame */
function fit(layout, { axes, colours }) {
  const { scene } = layout;
  const spans = axes.map(([from, to]) => Math.abs(to - from));
  const size = Math.max(Math.cbrt(spans[0] * spans[1] * spans[2]), Math.max(...spans) / LONGEST);
  AXES.forEach((axis, place) => (scene[axis].range = axes[place]));
  for (const scale of colourScales(layout))
    [scale.cmin, scale.cmax] = colours.get(scale.colorbar.title.text) ?? [scale.cmin, scale.cmax];
  scene.aspectratio = { x: spans[0] / size, y: spans[1] / size, z: spans[2] / size };
}
