// Where somebody looks from in space, as the address of a page says it.
/** @import { Axis } from "./axes_2d.js" */
/** @import { Renderer } from "./renderers.js" */
/** @import { Align, Camera, Corner, Palette, Point, TextLook } from "../types.js" */
import { arrow, fitted } from "./axes_2d.js";

const PLACES = 3;

/** @param {Camera} options */
export const cameraText = ({ eye, center }) =>
  [eye.x, eye.y, eye.z, center.x, center.y, center.z].map((value) => Number(value.toFixed(PLACES))).join(",");

// The camera from its text; null for any other text.
/** @param {string | null | undefined} text */
export function cameraOf(text) {
  const values = (text || "none").split(",").map(Number);
  if (values.length !== 6 || values.some((value) => !Number.isFinite(value))) return null;
  const [x, y, z, cx, cy, cz] = values;
  return {
    eye: { x, y, z },
    center: { x: cx, y: cy, z: cz },
    up: { x: 0, y: 0, z: 1 },
    projection: { type: "perspective" },
  };
}

// ------------------------------------------------------------------ three axes

// Three axes in perspective: the unit cube, seen by a camera that is described as plotly.js describes it, so that
// links from before show the same view. Nothing here needs a graphics card.
const LENS = Math.tan(Math.PI / 8);
const CORNERS = Array.from({ length: 8 }, (_, bits) => [0, 1, 2].map((axis) => ((bits >> axis) & 1) - 0.5));
const EDGE = { left: 62, right: 62, top: 30, bottom: 44 };
const LOWEST = 0.42;
const SLIM = 480;
const NARROW = 0.8;
const TICKS = 5;
const WAYS = { azimuths: [310, 30, 60, 120, 150, 210, 240, 300, 330], heights: [22, 34] };
const USUAL = 1.05;
const LOOKED_AT = 400;
// Component of the direction of sight along an axis from which on one looks along it.
const HEAD_ON = 1 - 1e-5;
// Axes shorter than this [px] point at whoever looks.
const POINTING = 12;

export class Axes3D {
  width = 1;
  height = 1;
  scale = 1;
  // How long the sides of the box are; one below zero runs backwards.
  /** @type {Point} */
  sides = [1, 1, 1];
  /** @type {Point} */
  eye = [0, 0, 0];
  /** @type {Point} */
  back = [0, 0, 0];
  /** @type {Point} */
  right = [0, 0, 0];
  /** @type {Point} */
  above = [0, 0, 0];

  margins = EDGE;

  /** @param {Axis[]} axes */
  constructor(axes) {
    this.axes = axes;
    /** @type {Camera | null} */
    this.camera = null;
  }

  // A wide figure has a box that is as much wider than high.
  /** @param {Renderer} pen @param {number} width @param {number} height */
  lay(pen, width, height) {
    this.width = width;
    this.height = height;
    this.sides = [1, 1, Math.min(1, Math.max(LOWEST, (0.72 * height) / width))];
    this.aim();
  }

  // What follows from the camera.
  aim() {
    if (!this.camera) return;
    const { eye, center } = this.camera;
    this.eye = list(eye);
    this.back = unit(minus(this.eye, list(center)));
    this.right = unit(cross([0, 0, 1], this.back));
    if (!this.right.some(Boolean)) this.right = [1, 0, 0]; // from straight above
    this.above = cross(this.back, this.right);
    this.scale = Math.min(this.height, NARROW * this.width) / (2 * LENS);
  }

  /** @param {Camera} camera */
  turn(camera) {
    this.camera = camera;
    this.aim();
  }

  // The point that the camera looks at, and how far away it is.
  lookedAt() {
    const center = this.camera ? list(this.camera.center) : [0, 0, 0];
    return { center, distance: Math.hypot(...this.eye.map((value, axis) => value - center[axis])) };
  }

  // A plan or an elevation, which is drawn without perspective: lengths in it can be compared.
  isHeadOn() {
    return Math.max(...this.back.map(Math.abs)) > HEAD_ON;
  }

  // Pixels of shares, and how far away.
  /** @param {number[]} shares */
  point([x, y, z]) {
    const [wide, deep, high] = this.sides;
    const seen = minus([x * wide, y * deep, z * high], this.eye);
    const away = -dot(seen, this.back);
    const scale = this.scale / Math.max(this.isHeadOn() ? this.lookedAt().distance : away, 1e-6);
    return [
      this.width / 2 + scale * dot(seen, this.right),
      this.height / 2 - scale * dot(seen, this.above),
      away,
    ];
  }

