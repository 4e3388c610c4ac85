// The places of the review page, in the order in which one reads them; scripts fill them.
import { h } from "../dom.js";

// Returns { content, ...places by name }.
export function places() {
  const made = {
    picks: h("div", { class: "picks" }),
    axes: h("div", { class: "row axes" }),
    front: h("div", { class: "plot", id: "front", aria: { busy: "true" } }),
    frontCaption: h("figcaption", {}),
    cloud: h("label", {}, h("input", { type: "checkbox", id: "cloud" }), " All evaluations"),
    whole: h("label", { hidden: true }, h("input", { type: "checkbox", id: "whole" }), " Axes over all of them"),
    robot: h("figure", { class: "space", role: "group", aria: { label: "Robot of the selected design" } }),
    parallel: h("div", { class: "parallel", aria: { busy: "true" } }),
    count: h("div", { class: "row", id: "in-ranges" }),
    ranges: h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Ranges" } }),
    table: h("div", { class: "box tall", tabindex: 0, role: "region", aria: { label: "Designs on the front" } }),
    tableFoot: h("div", { class: "row" }),
    details: h("section", { class: "details", aria: { label: "Selected design" } }),
    pins: h("section", { class: "pins", hidden: true }),
  };
  const front = h("figure", { class: "space", role: "group", aria: { labelledby: "front-title" } },
    h("h2", { id: "front-title" }, "Front"), made.axes, h("div", { class: "marked" }, made.front), h("div", { class: "row" }, made.cloud, made.whole), made.frontCaption);
  const parallel = h("figure", { class: "wide", role: "group", aria: { labelledby: "parallel-title" } },
    h("h2", { id: "parallel-title" }, "Variables and objectives"), made.count, made.parallel,
    h("figcaption", {}, "Drag along an axis to set a range, click on it to let the range go, click on a line to select its design."),
    h("details", { id: "range-fields" }, h("summary", {}, "Ranges as numbers"), made.ranges));
  const designs = h("section", { aria: { labelledby: "table-title" } }, h("h2", { id: "table-title" }, "Designs"), made.table, made.tableFoot);
  made.content = [made.picks, h("div", { class: "review" }, front, made.robot), parallel, made.pins, h("div", { class: "review lists" }, designs, made.details)];
  return made;
}
