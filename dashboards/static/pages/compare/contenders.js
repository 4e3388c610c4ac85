// Who is compared, with the ways to each: run page, review and report.
import { reviewAddress } from "../addresses.js";
import { part } from "../api.js";
import { h } from "../dom.js";

const HEAD = ["compared", "model", "state", "runs done", "designs", "on the front", "look at"];

export function contendersTable(contenders) {
  return h(
    "div",
    { class: "box", tabindex: 0, role: "region", aria: { label: "What is compared" } },
    h(
      "table",
      { class: "texts", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, HEAD.map((name, place) => h("th", { scope: "col", role: "columnheader", class: place > 2 && place < 6 ? "number" : null }, name)))),
      h("tbody", { role: "rowgroup" }, contenders.map(row)),
    ),
  );
}

function row(contender) {
  const study = `/studies/${part(contender.study)}`;
  const named = (text) => h("span", { class: "unseen" }, ` of ${text}`);
  const ways = h(
    "span",
    {},
    h("a", { href: study }, "Runs", named(contender.label)),
    h("a", { href: reviewAddress(contender.study, contender.layout) }, "Review", named(contender.label)),
    h("a", { href: `${study}/report` }, "Report", named(contender.label)),
  );
  const cells = [
    ["short", contender.model],
    ["short", contender.state],
    ["number", `${contender.done} of ${contender.runs}`],
    ["number", String(contender.asked)],
    ["number", String(contender.front)],
    ["ways", ways],
  ];
  return h(
    "tr",
    { role: "row" },
    h("th", { scope: "row", role: "rowheader" }, contender.label),
    cells.map(([kind, content], place) => h("td", { class: kind, role: "cell", data: { head: HEAD[place + 1] } }, content)),
  );
}
