// Pinned designs side by side: their differences, their metrics, and their robots at one scale.
/** @import { Child, Scale, Schema, Schemas } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { messageOf } from "../../core/api.js";
import { followHeight, h, replace } from "../../core/dom.js";
import { description, heading, MISSING, number, scaleOf, words } from "../../core/format.js";
import { parameterText, schemaAt } from "../../core/parameters.js";
import { commonFrame, createRobot } from "../../core/robot_view.js";
import { ASKED } from "../../core/scene_view.js";
import { cardTable } from "../../core/tables.js";
import { tipped, unsafeMark } from "../../core/tooltips.js";
import { limited, short } from "./study.js";
import { LETTERS, pins, select, setPins } from "./view_state.js";

// A stored design, as its layout's: `known` is it in the form of those on the front.
/** @typedef {Schemas["DesignResource"] & { layout: string }} PinnedDesign */

const MOST_SHORT = 30;

/** @param {Study} study */
export function createPins(study) {
  const element = h("section", { class: "pins", hidden: true });
  const tables = h("div", {});
  const robots = createRobots(study);
  let isWhole = false;
  let turn = 0;
  followHeight("--tray", element);

  async function update() {
    const wanted = pins();
    const thisTurn = (turn += 1);
    const isCurrent = () => thisTurn === turn;
    element.hidden = wanted.length === 0;
    element.dataset.pins = String(wanted.length);
    if (!wanted.length) {
      await robots.update([], isCurrent);
      return;
    }
    try {
      const [{ parameters: schema }, ...designs] = await Promise.all([
        study.model(),
        ...wanted.map(({ layout, key }) => study.design(layout, key)),
      ]);
      if (!isCurrent()) return;
      const shown = designs.map((design, place) => {
        const { layout } = study.known(wanted[place].layout, design.key) ?? wanted[place];
        return { ...design, layout };
      });
      fill(shown, schema);
      await robots.update(shown, isCurrent);
    } catch (error) {
      if (isCurrent())
        replace(element, h("h2", {}, "Side by side"), h("p", { class: "fault" }, messageOf(error)));
    }
  }

  /** @param {PinnedDesign[]} designs @param {Schema} schema */
  function fill(designs, schema) {
    const whole = h("input", {
      type: "checkbox",
      checked: isWhole,
      on: {
        change: (event) => {
          isWhole = event.currentTarget.checked;
          fill(designs, schema);
        },
      },
    });
    const alone = designs.length === 1 && "Pin another design to see what differs.";
    replace(
      tables,
      table("Metrics of pinned designs", heads(study, designs), metricRows(study, designs)),
      table("Parameters of pinned designs", heads(study, designs), parameterRows(designs, schema, isWhole)),
      h("div", { class: "row" }, h("label", {}, whole, " Also parameters that are the same")),
    );
    replace(
      element,
      h("h2", {}, "Side by side"),
      alone && h("p", { class: "quiet" }, alone),
      robots.element,
      tables,
    );
  }

  selection.watch(["pins", ...ASKED], update);
  return { element, update };
}

/** @param {Study} study @param {PinnedDesign[]} designs */
function heads(study, designs) {
  return designs.map(({ layout, key, unsafe }, place) => {
    const unpin = () => setPins(pins().filter((pin) => pin.key !== key || pin.layout !== layout));
    const pick = h(
      "button",
      { type: "button", class: "pick", on: { click: () => select(layout, key) } },
      `${LETTERS[place]}: ${short(key)}`,
    );
    const aria = { label: `Unpin ${LETTERS[place]}` };
    return h(
      "th",
      { scope: "col", class: "number", data: { head: LETTERS[place] } },
      pick,
      h("span", { class: "note" }, layout),
      unsafeMark(unsafe),
      h("button", { type: "button", class: "small", aria, on: { click: unpin } }, "Unpin"),
    );
  });
}

