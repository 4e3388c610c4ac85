// Panels of which one is shown, with a tab for each; the address says which.
/** @import { Child } from "./types.js" */
import { h } from "./dom.js";
import { selection } from "./url_state.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

// `entry` names the choice in the address.
/** @param {string} entry @param {string} label @param {{ name: string, title: string, content: Child }[]} panels */
export function createTabs(entry, label, panels) {
  const parts = panels.map(({ name, title, content }) => ({
    name,
    tab: h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        aria: { controls: `panel-${name}` },
        on: { click: () => selection.set({ [entry]: name }) },
      },
      title,
    ),
    panel: h(
      "div",
      { role: "tabpanel", id: `panel-${name}`, tabindex: 0, aria: { labelledby: `tab-${name}` } },
      content,
    ),
  }));
  const list = h(
    "div",
    { class: "row tabs", role: "tablist", aria: { label }, on: { keydown: step } },
    parts.map(({ tab }) => tab),
  );
  const element = h(
    "div",
    {},
    list,
    parts.map(({ panel }) => panel),
  );

  const chosen = () => parts.find(({ name }) => name === selection.get()[entry]) ?? parts[0];

  function show() {
    const current = chosen();
    for (const part of parts) {
      part.panel.hidden = part !== current;
      part.tab.setAttribute("aria-selected", String(part === current));
      part.tab.tabIndex = part === current ? 0 : -1;
    }
  }

  /** @param {KeyboardEvent} event */
  function step(event) {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const next = parts.indexOf(chosen()) + STEPS[event.key];
    const { name, tab } = parts[(next + parts.length) % parts.length];
    selection.set({ [entry]: name });
    tab.focus();
  }

  selection.watch([entry], show);
  show();
  return element;
}
