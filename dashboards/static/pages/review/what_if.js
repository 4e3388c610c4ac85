// What if: other values of the selected design's variables, evaluated at once beside the stored ones; nothing is stored.
/** @import { Column, Study } from "./study.js" */
/** @import { Child, Schemas } from "../../core/types.js" */
import { ApiError, messageOf, pathPart, patiently, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { description, number, quantitiesAlike, quantity, scaleOf, withUnit } from "../../core/format.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { difference } from "./reevaluation.js";
import { optionText } from "./study.js";

const SETTLED = 250;
const STEPS = 200;
const HELP = "Move a slider or write a number: the design is evaluated with it at once. Nothing is stored.";

// A variable as a row of the form: `value` is null while it is as stored, `fault` says why it cannot be taken.
/** @typedef {(variables: Record<string, unknown> | null) => unknown} DrawVaried */
/** @typedef {{ path: string, element: HTMLElement, value: () => unknown, fault: () => string, reset: () => void }} VariableRow */

// `draw` draws the robot with these values beside the stored one; null draws the stored one alone.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {string} layout @param {DrawVaried} draw */
export function whatIfForm(study, design, layout, draw) {
  const variables = study.quantities.layouts.find((one) => one.layout === layout)?.variables ?? [];
  const known = variables.filter(({ path }) => (design.variables ?? {})[path] !== undefined);
  if (!known.length) return null;
  const result = h("div", { id: "what-if-result" });
  const status = h("span", { class: "quiet small", role: "status" }, HELP);
  const stored = (/** @type {Schemas["VariableResource"]} */ { path }) => (design.variables ?? {})[path];
  const rows = known.map((variable, place) => variableRow(variable, stored(variable), place, changed));
  const evaluation = createEvaluation(study, design, result, status, draw);
  const reset = h("button", { type: "button", disabled: true, on: { click: restore } }, "Reset");
  const proposal = study.takesProposals(layout) ? proposalButton(study, design, layout, status) : null;

  // The rows whose conditions hold; a variable that a condition names must act itself.
  function acting() {
    const of = new Map(rows.map((row, at) => [row.path, { row, variable: known[at] }]));
    /** @type {(path: string) => boolean} */
    const acts = (path) =>
      Object.entries(of.get(path)?.variable.when ?? {}).every(([name, values]) => {
        const other = of.get(name);
        const value = other && (other.row.value() ?? stored(other.variable));
        return acts(name) && values.some((one) => JSON.stringify(one) === JSON.stringify(value));
      });
    return rows.filter(({ path }) => acts(path));
  }

  function showActing() {
    const act = new Set(acting());
    rows.forEach((row, at) => disable(row.element, !act.has(row), known[at], known));
    return [...act];
  }

  function changed() {
    const act = showActing();
    const faults = act.map((row) => row.fault()).filter(Boolean);
    const values = Object.fromEntries(
      act.map((row) => [row.path, row.value()]).filter(([, value]) => value !== null),
    );
    reset.disabled = !faults.length && Object.keys(values).length === 0;
    proposal?.offer(faults.length ? {} : values);
    if (faults.length) evaluation.refuse(faults.join(" "));
    else evaluation.ask(values);
  }

  function restore() {
    rows.forEach((row) => row.reset());
    changed();
  }

  showActing();
  return h(
    "details",
    { class: "what-if", open: true },
    h("summary", {}, "What if"),
    h(
      "div",
      { class: "settings" },
      rows.map((row) => row.element),
    ),
    h("div", { class: "row" }, reset, proposal?.elements, status),
    result,
  );
}

// Puts the changed design into the search, which is at work: its runs evaluate it with their next designs.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {string} layout @param {HTMLElement} status */
function proposalButton(study, design, layout, status) {
  /** @type {Record<string, unknown>} */
  let values = {};
  const element = h("button", { type: "button", disabled: true, on: { click: propose } }, "Propose");
  const back = h("button", { type: "button", hidden: true, on: { click: withdraw } }, "Withdraw");
  let last = 0;
  element.title = "The runs of this layout evaluate the design with their next ones.";

  async function propose() {
    element.disabled = true;
    try {
      const body = { layout, design: { ...design.variables, ...values } };
      const made = await send("POST", /** @type {const} */ (`${study.path}/proposals`), body);
      status.textContent = `Proposal ${made.id} is in the search.`;
      last = made.id;
      back.hidden = false;
    } catch (error) {
      status.textContent = messageOf(error);
      element.disabled = false;
    }
  }

  // A proposal that a run has begun to evaluate stays, which the server says.
  async function withdraw() {
    try {
      await send("DELETE", /** @type {const} */ (`${study.path}/proposals/${last}`));
      status.textContent = `Proposal ${last} is withdrawn.`;
      element.disabled = false;
      element.focus();
      back.hidden = true;
    } catch (error) {
      status.textContent = messageOf(error);
    }
  }

  /** @param {Record<string, unknown>} next */
  function offer(next) {
    values = next;
    element.disabled = Object.keys(next).length === 0;
  }

  return { elements: [element, back], offer };
}

// Asks for an evaluation once the values rest; one request at a time, and the answer to an older one is dropped.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {HTMLElement} result @param {HTMLElement} status @param {DrawVaried} draw */
function createEvaluation(study, design, result, status, draw) {
  const path = /** @type {const} */ (`${study.path}/designs/${pathPart(design.key)}/evaluate`);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  let request = new AbortController();
  /** @type {Schemas["JudgedEvaluationResource"] | undefined} */
  let again;

  /** @param {Record<string, unknown>} values */
  function ask(values) {
    clearTimeout(resting);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    delete result.dataset.shown;
    if (!Object.keys(values).length) {
      replace(result);
      status.textContent = "As stored.";
      draw(null);
      return;
    }
    status.textContent = "Computing …";
    resting = setTimeout(() => evaluate(values, signal), SETTLED);
  }

  /** @param {Record<string, unknown>} values @param {AbortSignal} signal */
  async function evaluate(values, signal) {
    try {
      const before = await baseline(signal);
      const found = await patiently(() => send("POST", path, { variables: values }, { signal }));
      if (signal.aborted || !result.isConnected) return;
      status.textContent = `Computed in ${quantity(found.seconds, "s")}.`;
      replace(result, comparison(study, design, before, found));
      result.dataset.shown = JSON.stringify(values);
      draw(values);
    } catch (error) {
      if (!signal.aborted && result.isConnected) showFault(error);
    }
  }

  // What the values are compared with: as stored, or as the installed version computes the stored design.
  /** @param {AbortSignal} signal */
  async function baseline(signal) {
    if (!design.remark) return design;
    again ??= await patiently(() => send("POST", path, { variables: {} }, { signal }));
    return again;
  }

  // What was computed before, or is being computed, belongs to other values.
  /** @param {string} text */
  function refuse(text) {
    clearTimeout(resting);
    request.abort();
    delete result.dataset.shown;
    status.textContent = "";
    replace(result, h("p", { class: "fault", role: "alert" }, text));
  }

  /** @param {unknown} error */
  function showFault(error) {
    const faults = error instanceof ApiError ? error.faults.map(({ detail }) => detail) : [];
    status.textContent = "";
    replace(result, h("p", { class: "fault", role: "alert" }, faults.join(" ") || messageOf(error)));
  }

  return { ask, refuse };
}

// ------------------------------------------------------------------ variables

// Greys a variable that does not act, and says why.
/** @param {HTMLElement} element @param {boolean} idle @param {Schemas["VariableResource"]} variable @param {Schemas["VariableResource"][]} variables */
function disable(element, idle, { when = {} }, variables) {
  element.classList.toggle("idle", idle);
  element.querySelectorAll("input, select").forEach((each) => each.toggleAttribute("disabled", idle));
  element.querySelector(".reason")?.remove();
  if (!idle) return;
  const needed = Object.entries(when).map(([name, values]) => {
    const { label = name, option_names: names = {} } = variables.find(({ path }) => path === name) ?? {};
    return `${label} is ${values.map((value) => optionText(value, names)).join(" or ")}`;
  });
  element.append(h("span", { class: "quiet small reason" }, `Acts only where ${needed.join(" and ")}.`));
}

/** @param {Schemas["VariableResource"]} variable @param {unknown} stored @param {number} place @param {() => void} changed @returns {VariableRow} */
function variableRow(variable, stored, place, changed) {
  return variable.options
    ? optionRow(variable, variable.options, stored, place, changed)
    : numberRow(variable, stored === null ? middleOf(variable) : Number(stored), place, changed);
}

// Where a variable that does not act begins once it does: the middle of its range.
/** @param {Schemas["VariableResource"]} variable */
function middleOf({ lower, upper, step, scale }) {
  const [low, high] = [lower ?? 0, upper ?? 0];
  if (scale === "log") return Math.sqrt(low * high);
  if (!step) return (low + high) / 2;
  return low + Math.floor((Math.round((high - low) / step) + 1) / 2) * step;
}

/** @param {Schemas["VariableResource"]} variable @param {number} stored @param {number} place @param {() => void} changed @returns {VariableRow} */
function numberRow({ path, label, unit, lower, upper, step, scale: along, meaning }, stored, place, changed) {
  const tooltip = description(path, meaning);
  const [low, high] = [lower ?? stored, upper ?? stored];
  const scale = scaleOf([low, high], unit);
  /** @type {number | null} */
  let value = null;
  let fault = "";
  const text = (/** @type {number} */ one) => String(Number((one * scale.factor).toPrecision(6)));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: STEPS,
    step: "any",
    aria: { label: `${label}, slider` },
    on: { input: slide },
  });
  const field = h("input", {
    type: "text",
    inputmode: "decimal",
    size: 9,
    title: tooltip,
    id: `what-if-${place}`,
    on: { change: typed },
  });
  const span = `${number(low * scale.factor)} to ${withUnit(number(high * scale.factor), scale.unit)}`;
  const element = h(
    "div",
    { class: "row variable" },
    h("label", { for: field.id, title: tooltip }, label),
    slider,
    field,
    h("span", { class: "quiet small" }, span),
  );

  const isLog = along === "log" && low > 0;
  function slide() {
    const share = Number(slider.value) / STEPS;
    const next = isLog ? low * (high / low) ** share : low + share * (high - low);
    set(step ? Math.min(low + Math.round((next - low) / step) * step, high) : next, slider);
  }

  /** @param {number} shown */
  const shareOf = (shown) =>
    isLog ? Math.log(shown / low) / Math.log(high / low) : (shown - low) / (high - low);

  // A fault is said in the unit of the field.
  function typed() {
    const read = Number(field.value.trim().replace("\u2212", "-").replace(",", "."));
    const isNumber = field.value.trim() !== "" && Number.isFinite(read);
    const next = isNumber ? kept(read / scale.factor) : NaN;
    if (!isNumber) fault = `${label}: \u201c${field.value}\u201d is no number.`;
    else if (next < low || next > high)
      fault = `${label} ${withUnit(number(read), scale.unit)} lies outside the range from ${span}.`;
    else {
      set(next, field);
      return;
    }
    value = null;
    field.setAttribute("aria-invalid", "true");
    changed();
  }

  // An end of the range that was written with fewer digits is that end.
  /** @param {number} next */
  const kept = (next) => [low, high].find((end) => text(end) === text(next)) ?? next;

  /** @param {number} next @param {HTMLElement} from */
  function set(next, from) {
    value = next;
    fault = "";
    show(from);
    changed();
  }

  // Both controls show the value; the one that it came from shows it already.
  /** @param {HTMLElement} [from] */
  function show(from) {
    const shown = value ?? stored;
    field.removeAttribute("aria-invalid");
    if (from !== field) field.value = text(shown);
    if (from !== slider) slider.value = String(high > low ? STEPS * shareOf(shown) : 0);
    slider.setAttribute("aria-valuetext", withUnit(text(shown), scale.unit));
  }

  function reset() {
    value = null;
    fault = "";
    show();
  }

  show();
  return { path, element, value: () => value, fault: () => fault, reset };
}

