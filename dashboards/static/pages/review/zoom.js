// The part of a plane that is looked at, as the address says it: ends of both axes in SI, "low:high,low:high".
const DIGITS = 6;

// What a drawn figure shows; null where it shows everything.
export function zoomText(columns, { xaxis, yaxis }) {
  const drawn = [xaxis, yaxis];
  if (drawn.some((axis) => !axis?.range) || drawn.every((axis) => axis.autorange !== false)) return null;
  return drawn.map((axis, place) => axis.range.map((end) => Number((end / columns[place].scale.factor).toPrecision(DIGITS))).join(":")).join(",");
}

// The ranges of both axes, as they are drawn; null of another text.
export function zoomOf(columns, text) {
  const ranges = (text ?? "").split(",").map((ends) => ends.split(":").map(Number));
  if (ranges.length !== 2 || ranges.some((ends) => ends.length !== 2 || ends.some((end) => !Number.isFinite(end)))) return null;
  return ranges.map((ends, place) => ends.map((end) => end * columns[place].scale.factor));
}
