// Evaluate a stored design again: exactly as it was, or with finer settings; old and new stand side by side.
import { pathPart, send } from "../../core/api.js";
import { h, replace, scrollBox } from "../../core/dom.js";
import { duration, number, quantity, unitText, words } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { Model, parameterGroups, valueText } from "../../core/parameters.js";

// Of what has no place in the design itself; offered first where a back-end has one of them.
const RESOLUTIONS = ["cells", "arcs_per_gap", "rays", "tension_steps", "trajectory_samples"];

// A row of the form: how its parameter and its value are read.
/** @typedef {HTMLElement & { path: () => string, read: () => [string, any] }} SettingRow */

export function reevaluationForm(study, design, schema) {
  const groups = offered(study, design, schema);
  const fields = groups.flatMap(([, some]) => some);
  const first =
    fields.find((field) => RESOLUTIONS.includes(field.path)) ??
    fields.find((field) => field.integer) ??
    fields[0];
  const rows = h("div", { class: "settings" });
  const settingRows = () => /** @type {SettingRow[]} */ ([...rows.children]);
  const result = h("div", { aria: { live: "polite" } });
  const add = (field) => rows.append(setting(groups, field));
  // What comes next belongs to what is there already, if it can.
  const addNext = () => {
    const taken = new Set(settingRows().map((row) => row.path()));
    const group = groups.find(([, some]) => some.some((field) => taken.has(field.path)))?.[1] ?? [];
    add([...group, ...fields].find((field) => !taken.has(field.path)) ?? fields[0]);
  };
  if (first) add(first);
  const evaluate = (event) => {
    event.preventDefault();
    const settings = Object.fromEntries(
      settingRows()
        .map((row) => row.read())
        .filter(([, value]) => value !== ""),
    );
    compute(study, design, result, buttons, "evaluate", { settings });
  };
  const submit = h("button", { type: "submit", class: "main" }, "Evaluate with these settings");
  const reproduce = h(
    "button",
    { type: "button", on: { click: () => compute(study, design, result, buttons, "reproduce") } },
    "Reproduce exactly",
  );
  const buttons = [submit, reproduce];
  return h(
    "details",
    { class: "again" },
    h("summary", {}, "Evaluate again"),
    h(
      "form",
      { on: { submit: evaluate } },
      h(
        "p",
        { class: "quiet small" },
        "Under other conditions or on a finer grid; nothing is stored. A number is in SI units; a text may have its unit, such as 5 mm.",
      ),
      rows,
      h(
        "div",
        { class: "row" },
        fields.length > 1 && h("button", { type: "button", on: { click: addNext } }, "One more setting"),
        submit,
        reproduce,
      ),
    ),
    result,
  );
}

// [[title, fields], ...]: parameters that hold a number or one of some options and do not vary, grouped as in the form
// of a new study. A field is { path, value, unit, integer, options, description }.
function offered(study, design, schema) {
  const model = new Model({ model: study.quantities.model, parameters: schema, presets: [] });
  const varied = new Set(
    study.columns
      .filter((column) => column.role === "variable")
      .map((column) => column.id.replace(/^variable /, "")),
  );
  const fieldOf = (path) => ({ ...model.field(path), path, value: design.parameters[path] });
  const fieldsOf = (names) =>
    names
      .filter((path) => !varied.has(path))
      .map(fieldOf)
      .filter(settable);
  return parameterGroups(model)
    .map(([title, names]) => /** @type {[string, any[]]} */ ([title, fieldsOf(names)]))
    .filter(([, fields]) => fields.length);
}

const settable = ({ form, options, value }) =>
  options.length > 0 || (form === "number" && (value === null || typeof value === "number"));

// A parameter and its new value; whole numbers begin at twice what they were, options at another than it was.
function setting(groups, initial) {
  const fields = groups.flatMap(([, some]) => some);
  const option = (field) => h("option", { value: field.path, selected: field === initial }, field.path);
  const select = h(
    "select",
    { aria: { label: "Parameter" } },
    groups.map(([title, some]) => h("optgroup", { label: title }, some.map(option))),
  );
  const place = h("span", { class: "value" });
  const before = h("span", { class: "quiet small" });
  let control;
  const fill = () => {
    const field = fields.find((one) => one.path === select.value);
    control = field.options.length ? optionsOf(field) : numberOf(field);
    replace(place, control.element);
    before.textContent = [
      field.options.length ? "" : unitText(field.unit),
      `was ${typeof field.value === "object" && field.value ? "a value of its own" : valueText(field.value, field.unit)}`,
    ]
      .join(" ")
      .trim();
    select.title = field.description;
  };
  select.addEventListener("change", fill);
  fill();
  const row = h(
    "div",
    { class: "row" },
    select,
    place,
    before,
    h(
      "button",
      { type: "button", aria: { label: "Leave this setting out" }, on: { click: () => row.remove() } },
      "\u00d7",
    ),
  );
  return Object.assign(row, { path: () => select.value, read: () => [select.value, control.read()] });
}

