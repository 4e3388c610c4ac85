// Parameters that follow from variables, quantities computed from metrics, tolerances.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
/** @import { Column } from "./grid.js" */
import { h } from "../../core/dom.js";
import { isTable } from "./draft.js";
import { area, choice, entry, folded, formatValue, parseValue, unitOfField } from "./fields.js";
import { grid } from "./grid.js";
import { parameterName } from "./names.js";

const PLAIN = unitOfField("1", []);

/** @param {unknown} value */
const textOf = (value) => (Array.isArray(value) ? value.join(", ") : formatValue(value, PLAIN));
/** @param {string} text */
const listOf = (text) =>
  text
    .split(/[,;\s]+/)
    .filter(Boolean)
    .map((part) => parseValue(part));
/** @param {Record<string, unknown>} table without what is empty */
const filled = (table) =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));

// ------------------------------------------------------------------ equal parts

// Groups of equal parts, a group in each line: parts between semicolons, each one or several variables.
/** @param {Draft} draft */
export function interchangeable(draft) {
  const place = ["interchangeable"];
  const given = draft.get(...place);
  const groups = Array.isArray(given) ? given : [];
  const lines = groups.map((group) =>
    [group]
      .flat()
      .map((/** @type {unknown} */ part) => [part].flat().join(", "))
      .join("; "),
  );
  /** @param {string} text */
  const parts = (text) => {
    const found = text.split(";").map((part) => part.split(",").flatMap((name) => name.trim() || []));
    return found.filter((names) => names.length).map((names) => (names.length > 1 ? names : names[0]));
  };
  /** @param {string} text */
  const onType = (text) => {
    const found = text
      .split("\n")
      .map(parts)
      .filter((group) => group.length);
    draft.set(place, found.length ? found : undefined);
  };
  return folded(
    "interchangeable",
    "Equal parts that may change places",
    area(
      {
        place,
        label: "A group of equal parts in each line",
        hint: "Parts stand between semicolons, the variables of a part between commas. Two designs that differ only in the order of such parts are one, evaluated once.",
        wide: true,
      },
      {
        value: lines.join("\n"),
        placeholder: "pulleys.0, attachments.0; pulleys.1, attachments.1",
        rows: 3,
        onType,
      },
    ),
  );
}

// ------------------------------------------------------------------ quantities of one's own

// Columns of a table in the study whose keys are names.
/** @param {Draft} draft */
export function expressions(draft) {
  const place = ["expressions"];
  const given = draft.get(...place) ?? {};
  const columns = [
    { title: "name", placeholder: "ratio" },
    { title: "expression", placeholder: "mass / stiffness" },
  ];
  /** @param {string[][]} rows */
  const onChange = (rows) =>
    draft.set(
      place,
      rows.length ? Object.fromEntries(rows.map(([name, text]) => [name.trim(), text])) : undefined,
    );
  return folded(
    "expressions",
    "A quantity of your own",
    grid({
      place,
      label: "Expressions",
      hint: "Computed from the quantities of this list, by the names that their tooltips say. It can then be a goal.",
      columns,
      rows: Object.entries(isTable(given) ? given : {}).map(([name, text]) => [name, String(text)]),
      onChange,
    }),
  );
}

// Parameters with numbers, and the numbers in those that are lists, by name; `others` are paths that are there already.
/** @param {Model} model @param {string[]} others */
function numbersOf(model, others) {
  const names = model.names.filter((name) => {
    const field = model.field(name);
    return field && field.form !== "choice" && field.form !== "text" && !field.schema.numerical && field.unit;
  });
  const paths = names.flatMap((name) => {
    const value = model.base(name, model.presets[0]?.preset);
    if (!Array.isArray(value)) return [name];
    const inside = value.flatMap((one, at) =>
      Array.isArray(one) ? one.map((_, part) => `${name}.${at}.${part}`) : [`${name}.${at}`],
    );
    return [name, ...inside];
  });
  return [...new Set([...paths, ...others])]
    .filter(Boolean)
    .map((path) => [path, parameterName(model, path)]);
}

const CHOOSE = ["", "choose a parameter"];

const SPREADS = [
  ["normal", "normal, with the deviation"],
  ["uniform", "uniform, at most"],
];

// Errors of production, and how robots with them are drawn.
/** @param {Draft} draft @param {Model} model */
export function tolerances(draft, model) {
  const given = draft.get("tolerances");
  const { correlated, ...spreads } = isTable(given) ? given : {};
  /** @param {string[][]} rows */
  const onChange = (rows) => {
    const tables = rows
      .filter(([path]) => path)
      .map(([path, kind, size, cut]) => [
        path,
        filled({ [kind]: parseValue(size), truncate: parseValue(cut) }),
      ]);
    const all = filled({ ...Object.fromEntries(tables), correlated });
    draft.set(["tolerances"], Object.keys(all).length ? all : undefined);
  };
  const rows = Object.entries(spreads).map(([path, table]) => [
    path,
    table?.uniform === undefined ? "normal" : "uniform",
    textOf(table?.normal ?? table?.uniform),
    textOf(table?.truncate),
  ]);
  return folded(
    "tolerances",
    "Errors of production (tolerances)",
    grid({
      place: ["tolerances"],
      label: "Tolerances",
      hint: "Statistics over the robots with these errors can then be goals.",
      columns: [
        { title: "parameter", choices: [CHOOSE, ...numbersOf(model, Object.keys(spreads))] },
        { title: "distribution", choices: SPREADS },
        { title: "spread", placeholder: "1 mm or 5 %" },
        { title: "cut off at", placeholder: "no end" },
      ],
      rows,
      onChange,
    }),
    h(
      "div",
      { class: "fields" },
      plain(draft, ["robust", "samples"], "Robots of each design", "64"),
      choice(
        { place: ["robust", "method"], label: "How they are drawn" },
        {
          value: draft.get("robust", "method") ?? "",
          choices: [
            ["", "Sobol points"],
            ["monte-carlo", "random numbers"],
          ],
          onChange: (method) => draft.set(["robust", "method"], method || undefined),
        },
      ),
    ),
  );
}