  // Look at points `(n)` of shares from where they spread most, with the cube as large as there is room.
  /** @param {Point[]} points */
  fit(points) {
    const flat = points.map((point) => point.map((share, axis) => share * this.sides[axis]));
    const some = flat.filter((_, place) => place % Math.ceil(points.length / LOOKED_AT) === 0);
    const ways = WAYS.heights.flatMap((height) => WAYS.azimuths.map((azimuth) => direction(azimuth, height)));
    const merits = ways.map((way, place) => spread(way, some) * (place ? 1 : USUAL));
    this.fitAlong(ways[merits.indexOf(Math.max(...merits))]);
  }

  // Look at the box from a direction, with the box as large as there is room.
  /** @param {Point} from */
  fitAlong(from) {
    const way = unit(from);
    const edge = this.margins;
    let [center, distance] = [[0, 0, 0], 2.2];
    for (let turn = 0; turn < 12; turn += 1) {
      this.turn(cameraAt(center, way, distance));
      const seen = CORNERS.map((corner) => this.point(corner));
      const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const room = [
        Math.max(this.width - edge.left - edge.right, 60),
        Math.max(this.height - edge.top - edge.bottom, 60),
      ];
      const pixels = this.scale / distance;
      const [across, upwards] = [
        (left + right - this.width - edge.left + edge.right) / 2,
        (top + bottom - this.height - edge.top + edge.bottom) / 2,
      ];
      center = center.map(
        (value, axis) => value + (across * this.right[axis] - upwards * this.above[axis]) / pixels,
      );
      distance *= Math.max((right - left) / room[0], (bottom - top) / room[1]);
    }
    this.turn(cameraAt(center, way, distance));
  }

  /** @param {Renderer} pen @param {Palette} options */
  draw(pen, { ink, quiet, grid, accent }) {
    const far = [0, 1, 2].map((axis) => (this.back[axis] * this.sides[axis] > 0 ? -0.5 : 0.5));
    for (const axis of [0, 1, 2]) this.wall(pen, axis, far, grid);
    for (const axis of [0, 1, 2]) this.scaleAlong(pen, axis, { ink, quiet, accent });
  }

  // Lines at the numbers of an axis on the two walls behind the points that it lies in.
  /** @param {Renderer} pen @param {number} axis @param {Point} far @param {string} colour */
  wall(pen, axis, far, colour) {
    const others = [0, 1, 2].filter((other) => other !== axis);
    const shares = [-0.5, ...this.axes[axis].ticks(TICKS).map(({ share }) => share), 0.5];
    for (const share of shares) {
      for (const across of others) {
        const fixed = 3 - axis - across;
        const ends = [-0.5, 0.5].map((end) =>
          this.point(
            placed([
              [axis, share],
              [across, end],
              [fixed, far[fixed]],
            ]),
          ),
        );
        pen.line(ends, { colour });
      }
    }
  }

