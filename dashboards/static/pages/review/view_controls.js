// Below the robot: what colours its workspace, where it is clipped, how opaque it is, and how its joints stand. What is
// chosen is in the address, and all robots of the page follow it.
/** @import { Figure, Schemas } from "../../core/types.js" */
/** @import { Cut } from "../../core/scene_view.js" */
/** @import { Study } from "./study.js" */
import { h, replace } from "../../core/dom.js";
import { heading, percent, quantity, scaleOf } from "../../core/format.js";
import {
  ASKED,
  cutOf,
  DRAWN,
  fieldOf,
  opacityOf,
  ownOpacity,
  rangeAlong,
  setCut,
  setPosture,
} from "../../core/scene_view.js";
import { selection } from "../../core/url_state.js";

const STEPS = 200;
const FAINTEST = 5;
const SETTLED = 150;
const ENTRIES = [...ASKED, ...DRAWN];

/** @typedef {{ element: HTMLElement, update: (figure: Figure) => void }} Control */

/** @param {Study} study */
export function createViewControls(study) {
  const reset = h("button", { type: "button", on: { click: clear } }, "Reset the picture");
  const controls = [createField(study), createCut(), createOpacity(), createPosture()];
  // What a link chose can be reset, also where the server refuses it.
  const isChosen = () => ENTRIES.some((name) => selection.get()[name]);
  const element = h(
    "details",
    { class: "view-controls", hidden: !isChosen(), open: isChosen() },
    h("summary", {}, "Colours, clip plane and posture"),
    controls.map((control) => control.element),
    h("div", { class: "row" }, reset),
  );

  function clear() {
    selection.set(Object.fromEntries(ENTRIES.map((name) => [name, null])));
  }

  /** @param {Figure} figure */
  function update(figure) {
    element.hidden = false;
    for (const control of controls) control.update(figure);
    reset.disabled = !isChosen();
  }

  return { element, update };
}

