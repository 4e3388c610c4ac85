// Parameters that follow from variables, quantities computed from metrics, tolerances: as JSON, as the file has them.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
import { h } from "../../core/dom.js";
import { area, button, folded, formatList, parseValue, section } from "./fields.js";

const WHAT =
  "A symmetric robot has copies of points, and a quantity of your own can be an objective or a constraint. A parameter of the table above can be an expression, too, and a variable can drive several parameters. With tolerances, statistics over the robots that production makes of a design can be goals.";
const ROBUST = '{ "samples": 64 }';

// Examples with names of the chosen back-end, in fields that are empty.
/** @param {string} [points] */
const symmetry = (points = "points") =>
  `[{ "parameter": "${points}", "from": [0], "to": [1], "mirror": "x" }]`;
/** @param {Model} model */
const tolerances = (model) => `{ "${model.points ?? model.names[0]}": { "normal": 0.002 } }`;
/** @param {Model} model */
const expressions = ({ metrics: [one, other = one] }) => `{ "ratio": "${one.metric} / ${other.metric}" }`;

/** @param {Draft} draft @param {Model} model */
export function linked(draft, model) {
  return section(
    "Symmetry, expressions, tolerances",
    null,
    h("p", { class: "quiet small" }, WHAT),
    folded(
      "linked",
      "Symmetry, expressions, tolerances",
      h(
        "div",
        { class: "fields" },
        json(draft, ["symmetry"], "Copies of points", "a list of tables in JSON", symmetry(model.points)),
        json(draft, ["expressions"], "Expressions", "a table of names in JSON", expressions(model)),
        json(draft, ["tolerances"], "Tolerances", "a table of parameters in JSON", tolerances(model)),
        json(draft, ["robust"], "Robots of each design", "how they are drawn, in JSON", ROBUST),
      ),
    ),
  );
}

// The parameters that a variable drives, or a button that makes room for some.
/** @param {Draft} draft @param {Model} model @param {Place} place */
export function drives(draft, model, place) {
  const own = [...place, "drives"];
  const given = draft.get(...own);
  if (given !== undefined)
    return json(
      draft,
      own,
      "Drives",
      "a list of parameters in JSON",
      JSON.stringify(model.names.slice(0, 1)),
    );
  const aria = { label: `Let ${place[place.length - 1]} drive parameters` };
  return button("Drive parameters", () => draft.reshape(() => draft.set(own, [])), { aria });
}

// The copies of a layout that has its own.
/** @param {Draft} draft @param {Model} model @param {Place} scope */
export function ownSymmetry(draft, model, scope) {
  const place = [...scope, "symmetry"];
  if (draft.get(...place) === undefined) return null;
  return json(
    draft,
    place,
    "Copies of points",
    "instead of those of the study: a list of tables",
    symmetry(model.points),
  );
}

/** @param {Draft} draft @param {Place} place @param {string} label @param {string} hint @param {string} placeholder */
function json(draft, place, label, hint, placeholder) {
  const given = draft.get(...place);
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return area(
    { place, label, hint, wide: true },
    { value: given === undefined ? "" : formatList(given), placeholder, code: true, onType },
  );
}
