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
      {},
      h("thead", {}, h("tr", {}, HEAD.map((name, place) => h("th", { scope: "col", class: place > 2 && place < 6 ? "number" : null }, name)))),
      h("tbody", {}, contenders.map(row)),
    ),
  );
}

function row(contender) {
  const study = `/studies/${part(contender.study)}`;
  const named = (text) => h("span", { class: "unseen" }, ` of ${text}`);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, contender.label),
    h("td", { class: "short" }, contender.model),
    h("td", { class: "short" }, contender.state),
    h("td", { class: "number" }, `${contender.done} of ${contender.runs}`),
    h("td", { class: "number" }, String(contender.asked)),
    h("td", { class: "number" }, String(contender.front)),
    h(
      "td",
      { class: "ways" },
      h("a", { href: study }, "Runs", named(contender.label)),
      h("a", { href: reviewAddress(contender.study, contender.layout) }, "Review", named(contender.label)),
      h("a", { href: `${study}/report` }, "Report", named(contender.label)),
    ),
  );
}