// A control with its name, and what it stands at, which is no part of the name.
/** @param {string} name @param {HTMLElement} control @param {HTMLElement} [value] */
function labelled(name, control, value) {
  control.id = `view-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  return h("div", { class: "row" }, h("label", { for: control.id }, name), control, value);
}

// ------------------------------------------------------------------ colours

/** @param {Study} study @returns {Control} */
function createField(study) {
  const select = h("select", {
    on: { change: (event) => selection.set({ field: event.currentTarget.value }) },
  });
  const meaning = h("p", { class: "quiet small" });
  const element = h("div", { hidden: true }, labelled("Colour workspace by", select), meaning);
  /** @type {Schemas["FieldResource"][]} */
  let fields = [];
  study.model().then(
    (model) => {
      fields = model.workspaceFields;
      element.hidden = !fields.length;
      replace(
        select,
        h("option", { value: "" }, "nothing"),
        fields.map(({ field, unit, meaning: title }) =>
          h("option", { value: field, title }, heading(field, scaleOf([], unit).unit)),
        ),
      );
      update();
    },
    () => {},
  ); // the rest of the page says that the server is away

  function update() {
    select.value = fieldOf();
    replace(meaning, fields.find(({ field }) => field === fieldOf())?.meaning ?? "");
    meaning.hidden = !meaning.textContent;
  }

  return { element, update };
}

// ------------------------------------------------------------------ clip plane

const SIDES = [
  ["below", "hide greater"],
  ["above", "hide smaller"],
];

/** @returns {Control} */
function createCut() {
  const axis = h(
    "select",
    { on: { change: begin } },
    h("option", { value: "" }, "none"),
    ["x", "y", "z"].map((name) => h("option", { value: name }, `across ${name}`)),
  );
  const side = h("select", { aria: { label: "What the clip plane hides" }, on: { change: cut } });
  const slider = h("input", {
    type: "range",
    min: 0,
    max: STEPS,
    step: 1,
    aria: { label: "Place of the clip plane" },
    on: { input: cut },
  });
  const place = h("output", { aria: { live: "off" } });
  const rest = h("div", { class: "row", hidden: true }, side, slider, place);
  const element = h("div", {}, labelled("Clip plane", axis), rest);
  /** @type {Figure | null} */
  let shown = null;

  // A cut begins in the middle.
  function begin() {
    slider.value = String(STEPS / 2);
    cut();
  }

  function cut() {
    if (!shown || !axis.value) return setCut(null);
    const [least, most] = rangeAlong(shown, axis.value);
    const at = least + (slider.valueAsNumber / STEPS) * (most - least);
    setCut({ axis: axis.value, side: side.value === "above" ? -1 : 1, at });
  }

  /** @param {Figure} figure */
  function update(figure) {
    shown = figure;
    const now = cutOf();
    axis.value = now?.axis ?? "";
    rest.hidden = !now;
    if (!now) return;
    replace(
      side,
      SIDES.map(([value, text]) => h("option", { value }, `${text} ${now.axis}`)),
    );
    side.value = now.side > 0 ? "below" : "above";
    const [least, most] = rangeAlong(figure, now.axis);
    slider.value = String((STEPS * (now.at - least)) / (most - least));
    const text = `${now.axis} = ${quantity(now.at, "m")}`;
    place.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  }

  return { element, update };
}

// ------------------------------------------------------------------ opacity

/** @returns {Control} */
function createOpacity() {
  const slider = h("input", {
    type: "range",
    min: FAINTEST,
    max: 100,
    step: 1,
    on: { input: (event) => selection.set({ opacity: event.currentTarget.value }) },
  });
  const text = h("output", { aria: { live: "off" } });
  const element = labelled("Opacity of workspace", slider, text);

  /** @param {Figure} figure */
  function update(figure) {
    const usual = ownOpacity(figure);
    element.hidden = usual === null;
    const share = opacityOf() ?? usual ?? 1;
    slider.value = String(100 * share);
    text.textContent = percent(share);
    slider.setAttribute("aria-valuetext", percent(share));
  }

  return { element, update };
}

// ------------------------------------------------------------------ posture

// The joints that the back-end lets a picture move: a slider each, in the order of the figure's posture.
/** @returns {Control} */
function createPosture() {
  const rows = h("div", { class: "joints" });
  const element = h(
    "fieldset",
    { hidden: true },
    h("legend", {}, "Posture"),
    rows,
    h("p", { class: "quiet small" }, "Moves the picture alone: the workspace stays that of the design."),
  );
  /** @type {Schemas["PostureResource"][]} */
  let coordinates = [];
  /** @type {ReturnType<typeof createJoint>[]} */
  let joints = [];
  // Set while somebody moves a joint and the address does not say it yet: figures that come meanwhile are older.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;

  /** @param {number} place @param {number} value */
  function move(place, value) {
    coordinates = coordinates.map((each, number) => (number === place ? { ...each, value } : each));
    clearTimeout(resting);
    resting = setTimeout(() => {
      resting = undefined;
      setPosture(coordinates);
    }, SETTLED);
  }

  /** @param {Figure} figure */
  function update({ posture = [] }) {
    element.hidden = !posture.length;
    const names = posture.map(({ name }) => name).join();
    if (names !== coordinates.map(({ name }) => name).join()) {
      joints = posture.map((each, place) => createJoint(each, (value) => move(place, value)));
      replace(
        rows,
        joints.map((joint) => joint.element),
      );
    }
    if (resting) return;
    coordinates = posture;
    joints.forEach((joint, place) => joint.show(posture[place]));
  }

  return { element, update };
}

/** @param {Schemas["PostureResource"]} coordinate @param {(value: number) => void} moved */
function createJoint({ name }, moved) {
  let unit = "";
  let factor = 1;
  const slider = h("input", { type: "range", step: "any", on: { input: slide } });
  const text = h("output", { aria: { live: "off" } });
  const element = labelled(name, slider, text);

  function slide() {
    const value = slider.valueAsNumber / factor;
    write(value);
    moved(value);
  }

  /** @param {number} value */
  function write(value) {
    replace(text, quantity(value, unit));
    slider.setAttribute("aria-valuetext", quantity(value, unit));
  }

  /** @param {Schemas["PostureResource"]} now */
  function show({ unit: stated, lower, upper, value }) {
    unit = stated;
    factor = scaleOf([lower, upper], unit).factor;
    slider.min = String(lower * factor);
    slider.max = String(upper * factor);
    slider.value = String(value * factor);
    write(value);
  }

  return { element, show };
}
