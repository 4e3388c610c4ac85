// Who is compared, with the ways to each: run page, review and report.
/** @import { Schemas } from "../../core/types.js" */
import { pathPart } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { cardTable } from "../../core/tables.js";
import { reviewAddress } from "../../core/url_state.js";

const HEAD = ["compared", "model", "state", "runs done", "designs", "on the front", "look at"];

/** @param {Schemas["ContenderResource"][]} contenders */
export function contendersTable(contenders) {
  const heads = HEAD.map((name, place) =>
    h("th", { scope: "col", class: place > 2 && place < 6 ? "number" : null }, name),
  );
  return cardTable("What is compared", heads, contenders.map(row), { kind: "dense" });
}

/** @param {Schemas["ContenderResource"]} contender */
function row(contender) {
  const study = `/studies/${pathPart(contender.study)}`;
  /** @param {string} text */
  const named = (text) => h("span", { class: "unseen" }, ` of ${text}`);
  const links = h(
    "span",
    {},
    h("a", { href: study }, "Runs", named(contender.label)),
    h("a", { href: reviewAddress(contender.study, contender.layout) }, "Review", named(contender.label)),
    h("a", { href: `${study}/report` }, "Report", named(contender.label)),
  );
  const cells = [
    ["short", h("span", { title: contender.model }, contender.model_title)],
    ["short", contender.state],
    ["number", `${contender.done} of ${contender.runs}`],
    ["number", String(contender.asked)],
    ["number", String(contender.front)],
    ["ways", links],
  ];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, contender.label),
    cells.map(([kind, content]) => h("td", { class: kind }, content)),
  );
}
