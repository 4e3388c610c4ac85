// Failed designs by kind, fetched when somebody opens the kind.
import { reviewAddress } from "../addresses.js";
import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { count, number, words } from "../format.js";

const PART = 20;

export function createFailures({ path, name }) {
  const element = h("div", { class: "failures" });
  const kinds = new Map();

  // Counts follow; a list that is open keeps what it shows until somebody asks for more.
  async function update(groups) {
    const totals = new Map();
    for (const group of groups.filter(({ verdict }) => verdict === "failed")) {
      totals.set(group.kind, (totals.get(group.kind) ?? 0) + group.designs);
    }
    for (const [kind, total] of totals) {
      if (!kinds.has(kind)) {
        kinds.set(kind, createKind(kind, { path, name }));
        element.append(kinds.get(kind).element);
      }
      kinds.get(kind).count(total);
    }
  }

  return { element, update };
}

function createKind(kind, { path, name }) {
  const title = h("summary", {});
  const body = h("tbody", {});
  const more = h("button", { type: "button", on: { click: load } }, "Show more");
  const head = h("tr", {}, ["Design", "Run", "Reason", "Variables"].map((text) => h("th", { scope: "col" }, text)));
  const region = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: `Designs that failed: ${words(kind)}` } }, h("table", {}, h("thead", {}, head), body));
  const element = h("details", { on: { toggle: () => element.open && !body.children.length && load() } }, title, region, more);
  let cursor;
  let busy = false;

  async function load() {
    if (busy) return;
    busy = true;
    try {
      const page = await get(`${path}/evaluations`, { state: "failed", kind, limit: PART, cursor });
      cursor = page.next;
      body.append(...page.items.map((item) => row(item, name)));
      more.hidden = !cursor;
    } catch (error) {
      replace(more, `Try again (${error.message})`);
    } finally {
      busy = false;
    }
  }

  return { element, count: (total) => (title.textContent = `${count(total)} failed: ${words(kind)}`) };
}

function row(item, name) {
  const variables = Object.entries(item.variables).map(([path, value]) => `${path} ${typeof value === "number" ? number(value) : JSON.stringify(value)}`);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: reviewAddress(name, item.layout, item.key) }, h("code", {}, item.key.slice(0, 10)))),
    h("td", {}, `${item.layout}, seed ${item.seed}`),
    h("td", { class: "long" }, item.reason),
    h("td", { class: "long" }, variables.join(", ")),
  );
}
