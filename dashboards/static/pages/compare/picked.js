// The design that was picked in a front, kept in the address: whose it is, its objectives, and the way to its review.
import { reviewAddress } from "../addresses.js";
import { ApiError, get, part } from "../api.js";
import { h, replace } from "../dom.js";
import { quantity, words } from "../format.js";
import { selection } from "../selection.js";

const LETTERS = 10;

// { element, select(key, label), update(found) }
export function picked() {
  const element = h("p", { class: "picked", aria: { live: "polite" } });
  let found;
  let shown;

  const select = (key, label) => selection.set({ of: label, key });

  async function show() {
    const { of, key } = selection.get();
    const contender = found?.contenders.find((each) => each.label === of);
    const wanted = contender && key ? `${of} ${key}` : "";
    if (wanted === shown) return;
    shown = wanted;
    if (!wanted) {
      replace(element, h("span", { class: "quiet" }, "Click a design in a figure to see it here."));
      return;
    }
    const way = h("a", { href: reviewAddress(contender.study, contender.layout, key) }, "Review this design");
    const head = [h("strong", {}, of), `, design ${key.slice(0, LETTERS)}: `];
    try {
      const design = await get(`studies/${part(contender.study)}/designs/${part(key)}`);
      const values = found.objectives.map((name, place) => `${words(name)} ${quantity(design.metrics[name], found.units[place])}`);
      if (shown === wanted) replace(element, head, `${values.join(", ")}. `, way);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown !== wanted) return;
      shown = undefined;
      replace(element, head, `${error.message}.`);
    }
  }

  selection.listen(show);
  return {
    element,
    select,
    update(now) {
      found = now;
      show();
    },
  };
}
