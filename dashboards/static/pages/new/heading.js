// The chosen back-end: its picture, what it computes, and what the study is called.
import { h } from "../dom.js";
import { unitText } from "../format.js";
import { area, entry, folded, section } from "./fields.js";
import { picture } from "./pictures.js";

export function heading(model) {
  return h(
    "div",
    { class: "chosen" },
    picture(model.model),
    h(
      "div",
      {},
      h("h2", {}, model.model),
      h("p", {}, model.summary),
      h("p", { class: "small quiet" }, `Version ${model.version}. ${model.source}`),
      folded("metrics", `What it computes (${model.metrics.length} metrics)`, table(model.metrics)),
    ),
  );
}

function table(metrics) {
  const head = ["metric", "unit", "better", "meaning"].map((text) => h("th", { scope: "col" }, text));
  const rows = metrics.map(({ metric, unit, better, meaning }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, metric),
      h("td", { class: "short" }, unitText(unit)),
      h("td", {}, better),
      h("td", { class: "long" }, meaning),
    ),
  );
  return h(
    "div",
    { class: "box", tabindex: 0, role: "region", aria: { label: "Metrics" } },
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
  );
}

export function naming(draft) {
  const seeds = draft.get("seeds");
  return section(
    "Study",
    null,
    h(
      "div",
      { class: "fields" },
      entry(
        { place: ["name"], label: "Name", hint: "a to z, 0 to 9 and hyphens; it is part of addresses" },
        { value: draft.get("name"), onType: (text) => draft.set(["name"], text.trim() || undefined) },
      ),
      entry(
        { place: ["seeds"], label: "Seeds", hint: "one run for each layout and seed; three or more show the effect of chance" },
        {
          value: Array.isArray(seeds) ? seeds.join(", ") : seeds,
          placeholder: "1",
          inputmode: "numeric",
          onType: (text) => draft.set(["seeds"], numbers(text)),
        },
      ),
      area(
        { place: ["description"], label: "Description", wide: true },
        { value: draft.get("description"), rows: 2, onType: (text) => draft.set(["description"], text || undefined) },
      ),
    ),
  );
}

function numbers(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.length ? parts.map((word) => (/^\d+$/.test(word) ? Number(word) : word)) : undefined;
}
