// Numbers and texts of a figure as Python writes them for plotly.js.
import { raised } from "./format.js";

const KINDS = { f4: Float32Array, i4: Int32Array };
/** @type {Record<string, string>} */
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

// Numbers of a figure, as dashboards/figures/plotly_options.py packs long lists.
/** @param {any} values @returns {ArrayLike<number>} */
export function numbersOf(values) {
  if (!values?.bdata) return values ?? [];
  const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
  return new KINDS[/** @type {keyof typeof KINDS} */ (values.dtype)](bytes.buffer);
}

// A text without its markup.
/** @param {string} text */
export const bare = (text) =>
  text
    .replace(/<\/?b>/g, "")
    .replace(/<sup>(.*?)<\/sup>/g, (_, power) => raised(power))
    .replace(/&(amp|lt|gt);/g, (entity) => ENTITIES[entity]);

// The lines of a text, without its markup.
/** @param {string} text */
export const bareLines = (text) => text.split("<br>").map(bare);