function numberOf({ integer, value }) {
  const initial =
    value === null
      ? ""
      : integer
        ? 2 * value
        : number(value, 6).replace("\u2212", "-").replaceAll("\u202f", "");
  const element = h("input", { type: "text", size: 10, value: initial, aria: { label: "New value" } });
  const read = () =>
    element.value.trim() !== "" && Number.isFinite(Number(element.value))
      ? Number(element.value)
      : element.value.trim();
  return { element, read };
}

function optionsOf({ options, value }) {
  const initial = options.findIndex((option) => option !== value);
  const text = (option) => (typeof option === "boolean" ? (option ? "yes" : "no") : String(option));
  const element = h(
    "select",
    { aria: { label: "New value" } },
    options.map((option, i) => h("option", { value: i, selected: i === initial }, text(option))),
  );
  return { element, read: () => options[Number(element.value)] };
}

// One at a time: the result has one place.
async function compute(study, design, result, buttons, verb, body) {
  const disable = (disabled) => buttons.forEach((button) => Object.assign(button, { disabled }));
  disable(true);
  const start = performance.now();
  const clock = () =>
    replace(
      result,
      h(
        "p",
        { role: "status" },
        `Computing, ${duration((performance.now() - start) / 1000)} so far; a minute at most.`,
      ),
    );
  clock();
  const ticking = setInterval(clock, 1000);
  try {
    const found = await send("POST", `${study.path}/designs/${pathPart(design.key)}/${verb}`, body);
    clearInterval(ticking);
    replace(
      result,
      verb === "reproduce" ? reproduced(found) : evaluated(study, design, found, body.settings),
    );
    announce(verb === "reproduce" ? "Reproduced." : "Evaluated again.");
  } catch (error) {
    replace(result, h("div", { class: "fault", role: "alert" }, h("p", {}, error.message), faults(error)));
  } finally {
    clearInterval(ticking);
    disable(false);
  }
}

const faults = (error) =>
  h(
    "ul",
    {},
    (error.faults ?? []).map((fault) =>
      h("li", {}, `${(fault.path ?? []).slice(1).join(".")}: ${fault.detail}`),
    ),
  );

function reproduced(found) {
  if (found.identical)
    return h("p", { class: "good" }, "Identical: every metric has the same bits as stored.");
  return h(
    "div",
    { class: "fault" },
    h("p", {}, "Not identical."),
    h(
      "ul",
      {},
      found.differences.map((text) => h("li", {}, text)),
    ),
  );
}

function evaluated(study, design, found, settings) {
  const settingsText = Object.entries(settings)
    .map(([path, value]) => `${path} ${value}`)
    .join(", ");
  if (found.status !== "done")
    return h("p", { class: "fault" }, `With ${settingsText} the design is ${found.status}: ${found.reason}`);
  const metrics = study.quantities.metrics.filter(({ metric }) => metric in found.metrics);
  const rows = metrics.map(({ metric, unit }) => {
    const [old, now] = [design.metrics[metric] ?? null, found.metrics[metric]];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, words(metric)),
      h("td", { class: "number" }, quantity(old, unit)),
      h("td", { class: "number" }, quantity(now, unit)),
      h("td", { class: "number" }, difference(old, now)),
    );
  });
  return scrollBox(
    "Old beside new",
    h(
      "table",
      {},
      h(
        "caption",
        {},
        `With ${settingsText || "the same settings"}: computed in ${quantity(found.seconds, "s")}`,
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["metric", "stored", "now", "difference"].map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}

// Relative to the stored value; of nothing there is no share.
function difference(old, now) {
  if (old === null || now === null) return "";
  if (old === now) return "none";
  if (old === 0) return "from 0";
  const percent = (100 * (now - old)) / Math.abs(old);
  const size = Math.abs(percent);
  if (size < 0.005) return "under 0.01 %";
  return `${percent > 0 ? "+" : "\u2212"}${number(size, size < 1 ? 2 : 3)} %`;
}