/** @param {Schemas["VariableResource"]} variable @param {unknown[]} options @param {unknown} stored @param {number} place @param {() => void} changed @returns {VariableRow} */
function optionRow({ path, label, meaning, option_names: names }, options, stored, place, changed) {
  const tooltip = description(path, meaning);
  const isStored = (/** @type {unknown} */ option) => JSON.stringify(option) === JSON.stringify(stored);
  const found = options.findIndex(isStored);
  const initial = String(found < 0 ? Math.floor(options.length / 2) : found);
  const select = h(
    "select",
    { id: `what-if-${place}`, title: tooltip, on: { change: changed } },
    options.map((option, number) => h("option", { value: number }, optionText(option, names))),
  );
  const reset = () => {
    select.value = initial;
  };
  reset();
  const element = h(
    "div",
    { class: "row variable" },
    h("label", { for: select.id, title: tooltip }, label),
    select,
  );
  const value = () => (select.value === initial ? null : options[Number(select.value)]);
  return { path, element, value, fault: () => "", reset };
}

// ------------------------------------------------------------------ beside the stored design

// `before` has the metrics of the stored design, by the version that computed those of `found`.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {{ metrics: Record<string, number | null> }} before @param {Schemas["JudgedEvaluationResource"]} found @returns {Child} */
function comparison(study, design, before, found) {
  if (found.status !== "done")
    return h("p", { class: "fault", role: "alert" }, `The design is ${found.status}: ${found.reason}`);
  const columns = study.columns.filter(
    ({ role, id }) => ["objective", "constraint", "metric"].includes(role) && id in found.metrics,
  );
  const rows = columns.map((column) => metricRow(column, before, found));
  const stored = design.remark ? `stored design, version ${found.version}` : "stored";
  return [
    brokenLimits(study, found),
    design.remark &&
      h(
        "p",
        { class: "quiet small" },
        `Both columns are computed by version ${found.version}, which is installed.`,
      ),
    cardTable("Stored beside now", ["metric", stored, "now", "difference"], rows, { kind: "dense" }),
  ];
}

