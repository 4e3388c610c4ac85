// Everything of a study as a file: tables, the study file, the report, and the figures as they are drawn.
/** @import { Child, Query } from "../../core/types.js" */
/** @import { Study } from "./study.js" */
/** @import { SavedFigures } from "./views.js" */
import { address } from "../../core/api.js";
import { h, saveFile } from "../../core/dom.js";
import { inside } from "./view_state.js";

const KINDS = [
  ["csv", "CSV"],
  ["parquet", "Parquet"],
  ["json", "JSON"],
];

/** @param {Study} study @param {SavedFigures} figures */
export function downloads(study, figures) {
  const { name } = study;
  return h(
    "details",
    { class: "menu" },
    h("summary", { data: { icon: "download" } }, "Download"),
    h(
      "ul",
      {},
      tables(study, "All evaluations", false),
      tables(study, "Designs on the front", true),
      saved("Designs that are shown", () => saveShown(study), ["csv"]),
      h("li", {}, link(study, "Study file (TOML)", "file", {}, `${name}.toml`)),
      h("li", {}, link(study, "Report (HTML)", "report", {}, `${name}.html`)),
      Object.entries(figures).map(([label, { save, formats }]) => saved(label, save, formats)),
    ),
  );
}

/** @param {Study} study @param {string} label @param {string} route @param {Query} query @param {string} file */
const link = ({ path }, label, route, query, file) =>
  h("a", { href: address(`${path}/${route}`, query), download: file }, label);

/** @param {Study} study @param {string} label @param {boolean} front */
function tables(study, label, front) {
  const links = KINDS.map(([format, kind]) =>
    link(
      study,
      kind,
      "export",
      { format, front: front || null },
      `${study.name}-${front ? "front" : "all"}.${format}`,
    ),
  );
  return h("li", {}, `${label}: `, separated(links, ", "));
}

// The designs that ranges and marks leave, with the units of their values in the headings, as tables of the server.
/** @param {Study} study */
function saveShown(study) {
  const columns = study.columns.filter(({ role }) => role !== "layout");
  const visible = inside(study);
  const head = columns.map(({ id, unit, options }) => (options || unit === "1" ? id : `${id} [${unit}]`));
  const rows = study.designs
    .filter((_, place) => visible[place])
    .map((design) => [design.layout, design.key, ...columns.map((column) => column.read(design))]);
  const lines = [["layout", "key", ...head], ...rows].map((cells) => `${cells.map(cellText).join(",")}\r\n`);
  saveFile(`${study.name}-shown.csv`, new Blob(lines, { type: "text/csv" }));
}

// A text that a spreadsheet would take for a formula has an apostrophe before it.
/** @param {unknown} value */
function cellText(value) {
  if (typeof value === "number") return String(value);
  const text = typeof value === "object" && value ? JSON.stringify(value) : String(value ?? "");
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}

/** @param {string} label @param {(format: string) => void} save @param {string[]} formats */
function saved(label, save, formats) {
  const buttons = formats.map((format) =>
    h("button", { type: "button", class: "link", on: { click: () => save(format) } }, format.toUpperCase()),
  );
  return h("li", {}, `${label}: `, separated(buttons, " "));
}

/** @param {Child[]} items @param {string} separator */
const separated = (items, separator) => items.map((item, place) => [place > 0 && separator, item]);
