// A range with two handles over one track, and its ends as numbers below.
/** @import { Draft, Place } from "./draft.js" */
/** @import { Reading } from "./fields.js" */
/** @import { Model } from "../../core/parameters.js" */
import { h } from "../../core/dom.js";
import { entry, formatValue, parseValue, unitOfField } from "./fields.js";

const DEGREES = 180 / Math.PI;
const STEPS = 100;
/** @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

// The track is twice as wide as the range, within the bounds of the back-end.
/** @param {number} lower @param {number} upper @param {Reading} reading @param {{ least: number, most: number }} bounds @param {boolean} whole */
function trackOf(lower, upper, reading, bounds, whole) {
  const factor = reading.factor ?? (reading.written === "deg" ? DEGREES : NaN);
  const [least, most] = [bounds.least * factor, bounds.most * factor];
  const spread = (upper - lower || Math.abs(upper) || 1) / 2;
  const min = Number.isFinite(least) ? Math.max(least, lower - spread) : lower - spread;
  const max = Number.isFinite(most) ? Math.min(most, upper + spread) : upper + spread;
  const step = whole ? 1 : 10 ** Math.floor(Math.log10((max - min || 1) / STEPS));
  const onStep = (/** @type {number} */ value) => Number((Math.round(value / step) * step).toPrecision(12));
  return { min: Math.min(onStep(min), lower), max: Math.max(onStep(max), upper), step };
}

/** @param {Draft} draft @param {Place} place @param {string} name @param {Model} model */
export function range(draft, place, name, model) {
  const value = draft.get(...place) ?? {};
  const path = place[place.length - 1];
  const bounds = model.bounds(path);
  const reading = unitOfField(model.field(path)?.unit, [value.lower, value.upper]);
  const whole = value.type === "integer";
  /** @param {string} key @param {string} label */
  const number = (key, label) => {
    /** @param {string} text */
    const onType = (text) => {
      draft.set([...place, key], parseValue(text, reading));
      follow();
    };
    const settings = { value: formatValue(value[key], reading), onType, "data-end": key, "data-path": path };
    return entry({ place: [...place, key], label: `${name}: ${label}`, after: reading.label }, settings);
  };
  const fields = { lower: number("lower", "from"), upper: number("upper", "to") };
  const inputs = Object.values(fields).map(
    (field) => /** @type {HTMLInputElement} */ (field.querySelector("input")),
  );
  const handles = ["lower", "upper"].map((key, at) =>
    h("input", {
      type: "range",
      data: { end: key, path },
      aria: { label: `${name}: ${at ? "upper" : "lower"} handle` },
      on: {
        input: (event) => drag(at, Number(event.currentTarget.value)),
        keydown: (event) => {
          const way = KEYS[event.key];
          if (!way) return;
          event.preventDefault();
          drag(at, Number(event.currentTarget.value) + way * step);
        },
      },
    }),
  );
  const track = h("div", { class: "track" }, handles);
  let step = 1;

  // A handle stops where the other one stands.
  /** @param {number} at @param {number} to */
  function drag(at, to) {
    const other = Number(handles[1 - at].value);
    const from = value.step === undefined ? 0 : other; // steps are counted from end to end
    const rounded = Math.min(
      Math.max(from + Math.round((to - from) / step) * step, Number(handles[at].min)),
      Number(handles[at].max),
    );
    const end = at ? Math.max(rounded, other) : Math.min(rounded, other);
    handles[at].value = String(end);
    inputs[at].value = String(Number(end.toPrecision(10)));
    draft.set([...place, at ? "upper" : "lower"], parseValue(inputs[at].value, reading));
    mark();
  }

  function follow() {
    const ends = inputs.map((input) => Number(input.value || NaN));
    const drawn = ends.every(Number.isFinite) && ends[0] <= ends[1];
    track.style.visibility = drawn ? "" : "hidden"; // a fault moves nothing
    if (!drawn) return;
    const { min, max, ...found } = trackOf(ends[0], ends[1], reading, bounds, whole);
    step = Number(formatValue(draft.get(...place, "step"), reading)) || found.step;
    handles.forEach((handle, at) => {
      handle.min = String(min);
      handle.max = String(max);
      handle.step = "any"; // an end may stand between the steps
      handle.value = String(ends[at]);
    });
    mark();
  }

  function mark() {
    const [min, max] = [Number(handles[0].min), Number(handles[0].max)];
    handles.forEach((handle, at) =>
      track.style.setProperty(
        at ? "--to" : "--from",
        String((Number(handle.value) - min) / (max - min || 1)),
      ),
    );
  }

  follow();
  return [
    track,
    h("div", { class: "ends" }, fields.lower, h("span", { class: "dash" }, "\u2013"), fields.upper),
    value.step !== undefined && h("div", { class: "ends" }, number("step", "in steps of")),
  ];
}
