// The front as a figure over any columns: in space, in a plane, or as a matrix of pairs.
import { words } from "../format.js";
import { along, axis, axis3d, frame, GREY, marker, plain, ring } from "./looks.js";

// With more designs hover boxes name the axes alone, and planes are drawn by the graphics card.
const MOST_TEXTS = 3000;
const MOST_SVG = 400;
const SIZES = { "3d": 5, "2d": 9, matrix: 6 };

// One trace per layout, those outside the ranges in one of their own, the cloud behind all of them.
export function frontFigure(study, { mode, columns }, inside, cloud) {
  const many = study.designs.length > MOST_SVG || cloud !== null;
  const draw = (places, more) => ({ ...points(mode, columns, (column) => along(column, places), many), customdata: places, ...more });
  const texts = study.designs.length <= MOST_TEXTS;
  const shown = (places) => (texts ? { text: places.map((place) => designText(study, place)), hoverinfo: "text" } : { hoverinfo: "x+y+z+name" });
  const groups = study.layouts.map((layout, number) => {
    const mine = study.designs.flatMap((design, place) => (design.layout === layout ? [place] : []));
    const left = mine.filter((place) => inside[place]);
    const title = study.layouts.length > 1 ? layout : "front";
    const name = left.length === mine.length ? `${title} (${mine.length})` : `${title} (${left.length} of ${mine.length})`;
    return draw(left, { name: plain(name), meta: layout, marker: marker(number, SIZES[mode], many), ...shown(left) });
  });
  const out = study.designs.flatMap((_, place) => (inside[place] ? [] : [place]));
  const outside = draw(out, {
    name: `outside the ranges (${out.length})`, showlegend: out.length > 0, ...shown(out),
    marker: { color: GREY, symbol: "circle", size: Math.max(SIZES[mode] - 3, 3), opacity: 0.35 },
  });
  const behind = cloud === null || mode === "matrix" ? [] : cloud.traces(columns, (values) => points(mode, columns, values, true));
  return { data: filled([...behind, ...groups, outside], mode), layout: layoutOf(mode, columns) };
}

// Traces that mark designs in a figure that is saved; on the page the marks lie above it.
export function markTraces({ mode, columns }, designs) {
  const values = (column) => designs.map(({ design }) => column.of(design) * column.scale.factor);
  const symbols = designs.map(({ letter }) => (letter ? "square-open" : "circle-open"));
  if (!designs.length || mode === "matrix") return [];
  return [{ ...points(mode, columns, values, false), name: "selected and pinned", marker: ring(symbols, 16), showlegend: true }];
}

function points(mode, columns, values, many) {
  if (mode === "matrix") {
    // plotly.js cannot leave out the upper half of a matrix of two.
    return { type: "splom", dimensions: dimensions(columns, values), diagonal: { visible: false }, showupperhalf: columns.length < 3 };
  }
  const type = mode === "3d" ? "scatter3d" : many ? "scattergl" : "scatter";
  return { type, mode: "markers", ...Object.fromEntries(columns.map((column, place) => ["xyz"[place], values(column)])) };
}

const dimensions = (columns, values) => columns.map((column) => ({ label: plain(column.heading), values: values(column) }));

// A trace without points keeps its entry in the legend by one that is missing.
function filled(traces, mode) {
  if (mode === "matrix") return traces;
  return traces.map((trace) => (trace.x.length ? trace : { ...trace, ...Object.fromEntries(["x", "y", "z"].filter((name) => name in trace).map((name) => [name, [null]])) }));
}

function layoutOf(mode, columns) {
  const kept = `${mode} ${columns.map((column) => `${column.id} ${column.scale.unit}`)}`;
  if (mode === "3d") {
    const named = Object.fromEntries(columns.map((column, place) => [`${"xyz"[place]}axis`, axis3d(column)]));
    const scene = { ...named, aspectmode: "cube", dragmode: "turntable" };
    return frame({ scene, margin: { l: 0, r: 0, t: 8, b: 8 }, uirevision: kept });
  }
  if (mode === "2d") return frame({ xaxis: axis(columns[0]), yaxis: axis(columns[1]), uirevision: kept });
  const thin = columns.flatMap((column, place) => {
    const { title, ...rest } = axis(column);
    return ["x", "y"].map((letter) => [`${letter}axis${place ? place + 1 : ""}`, rest]);
  });
  return frame({ ...Object.fromEntries(thin), margin: { l: 80, r: 16, t: 16, b: 80 }, uirevision: kept });
}

function designText(study, place) {
  const design = study.designs[place];
  const head = `<b>${plain(design.layout)}</b>, design ${design.key.slice(0, 8)}`;
  const shown = study.columns.filter((column) => ["variable", "objective", "constraint"].includes(column.role) && !Number.isNaN(column.values[place]));
  return [head, ...shown.slice(0, 16).map((column) => plain(`${words(column.id)} = ${column.text(column.values[place])}`))].join("<br>");
}

