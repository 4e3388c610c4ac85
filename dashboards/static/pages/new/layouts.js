// What may vary: a row for each variable and for what layouts set by themselves, a column for each layout.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
import { h, replace, scrollBox } from "../../core/dom.js";
import { tipped } from "../../core/tooltips.js";
import { parameterGroups } from "../../core/parameters.js";
import { pointerOf, renameKey } from "./draft.js";
import { button, entry, finder } from "./fields.js";
import { interchangeable, ownSymmetry, startDesigns, symmetry, tolerances } from "./linked.js";
import { parameterName, presetName } from "./names.js";
import { line, offered, presetChoice } from "./parameters.js";
import { addVariable, pathsOf, presetOf, variable } from "./variables.js";

const ONE =
  "What the search may change, and between which values: drag the ends or write numbers. The robot beside it shows the end that you move.";
const SEVERAL =
  "Each layout is a column: it is searched by itself, and all are compared under the same conditions.";

/** @param {Draft} draft */
export const layoutNames = (draft) => Object.keys(draft.get("layouts") ?? {});
/** @param {Draft} draft @param {Place} scope @param {string} kind */
const keysOf = (draft, scope, kind) => Object.keys(draft.get(...scope, kind) ?? {});

// `usual` are parameters that examples change, offered while nothing varies.
/** @param {Draft} draft @param {Model} model @param {string[]} usual */
export function whatVaries(draft, model, usual) {
  const names = layoutNames(draft);
  const scopes = names.map((name) => ["layouts", name]);
  const shared = keysOf(draft, [], "variables").length > 0 || !names.length;
  /** @type {Place[]} */
  const columns = [...(shared ? [[]] : []), ...scopes];
  const paths = [...new Set(columns.flatMap((scope) => keysOf(draft, scope, "variables")))];
  const fixed = [...new Set(scopes.flatMap((scope) => keysOf(draft, scope, "parameters")))];
  const heads = names.length ? columns.map((scope) => scope[1] ?? "All layouts") : [];
  const rows = [
    names.length > 0 &&
      row(
        model,
        "",
        heads,
        columns.map((scope) => presetCell(draft, model, scope)),
      ),
    paths.map((path) =>
      row(
        model,
        path,
        heads,
        columns.map((scope) => variableCell(draft, model, scope, path)),
      ),
    ),
    fixed.map((path) =>
      row(
        model,
        path,
        heads,
        columns.map((scope) => fixedCell(draft, model, scope, path)),
      ),
    ),
  ];
  const tops = columns.map((scope) => h("th", { scope: "col" }, head(draft, scope)));
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Parameter")), tops)),
    h("tbody", {}, rows),
  );
  return h(
    "div",
    { data: { pointer: "/variables" } },
    h("p", { class: "quiet small" }, names.length ? `${ONE} ${SEVERAL}` : ONE),
    h("p", { class: "field-fault", hidden: true }),
    (paths.length > 0 || names.length > 0) &&
      h("div", { class: "varying" }, scrollBox("What may vary", table)),
    !paths.length && !names.length && usualOnes(draft, model, usual),
    adders(draft, model, scopes),
    h(
      "div",
      { class: "row add" },
      button("Add layout", () => add(draft, model, names)),
    ),
    symmetry(draft, model),
    interchangeable(draft),
    tolerances(draft, model),
    scopes.map((scope) => [
      ownSymmetry(draft, model, scope),
      draft.get(...scope, "initial") !== undefined &&
        startDesigns(
          draft,
          model,
          [...scope, "initial"],
          [...new Set([...keysOf(draft, [], "variables"), ...keysOf(draft, scope, "variables")])],
        ),
    ]),
  );
}

// `heads` stand beside the cells where a narrow page shows them below each other.
/** @param {Model} model @param {string} path @param {string[]} heads @param {HTMLElement[]} cells */
function row(model, path, heads, cells) {
  heads.forEach((text, at) => (cells[at].dataset.head = text));
  return h(
    "tr",
    { data: { path } },
    h(
      "th",
      { scope: "row" },
      path ? tipped(parameterName(model, path), model.tooltip(path) || path) : "Published robot",
    ),
    cells,
  );
}

/** @param {Draft} draft @param {Place} scope */
function head(draft, scope) {
  if (!scope.length) return layoutNames(draft).length ? "All layouts" : "Range";
  const name = scope[1];
  /** @param {string} text */
  const onRename = (text) => {
    const other = text.trim();
    if (other && other !== name) draft.reshape((definition) => renameKey(definition, scope, other));
  };
  const remove = () => draft.reshape(() => draft.set(scope, undefined));
  return h(
    "div",
    { class: "layout", data: { pointer: pointerOf(scope) } },
    entry({ place: [...scope, "", "name"], label: "Layout" }, { value: name, onChange: onRename }),
    button("", remove, {
      class: "remove",
      data: { icon: "close" },
      aria: { label: `Remove layout ${name}` },
    }),
    h("p", { class: "field-fault", hidden: true }),
  );
}

