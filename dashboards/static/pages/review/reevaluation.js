// Evaluate a stored design again: exactly as it was, or with finer settings; old and new stand side by side.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Study } from "./study.js" */
/** @import { Field, Schemas } from "../../core/types.js" */
import { pathPart, patiently, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { duration, number, quantitiesAlike, quantity, unitText, words } from "../../core/format.js";
import { announce, refusalBox } from "../../core/messages.js";
import { parameterGroups, valueText } from "../../core/parameters.js";
import { cardTable } from "../../core/tables.js";

// A parameter that can be set anew, and its value in the stored design.
/** @typedef {Field & { path: string, value: unknown, named: (option: string) => string }} SettableField */
/** @typedef {[string, SettableField[]]} FieldGroup */

const HELP =
  "Under other conditions or on a finer grid; nothing is stored. A number is in SI units; a text may have its unit, such as 5 mm.";

// A row of the form: how its parameter and its value are read.
/** @typedef {HTMLElement & { path: () => string, read: () => [string, unknown] }} SettingRow */

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Model} model */
export function reevaluationForm(study, design, model) {
  const groups = offered(study, design, model);
  const path = /** @type {const} */ (`${study.path}/designs/${pathPart(design.key)}`);
  const settings = createSettings(groups);
  const result = h("div", { aria: { live: "polite" } });
  const submit = h("button", { type: "submit", class: "main" }, "Evaluate with these settings");
  const reproduce = h("button", { type: "button", on: { click: repeat } }, "Reproduce exactly");
  const buttons = [submit, reproduce];

  /** @param {Event} event */
  function evaluate(event) {
    event.preventDefault();
    const chosen = settings.read();
    const ask = async () => {
      const found = await patiently(() => send("POST", `${path}/evaluate`, { settings: chosen }));
      return evaluated(study, design, found, said(chosen));
    };
    compute(result, buttons, ask, "Evaluated again.");
  }

  // Settings in words.
  /** @param {Record<string, unknown>} chosen */
  const said = (chosen) =>
    Object.entries(chosen)
      .map(([path, value]) => {
        const text = typeof value === "string" ? model.optionWords(path, value) : value;
        return `${words(path)} ${text}`;
      })
      .join(", ");

  function repeat() {
    const ask = async () => reproduced(await patiently(() => send("POST", `${path}/reproduce`)));
    compute(result, buttons, ask, "Reproduced.");
  }

  return h(
    "details",
    { class: "again" },
    h("summary", {}, "Evaluate again"),
    h(
      "form",
      { on: { submit: evaluate } },
      h("p", { class: "quiet small" }, HELP),
      settings.element,
      h("div", { class: "row" }, settings.more, submit, reproduce),
    ),
    result,
  );
}

// The rows of the form, and a button for one more; `read()` returns the settings that were stated. A resolution, which
// is no part of the design itself, is offered first.
/** @param {FieldGroup[]} groups */
export function createSettings(groups) {
  const fields = groups.flatMap(([, some]) => some);
  const first =
    fields.find((field) => field.integer && field.schema.numerical) ??
    fields.find((field) => field.integer) ??
    fields[0];
  const element = h("div", { class: "settings" });
  const rows = () => /** @type {SettingRow[]} */ ([...element.children]);

  // What comes next belongs to what is there already, if it can.
  function addNext() {
    const taken = new Set(rows().map((row) => row.path()));
    const group = groups.find(([, some]) => some.some((field) => taken.has(field.path)))?.[1] ?? [];
    const next = [...group, ...fields].find((field) => !taken.has(field.path)) ?? fields[0];
    element.append(setting(groups, next));
  }

  function read() {
    const stated = rows().map((row) => row.read());
    return Object.fromEntries(stated.filter(([, value]) => value !== ""));
  }

  const more =
    fields.length > 1 && h("button", { type: "button", on: { click: addNext } }, "One more setting");
  if (first) element.append(setting(groups, first));
  return { element, more, read };
}

// [[title, fields], ...]: parameters that hold a number or one of some options and do not vary, grouped as in the form
// of a new study. A field is { path, value, unit, integer, options, description }.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Model} model */
export function offered(study, design, model) {
  const varied = new Set(
    study.columns
      .filter((column) => column.role === "variable")
      .map((column) => column.id.replace(/^variable /, "")),
  );
  /** @param {string} path */
  const fieldOf = (path) => {
    const field = varied.has(path) ? null : model.field(path);
    const named = (/** @type {string} */ option) => model.optionWords(path, option);
    const settableField = field && { ...field, path, value: design.parameters[path] ?? null, named };
    return settableField && settable(settableField) ? [settableField] : [];
  };
  return parameterGroups(model)
    .map(([title, names]) => /** @type {FieldGroup} */ ([title, names.flatMap(fieldOf)]))
    .filter(([, fields]) => fields.length);
}

/** @param {SettableField} options */
const settable = ({ form, options, value }) =>
  options.length > 0 || (form === "number" && (value === null || typeof value === "number"));

