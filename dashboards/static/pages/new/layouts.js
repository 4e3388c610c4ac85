// Layouts: the same search under the same conditions, once for each.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
import { h } from "../../core/dom.js";
import { pointerOf, renameKey } from "./draft.js";
import { adder, area, button, entry, formatList, parseValue, section } from "./fields.js";
import { ownSymmetry } from "./linked.js";
import { line, presetChoice } from "./parameters.js";
import { variables } from "./variables.js";

const WHAT =
  "Each layout is searched, and all are compared under the same conditions. What a layout lists is its own; everything else is shared. Without a layout here, there is one, called default.";

/** @param {Draft} draft @param {Model} model */
export function layouts(draft, model) {
  const names = Object.keys(draft.get("layouts") ?? {});
  return section(
    "Layouts",
    ["layouts"],
    h("p", { class: "quiet small" }, WHAT),
    names.map((name) => layout(draft, model, name)),
    h(
      "div",
      { class: "row add" },
      button("Add layout", () => add(draft, model, names)),
    ),
  );
}

/** @param {Draft} draft @param {Model} model @param {string} name */
function layout(draft, model, name) {
  const scope = ["layouts", name];
  /** @param {string} text */
  const onRename = (text) => {
    const other = text.trim();
    if (other && other !== name) draft.reshape((definition) => renameKey(definition, scope, other));
  };
  const remove = () => draft.reshape(() => draft.set(scope, undefined));
  return h(
    "fieldset",
    { class: "layout", data: { pointer: pointerOf(scope) } },
    h("legend", {}, name),
    h("p", { class: "field-fault", hidden: true }),
    h(
      "div",
      { class: "fields" },
      entry({ place: [...scope, "", "name"], label: "Name" }, { value: name, onChange: onRename }),
      presetChoice(draft, model, scope),
    ),
    h("h3", {}, "Variables of this layout"),
    variables(draft, model, scope),
    h("h3", {}, "Parameters of this layout"),
    own(draft, model, scope),
    ownSymmetry(draft, model, scope),
    initial(draft, scope),
    button("Remove layout", remove, { aria: { label: `Remove layout ${name}` } }),
  );
}

/** @param {Draft} draft @param {Model} model @param {Place} scope */
function own(draft, model, scope) {
  const set = Object.keys(draft.get(...scope, "parameters") ?? {});
  const preset = draft.get(...scope, "preset") ?? draft.get("preset");
  /** @param {string} path */
  const addParameter = (path) => {
    const value = structuredClone(model.base(path, preset) ?? 0);
    draft.reshape(() => draft.set([...scope, "parameters", path], value));
  };
  const free = model.names.filter((name) => !set.includes(name));
  return [
    set.length > 0 &&
      h(
        "div",
        { class: "rows" },
        set.map((path) => line(draft, model, scope, path)),
      ),
    adder("Parameter to set", "Set parameter", free, addParameter, (path) => model.tooltip(path)),
  ];
}

/** @param {Draft} draft @param {Place} scope */
function initial(draft, scope) {
  const place = [...scope, "initial"];
  const given = draft.get(...place);
  if (given === undefined) return null;
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return area(
    { place, label: "Designs to start from", wide: true },
    { value: formatList(given), code: true, onType },
  );
}

// The first layouts take the presets in turn. With a second one there is a comparison, which fewer seeds cannot settle.
/** @param {Draft} draft @param {Model} model @param {string[]} names */
function add(draft, model, names) {
  const preset = model.presets.find((one) => !names.includes(one.preset))?.preset;
  const free = preset ?? `layout-${names.length + 1}`;
  draft.reshape((definition) => {
    definition.layouts = { ...definition.layouts, [free]: preset ? { preset } : {} };
    if (names.length === 1 && String(definition.seeds) === "1") definition.seeds = [1, 2, 3, 4, 5];
  });
}
