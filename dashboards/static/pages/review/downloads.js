// Everything of a study as a file.
import { address } from "../api.js";
import { h } from "../dom.js";

const KINDS = [["csv", "CSV"], ["parquet", "Parquet"], ["json", "JSON"]];

export function downloads(study, figures) {
  const { path, name } = study;
  const link = (label, where, query, file) => h("a", { href: address(`${path}/${where}`, query), download: file }, label);
  const tables = (label, front) => h("li", {}, `${label}: `, KINDS.map(([format, kind], place) =>
    [place > 0 && ", ", link(kind, "export", { format, front: front || null }, `${name}-${front ? "front" : "all"}.${format}`)]));
  const saved = (label, what, formats) => h("li", {}, `${label}: `, formats.map((format, place) =>
    [place > 0 && " ", h("button", { type: "button", class: "link", on: { click: () => figures[what](format) } }, format.toUpperCase())]));
  return h("details", { class: "menu" }, h("summary", {}, "Download"), h("ul", {},
    tables("All evaluations", false), tables("Designs on the front", true),
    h("li", {}, link("Study file (TOML)", "file", {}, `${name}.toml`)), h("li", {}, link("Report (HTML)", "report", {}, `${name}.html`)),
    saved("Front as drawn", "front", ["svg", "png"]), saved("Robot as drawn", "robot", ["svg", "png"]), saved("Parallel coordinates", "parallel", ["png"])));
}

export function saveText(name, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
