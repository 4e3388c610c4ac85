// The front as a figure over any columns: in space or in a plane, as `Scatter` draws it, or as a matrix of pairs.
import { withUnit, words } from "../format.js";
import { idealOf } from "../scatter/axis.js";
import { along, axis, colourOf, frame, GREY, marker, plain, symbolOf } from "./looks.js";

const SIZE = 8;
const SMALL = 6;
const MANY = 4000;
const MATRIX_SIZE = 6;
const MOST_TEXTS = 3000;
const MOST_LINES = 16;

// Designs by layout, those outside the ranges as a group of their own: [{ name, meta, places, number }].
function groupsOf(study, inside) {
  const groups = study.layouts.map((layout, number) => {
    const mine = study.designs.flatMap((design, place) => (design.layout === layout ? [place] : []));
    const left = mine.filter((place) => inside[place]);
    const title = study.layouts.length > 1 ? layout : "front";
    const name = left.length === mine.length ? `${title} (${mine.length})` : `${title} (${left.length} of ${mine.length})`;
    return { name, meta: layout, places: left, number };
  });
  const out = study.designs.flatMap((_, place) => (inside[place] ? [] : [place]));
  return [...groups, { name: `outside the ranges (${out.length})`, places: out, number: -1 }];
}

// In space or in a plane. The axes end where the front does, whatever lies behind it.
export function scatterFigure(study, { columns, logs, whole }, inside, cloud) {
  const size = study.designs.length > MANY ? SMALL : SIZE;
  const shown = groupsOf(study, inside).map(({ name, meta, places, number }) => ({
    name, meta, data: places, size: number < 0 ? size - 2 : size, listed: number >= 0 || places.length > 0,
    colour: number < 0 ? GREY : colourOf(number), symbol: number < 0 ? "circle" : symbolOf(number), opacity: number < 0 ? 0.35 : 0.9,
    columns: columns.map((column) => along(column, places)), text: (place) => designText(study, places[place]),
  }));
  const behind = cloud === null ? [] : cloud.groups.map((group) => cloud.drawn(group, columns));
  const axes = columns.map((column, place) => axisOf(column, logs[place], whole ? behind.map((group) => group.columns[place]) : []));
  return { axes, groups: [...behind, ...shown], ideal: idealOf(columns.map(frontEnds)) };
}

// Between which values the front lies, as they are drawn, and which end is the better one.
const frontEnds = (column) => ({ range: column.range?.map((end) => end * column.scale.factor), better: betterOf(column) });

function axisOf(column, log, others) {
  const ends = frontEnds(column).range ?? [0, 0];
  for (const value of others.flatMap((values) => [...values])) {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
  const options = column.options?.map((_, place) => column.bare(place));
  return { title: column.heading, range: ends, log, options, better: betterOf(column) };
}

const betterOf = (column) => ({ maximize: 1, minimize: -1 })[column.sense] ?? 0;

// Every pair of columns, as plotly.js draws it: one trace per layout, those outside the ranges in one of their own.
export function matrixFigure(study, { columns }, inside) {
  const texts = study.designs.length <= MOST_TEXTS;
  const draw = (places, more) => ({
    // plotly.js cannot leave out the upper half of a matrix of two.
    type: "splom", diagonal: { visible: false }, showupperhalf: columns.length < 3, customdata: places,
    dimensions: columns.map((column) => ({ label: plain(column.heading), values: along(column, places) })),
    ...(texts ? { text: places.map((place) => designText(study, place).map(plain).join("<br>")), hoverinfo: "text" } : { hoverinfo: "x+y+name" }), ...more,
  });
  const data = groupsOf(study, inside).map(({ name, meta, places, number }) => (number < 0
    ? draw(places, { name, showlegend: places.length > 0, marker: { color: GREY, symbol: "circle", size: MATRIX_SIZE - 3, opacity: 0.35 } })
    : draw(places, { name: plain(name), meta, marker: marker(number, MATRIX_SIZE) })));
  const thin = columns.flatMap((column, place) => {
    const { title, ...rest } = axis(column);
    return ["x", "y"].map((letter) => [`${letter}axis${place ? place + 1 : ""}`, rest]);
  });
  const kept = `matrix ${columns.map((column) => `${column.id} ${column.scale.unit}`)}`;
  return { data, layout: frame({ ...Object.fromEntries(thin), margin: { l: 80, r: 16, t: 16, b: 80 }, uirevision: kept }) };
}

// What a design says when somebody points at it, one line each.
function designText(study, place) {
  const design = study.designs[place];
  const head = study.layouts.length > 1 ? `${design.layout}, design ${design.key.slice(0, 8)}` : `design ${design.key.slice(0, 8)}`;
  const shown = study.columns.filter((column) => ["variable", "objective", "constraint"].includes(column.role) && !Number.isNaN(column.values[place]));
  return [head, ...shown.slice(0, MOST_LINES).map((column) => `${words(column.id)} = ${withUnit(column.shown(design), column.scale.unit)}`)];
}
