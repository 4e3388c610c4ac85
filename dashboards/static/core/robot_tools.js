// Tools of a robot's picture: the camera that fits it, directions to look from, the switch of the workspace, a large
// window, and the table of its cables.
/** @import { Camera, Figure, PlotBox, Point, Schemas } from "./types.js" */
import { h, replace, scrollBox } from "./dom.js";
import { quantity } from "./format.js";
import { isHullHidden, ownOpacity, setHull } from "./scene_view.js";

const LENS = Math.tan(Math.PI / 8); // plotly.js looks through 45 degrees, from top to bottom
const ROOM = { x: 34, y: 22 }; // pixels for the numbers of the axes at each side
const HEAD = 56; // pixels of legend and scale, before they are drawn
const TURNS = 16;
const FLAT = 0.84; // of the picture, for a robot in a plane and the numbers around it
const AXES = /** @type {const} */ (["x", "y", "z"]);
// The eye's direction. From above a little to the front, so that up stays up.
/** @type {[string, Point][]} */
const SIDES = [
  ["Front", [0, -1, 0]],
  ["Side", [1, 0, 0]],
  ["Top", [0, -0.01, 1]],
];
const LIMITS = { "": "", least: "least", greatest: "greatest" };

/** @param {Point} one @param {Point} other */
const dot = (one, other) => one.reduce((sum, value, axis) => sum + value * other[axis], 0);
/** @param {Point} vector */
const unit = (vector) => vector.map((value) => value / (Math.hypot(...vector) || 1));
/** @param {Point} one @param {Point} other */
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
/** @param {Point} options */
const named = ([x, y, z]) => ({ x, y, z });

/** @param {Record<string, any>} scene */
export const isPlane = (scene) => scene.camera.projection?.type === "orthographic";

// The size of the part of a box in which the scene stands; before it is drawn, about.
/** @param {PlotBox} box */
function areaOf(box) {
  const drawn = box.dataset.drawn ? box.querySelector(".gl-container > div") : null;
  return {
    width: drawn?.clientWidth || box.clientWidth || 1,
    height: drawn?.clientHeight || Math.max(box.clientHeight - HEAD, 1),
  };
}

// The camera that looks along a direction (that of the figure, if none is given) at a scene as large as there is room.
/** @param {Record<string, any>} scene @param {PlotBox} box @param {Point} [from] @returns {Camera} */
export function fittedCamera(scene, box, from) {
  const { eye, center } = scene.camera;
  const back = unit(from ?? AXES.map((axis) => eye[axis] - center[axis]));
  const right = unit(cross([0, 0, 1], back));
  const above = cross(back, right);
  const { width, height } = areaOf(box);
  const most = [((width - 2 * ROOM.x) / height) * LENS, ((height - 2 * ROOM.y) / height) * LENS];
  const sides = AXES.map((axis) => scene.aspectratio[axis] / 2);
  const corners = Array.from({ length: 8 }, (_, bits) =>
    sides.map((side, axis) => ((bits >> axis) & 1 ? side : -side)),
  );
  let [target, distance] = [[0, 0, 0], 3];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const seen = corners.map((corner) => {
      const place = corner.map((value, axis) => value - target[axis]);
      const away = Math.max(distance - dot(place, back), 0.05);
      return [dot(place, right) / away, dot(place, above) / away];
    });
    const spans = most.map((_, axis) => {
      const values = seen.map((place) => place[axis]);
      return [Math.min(...values), Math.max(...values)];
    });
    const [across, up] = spans.map(([least, greatest]) => (distance * (least + greatest)) / 2);
    target = target.map((value, axis) => value + across * right[axis] + up * above[axis]);
    distance *= Math.max(...spans.map(([least, greatest], axis) => (greatest - least) / 2 / most[axis]));
  }
  return {
    eye: named(target.map((value, axis) => value + distance * back[axis])),
    center: named(target),
    up: { x: 0, y: 0, z: 1 },
    projection: { type: "perspective" },
  };
}

// A scene in a plane fills the picture by the size of its box: plotly.js then looks at two units from top to bottom.
/** @param {Record<string, any>} scene @param {PlotBox} box */
export function fitPlane(scene, box) {
  const { width, height } = areaOf(box);
  const { eye, up } = scene.camera;
  const seen = AXES.filter((axis) => !eye[axis]);
  const upright = AXES.find((axis) => up[axis]);
  const shares = seen.map(
    (axis) => (2 * FLAT * (axis === upright ? 1 : width / height)) / scene.aspectratio[axis],
  );
  for (const axis of AXES) scene.aspectratio[axis] *= Math.min(...shares);
}

// Buttons above a picture; `look` is told a direction, or null for the picture's own.
/** @param {HTMLElement} figure @param {(way: Point | null) => void} look */
export function createTools(figure, look) {
  /** @param {string} text @param {() => void} click */
  const button = (text, click) => h("button", { type: "button", on: { click } }, text);
  const sides = SIDES.map(([text, way]) => button(text, () => look(way)));
  const hull = button("Workspace", () => setHull(isHullHidden()));
  const enlarge = button("Enlarge", toggle);
  const element = h(
    "div",
    { class: "row tools", role: "group", aria: { label: "Picture" } },
    button("Fit", () => look(null)),
    sides,
    hull,
    enlarge,
  );
  const window = h("dialog", { class: "enlarged", aria: { label: "Enlarged picture" }, on: { close } });
  const place = h("div", { hidden: true });

  function toggle() {
    if (window.open) return window.close();
    figure.before(place);
    window.append(figure);
    place.before(window);
    window.showModal();
    enlarge.textContent = "Close";
    enlarge.focus();
  }

  // Also with Escape.
  function close() {
    place.replaceWith(figure);
    window.remove();
    enlarge.textContent = "Enlarge";
    enlarge.focus();
  }

  /** @param {Figure} shown */
  function update(shown) {
    for (const each of sides) each.hidden = isPlane(shown.layout.scene);
    hull.hidden = ownOpacity(shown) === null;
    hull.setAttribute("aria-pressed", String(!isHullHidden()));
  }

  return { element, update };
}

// ------------------------------------------------------------------ cables

// What cables carry, in one line, and each of them in a table below it.
/** @param {Schemas["NumberedLineResource"][]} lines */
export function cableTable(lines) {
  const valued = lines.filter(({ value }) => value !== null);
  if (!valued.length) return null;
  const [{ value_name: name, unit }] = valued;
  const values = valued.map(({ value }) => Number(value));
  const [least, greatest] = [Math.min(...values), Math.max(...values)].map((value) => quantity(value, unit));
  const atLimit = valued.filter(({ limit }) => limit).length;
  const rows = valued.map(({ number, name: title, length, value, limit }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, title === `cable ${number}` ? String(number) : title),
      h("td", { class: "number" }, quantity(length, "m")),
      h("td", { class: "number" }, quantity(Number(value), unit)),
      h("td", {}, LIMITS[limit]),
    ),
  );
  const heads = ["cable", "length", name, "at its limit"].map((text) => h("th", { scope: "col" }, text));
  return h(
    "details",
    { class: "cables" },
    h("summary", {}, `Cables: ${name} ${least} to ${greatest}${atLimit ? `, ${atLimit} at a limit` : ""}`),
    scrollBox("Cables", h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))),
  );
}
