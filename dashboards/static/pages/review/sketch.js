// The front at first sight: its points on a canvas, seen from where the figure will show them. plotly.js takes a
// second or more to read and to draw in space; until then this stands in its place.
import { h } from "../dom.js";
import { words } from "../format.js";
import { settings } from "../plot.js";
import { colours, isDark } from "../theme.js";
import { colourOf, GREY } from "./looks.js";

const EDGES = [[0, 1], [0, 2], [1, 3], [2, 3], [4, 5], [4, 6], [5, 7], [6, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
const CORNERS = Array.from({ length: 8 }, (_, bits) => [0, 1, 2].map((axis) => ((bits >> axis) & 1) - 0.5));
const LENS = Math.tan(Math.PI / 8);
const FREE = { left: 64, top: 40, right: 16, bottom: 56 };

// A canvas as large as `box`, to lie above it.
export function sketch(study, { mode, columns }, inside, box, camera) {
  const [width, height] = [box.clientWidth, box.clientHeight];
  const fine = window.devicePixelRatio || 1;
  const canvas = h("canvas", { class: "sketch", width: Math.round(width * fine), height: Math.round(height * fine), aria: { hidden: "true" } });
  const context = canvas.getContext("2d");
  context.scale(fine, fine);
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  const { ink, grid } = colours();
  Object.assign(context, { strokeStyle: grid, fillStyle: ink });
  const place = mode === "3d" ? space(context, columns, width, height, camera) : plane(context, columns, width, height);
  study.designs.forEach((design, number) => {
    const [x, y] = place(columns.map((column) => column.values[number]));
    const colour = inside[number] ? colourOf(study.layouts.indexOf(design.layout)) : GREY;
    context.fillStyle = isDark() ? (settings.lifted[colour] ?? colour) : colour;
    context.globalAlpha = inside[number] ? 0.85 : 0.35;
    context.fillRect(x - 1.5, y - 1.5, 3, 3);
  });
  return canvas;
}

// Where a value stands between the ends of its axis: -0.5 to 0.5, with plotly.js's room beyond the ends.
function share(column) {
  const [low, high] = column.range ?? [0, 0];
  const room = (high - low) / 32 || Math.max(1, Math.abs(high) / 32);
  return (value) => (value - low + room) / (high - low + 2 * room) - 0.5;
}

function space(context, columns, width, height, camera) {
  const look = lens(camera, width, height);
  for (const [from, to] of EDGES) line(context, look(CORNERS[from]), look(CORNERS[to]));
  const ends = [[0, -0.55, -0.55], [0.55, 0, -0.55], [-0.55, -0.55, 0]];
  columns.forEach((column, axis) => context.fillText(words(column.id), ...look(ends[axis])));
  const shares = columns.map(share);
  return (values) => look(values.map((value, axis) => shares[axis](value)));
}

// Where a point of the unit cube is seen from the camera, in pixels.
function lens({ eye, center, up }, width, height) {
  const list = ({ x, y, z }) => [x, y, z];
  const back = unit(list(eye).map((value, axis) => value - list(center)[axis]));
  const right = unit(cross(list(up), back));
  const above = cross(back, right);
  return (point) => {
    const seen = point.map((value, axis) => value - list(eye)[axis]);
    const scale = height / (2 * LENS * -dot(seen, back));
    return [width / 2 + scale * dot(seen, right), height / 2 - scale * dot(seen, above)];
  };
}

// One plane; of a matrix, its first pair.
function plane(context, columns, width, height) {
  const [x, y] = [columns[0], columns[1] ?? columns[0]];
  const [wide, high] = [width - FREE.left - FREE.right, height - FREE.top - FREE.bottom];
  const at = (across, upwards) => [FREE.left + (across + 0.5) * wide, FREE.top + (0.5 - upwards) * high];
  line(context, at(-0.5, 0.5), at(-0.5, -0.5));
  line(context, at(-0.5, -0.5), at(0.5, -0.5));
  context.fillText(words(x.id), FREE.left + wide / 2, height - FREE.bottom / 3);
  context.fillText(words(y.id), FREE.left, FREE.top / 2);
  const [across, upwards] = [share(x), share(y)];
  return ([first, second]) => at(across(first), upwards(second ?? first));
}

function line(context, from, to) {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

const dot = (one, other) => one.reduce((sum, value, axis) => sum + value * other[axis], 0);
const unit = (vector) => vector.map((value) => value / Math.sqrt(dot(vector, vector)));
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