/** @param {Draft} draft @param {Place} place @param {string} label @param {string} placeholder */
const plain = (draft, place, label, placeholder) =>
  entry(
    { place, label },
    { value: textOf(draft.get(...place)), placeholder, onType: (text) => draft.set(place, parseValue(text)) },
  );

// ------------------------------------------------------------------ what follows from what

const WAYS = ["mirror x", "mirror y", "mirror z", "rotate x", "rotate y", "rotate z"].map((way) => [
  way,
  way,
]);

/** @param {Draft} draft @param {Model} model */
export const symmetry = (draft, model) =>
  folded("symmetry", "Copies of points (symmetry)", copies(draft, model, []));

// The copies of a layout that has its own.
/** @param {Draft} draft @param {Model} model @param {Place} scope */
export const ownSymmetry = (draft, model, scope) =>
  draft.get(...scope, "symmetry") !== undefined && copies(draft, model, scope);

// Parameters that are lists of points; of a model that has none by default, those that may be one.
/** @param {Model} model */
const pointLists = (model) =>
  model.names.filter((name) => {
    const value = model.base(name, model.presets[0]?.preset);
    const { items } = model.form(model.fields[name]);
    return Array.isArray(value) ? Array.isArray(value[0]) : items?.prefixItems?.length === 3;
  });

/** @param {Draft} draft @param {Model} model @param {Place} scope */
function copies(draft, model, scope) {
  const place = [...scope, "symmetry"];
  const given = draft.get(...place);
  const rows = (Array.isArray(given) ? given : [])
    .filter(isTable)
    .map((one) => [
      String(one.parameter ?? ""),
      textOf(one.from),
      textOf(one.to),
      one.rotate ? `rotate ${one.rotate}` : `mirror ${one.mirror}`,
      textOf(one.angle),
      textOf(one.point),
    ]);
  /** @param {string[][]} texts */
  const onChange = (texts) => {
    const tables = texts.map(([parameter, from, to, way, angle, point]) => {
      const [kind, axis] = way.split(" ");
      const rest = { angle: parseValue(angle), point: point.trim() ? listOf(point) : undefined };
      return filled({ parameter, from: listOf(from), to: listOf(to), [kind]: axis, ...rest });
    });
    draft.set(place, tables.length || scope.length ? tables : undefined);
  };
  const taken = rows.map(([name]) => name);
  const points = [...new Set([...pointLists(model), ...taken])];
  /** @type {Column[]} */
  const columns = [
    { title: "points", choices: points.map((name) => [name, parameterName(model, name)]) },
    { title: "from", placeholder: "0, 1" },
    { title: "to", placeholder: "2, 3" },
    { title: "image", choices: WAYS },
    { title: "angle", placeholder: "90 deg" },
    { title: "through", placeholder: "origin" },
  ];
  const hint = "Items are counted from 0, as in the study file. An angle belongs to a rotation.";
  return grid({ place, label: "Copies of points", hint, columns, rows, onChange });
}

// The parameters that a variable drives.
/** @param {Draft} draft @param {Model} model @param {Place} variable */
export function drives(draft, model, variable) {
  const place = [...variable, "drives"];
  const given = draft.get(...place);
  const rows = (Array.isArray(given) ? given : []).map((one) =>
    isTable(one)
      ? [String(one.parameter ?? ""), textOf(one.factor), textOf(one.offset)]
      : [String(one), "", ""],
  );
  /** @param {string[][]} all */
  const onChange = (all) => {
    const texts = all.filter(([parameter]) => parameter);
    draft.set(
      place,
      texts.length
        ? texts.map(([parameter, factor, offset]) =>
            filled({ parameter, factor: parseValue(factor), offset: parseValue(offset) }),
          )
        : undefined,
    );
  };
  const taken = rows.map(([path]) => path);
  const columns = [
    { title: "parameter", choices: [CHOOSE, ...numbersOf(model, taken)] },
    { title: "factor", placeholder: "1" },
    { title: "offset", placeholder: "0" },
  ];
  const hint = "Parameters that follow this one.";
  return grid({ place, label: "Drives", hint, columns, rows, whole: true, onChange });
}

// Designs that the search starts from: a column for each variable.
/** @param {Draft} draft @param {Model} model @param {Place} place @param {string[]} variables */
export function startDesigns(draft, model, place, variables) {
  const given = draft.get(...place);
  const rows = (Array.isArray(given) ? given : [])
    .filter(isTable)
    .map((design) => variables.map((name) => textOf(design[name])));
  /** @param {string[][]} texts */
  const onChange = (texts) =>
    draft.set(
      place,
      texts.length
        ? texts.map((row) =>
            filled(Object.fromEntries(variables.map((name, at) => [name, parseValue(row[at])]))),
          )
        : undefined,
    );
  const columns = variables.map((path) => ({ title: parameterName(model, path), tooltip: path }));
  return grid({ place, label: "Designs to start from", columns, rows, onChange });
}
