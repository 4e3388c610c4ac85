// Tools of a robot's picture: directions to look from, the switch of the workspace, a large window, and the table of its
// cables.
/** @import { Figure, Point, Schemas } from "./types.js" */
import { h, replace, scrollBox } from "./dom.js";
import { quantity } from "./format.js";
import { isHullHidden, ownOpacity, setHull } from "./scene_view.js";

// Where the eye is, seen from the robot.
/** @type {[string, Point][]} */
const SIDES = [
  ["Front", [0, -1, 0]],
  ["Side", [1, 0, 0]],
  ["Top", [0, 0, 1]],
];
const LIMITS = { "": "", least: "least", greatest: "greatest" };

/** @param {Record<string, any>} scene */
const isPlane = (scene) => scene.camera.projection?.type === "orthographic";

// Buttons above a picture; `look` is told a direction.
/** @param {HTMLElement} figure @param {(way: Point) => void} look */
export function createTools(figure, look) {
  /** @param {string} text @param {() => void} click */
  const button = (text, click) => h("button", { type: "button", on: { click } }, text);
  const sides = SIDES.map(([text, way]) => button(text, () => look(way)));
  const hull = button("Workspace", () => setHull(isHullHidden()));
  const enlarge = button("Enlarge", toggle);
  enlarge.dataset.icon = "enlarge";
  const element = h(
    "div",
    { class: "row picture-tools", role: "group", aria: { label: "Picture" } },
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
    enlarge.dataset.icon = "close";
    enlarge.focus();
  }

  // Also with Escape.
  function close() {
    place.replaceWith(figure);
    window.remove();
    enlarge.textContent = "Enlarge";
    enlarge.dataset.icon = "enlarge";
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
