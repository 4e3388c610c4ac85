// Figures in the colours of their page.
import { colours, isDark } from "./theme.js";

// A copy of a figure's layout with the page's colours.
export function themed(layout) {
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
  const paint = (axis) => Object.assign(axis, { gridcolor: page.grid, linecolor: page.grid, tickcolor: page.grid });
  for (const [name, part] of Object.entries(copy)) {
    if (/^[xy]axis\d*$/.test(name)) paint(part);
    if (name === "scene") ["xaxis", "yaxis", "zaxis"].forEach((axis) => part[axis] && paint(part[axis]));
  }
  return copy;
}

// A figure's data with the palette's colours `lifted` where the page is dark.
export function tinted(value, lifted) {
  if (!isDark()) return value;
  if (typeof value === "string") return lifted[value] ?? value;
  const plain = ArrayBuffer.isView(value) || (Array.isArray(value) && typeof value[0] === "number" && typeof value.at(-1) !== "string");
  if (plain) return value;
  if (Array.isArray(value)) return value.map((part) => tinted(part, lifted));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tinted(part, lifted)]));
}
