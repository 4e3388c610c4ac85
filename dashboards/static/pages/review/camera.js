// Where somebody looks from in space, as the address of a page says it.
const PLACES = 3;

export const cameraText = ({ eye, center }) => [eye.x, eye.y, eye.z, center.x, center.y, center.z].map((value) => Number(value.toFixed(PLACES))).join(",");

// The camera that a text tells; null of another text.
export function cameraOf(text) {
  const values = (text || "none").split(",").map(Number);
  if (values.length !== 6 || values.some((value) => !Number.isFinite(value))) return null;
  const [x, y, z, cx, cy, cz] = values;
  return { eye: { x, y, z }, center: { x: cx, y: cy, z: cz }, up: { x: 0, y: 0, z: 1 }, projection: { type: "perspective" } };
}

// A camera, farther away for a narrow figure, where names of axes need room: up to which width, and how much farther.
export function fromAfar(camera, width, farther) {
  const [, back] = farther.find(([most]) => width < most) ?? [0, 1];
  const { x, y, z } = camera.eye;
  return { ...structuredClone(camera), eye: { x: back * x, y: back * y, z: back * z } };
}
