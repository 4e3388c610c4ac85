// The part of a plane that is looked at, as the address says it: ends of both axes in SI, "low:high,low:high".
const DIGITS = 6;

// Of ranges as they are drawn; null where everything is shown.
export function zoomText(columns, ranges) {
  if (!ranges) return null;
  return ranges.map((ends, place) => ends.map((end) => Number((end / columns[place].scale.factor).toPrecision(DIGITS))).join(":")).join(",");
}

// The ranges of both axes, as they are drawn; null of another text.
export function zoomOf(columns, text) {
  const ranges = (text ?? "").split(",").map((ends) => ends.split(":").map(Number));
  if (ranges.length !== 2 || ranges.some((ends) => ends.length !== 2 || ends.some((end) => !Number.isFinite(end)))) return null;
  return ranges.map((ends, place) => ends.map((end) => end * columns[place].scale.factor));
}
