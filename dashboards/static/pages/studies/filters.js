// Filters of the list: by state, model, owner and tag. They stand in the address, so that a link keeps them.
/** @import { Schemas } from "../../core/types.js" */
import { h, replace } from "../../core/dom.js";
import { selection } from "../../core/url_state.js";

// Name in addresses, label, values of a study, and how one of them reads.
/** @type {[string, string, (item: Schemas["StudyOverview"]) => string[], ((item: Schemas["StudyOverview"]) => string)?][]} */
const FILTERS = [
  ["state", "State", (item) => [item.state]],
  ["model", "Model", (item) => [item.model], (item) => item.model_title],
  ["owner", "Owner", (item) => (item.owner ? [item.owner] : [])],
  ["tag", "Tag", (item) => item.tags],
];

/** @param {Schemas["StudyOverview"]} item */
export function passes(item) {
  const chosen = selection.get();
  return FILTERS.every(([id, , values]) => !chosen[id] || values(item).includes(chosen[id]));
}

export const unfilter = () => selection.set(Object.fromEntries(FILTERS.map(([id]) => [id, null])));

// One choice for each, where the studies differ in it.
export function createFilters() {
  const choices = FILTERS.map(([id, label, values, reads]) => {
    /** @type {HTMLSelectElement} */
    const select = h("select", {
      aria: { label },
      on: { change: () => selection.set({ [id]: select.value }) },
    });
    return { id, values, reads, select, element: h("label", {}, `${label} `, select) };
  });
  const element = h(
    "div",
    { class: "row filters", role: "group", aria: { label: "Filters" } },
    choices.map((choice) => choice.element),
  );

  /** @param {Schemas["StudyOverview"][]} items */
  function update(items) {
    for (const { id, values, reads, select, element: label } of choices) {
      const chosen = selection.get()[id] ?? "";
      const found = [...new Set([...items.flatMap(values), chosen])].filter(Boolean).sort();
      const text = JSON.stringify(found);
      label.hidden = found.length < 2 && !chosen;
      if (select.dataset.options !== text) {
        select.dataset.options = text; // an open choice stays open while nothing new came
        const options = found.map((value) => {
          const item = reads && items.find((one) => values(one).includes(value));
          return h("option", { value }, item ? reads(item) : value);
        });
        replace(select, h("option", { value: "" }, "any"), options);
      }
      select.value = chosen;
    }
  }

  return { element, update };
}
