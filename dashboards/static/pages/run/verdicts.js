// Why designs are on no front: reasons with their counts, and those that failed with their designs.
import { reviewAddress } from "../addresses.js";
import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { count, counted, percent, words } from "../format.js";
import { createFailures } from "./failures.js";

export function createVerdicts({ path, name }, study) {
  const layouts = Object.keys(study.definition.layouts ?? {});
  const summary = h("p", {});
  const body = h("tbody", {});
  const shownLayouts = layouts.length > 1 ? layouts : [];
  const head = h("tr", {}, h("th", { scope: "col" }, "Reason"), h("th", { scope: "col" }, "Verdict"), ["Designs", ...shownLayouts].map((text) => h("th", { scope: "col", class: "number" }, text)));
  const box = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Why designs are not feasible" }, hidden: true }, h("table", { class: "verdicts" }, h("thead", {}, head), body));
  const rarer = h("p", { class: "quiet small", hidden: true });
  const failures = createFailures({ path, name });
  const element = h("section", { hidden: true }, h("h2", {}, "What became of the designs"), summary, box, rarer, failures.element);

  async function update() {
    const found = await get(`${path}/verdicts`);
    element.hidden = !found.designs;
    summary.textContent = inWords(found);
    box.hidden = !found.groups.length;
    replace(body, found.groups.map((group) => row(group, shownLayouts, name)));
    rarer.hidden = !found.rarer;
    rarer.textContent = `And ${counted(found.rarer, "design")} with rarer reasons.`;
    await failures.update(found.groups);
  }

  return { element, update };
}

function inWords({ designs, feasible, infeasible, constraint_broken: broken, failed }) {
  if (feasible === designs) return "Every design that was asked for is feasible.";
  const share = (number) => `${count(number)} (${percent(number / designs)})`;
  const parts = [
    infeasible && `${share(infeasible)} cannot be built, or not work`,
    broken && `${share(broken)} break a constraint`,
    failed && `${share(failed)} failed to be computed`,
  ].filter(Boolean);
  return `Of ${counted(designs, "design")}, ${parts.join(", ")}.`;
}

function row(group, layouts, name) {
  const reason = group.verdict === "constraint broken" ? `${words(group.reason)} outside its bounds` : group.reason || words(group.kind);
  const verdict = group.kind ? `${group.verdict}: ${words(group.kind)}` : group.verdict;
  const layout = Object.keys(group.layouts)[0] ?? "";
  const link = group.key && h("a", { class: "note", href: reviewAddress(name, layout, group.key) }, "one of them");
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, reason, link),
    h("td", { class: group.verdict === "failed" ? "bad" : null }, verdict),
    h("td", { class: "number" }, count(group.designs)),
    layouts.map((layout) => h("td", { class: "number" }, count(group.layouts[layout] ?? 0))),
  );
}