/** @param {Column} column @param {{ metrics: Record<string, number | null> }} before @param {Schemas["JudgedEvaluationResource"]} found */
function metricRow({ id, name, unit, sense, tooltip }, before, found) {
  const [old, now] = [before.metrics[id] ?? null, found.metrics[id]];
  const gain = old === null || now === null ? 0 : sense === "maximize" ? now - old : old - now;
  const verdict = !sense || gain === 0 ? "" : gain > 0 ? "better" : "worse";
  return h(
    "tr",
    { data: { metric: id } },
    h("th", { scope: "row" }, tipped(name, tooltip)),
    quantitiesAlike([old, now], unit).map((text) => h("td", { class: "number" }, text)),
    h(
      "td",
      { class: `number ${verdict === "better" ? "good" : verdict && "bad"}` },
      [difference(old, now), verdict].filter(Boolean).join(", "),
    ),
  );
}

/** @param {Study} study @param {Schemas["JudgedEvaluationResource"]} found @returns {Child} */
function brokenLimits(study, { metrics, unsafe }) {
  const broken = brokenTexts(study, metrics);
  const left = notComputedTexts(study, metrics);
  const kept = study.quantities.constraints.length - left.length - broken.length;
  return [
    unsafeText(unsafe),
    kept > 0 &&
      !broken.length &&
      h("p", { class: "good" }, `All${left.length ? " other" : ""} limits are kept.`),
    broken.length > 0 && h("p", { class: "bad" }, `Limits broken: ${broken.join("; ")}.`),
    left.length > 0 && h("p", { class: "quiet" }, `${left.join("; ")}.`),
  ];
}

