// Plain names of parameters and quantities; the names of study files stand in tooltips.
/** @import { Model } from "../../core/parameters.js" */
import { words } from "../../core/format.js";

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// "fixed-length" -> "fixed length", "rod-1.5mm" as it is
/** @param {string} preset */
export const presetName = (preset) => preset.replaceAll(/[-_](?=[a-z])/gi, " ");

// "attachments.3.0" -> "Cable 4, attachment x"
/** @param {Model} model @param {string} path */
export function parameterName(model, path) {
  const [name, ...inside] = path.split(".");
  const schema = model.fields[name];
  if (!schema || !inside.length) return capital(schema?.label ?? words(path));
  const place = Number(inside[0]);
  const { item, parts } = schema;
  if (parts && !item && inside.length === 1) return capital(`${words(name)}, ${parts[place] ?? place + 1}`);
  const found = Array.isArray(item) ? item[place] : item?.replace("{}", String(place + 1));
  const rest = inside.slice(1).map((key) => (parts ?? "xyz")[Number(key)] ?? words(key));
  return capital([found ?? `${words(name)} ${place + 1}`, ...rest].join(" "));
}

/** @type {Record<string, string>} */
const STATISTICS = {
  mean: "mean over robots",
  sd: "standard deviation over robots",
  q05: "5 % quantile over robots",
  q50: "median over robots",
  q95: "95 % quantile over robots",
  worst: "worst robot",
};
export const PROBABILITY = "robust.probability_feasible";

// The statistics over the robots of a design that a quantity has, in a study with tolerances.
/** @param {string} name */
export const statisticsOf = (name) => Object.keys(STATISTICS).map((one) => `robust.${name}.${one}`);

// The quantity that a statistic over robots is about; any other is its own.
/** @param {string} name */
export const plainQuantity = (name) => /^robust\.(.+)\.[a-z0-9]+$/.exec(name)?.[1] ?? name;

/** @param {Model} model @param {string} name @returns {string} */
export function quantityName(model, name) {
  if (name === PROBABILITY) return "Share of robots that keep all limits";
  const plain = plainQuantity(name);
  if (plain === name) return capital(model.metric(name)?.label || words(name));
  return `${quantityName(model, plain)}: ${STATISTICS[name.slice(name.lastIndexOf(".") + 1)] ?? ""}`;
}
