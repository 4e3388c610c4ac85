// What the page compares, as its address says, and the comparison as the interface gives it.
/** @import { Figure, Schemas } from "../../core/types.js" */
import { get, pathPart } from "../../core/api.js";

// The names of studies, and whether they are compared although their conditions differ.
/** @typedef {{ names: string[], across: boolean }} Asked */
/** @typedef {Schemas["ContestResource"]} Comparison */

// ?of=one,other&across_conditions=true
/** @param {string} search @returns {Asked} */
export function askedOf(search) {
  const given = new URLSearchParams(search);
  const names = [...new Set(given.getAll("of").flatMap((text) => text.split(",")))].filter(Boolean);
  return { names, across: given.get("across_conditions") === "true" };
}

/** @param {Asked} asked */
export const compareAddress = ({ names, across }) =>
  `/compare?of=${names.map(encodeURIComponent).join(",")}${across ? "&across_conditions=true" : ""}`;

/** @param {Asked} asked */
const query = ({ names, across }) => ({ of: names, across_conditions: across || null });

/** @param {Asked} asked */
export const load = (asked) => get("comparison", query(asked));

/** @param {Asked} asked @param {string} figure */
export const loadFigure = (asked, figure) =>
  /** @type {Promise<Figure>} */ (get(`comparison/figures/${pathPart(figure)}`, query(asked)));