// Why a design is not safe to build; nothing for others.
/** @param {string[]} [unsafe] */
export const unsafeText = (unsafe = []) =>
  unsafe.length > 0 && h("p", { class: "bad" }, `Unsafe: ${unsafe.join("; ")}.`);

// The constraints that an evaluation of a single robot leaves out, such as those on statistics over robots.
/** @param {Study} study @param {Record<string, number | null>} metrics */
export function notComputedTexts(study, metrics) {
  return study.quantities.constraints
    .filter(({ metric }) => metrics[metric] === undefined)
    .map(({ metric }) => `${study.nameOf(metric)} is not computed here`);
}

// The constraints of the study that a design with these metrics breaks, in words.
/** @param {Study} study @param {Record<string, number | null>} metrics */
export function brokenTexts(study, metrics) {
  const { quantities } = study;
  return quantities.constraints.flatMap(({ metric, lower, upper }) => {
    const unit = quantities.metrics.find((one) => one.metric === metric)?.unit ?? "";
    const value = metrics[metric];
    if (value === undefined) return [];
    if (value === null) return [`${study.nameOf(metric)} has no value`];
    if (lower !== null && value < lower)
      return [
        `${study.nameOf(metric)} is ${quantity(value, unit)}, at least ${quantity(lower, unit)} is asked for`,
      ];
    if (upper !== null && value > upper)
      return [
        `${study.nameOf(metric)} is ${quantity(value, unit)}, at most ${quantity(upper, unit)} is asked for`,
      ];
    return [];
  });
}
