// The colours of what is drawn: those of the page, as it is light or dark, and those on paper.
import { settings } from "../plot.js";
import { colours, isDark } from "../theme.js";

export const ON_PAPER = {
  ink: "#1D2228",
  quiet: "#59626D",
  grid: "#DDE1E6",
  accent: "#4B3FA0",
  paper: "#FFFFFF",
};

// A colour as it is on dark pages, or as it is.
/** @param {string} colour @param {boolean} dark */
export const lifted = (colour, dark) => (dark ? (settings.lifted[colour] ?? colour) : colour);

export function pagePalette() {
  const page = colours();
  return { ...page, quiet: page.ink, accent: lifted(ON_PAPER.accent, isDark()) };
}