// A parameter and its new value; whole numbers begin at twice what they were, options at another than it was.
/** @param {FieldGroup[]} groups @param {SettableField} initial */
function setting(groups, initial) {
  const fields = groups.flatMap(([, some]) => some);
  /** @param {SettableField} field */
  const option = (field) =>
    h("option", { value: field.path, selected: field === initial, title: field.path }, words(field.path));
  const select = h(
    "select",
    { aria: { label: "Parameter" } },
    groups.map(([title, some]) => h("optgroup", { label: title }, some.map(option))),
  );
  const place = h("span", { class: "value" });
  const before = h("span", { class: "quiet small" });
  let control = numberOf(initial);
  const fill = () => {
    const field = fields.find((one) => one.path === select.value) ?? initial;
    control = field.options.length ? optionsOf(field) : numberOf(field);
    replace(place, control.element);
    before.textContent = [field.options.length ? "" : unitText(field.unit), `was ${beforeText(field)}`]
      .join(" ")
      .trim();
    select.title = field.description;
  };
  select.addEventListener("change", fill);
  fill();
  /** @type {HTMLElement} */
  const row = h(
    "div",
    { class: "row" },
    select,
    place,
    before,
    h("button", {
      type: "button",
      aria: { label: "Leave this setting out" },
      data: { icon: "close" },
      on: { click: () => row.remove() },
    }),
  );
  return Object.assign(row, { path: () => select.value, read: () => [select.value, control.read()] });
}

// The stored value, in the unit in which the field takes a new one.
/** @param {SettableField} field */
function beforeText({ value, unit, named }) {
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return named(value);
  return typeof value === "object" && value ? "a value of its own" : valueText(value, unit);
}

/** @param {SettableField} options @returns {{ element: HTMLElement, read: () => unknown }} */
function numberOf({ integer, value }) {
  const initial =
    typeof value !== "number"
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

/** @param {SettableField} options */
function optionsOf({ options, value, named }) {
  const initial = options.findIndex((option) => option !== value);
  /** @param {unknown} option */
  const text = (option) => (typeof option === "boolean" ? (option ? "yes" : "no") : named(String(option)));
  const element = h(
    "select",
    { aria: { label: "New value" } },
    options.map((option, i) => h("option", { value: i, selected: i === initial }, text(option))),
  );
  return { element, read: () => options[Number(element.value)] };
}

// One at a time: the result has one place. `ask` sends the request and returns what is shown of the answer.
/** @param {HTMLElement} result @param {HTMLButtonElement[]} buttons @param {() => Promise<HTMLElement>} ask @param {string} done */
async function compute(result, buttons, ask, done) {
  const disable = (/** @type {boolean} */ disabled) =>
    buttons.forEach((button) => Object.assign(button, { disabled }));
  disable(true);
  const start = performance.now();
  const clock = () => {
    const soFar = duration((performance.now() - start) / 1000);
    replace(result, h("p", { role: "status" }, `Computing, ${soFar} so far; a minute at most.`));
  };
  clock();
  const ticking = setInterval(clock, 1000);
  try {
    const answer = await ask();
    clearInterval(ticking);
    replace(result, answer);
    announce(done);
  } catch (error) {
    replace(result, refusalBox(error, 1));
  } finally {
    clearInterval(ticking);
    disable(false);
  }
}

/** @param {Schemas["ReproductionResource"]} found */
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

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Schemas["JudgedEvaluationResource"]} found @param {string} settingsText */
function evaluated(study, design, found, settingsText) {
  if (found.status !== "done")
    return h("p", { class: "fault" }, `With ${settingsText} the design is ${found.status}: ${found.reason}`);
  const metrics = study.quantities.metrics.filter(({ metric }) => metric in found.metrics);
  const rows = metrics.map(({ metric, unit }) => {
    const [old, now] = [design.metrics[metric] ?? null, found.metrics[metric]];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, study.nameOf(metric)),
      quantitiesAlike([old, now], unit).map((text) => h("td", { class: "number" }, text)),
      h("td", { class: "number" }, difference(old, now)),
    );
  });
  const mixed = design.remark ? `, by version ${found.version}` : "";
  const caption = `With ${settingsText || "the same settings"}: computed in ${quantity(found.seconds, "s")}`;
  return cardTable("Old beside new", ["metric", "stored", `now${mixed}`, "difference"], rows, {
    caption,
    kind: "dense",
  });
}

// Relative to the stored value; of nothing there is no share.
/** @param {number | null} old @param {number | null} now */
export function difference(old, now) {
  if (old === null || now === null) return "";
  if (old === now) return "none";
  if (old === 0) return "from 0";
  const percent = (100 * (now - old)) / Math.abs(old);
  const size = Math.abs(percent);
  if (size < 0.005) return "under 0.01 %";
  return `${percent > 0 ? "+" : "\u2212"}${number(size, size < 1 ? 2 : 3)} %`;
}
