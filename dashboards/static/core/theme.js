// The page's colours, for what is drawn by scripts, and the button that switches them.
import { byId, find } from "./dom.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const listeners = new Set();

export const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
// Calls the listener at every change; returns a function that ends it.
/** @param {() => void} listener */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function colours() {
  const page = getComputedStyle(document.body);
  const line = getComputedStyle(find(document, ".probe"));
  return {
    ink: page.color,
    paper: page.backgroundColor,
    grid: line.borderTopColor,
    raised: line.backgroundColor,
  };
}

export function startTheme() {
  const toggle = byId("theme");
  const changed = () => {
    toggle.textContent = isDark() ? "Light" : "Dark";
    if (toggle.dataset.icon) toggle.dataset.icon = isDark() ? "sun" : "moon";
    toggle.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    listeners.forEach((listener) => listener());
  };
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("tautline-theme", root.dataset.theme);
    } catch {
      // no storage: the choice is not saved
    }
    changed();
  });
  system.addEventListener("change", changed);
  toggle.hidden = false;
  changed();
}

// ------------------------------------------------------------------ figures in these colours

// Figures in the colours of their page.
// A copy of a figure's layout with the page's colours.
/** @param {Record<string, any>} layout */
export function themedLayout(layout) {
  const page = colours();
  const copy = structuredClone(layout);
  copy.font = { ...copy.font, color: page.ink };
  copy.hoverlabel = {
    ...copy.hoverlabel,
    bgcolor: page.raised,
    bordercolor: page.grid,
    font: { ...copy.hoverlabel?.font, color: page.ink },
  };
  copy.modebar = { bgcolor: "rgba(0,0,0,0)", color: page.ink, activecolor: page.ink };
  copy.legend = { ...copy.legend, bgcolor: "rgba(0,0,0,0)" };
  /** @param {any} axis */
  const paint = (axis) =>
    Object.assign(axis, { gridcolor: page.grid, linecolor: page.grid, tickcolor: page.grid });
  for (const [name, part] of Object.entries(copy)) {
    if (/^[xy]axis\d*$/.test(name)) paint(part);
    if (name === "scene") ["xaxis", "yaxis", "zaxis"].forEach((axis) => part[axis] && paint(part[axis]));
  }
  return copy;
}

// A figure's data with the palette's colours `lifted` where the page is dark.
/** @param {any} value @param {Record<string, string>} lifted @returns {any} */
export function themedData(value, lifted) {
  if (!isDark()) return value;
  if (typeof value === "string") return lifted[value] ?? value;
  const plain =
    ArrayBuffer.isView(value) ||
    (Array.isArray(value) && typeof value[0] === "number" && typeof value.at(-1) !== "string");
  if (plain) return value;
  if (Array.isArray(value)) return value.map((part) => themedData(part, lifted));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, themedData(part, lifted)]));
}
