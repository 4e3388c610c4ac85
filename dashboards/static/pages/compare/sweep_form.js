// A new sweep: conditions are chosen from the parameters of the study, and their values from what these allow.
/** @import { Schemas, Field } from "../../core/types.js" */
/** @import { Model } from "../../core/parameters.js" */
import { ApiError, get, messageOf, send, studyPath } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { atPlace, count, counted, scaleOf, words } from "../../core/format.js";
import { modelAt, parameterGroups } from "../../core/parameters.js";

/** @typedef {Schemas["SweepResource"]} Sweep */
/** @typedef {Schemas["ContenderResource"]} Contender */
// A condition: its values as the interface takes them, and its fields.
/** @typedef {{ element: HTMLElement, values: () => unknown[] }} Condition */

const HELP = "All layouts are evaluated under every combination of the values.";
const FORMS = new Set(["choice", "named", "number"]);
const WITH_UNIT = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\D.*)$/;
const MOST_VALUES = 50;
const DIGITS = 12;

/** @param {string} name */
const titleOf = (name) => words(name).replace(/^./, (letter) => letter.toUpperCase());

/** @param {string[]} names @param {string} seeds @param {Contender[]} contenders @param {(sweep: Sweep) => Promise<void>} begun */
export function createSweepForm(names, seeds, contenders, begun) {
  const study = h(
    "select",
    { on: { change: offer } },
    names.map((name) => h("option", {}, name)),
  );
  const parameter = h("select", { on: { change: add } });
  const rows = h("div", { class: "sweep-rows" });
  const total = h("p", { class: "small", role: "status", id: "sweep-count" });
  const mode = h(
    "select",
    { on: { change: tell } },
    h("option", { value: "reevaluate" }, "Evaluate the fronts again"),
    h("option", { value: "search" }, "Search anew under each condition"),
  );
  const button = h("button", { type: "submit", class: "main", disabled: true }, "Begin");
  const fault = h("div", { class: "fault", role: "alert", hidden: true });
  /** @type {Map<string, Condition>} */
  const conditions = new Map();
  /** @type {Model | undefined} */
  let model;
  /** @type {Record<string, any>} */
  let definition = {};

  // The parameters that may be conditions: neither geometry nor what the search varies.
  async function offer() {
    conditions.clear();
    replace(rows);
    tell();
    const path = studyPath(study.value);
    const [known, stored, quantities] = await Promise.all([
      modelAt(`${path}/model`),
      get(path),
      get(`${path}/quantities`),
    ]);
    model = known;
    definition = stored.definition;
    const varied = new Set(
      quantities.layouts.flatMap(({ variables }) => variables.map(({ path: own }) => own.split(".")[0])),
    );
    /** @param {string} name */
    const isCondition = (name) =>
      !varied.has(name) && !known.geometry.has(name) && FORMS.has(known.field(name)?.form ?? "");
    replace(
      parameter,
      h("option", { value: "" }, "choose one"),
      parameterGroups(known).map(([group, members]) => {
        const found = members.filter(isCondition);
        return (
          found.length > 0 &&
          h(
            "optgroup",
            { label: group },
            found.map((name) => h("option", { value: name, title: known.tooltip(name) }, titleOf(name))),
          )
        );
      }),
    );
  }

  function add() {
    const name = parameter.value;
    const known = model?.field(name);
    parameter.value = "";
    if (!model || !known || conditions.has(name)) return;
    const stands = definition.parameters?.[name] ?? model.base(name, definition.preset);
    const remove = () => {
      conditions.get(name)?.element.remove();
      conditions.delete(name);
      tell();
    };
    const made = known.options.length ? choices(known) : steps(known, stands);
    const element = h(
      "fieldset",
      { data: { condition: name }, on: { input: tell } },
      h("legend", { title: model.tooltip(name) }, titleOf(name)),
      h("p", { class: "quiet small" }, known.description),
      h(
        "div",
        { class: "row" },
        made.element,
        h(
          "button",
          { type: "button", aria: { label: `Remove ${titleOf(name)}` }, on: { click: remove } },
          "\u00d7",
        ),
      ),
    );
    conditions.set(name, { element, values: made.values });
    rows.append(element);
    element.querySelector("input")?.focus();
    tell();
  }

  const grid = () => Object.fromEntries([...conditions].map(([name, { values }]) => [name, values()]));

  // What the sweep takes, before it begins.
  function tell() {
    const sizes = Object.values(grid()).map((values) => values.length);
    const product = sizes.reduce((all, size) => all * size, 1);
    button.disabled = !sizes.length || !product;
    const own = contenders.filter((contender) => contender.study === study.value);
    const sum = (/** @type {"seed_fronts" | "runs" | "asked"} */ key) =>
      own.reduce((all, one) => all + one[key], 0);
    const each =
      mode.value === "search"
        ? `${counted(sum("runs"), "run")} each, ${counted(product * sum("runs"), "run")} in all`
        : `${counted(sum("seed_fronts"), "design")} on the fronts each, at most ${counted(product * sum("seed_fronts"), "evaluation")}`;
    total.textContent = button.disabled
      ? "Choose a condition and at least one of its values."
      : `${counted(product, "condition")}${sizes.length > 1 ? ` (${sizes.map(count).join(" \u00d7 ")})` : ""}, ${each}.`;
  }

  /** @param {Event} event */
  async function begin(event) {
    event.preventDefault();
    button.disabled = true;
    fault.hidden = true;
    try {
      await begun(await send("POST", `${studyPath(study.value)}/sweeps`, { over: grid(), mode: mode.value }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const texts = error.faults.map(({ path, detail }) =>
        atPlace((path ?? []).slice(1).map(String).map(titleOf), detail),
      );
      replace(
        fault,
        (texts.length ? texts : [messageOf(error)]).map((text) => h("p", {}, text)),
      );
      fault.hidden = false;
    } finally {
      button.disabled = false;
    }
  }

  const details = h(
    "details",
    { class: "again" },
    h("summary", {}, "Ask under other conditions"),
    h(
      "form",
      { class: "sweep-form", on: { submit: begin } },
      h("p", { class: "quiet small", id: "sweep-help" }, HELP),
      h("p", { class: "quiet small", id: "sweep-seeds" }, seeds),
      names.length > 1 && h("p", {}, h("label", {}, "Study ", study)),
      h("p", {}, h("label", {}, "Add a condition ", parameter)),
      rows,
      h("div", { class: "row" }, h("label", {}, "How ", mode), button),
      total,
      fault,
    ),
  );
  details.addEventListener("toggle", () => details.open && !model && offer());
  tell();
  return details;
}

// ------------------------------------------------------------------ values of a condition

/** @param {unknown} option */
const textOf = (option) => (typeof option === "boolean" ? (option ? "yes" : "no") : String(option));

// A box to tick for each allowed value.
/** @param {Field} known @returns {Condition} */
function choices({ options }) {
  const boxes = options.map((option) =>
    h("input", { type: "checkbox", checked: true, value: JSON.stringify(option) }),
  );
  const element = h(
    "div",
    { class: "row" },
    boxes.map((box, at) => h("label", { class: "tick" }, box, textOf(options[at]))),
  );
  return { element, values: () => boxes.filter((box) => box.checked).map((box) => JSON.parse(box.value)) };
}

// A range with steps, in the unit in which the value stands in the study, else in a readable one.
/** @param {Field} known @param {unknown} stands @returns {Condition} */
function steps({ schema, unit, integer }, stands) {
  const [, text, suffix] = (typeof stands === "string" && WITH_UNIT.exec(stands)) || [];
  const now = text ? Number(text) : typeof stands === "number" ? stands : undefined;
  const scale = suffix
    ? { factor: 1, unit: suffix }
    : scaleOf([now ?? 1], typeof unit === "string" ? unit : "1");
  const inSI = !suffix;
  const [least, greatest] = inSI
    ? [schema.minimum ?? -Infinity, schema.maximum ?? Infinity]
    : [-Infinity, Infinity];
  /** @param {number} value */
  const whole = (value) => (integer ? Math.round(value) : Number(value.toPrecision(DIGITS)));
  /** @param {number} value */
  const within = (value) => Math.min(Math.max(value, least), greatest);
  /** @param {string} label @param {number} value */
  const entry = (label, value) => {
    const input = h("input", { type: "number", step: "any", required: true, value: String(value) });
    return { input, element: h("label", {}, `${label} `, input) };
  };
  const shown = (/** @type {number} */ value) => whole(within(value) * scale.factor);
  const from = entry("From", shown(now ? Math.min(now / 2, now * 1.5) : 0));
  const to = entry("to", shown(now ? Math.max(now / 2, now * 1.5) : 1));
  const many = entry("values", integer && now ? Math.min(3, Math.max(1, now)) : 3);
  Object.assign(many.input, { min: "1", max: String(MOST_VALUES), step: "1" });
  const list = h("span", { class: "quiet small" });

  function values() {
    const [first, last, size] = [from, to, many].map(({ input }) => Number(input.value));
    const number = Math.min(Math.max(Math.floor(size) || 0, 0), MOST_VALUES);
    const places = Array.from({ length: number }, (_, at) => (number > 1 ? at / (number - 1) : 0));
    const found = [...new Set(places.map((place) => whole(first + place * (last - first))))];
    list.textContent = `${found.join(", ")}${scale.unit ? ` ${scale.unit}` : ""}`;
    if (!inSI) return found.map((value) => `${value} ${suffix}`);
    return found.map((value) => whole(value / scale.factor));
  }

  values();
  return { element: h("div", { class: "row" }, from.element, to.element, many.element, list), values };
}
