// Parameters that follow from variables, quantities computed from metrics, tolerances: as JSON, as the file has them.
/** @import { Draft, Place } from "./draft.js" */
import { h } from "../../core/dom.js";
import { area, button, folded, formatList, parseValue, section } from "./fields.js";

const WHAT =
  "A symmetric robot has copies of points, and a quantity of your own can be an objective or a constraint. A parameter of the table above can be an expression, too, and a variable can drive several parameters. With tolerances, statistics over the robots that production makes of a design can be goals.";
const SYMMETRY = '[{ "parameter": "pulleys", "from": [0], "to": [1], "mirror": "x" }]';
const TOLERANCES = '{ "pulleys": { "normal": "2 mm" } }';
const ROBUST = '{ "samples": 64 }';
const EXPRESSIONS = '{ "volume_per_mass": "reachable_volume / mass" }';

/** @param {Draft} draft */
export function linked(draft) {
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
        json(draft, ["symmetry"], "Copies of points", "a list of tables in JSON", SYMMETRY),
        json(draft, ["expressions"], "Expressions", "a table of names in JSON", EXPRESSIONS),
        json(draft, ["tolerances"], "Tolerances", "a table of parameters in JSON", TOLERANCES),
        json(draft, ["robust"], "Robots of each design", "how they are drawn, in JSON", ROBUST),
      ),
    ),
  );
}

// The parameters that a variable drives, or a button that makes room for some.
/** @param {Draft} draft @param {Place} place */
export function drives(draft, place) {
  const own = [...place, "drives"];
  const given = draft.get(...own);
  if (given !== undefined)
    return json(draft, own, "Drives", "a list of parameters in JSON", '["hole_radius"]');
  const aria = { label: `Let ${place[place.length - 1]} drive parameters` };
  return button("Drive parameters", () => draft.reshape(() => draft.set(own, [])), { aria });
}

// The copies of a layout that has its own.
/** @param {Draft} draft @param {Place} scope */
export function ownSymmetry(draft, scope) {
  const place = [...scope, "symmetry"];
  if (draft.get(...place) === undefined) return null;
  return json(draft, place, "Copies of points", "instead of those of the study: a list of tables", SYMMETRY);
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