/** @param {Draft} draft @param {Model} model @param {Place} scope */
const presetCell = (draft, model, scope) =>
  h("td", {}, scope.length ? presetChoice(draft, model, scope) : presetName(draft.get("preset") ?? "none"));

/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
function variableCell(draft, model, scope, path) {
  const place = [...scope, "variables", path];
  if (draft.get(...place)) return h("td", { data: { scope: scope[1] ?? "" } }, variable(draft, model, place));
  const vary = () => addVariable(draft, model, scope, path);
  const shared = scope.length > 0 && draft.get("variables", path);
  const name = parameterName(model, path);
  const aria = { label: `Vary ${name} in ${scope[1] ?? "all layouts"}` };
  return h(
    "td",
    { class: "quiet" },
    shared ? "as for all " : "fixed ",
    button(shared ? "own range" : "vary", vary, { class: "link", aria }),
  );
}

/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
function fixedCell(draft, model, scope, path) {
  if (!scope.length || draft.get(...scope, "parameters", path) === undefined) {
    const give = () => giveOwn(draft, model, scope, path);
    const aria = { label: `Set ${parameterName(model, path)} of ${scope[1]}` };
    return h(
      "td",
      { class: "quiet" },
      "as for all ",
      scope.length > 0 && button("own value", give, { class: "link", aria }),
    );
  }
  return h("td", {}, line(draft, model, scope, path));
}

/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
function giveOwn(draft, model, scope, path) {
  const value = structuredClone(model.base(path, presetOf(draft, scope)) ?? 0);
  draft.leadTo = [...scope, "parameters", path];
  draft.reshape(() => draft.set([...scope, "parameters", path], value));
}

// ------------------------------------------------------------------ what is added

// A search for what shall vary, everywhere or in one layout, and for values that a layout has of its own.
/** @param {Draft} draft @param {Model} model @param {Place[]} scopes */
function adders(draft, model, scopes) {
  const holder = h("div", {});
  const select = h("select", { aria: { label: "Where it is added" }, on: { change: fill } }, [
    h("option", { value: "" }, "varies in all layouts"),
    scopes.map((scope, at) => [
      h("option", { value: `${at} variables` }, `varies in ${scope[1]}`),
      h("option", { value: `${at} parameters` }, `own value of ${scope[1]}`),
    ]),
  ]);
  function fill() {
    const [at, kind] = select.value.split(" ");
    const scope = kind ? scopes[Number(at)] : [];
    const isFixed = kind === "parameters";
    const taken = new Set(keysOf(draft, scope, isFixed ? "parameters" : "variables"));
    const items = () =>
      parameterGroups(model).flatMap(([group, members]) =>
        members
          .flatMap((name) => (isFixed ? [name] : pathsOf(draft, model, scope, name)))
          .filter((path) => !taken.has(path))
          .map((path) => offered(model, path, group)),
      );
    /** @param {string} path */
    const onPick = (path) => {
      if (isFixed) return giveOwn(draft, model, scope, path);
      draft.leadTo = [...scope, "variables", path, "lower"];
      addVariable(draft, model, scope, path);
    };
    replace(holder, finder({ place: ["", "vary"], label: "Let another parameter vary", items, onPick }));
  }
  fill();
  return h("div", { class: "adders" }, holder, scopes.length > 0 && select);
}

const MOST_USUAL = 2;

// Lets what examples vary vary, in one step.
/** @param {Draft} draft @param {Model} model @param {string[]} usual */
function usualOnes(draft, model, usual) {
  const preset = presetOf(draft, []);
  const found = usual
    .filter(
      (name) => pathsOf(draft, model, [], name)[0] === name && typeof model.base(name, preset) === "number",
    )
    .slice(0, MOST_USUAL);
  const names = found.map((name) => parameterName(model, name)).join(" and ");
  const vary = () => found.forEach((name) => addVariable(draft, model, [], name));
  return names && h("div", { class: "row add" }, button(`Vary ${names}`, vary));
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

// What was chosen, in a line.
/** @param {Draft} draft @param {Model} model */
export function variesInWords(draft, model) {
  const names = layoutNames(draft);
  const paths = [[], ...names.map((name) => ["layouts", name])].flatMap((scope) =>
    keysOf(draft, scope, "variables"),
  );
  const found = [...new Set(paths)].map((path) => parameterName(model, path));
  const more = found.length > 3 ? ` and ${found.length - 3} more` : "";
  const where = names.length ? `; layouts ${names.join(", ")}` : "";
  return (found.slice(0, 3).join(", ") + more || "nothing yet") + where;
}
