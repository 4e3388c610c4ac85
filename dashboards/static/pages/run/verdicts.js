// Why designs are on no front: reasons with their counts, and those that failed with their designs.
/** @import { RunContext } from "./page.js" */
/** @import { Schemas } from "../../core/types.js" */
import { reviewAddress } from "../../core/url_state.js";
import { get, messageOf } from "../../core/api.js";
import { h, replace, scrollBox } from "../../core/dom.js";
import { count, counted, description, number, percent, shortKey, words } from "../../core/format.js";
import { asCards } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";

const BROKEN = "constraint broken";

/** @param {RunContext} options @param {Schemas["StudyResource"]} study */
export function createReasons({ path, name }, study) {
  const layouts = Object.keys(study.definition.layouts ?? {});
  const summary = h("p", {});
  const body = h("tbody", {});
  const shownLayouts = layouts.length > 1 ? layouts : [];
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "Reason"),
    h("th", { scope: "col" }, "Verdict"),
    ["Designs", ...shownLayouts].map((text) => h("th", { scope: "col", class: "number" }, text)),
  );
  const table = h("table", { class: "verdicts" }, h("thead", {}, head), body);
  const box = scrollBox("Why designs are not feasible", table);
  const rarer = h("p", { class: "quiet small", hidden: true });
  const reasons = h("details", { hidden: true }, h("summary", {}, "Reasons"), box, rarer);
  const failures = createFailures({ path, name });
  const element = h(
    "section",
    { hidden: true },
    h("h2", {}, "What became of the designs"),
    summary,
    failures.element,
    reasons,
  );

  async function update() {
    const found = await get(`${path}/verdicts`);
    const tooltips = await tooltipsOf(found.groups);
    element.hidden = !found.designs;
    replace(summary, inWords(found));
    reasons.hidden = !found.groups.length;
    replace(
      body,
      found.groups.map((group) => reasonRow(group, shownLayouts, name, tooltips)),
    );
    asCards(table);
    rarer.hidden = !found.rarer;
    rarer.textContent = `And ${counted(found.rarer, "design")} with rarer reasons.`;
    await failures.update(found.groups);
  }

  // What the metrics of broken constraints are: asked for where there are some, as it loads the back-end.
  /** @param {Schemas["VerdictGroup"][]} groups @returns {Promise<Map<string, string>>} */
  async function tooltipsOf(groups) {
    if (!groups.some(({ verdict }) => verdict === BROKEN)) return new Map();
    const { metrics } = await get(`${path}/quantities`).catch(() => ({ metrics: [] }));
    return new Map(metrics.map(({ metric, meaning }) => [metric, description(metric, meaning)]));
  }

  return { element, update };
}

/** @param {Schemas["VerdictsResource"]} options */
function inWords({ designs, feasible, infeasible, constraint_broken: broken, failed, on_rungs: coarse }) {
  if (feasible === designs) return "Every design that was asked for is feasible.";
  /** @param {number} number */
  const share = (number) => `${count(number)} (${percent(number / designs)})`;
  const parts = [
    infeasible && `${share(infeasible)} cannot be built or do not work`,
    broken && `${share(broken)} break a constraint`,
    failed && `${share(failed)} failed to be computed`,
    coarse && `${share(coarse)} were evaluated on a lower rung only`,
  ].filter(Boolean);
  return `Of ${counted(designs, "design")}, ${parts.join(", ")}.`;
}

/** @param {Schemas["VerdictGroup"]} group @param {string[]} layouts @param {string} name @param {Map<string, string>} tooltips */
function reasonRow(group, layouts, name, tooltips) {
  const reason =
    group.verdict === BROKEN
      ? [tipped(words(group.reason), tooltips.get(group.reason)), " outside its bounds"]
      : group.reason || words(group.kind);
  const verdict = group.kind ? `${group.verdict}: ${words(group.kind)}` : group.verdict;
  const layout = Object.keys(group.layouts)[0] ?? "";
  const link =
    group.key && h("a", { class: "note", href: reviewAddress(name, layout, group.key) }, "one of them");
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, reason, link),
    h("td", { class: group.verdict === "failed" ? "bad" : null }, verdict),
    h("td", { class: "number" }, count(group.designs)),
    layouts.map((layout) => h("td", { class: "number" }, count(group.layouts[layout] ?? 0))),
  );
}

// ------------------------------------------------------------------ failed designs

// Failed designs by kind, fetched when somebody opens the kind.
const PART = 20;

/** @param {Pick<RunContext, "path" | "name">} options */
function createFailures({ path, name }) {
  const element = h("div", { class: "failures" });
  /** @type {Map<string, ReturnType<typeof createKind>>} */
  const kinds = new Map();

  // Counts follow; a list that is open keeps what it shows until somebody asks for more.
  /** @param {Schemas["VerdictGroup"][]} groups */
  async function update(groups) {
    const totals = new Map();
    for (const group of groups.filter(({ verdict }) => verdict === "failed")) {
      totals.set(group.kind, (totals.get(group.kind) ?? 0) + group.designs);
    }
    for (const [kind, total] of totals) {
      const known = kinds.get(kind) ?? createKind(kind, { path, name });
      kinds.set(kind, known);
      if (!known.element.isConnected) element.append(known.element);
      known.update(total);
    }
  }

  return { element, update };
}

/** @param {string} kind @param {Pick<RunContext, "path" | "name">} options */
function createKind(kind, { path, name }) {
  const title = h("summary", {});
  const body = h("tbody", {});
  const more = h("button", { type: "button", on: { click: load } }, "Show more");
  const head = h(
    "tr",
    {},
    ["Design", "Run", "Reason", "Variables"].map((text) => h("th", { scope: "col" }, text)),
  );
  const table = h("table", {}, h("thead", {}, head), body);
  const region = scrollBox(`Designs that failed: ${words(kind)}`, table);
  /** @type {HTMLDetailsElement} */
  const element = h(
    "details",
    { on: { toggle: () => element.open && !body.children.length && load() } },
    title,
    region,
    more,
  );
  /** @type {string | null | undefined} */
  let cursor;
  let busy = false;

  async function load() {
    if (busy) return;
    busy = true;
    try {
      const [page, { labels }] = await Promise.all([
        get(`${path}/evaluations`, { state: "failed", kind, limit: PART, cursor }),
        get(`${path}/quantities`),
      ]);
      cursor = page.next;
      body.append(...page.items.map((item) => failureRow(item, name, labels)));
      asCards(table);
      more.hidden = !cursor;
    } catch (error) {
      replace(more, `Try again (${messageOf(error)})`);
    } finally {
      busy = false;
    }
  }

  /** @param {number} total */
  function update(total) {
    title.textContent = `${count(total)} failed: ${words(kind)}`;
  }

  return { element, update };
}

/** @param {Schemas["AskedDesignResource"]} item @param {string} name @param {Record<string, string>} labels */
function failureRow(item, name, labels) {
  const variables = Object.entries(item.variables).map(
    ([path, value]) =>
      `${labels[path] ?? path} ${typeof value === "number" ? number(value) : JSON.stringify(value)}`,
  );
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("a", { href: reviewAddress(name, item.layout, item.key) }, h("code", {}, shortKey(item.key))),
    ),
    h("td", {}, `${item.layout}, seed ${item.seed}${item.rung ? `, rung ${item.rung}` : ""}`),
    h("td", { class: "long" }, item.reason),
    h("td", { class: "long" }, variables.join("; ")),
  );
}
