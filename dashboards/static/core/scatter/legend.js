// The legend of a scatter: a button for each group that hides or shows it, and the colours of quantities.
/** @import { FarDesigns } from "./far_values.js" */
/** @import { Attributes, Child, ColourScale, LegendGroup } from "../types.js" */
import { h, replace, svg } from "../dom.js";
import { number } from "../format.js";
import { bare } from "../plotly_values.js";
import { isDark } from "../theme.js";
import { lifted } from "./look.js";
import { isOpen, shapeOf } from "./renderers.js";

// How the ideal point is drawn.
export const IDEAL = { symbol: "star", size: 17, colour: "#E69F00" };

/** @param {LegendGroup} group */
function paintOf({ colour, symbol, line }) {
  const shown = lifted(colour, isDark());
  if (!isOpen(symbol)) return { fill: shown };
  const dash = symbol === "line-open" && line?.dash.length ? { "stroke-dasharray": line.dash.join(" ") } : {};
  return { fill: "none", stroke: shown, "stroke-width": 2, ...dash };
}

/** @param {Attributes} attributes */
export const legendKey = (attributes) =>
  svg(
    "svg",
    { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    svg("path", attributes),
  );

// The colours of a quantity, from its least to its greatest value.
/** @param {ColourScale} scale */
export function scaleKey({ colorscale, cmin, cmax, colorbar }) {
  const ramp = h("span", { class: "ramp", aria: { hidden: "true" } });
  ramp.style.backgroundImage = `linear-gradient(to right, ${colorscale.map(([, colour]) => colour).join()})`;
  return h(
    "span",
    { class: "quiet" },
    `${bare(colorbar.title.text)}: ${number(cmin, 3)} `,
    ramp,
    ` ${number(cmax, 3)}`,
  );
}

// A button for each group that hides or shows it: `hidden` holds the names of those that are hidden.
/** @param {LegendGroup[]} groups @param {Set<string>} hidden @param {() => void} onToggle */
export function legendEntries(groups, hidden, onToggle) {
  return groups.filter((group) => group.listed !== false).map((group) => entryOf(group, hidden, onToggle));
}

/** @param {LegendGroup} group @param {Set<string>} hidden @param {() => void} onToggle */
function entryOf(group, hidden, onToggle) {
  const toggle = () => {
    if (!hidden.delete(group.name)) hidden.add(group.name);
    onToggle();
  };
  const pressed = String(!hidden.has(group.name));
  return h(
    "button",
    { type: "button", class: "bare", aria: { pressed }, on: { click: toggle } },
    legendKey({ d: shapeOf(group.symbol, Math.max(group.size, 5)), ...paintOf(group) }),
    " ",
    group.name,
  );
}

/** @param {FarDesigns[]} far */
export const farText = (far) => `Designs at the edges, far from the others: ${far.map(farPart).join(", ")}`;

/** @param {FarDesigns} options */
const farPart = ({ layout, far, all }) => `${layout} (${far === all ? "all" : `${far} of`} ${all})`;

// Designs far from the others, in words, with the switch that shows all of them; none where nothing is far.
/** @param {FarDesigns[]} far @param {boolean} showsAll @param {() => void} onToggle */
export const farEntry = (far, showsAll, onToggle) =>
  far.length > 0 && [
    !showsAll && h("span", { class: "quiet far" }, `${farText(far)}.`),
    h(
      "button",
      { type: "button", class: "far", on: { click: onToggle } },
      showsAll ? "Fit the axes to most designs" : "Show all",
    ),
  ];

// Replace the entries; the focus stays.
/** @param {HTMLElement} legend @param {Child[]} entries */
export function fillLegend(legend, entries) {
  const focused = [...legend.children].indexOf(/** @type {Element} */ (document.activeElement));
  replace(legend, entries);
  const button = legend.children[focused];
  if (button instanceof HTMLElement) button.focus();
}