  // Numbers, title and arrow along the edge of the cube where they hide nothing.
  /** @param {Renderer} pen @param {number} axis @param {Pick<Palette, "ink" | "quiet" | "accent">} palette */
  scaleAlong(pen, axis, { ink, quiet, accent }) {
    const [from, to] = this.edge(axis);
    const [start, end] = [this.point(from), this.point(to)];
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) < POINTING) return;
    const out = this.outwards(start, end);
    const align = Math.abs(out[0]) < 0.35 ? "center" : out[0] < 0 ? "right" : "left";
    pen.line([start, end], { colour: quiet, width: 1.25 });
    arrow(pen, start, end, this.axes[axis].better, accent);
    /** @type {Point | null} */
    let last = null;
    let widest = 0;
    for (const { share, text } of this.axes[axis].ticks(TICKS)) {
      const [x, y] = this.point(from.map((value, other) => (other === axis ? share : value)));
      const at = [x + 9 * out[0], y + 9 * out[1]];
      const wide = pen.measure(text, 11);
      if (last && Math.abs(at[0] - last[0]) < wide + 4 && Math.abs(at[1] - last[1]) < 13) continue;
      last = at;
      widest = Math.max(widest, wide);
      this.write(pen, at, text, align, { colour: quiet, size: 11 });
    }
    const title = this.titlePlace(axis, [start, end], out, widest);
    this.write(pen, title.at, this.axes[axis].title, title.align ?? align, { colour: ink });
  }

  // Where the title of an axis stands: above the upright one, beside the numbers of the others.
  /** @param {number} axis @param {Point[]} ends @param {Point} out @param {number} widest @returns {{ at: Point, align?: Align }} */
  titlePlace(axis, [start, end], out, widest) {
    if (axis === 2) {
      const top = end[1] < start[1] ? end : start;
      return { at: [top[0], top[1] - 18], align: "center" };
    }
    // Beside the numbers there is no room: below everything, each at its side.
    if (this.width < SLIM)
      return out[0] < 0
        ? { at: [0, this.height - 9], align: "left" }
        : { at: [this.width, this.height - 25], align: "right" };
    const away = 22 + widest * Math.abs(out[0]) + 8 * Math.abs(out[1]);
    return { at: [0, 1].map((place) => (start[place] + end[place]) / 2 + away * out[place]) };
  }

  // A text inside of the figure, wherever its place lies.
  /** @param {Renderer} pen @param {Point} at @param {string} title @param {Align} align @param {TextLook} look */
  write(pen, [x, y], title, align, { colour, size = 12 }) {
    const text = fitted(pen, title, this.width - 12);
    const wide = pen.measure(text, size);
    const [left, right] = { center: [wide / 2, wide / 2], right: [wide, 0], left: [0, wide] }[align];
    pen.text(within(x, left + 3, this.width - right - 3), within(y, 9, this.height - 9), text, {
      colour,
      align,
      size,
    });
  }

  // The ends of the edge along an axis that has nothing of the cube before it: below in front, and upright at the left.
  /** @param {number} axis */
  edge(axis) {
    const others = [0, 1, 2].filter((other) => other !== axis);
    const sides = [
      [-0.5, -0.5],
      [-0.5, 0.5],
      [0.5, -0.5],
      [0.5, 0.5],
    ];
    const edges = sides.map((side) =>
      [-0.5, 0.5].map((end) =>
        placed([
          [axis, end],
          [others[0], side[0]],
          [others[1], side[1]],
        ]),
      ),
    );
    /** @param {number[][]} ends */
    const cost = ([from, to]) => {
      const [start, end] = [this.point(from), this.point(to)];
      return axis === 2 ? start[0] + end[0] : -(start[1] + end[1]);
    };
    const floor = -0.5 * Math.sign(this.sides[2]);
    const offered = axis === 2 ? edges : edges.filter(([from]) => from[2] === floor);
    return offered.reduce((best, edge) => (cost(edge) < cost(best) ? edge : best));
  }

  // Away from the cube, at a right angle to an edge.
  /** @param {Point} start @param {Point} end */
  outwards(start, end) {
    const [x, y] = this.point([0, 0, 0]);
    const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
    const across = [-(end[1] - start[1]) / length, (end[0] - start[0]) / length];
    const side = across[0] * (middle[0] - x) + across[1] * (middle[1] - y) < 0 ? -1 : 1;
    return across.map((value) => side * value);
  }

  // Lines from a point down to the floor and over it to the two axes that lie there.
  /** @param {number[]} shares */
  drops([x, y, z]) {
    const [[, besideX], [besideY]] = [this.edge(0)[0], this.edge(1)[0]];
    const foot = this.point([x, y, -0.5]);
    return [
      [this.point([x, y, z]), foot],
      [foot, this.point([x, besideX, -0.5])],
      [foot, this.point([besideY, y, -0.5])],
    ];
  }
}

/** @param {number[][]} pairs */
const placed = (pairs) => pairs.reduce((point, [axis, value]) => ((point[axis] = value), point), [0, 0, 0]);
/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
/** @param {Corner} options */
const list = ({ x, y, z }) => [x, y, z];
/** @param {Point} one @param {Point} other */
const minus = (one, other) => one.map((value, axis) => value - other[axis]);
/** @param {Point} one @param {Point} other */
const dot = (one, other) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
/** @param {Point} vector */
const unit = (vector) => vector.map((value) => value / (Math.sqrt(dot(vector, vector)) || 1));
/** @param {Point} one @param {Point} other */
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];

/** @param {number} azimuth @param {number} height */
function direction(azimuth, height) {
  const [turn, rise] = [azimuth, height].map((degrees) => (degrees * Math.PI) / 180);
  return [Math.cos(turn) * Math.cos(rise), Math.sin(turn) * Math.cos(rise), Math.sin(rise)];
}

/** @param {Point} center @param {Point} way @param {number} distance */
export function cameraAt(center, way, distance) {
  /** @param {Point} options */
  const named = ([x, y, z]) => ({ x, y, z });
  return {
    eye: named(center.map((value, axis) => value + distance * way[axis])),
    center: named(center),
    up: { x: 0, y: 0, z: 1 },
  };
}

// How large an area points cover that are seen along a direction.
/** @param {Point} way @param {Point[]} points */
function spread(way, points) {
  const right = unit(cross([0, 0, 1], way));
  const above = cross(way, right);
  const seen = points.map((point) => [dot(point, right), dot(point, above)]);
  const mean = [0, 1].map((axis) => seen.reduce((sum, one) => sum + one[axis], 0) / Math.max(seen.length, 1));
  /** @param {number} one @param {number} other */
  const product = (one, other) =>
    seen.reduce((sum, point) => sum + (point[one] - mean[one]) * (point[other] - mean[other]), 0);
  return Math.sqrt(Math.max(product(0, 0) * product(1, 1) - product(0, 1) ** 2, 0));
}