// The robots of the pinned designs, at one scale; one alone is not drawn.
/** @param {Study} study */
function createRobots(study) {
  const element = h("div", { class: "views" });
  /** @type {ReturnType<typeof createRobot>[]} */
  const robots = [];

  /** @param {PinnedDesign[]} designs @param {() => boolean} isCurrent */
  async function update(designs, isCurrent) {
    const wanted = designs.length > 1 ? designs : [];
    robots.splice(wanted.length).forEach((robot) => robot.close());
    while (robots.length < wanted.length) robots.push(robotNamed(study, LETTERS[robots.length]));
    replace(
      element,
      robots.map((robot) => robot.element),
    );
    if (!wanted.length) return;
    const frame = await commonFrame(wanted.map(({ key }) => ({ study, key })));
    if (!isCurrent()) return;
    if (frame) wanted.forEach((design, place) => robots[place].update(design, frame));
    else replace(element); // a back-end without pictures
  }

  return { element, update };
}

/** @param {Study} study @param {string} name */
function robotNamed(study, name) {
  const figure = h("figure", { class: "view", role: "group", aria: { label: `Robot ${name}` } });
  return createRobot(study, figure, { name });
}

/** @param {string} caption @param {Child} head @param {Child} rows */
function table(caption, head, rows) {
  return cardTable(caption, ["quantity", head], rows, { caption, kind: "dense" });
}

// One unit per row; the best of an objective carries a tick.
/** @param {Study} study @param {PinnedDesign[]} designs */
function metricRows(study, designs) {
  const objectives = study.objectives.map((column) => column.id);
  /** @param {string} name */
  const rank = (name) => (objectives.includes(name) ? objectives.indexOf(name) : objectives.length);
  const shown = study.quantities.metrics.filter(
    ({ metric }) =>
      objectives.includes(metric) || designs.some((design) => (design.metrics[metric] ?? null) !== null),
  );
  return shown
    .sort((one, other) => rank(one.metric) - rank(other.metric))
    .map((metric) => metricRow(study, designs, metric));
}

/** @param {Study} study @param {PinnedDesign[]} designs @param {Schemas["MetricResource"]} metric */
function metricRow(study, designs, { metric, unit, better }) {
  const column = study.objectives.find((objective) => objective.id === metric) ?? null;
  const values = designs.map((design) => (column ? worth(column, design) : (design.metrics[metric] ?? null)));
  const known = values.filter((value) => value !== null);
  const scale = scaleOf(known, unit);
  const sense = column?.sense ?? better;
  const best = sense === "maximize" ? Math.max(...known) : Math.min(...known);
  const differs = new Set(values).size > 1;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      tipped(heading(study.nameOf(metric), scale.unit), study.tooltip(metric)),
      column && h("span", { class: "note" }, "objective"),
    ),
    values.map((value, place) =>
      h(
        "td",
        { class: differs && value === best ? "number best" : "number" },
        cellText(value, designs[place], column, scale),
      ),
    ),
  );
}

/** @param {Column} column @param {PinnedDesign} design */
const worth = (column, design) => (Number.isNaN(column.of(design)) ? null : column.of(design));
/** @param {number | null} value @param {PinnedDesign} design @param {Column | null} column @param {Scale} scale */
const cellText = (value, design, column, scale) =>
  value === null
    ? MISSING
    : limited(number(value * scale.factor), column?.sense ?? "", column?.isLimit(design) ?? false);

// Differing parameters come first and are marked; equal ones are shown on request.
/** @param {PinnedDesign[]} designs @param {Schema} schema @param {boolean} all */
function parameterRows(designs, schema, all) {
  const names = [...new Set(designs.flatMap((design) => Object.keys(design.parameters)))];
  const rows = names.map((name) => {
    const values = designs.map((design) => design.parameters[name]);
    return { name, values, differs: new Set(values.map((value) => JSON.stringify(value))).size > 1 };
  });
  const shown = [...rows.filter((row) => row.differs), ...(all ? rows.filter((row) => !row.differs) : [])];
  if (!shown.length)
    return h(
      "tr",
      {},
      h(
        "td",
        { colspan: designs.length + 1 },
        designs.length > 1 ? "All parameters are the same." : "With one design nothing differs.",
      ),
    );
  return shown.map(({ name, values, differs }) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row", class: differs ? "differs" : "" },
        tipped(words(name), description(name, schemaAt(schema, name)?.description)),
        differs && h("span", { class: "note" }, "differs"),
      ),
      values.map((value) => valueCell(parameterText(schema, name, value), differs)),
    ),
  );
}

/** @param {string} text @param {boolean} differs */
function valueCell(text, differs) {
  const width = text.length > MOST_SHORT ? "long" : "number";
  return h("td", { class: differs ? `${width} differs` : width }, text);
}
