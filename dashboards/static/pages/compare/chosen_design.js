// The design that was picked in a front, kept in the address: whose it is, its objectives, and the way to its review.
/** @import { Comparison } from "./request.js" */
import { ApiError, get, messageOf, pathPart } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { quantity, words } from "../../core/format.js";
import { unsafeMark } from "../../core/tooltips.js";
import { reviewAddress, selection } from "../../core/url_state.js";

const LETTERS = 10;

// { element, select(key, label), update(found) }
export function createChosenDesign() {
  const element = h("p", { class: "picked", aria: { live: "polite" } });
  /** @type {Comparison | undefined} */
  let found;
  /** @type {string | undefined} */
  let shown;

  /** @param {string} key @param {string} label */
  const select = (key, label) => selection.set({ of: label, key });

  async function show() {
    const { of, key } = selection.get();
    const contender = found?.contenders.find((each) => each.label === of);
    const requested = contender && key ? `${of} ${key}` : "";
    if (requested === shown) return;
    shown = requested;
    if (!found || !contender || !requested) {
      replace(element, h("span", { class: "quiet" }, "Click a design in a figure to see it here."));
      return;
    }
    const way = h("a", { href: reviewAddress(contender.study, contender.layout, key) }, "Review this design");
    const head = [h("strong", {}, of), `, design ${key.slice(0, LETTERS)}: `];
    try {
      const design = await get(`studies/${pathPart(contender.study)}/designs/${pathPart(key)}`);
      const { objectives, units } = found;
      const values = objectives.map(
        (name, place) => `${words(name)} ${quantity(design.metrics[name], units[place])}`,
      );
      if (shown === requested)
        replace(element, head, `${values.join(", ")}`, unsafeMark(design.unsafe), ". ", way);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown !== requested) return;
      shown = undefined;
      replace(element, head, `${messageOf(error)}.`);
    }
  }

  selection.listen(show);
  return {
    element,
    select,
    /** @param {Comparison} now */
    update(now) {
      found = now;
      show();
    },
  };
}
