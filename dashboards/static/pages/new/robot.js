// The robot of the study that is being written, in 3D: in the middle of the ranges, or at their ends.
/** @import { Draft } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { pathPart, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { createRobot } from "../../core/robot_view.js";

/** @typedef {"lower" | "middle" | "upper"} End */

/** @type {[End, string][]} */
const ENDS = [
  ["lower", "Lower"],
  ["middle", "Middle"],
  ["upper", "Upper"],
];
const UNKNOWN = "Drawn again when the faults are corrected.";
const FIXED = "Nothing varies in this layout.";

/** @param {Draft} draft */
export function createDraftRobot(draft) {
  /** @type {End} */
  let end = "middle";
  let layout = "";
  let seen = false;
  const view = h("figure", { class: "robot" });
  const robot = createRobot({ name: "draft", layouts: [], ask }, view, { heading: "h2", brief: true });
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
  const ends = h(
    "div",
    { class: "row", role: "group", aria: { label: "Where in the ranges" } },
    "Ranges:",
    buttons,
  );
  const element = h("div", { class: "draft-robot" }, view, h("div", { class: "row" }, select, ends), hint);

  /** @param {End} which */
  function choose(which) {
    end = which;
    update();
  }

  // The picture waits until somebody can see it: on a narrow page it stands below the form.
  function update() {
    const layouts = draft.answer?.layouts ?? [];
    const found = layouts.find((one) => one.layout === layout) ?? layouts[0];
    buttons.forEach((button) =>
      button.setAttribute("aria-pressed", String(button.getAttribute("data-end") === end)),
    );
    if (draft.answer) hint.textContent = found ? (found.variables ? "" : FIXED) : UNKNOWN;
    if (!found) return;
    offer(layouts, found.layout);
    if (!seen) return;
    const { preset, settings } = found[end];
    const key = JSON.stringify([draft.get("model"), { preset, settings }]);
    robot.update({ layout: found.layout, key });
  }

  /** @param {Schemas["DraftLayout"][]} layouts @param {string} chosen */
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
  return element;
}

// A design that is not stored is known by its back-end and the request that draws it.
/** @param {string} key @param {AbortSignal} [signal] */
function ask(key, signal) {
  /** @type {[string, Schemas["SettingsRequest"]]} */
  const [model, request] = JSON.parse(key);
  return send("POST", `models/${pathPart(model)}/figure`, request, { signal });
}
