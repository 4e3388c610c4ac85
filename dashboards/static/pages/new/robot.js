// The robot of the study that is being written, in 3D: in the middle of the ranges, or at their ends.
/** @import { Draft, Place } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { pathPart, send } from "../../core/api.js";
import { find, h, replace } from "../../core/dom.js";
import { createRobot } from "../../core/robot_view.js";
import { isTable, pointerOf } from "./draft.js";

/** @typedef {"lower" | "middle" | "upper"} End */
// A layout with what is drawn of it.
/** @typedef {{ layout: string, variables: number } & Record<End, Schemas["SettingsRequest"]>} DrawnLayout */

/** @type {[End, string][]} */
const ENDS = [
  ["lower", "Lower"],
  ["middle", "Middle"],
  ["upper", "Upper"],
];
const FAULTY = "The study has faults; the robot is drawn as far as it is known.";
const UNKNOWN = "The study names no installed back-end; the robot stays as it was.";
const FIXED = "Nothing varies in this layout.";

// A file may name any back-end; only of one that the server has, which `isKnown` tells, a picture is asked for.
/** @param {Draft} draft @param {(model: string) => boolean} isKnown */
export function createDraftRobot(draft, isKnown) {
  /** @type {End} */
  let end = "middle";
  let layout = "";
  // The end of one variable that somebody moves; all others are drawn in the middle.
  /** @type {{ path: string, end: End, layout: string } | null} */
  let moved = null;
  let seen = false;
  const view = h("figure", { class: "robot" });
  const robot = createRobot({ name: "draft", layouts: [], ask }, view, { heading: "h2", brief: true });
  find(view, ".plot").removeAttribute("aria-busy"); // nothing is asked before somebody can see it
  const hint = h("p", { class: "hint", role: "status" });
  const select = h("select", {
    aria: { label: "Layout that is drawn" },
    on: {
      change: (event) => {
        layout = event.currentTarget.value;
        update();
      },
    },
  });
  const buttons = ENDS.map(([which, label]) =>
    h("button", { type: "button", data: { end: which }, on: { click: () => choose(which) } }, label),
  );
  const ends = h("div", { class: "row", role: "group", aria: { label: "Where in the ranges" } }, buttons);
  const element = h("div", { class: "draft-robot" }, view, h("div", { class: "row" }, select, ends), hint);

  /** @param {End} which */
  function choose(which) {
    end = which;
    moved = null;
    update();
  }

  // Draws the end of a range that is moved, from the event at its handle or its number.
  /** @param {Event} event */
  function follow({ target }) {
    if (!(target instanceof HTMLInputElement) || !target.dataset.path) return;
    const place = target.closest("[data-scope]")?.getAttribute("data-scope") ?? "";
    moved = {
      path: target.dataset.path,
      end: target.dataset.end === "lower" ? "lower" : "upper",
      layout: place,
    };
    if (place) layout = place;
    update();
  }

  // The picture waits until somebody can see it: on a narrow page it is folded.
  function update() {
    const isSound = Boolean(draft.answer?.layouts?.length);
    /** @type {DrawnLayout[]} */
    const layouts = isSound ? (draft.answer?.layouts ?? []) : draftLayouts(draft);
    const found = layouts.find((one) => one.layout === layout) ?? layouts[0];
    buttons.forEach((button) =>
      button.setAttribute("aria-pressed", String(!moved && button.getAttribute("data-end") === end)),
    );
    const known = isKnown(draft.get("model"));
    if (draft.answer) hint.textContent = !known ? UNKNOWN : !isSound ? FAULTY : found?.variables ? "" : FIXED;
    if (!found || !known || !draft.answer) return;
    offer(layouts, found.layout);
    if (!seen) return;
    const { preset, settings } = moved ? withMoved(found, moved) : found[end];
    const key = JSON.stringify([draft.get("model"), { preset, settings }]);
    robot.update({ layout: found.layout, key });
  }

  /** @param {DrawnLayout[]} layouts @param {string} chosen */
  function offer(layouts, chosen) {
    const names = layouts.map((one) => one.layout);
    const offered = [...select.options].map((option) => option.value);
    if (JSON.stringify(names) !== JSON.stringify(offered))
      replace(
        select,
        names.map((name) => h("option", { value: name }, name)),
      );
    select.value = chosen;
    select.hidden = names.length < 2;
  }

  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen = true;
    observer.disconnect();
    update();
  }).observe(view);
  draft.listen("answer", update);
  update();
  return { element, follow };
}

