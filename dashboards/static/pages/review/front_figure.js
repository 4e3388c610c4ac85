// The style of the figures that this page makes: the same as in dashboards/figures/axes.py and palette.py.
/** @import { PlotBox, ScatterFigure, Schemas, Table } from "../../core/types.js" */
/** @import { Evaluations } from "./point_cloud.js" */
/** @import { Column, KnownDesign, Study } from "./study.js" */
/** @import { AxesView } from "./view_state.js" */
import { POWERS } from "../../core/dom.js";
import { BETTER, shortKey, withUnit } from "../../core/format.js";
import { settings } from "../../core/plot.js";
import { idealOf } from "../../core/scatter/axes_2d.js";
import { isMarkFiltered } from "./annotations.js";
import { colourAt, encoding, NO_VALUE, sizeAt } from "./mark_encoding.js";

export const GREY = NO_VALUE;

/** @param {number} place */
export const colourOf = (place) => settings.colours[place % settings.colours.length];
/** @param {number} place */
const dashOf = (place) => settings.dashes[place % settings.dashes.length];

// The mark of a layout; open for its unsafe designs, as in reports.
/** @param {number} place @param {boolean} [open] */
function symbolOf(place, open = false) {
  const symbol = settings.symbols[place % settings.symbols.length];
  return open && !/open|cross|x/.test(symbol) ? `${symbol}-open` : symbol;
}

// Values of some designs along an axis, as they are shown.
/** @param {Column} column @param {number[]} places */
const scaledValues = (column, places) =>
  Array.from(places, (place) => column.values[place] * column.scale.factor);

// ------------------------------------------------------------------ the front

const SIZE = 8;
const SMALL = 6;
const MANY = 4000;
const MOST_LINES = 16;

// `number` is that of the layout; -1 for designs outside the ranges.
/** @typedef {{ name: string, label?: string, meta?: string, places: number[], number: number, open?: boolean }} DesignGroup */

/** @param {KnownDesign} design */
const isUnsafe = ({ unsafe = [] }) => unsafe.length > 0;

// Designs by layout, those outside the ranges as a group of their own: [{ name, meta, places, number }].
/** @param {Study} study @param {Uint8Array} inside @returns {DesignGroup[]} */
function groupsOf(study, inside) {
  const groups = study.layouts.flatMap((layout, number) => {
    const mine = study.designs.flatMap((design, place) => (design.layout === layout ? [place] : []));
    const left = mine.filter((place) => inside[place]);
    const title = study.layouts.length > 1 ? layout : "front";
    const name =
      left.length === mine.length
        ? `${title} (${mine.length})`
        : `${title} (${left.length} of ${mine.length})`;
    const unsafe = left.filter((place) => isUnsafe(study.designs[place]));
    if (!unsafe.length) return [{ name, meta: layout, places: left, number }];
    const safe = left.filter((place) => !isUnsafe(study.designs[place]));
    return [
      { name: `${title}, safe (${safe.length})`, meta: layout, places: safe, number },
      { name: `${title}, unsafe (${unsafe.length})`, meta: layout, places: unsafe, number, open: true },
    ];
  });
  const out = study.designs.flatMap((_, place) => (inside[place] ? [] : [place]));
  const others = isMarkFiltered() ? "filtered out" : "outside the ranges";
  return [...groups, { name: `${others} (${out.length})`, label: others, places: out, number: -1 }];
}

// Over any number of axes, which end where the front does, whatever lies behind it.
/** @param {Study} study @param {AxesView} options @param {Uint8Array} inside @param {Evaluations | null} cloud @returns {ScatterFigure} */
export function scatterFigure(study, { mode, columns, logs, whole }, inside, cloud) {
  const size = mode === "matrix" || study.designs.length > MANY ? SMALL : SIZE;
  const shown = groupsOf(study, inside).map(({ name, label, meta, places, number, open }) => ({
    name,
    label,
    meta,
    data: places,
    size: number < 0 ? size - 2 : size,
    listed: number >= 0 || places.length > 0,
    colour: number < 0 ? GREY : colourOf(number),
    symbol: number < 0 ? "circle" : symbolOf(number, open),
    opacity: number < 0 ? 0.35 : 0.9,
    ...encodedLook(study, places, number),
    columns: columns.map((column) => scaledValues(column, places)),
    /** @param {number} place */
    text: (place) => designText(study, places[place]),
  }));
  const background = cloud === null ? [] : cloud.groups.map((group) => cloud.drawn(group, columns));
  const axes = columns.map((column, place) =>
    axisOf(column, logs[place], whole ? background.map((group) => group.columns[place]) : null),
  );
  return { axes, groups: [...background, ...shown], ideal: idealOf(columns.map(frontEnds)) };
}

// The colours and sizes of some designs where they stand for quantities. The legend shows the symbol of a layout then,
// not its colour.
/** @param {Study} study @param {number[]} places @param {number} number @returns {{ colour?: string, colours?: string[], sizes?: number[] }} */
function encodedLook(study, places, number) {
  const { colour, size } = encoding(study);
  if (number < 0) return {};
  return {
    ...(colour && { colour: GREY, colours: places.map((place) => colourAt(colour, colour.values[place])) }),
    ...(size && { sizes: places.map((place) => sizeAt(size, size.values[place])) }),
  };
}

// Between which values the front lies, as they are drawn, and which end is the better one.
/** @param {Column} column */
const frontEnds = (column) => ({
  range: column.range?.map((end) => end * column.scale.factor),
  better: betterOf(column),
});

// `others` are values that the axis takes in, too, or null.
/** @param {Column} column @param {boolean} log @param {ArrayLike<number>[] | null} others */
function axisOf(column, log, others) {
  const ends = frontEnds(column).range ?? [0, 0];
  for (const value of (others ?? []).flatMap((values) => Array.from(values))) {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
  const options = column.options?.map((_, place) => column.bare(place));
  return {
    title: column.heading,
    range: ends,
    log,
    options,
    better: betterOf(column),
    fixed: Boolean(others),
  };
}

// 1 where more is better, -1 where less is, 0 for neither.
/** @param {Column} column */
const betterOf = (column) => (column.sense === "maximize" ? 1 : column.sense === "minimize" ? -1 : 0);

// The lines of a design's tooltip.
/** @param {Study} study @param {number} place */
function designText(study, place) {
  const design = study.designs[place];
  const head =
    study.layouts.length > 1
      ? `${design.layout}, design ${shortKey(design.key)}`
      : `design ${shortKey(design.key)}`;
  const { colour, size } = encoding(study);
  const isShown = (/** @type {Column} */ column) =>
    ["variable", "objective", "constraint"].includes(column.role) || column === colour || column === size;
  const shown = study.columns.filter((column) => isShown(column) && !Number.isNaN(column.values[place]));
  return [
    head,
    ...shown
      .slice(0, MOST_LINES)
      .map((column) => `${column.name} = ${withUnit(column.shown(design), column.scale.unit)}`),
  ];
}