// The design in the middle with one variable at the end that is moved.
/** @param {DrawnLayout} layout @param {{ path: string, end: End }} moved @returns {Schemas["SettingsRequest"]} */
function withMoved(layout, { path, end }) {
  const value = layout[end].settings?.[path];
  if (value === undefined) return layout.middle;
  return { ...layout.middle, settings: { ...layout.middle.settings, [path]: value } };
}

// ------------------------------------------------------------------ before the study is sound

// The layouts of a study with faults, as the server has them of a sound one: without what is at fault.
/** @param {Draft} draft @returns {DrawnLayout[]} */
function draftLayouts(draft) {
  const faults = new Set((draft.answer?.faults ?? []).map(({ pointer }) => pointer));
  /** @param {Place} place @returns {Record<string, any>} */
  const sound = (place) => {
    const table = draft.get(...place);
    if (!isTable(table)) return {};
    /** @param {string} key */
    const isSound = (key) => {
      const pointer = pointerOf([...place, key]);
      return ![...faults].some((fault) => fault === pointer || fault.startsWith(`${pointer}/`));
    };
    return Object.fromEntries(Object.entries(table).filter(([key]) => isSound(key)));
  };
  const given = draft.get("layouts");
  const names = isTable(given) ? Object.keys(given) : [];
  const preset = (/** @type {Place} */ place) => sound(place).preset;
  return (names.length ? names : [""]).map((layout) => {
    const own = ["layouts", layout];
    const variables = layout
      ? { ...sound(["variables"]), ...sound([...own, "variables"]) }
      : sound(["variables"]);
    const fixed = layout
      ? { ...sound(["parameters"]), ...sound([...own, "parameters"]) }
      : sound(["parameters"]);
    /** @param {End} end */
    const design = (end) => ({
      preset: (layout ? preset(own) : undefined) ?? preset([]) ?? null,
      settings: { ...fixed, ...valuesAt(variables, end) },
    });
    return {
      layout,
      variables: Object.keys(variables).length,
      lower: design("lower"),
      middle: design("middle"),
      upper: design("upper"),
    };
  });
}

const WRITTEN = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\D.*)?$/;

// Values of variables at an end of their ranges, as they are written; those that cannot be read are left out.
/** @param {Record<string, any>} variables @param {End} end */
function valuesAt(variables, end) {
  const found = Object.entries(variables).map(([path, table]) => [path, valueAt(table ?? {}, end)]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** @param {Record<string, any>} table @param {End} end */
function valueAt({ lower, upper, options, type }, end) {
  if (Array.isArray(options)) {
    const places = { lower: 0, middle: Math.floor((options.length - 1) / 2), upper: options.length - 1 };
    return options[places[end]];
  }
  if (end !== "middle") return end === "lower" ? lower : upper;
  const [from, to] = [lower, upper].map((value) => WRITTEN.exec(String(value)));
  if (!from || !to || (from[2] ?? "") !== (to[2] ?? "")) return undefined;
  const middle = (Number(from[1]) + Number(to[1])) / 2;
  const value = type === "integer" ? Math.floor(middle) : middle;
  return from[2] ? `${value} ${from[2]}` : value;
}

// A design that is not stored is known by its back-end and the request that draws it.
/** @param {string} key @param {AbortSignal} [signal] */
function ask(key, signal) {
  /** @type {[string, Schemas["SettingsRequest"]]} */
  const [model, request] = JSON.parse(key);
  return send("POST", `models/${pathPart(model)}/figure`, request, { signal });
}
