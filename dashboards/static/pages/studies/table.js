// The table of studies, and what is ticked in it.
/** @import { createActions } from "./actions.js" */
/** @import { Me, Schemas } from "../../core/types.js" */
import { selection } from "../../core/url_state.js";
import { changes } from "../../core/api.js";
import { h, replace, scrollBox } from "../../core/dom.js";
import {
  clock,
  count,
  counted,
  day,
  description,
  duration,
  quantity,
  tooltipText,
} from "../../core/format.js";
import { BUSY, MOVING, stateMark } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { createSelectionBar } from "./selection_bar.js";
import { frontThumbnail, sparkline } from "./thumbnails.js";

/** @typedef {ReturnType<typeof createActions>} Actions */
/** @typedef {{ id: string, label: string, tooltip?: string, value?: (item: Schemas["StudyOverview"]) => string | number }} Heading */

// ------------------------------------------------------------------ table

// The table of studies: a row for each, kept while it changes so that no focus is lost.
const GROWTH =
  "the volume of objective space that the front dominates, as it grew over the designs; more is better";
/** @type {Heading[]} */
const COLUMNS = [
  { id: "name", label: "Study", value: (item) => item.name },
  { id: "state", label: "State", value: (item) => item.state },
  { id: "progress", label: "Progress", value: (item) => item.share },
  { id: "growth", label: "Hypervolume", tooltip: GROWTH },
  { id: "best", label: "Best values" },
  { id: "owner", label: "Owner", value: (item) => item.owner },
  { id: "created", label: "Stored", value: (item) => item.created },
];

/** @param {{ who: Me, actions: Actions }} options */
export function createTable({ who, actions }) {
  /** @type {Map<string, ReturnType<typeof createRow>>} */
  const rows = new Map();
  /** @type {Set<string>} */
  const chosen = new Set();
  const body = h("tbody", { role: "rowgroup" });
  const heads = COLUMNS.map(head);
  const line = h(
    "tr",
    { role: "row" },
    h("th", { role: "columnheader" }, h("span", { class: "unseen" }, "Choose")),
    heads,
    h("th", { role: "columnheader" }, h("span", { class: "unseen" }, "Actions")),
  );
  const box = scrollBox(
    "Studies",
    h("table", { class: "studies", role: "table" }, h("thead", { role: "rowgroup" }, line), body),
  );
  const bar = createSelectionBar({ who, actions, clear });
  /** @type {Schemas["StudyOverview"][]} */
  let listed = [];
  const drafts = createDraftsFold(box);
  const element = h("div", {}, bar.element, drafts.element, box);

  /** @param {string} name @param {boolean} isChosen */
  function choose(name, isChosen) {
    isChosen ? chosen.add(name) : chosen.delete(name);
    showChosen();
  }

  function clear() {
    for (const name of chosen) rows.get(name)?.untick();
    chosen.clear();
    showChosen();
  }

  const showChosen = () => bar.update(listed.filter((item) => chosen.has(item.name)));

  /** @param {Schemas["StudyOverview"][]} items */
  function update(items) {
    const owned = items.some((item) => item.owner);
    box.classList.toggle("unowned", !owned);
    const ordered = sorted(items);
    const names = new Set(ordered.map((item) => item.name));
    for (const [name, row] of rows) {
      if (names.has(name)) continue;
      row.element.remove();
      rows.delete(name);
      chosen.delete(name);
    }
    ordered.forEach((item, place) => {
      const row = rows.get(item.name) ?? createRow(item, { who, actions, choose });
      rows.set(item.name, row);
      row.update(item);
      if (body.children[place] !== row.element) body.insertBefore(row.element, body.children[place] ?? null);
    });
    heads.forEach(mark);
    drafts.update(ordered);
    listed = ordered;
    showChosen();
  }

  return { element, update };
}

// Drafts are rows like all others; on a phone, where each fills a third of the window, they are folded beside studies.
/** @param {HTMLElement} box */
function createDraftsFold(box) {
  let isOpen = false;
  const element = h("button", { type: "button", class: "bare fold drafts", on: { click: toggle } });

  function toggle() {
    isOpen = !isOpen;
    show();
  }

  function show() {
    element.setAttribute("aria-expanded", String(isOpen));
    box.classList.toggle("without-drafts", !isOpen && !element.hidden);
  }

  /** @param {Schemas["StudyOverview"][]} items */
  function update(items) {
    const count = items.filter(({ state }) => state === "draft").length;
    element.hidden = !count || count === items.length;
    element.textContent = `Drafts (${count})`;
    show();
  }

  return { element, update };
}

/** @param {Heading} column */
function head(column) {
  const button =
    column.value &&
    h("button", { type: "button", class: "sort", on: { click: () => sortBy(column.id) } }, column.label);
  return h(
    "th",
    {
      scope: "col",
      role: "columnheader",
      class: column.id === "owner" ? "owner" : null,
      data: { column: column.id },
    },
    button || tipped(column.label, column.tooltip),
  );
}

/** @param {HTMLElement} head */
function mark(head) {
  const { sort, down } = selection.get();
  if (head.dataset.column === sort) head.setAttribute("aria-sort", down ? "descending" : "ascending");
  else head.removeAttribute("aria-sort");
}

// Up, down, and back to the newest first.
/** @param {string} id */
function sortBy(id) {
  const { sort, down } = selection.get();
  if (sort !== id) selection.set({ sort: id, down: null });
  else if (!down) selection.set({ down: "yes" });
  else selection.set({ sort: null, down: null });
}

/** @param {Schemas["StudyOverview"][]} items */
function sorted(items) {
  const { sort, down } = selection.get();
  const value = COLUMNS.find(({ id }) => id === sort)?.value;
  if (!value) return items;
  const sign = down ? -1 : 1;
  /** @param {string | number} one @param {string | number} other */
  const order = (one, other) => (one < other ? -sign : one > other ? sign : 0);
  return [...items].sort((one, other) => order(value(one), value(other)));
}

// ------------------------------------------------------------------ one row

// One study of the table. Its cells change with it, its buttons stay.
const SIGNS = { minimize: "↓", maximize: "↑" };
const SENSES = { minimize: "least", maximize: "most" };

/** @param {Schemas["StudyOverview"]} first @param {{ who: Me, actions: Actions, choose: (name: string, isChosen: boolean) => void }} options */
function createRow(first, { who, actions, choose }) {
  let item = first;
  let drawnText = "";
  const name = encodeURIComponent(item.name);
  const chooser = h("input", {
    type: "checkbox",
    aria: { label: `Tick ${item.name}` },
    on: { change: (event) => choose(item.name, event.currentTarget.checked) },
  });
  const about = h("span", { class: "note" });
  const tags = h("span", { class: "tags" });
  const cells = Object.fromEntries(
    ["state", "progress", "growth", "values"].map((id) => [id, h("td", { class: id, role: "cell" })]),
  );
  const archive = h("button", {
    type: "button",
    class: "bare",
    on: { click: () => actions.archiveAll([item], !item.archived) },
  });
  const remove = h(
    "button",
    {
      type: "button",
      class: "bare",
      aria: { label: `Delete ${item.name}` },
      on: { click: () => actions.removeAll([item]) },
    },
    "Delete",
  );
  const review = h(
    "a",
    { href: `/studies/${name}/review`, aria: { label: `Review ${item.name}` } },
    "Review",
  );
  const edit = h("a", { href: `/new?edit=${name}`, aria: { label: `Edit ${item.name}` } }, "Edit");
  const own = changes(who, item) ? [edit, archive, remove] : [];
  const element = h(
    "tr",
    { role: "row", data: { study: item.name } },
    h("td", { class: "pick", role: "cell" }, chooser),
    h(
      "th",
      { scope: "row", role: "rowheader" },
      h("a", { href: `/studies/${name}` }, item.name),
      about,
      tags,
    ),
    Object.values(cells),
    h(
      "td",
      { class: "owner", role: "cell" },
      item.owner || "–",
      item.visibility === "shared" && h("span", { class: "note" }, "shared"),
    ),
    h(
      "td",
      { class: "created short", role: "cell" },
      h(
        "time",
        { datetime: item.created },
        day(item.created),
        h("span", { class: "note" }, clock(item.created)),
      ),
    ),
    h("td", { role: "cell" }, h("div", { class: "row acts" }, review, own)),
  );

  /** @param {Schemas["StudyOverview"]} next */
  function update(next) {
    const text = JSON.stringify(next);
    if (text === drawnText) return;
    drawnText = text;
    item = next;
    element.classList.toggle("draft", item.state === "draft");
    replace(about, [
      h("span", { title: item.model }, item.model_title),
      item.description && h("span", { title: tooltipText(item.description) }, ` · ${item.description}`),
    ]);
    replace(tags, [
      item.source && h("span", { class: "tag from", title: item.source }, `imported from ${item.source}`),
      ...item.tags.map((tag) => chip(tag)),
    ]);
    replace(cells.state, stateMark(item.state));
    replace(cells.progress, progressOf(item));
    replace(cells.growth, sparkline(item.growth) ?? h("span", { class: "quiet" }, "–"));
    replace(cells.values, bestOf(item));
    archive.textContent = item.archived ? "Restore" : "Archive";
    archive.setAttribute("aria-label", `${archive.textContent} ${item.name}`);
    edit.hidden = item.state !== "draft";
    review.hidden = item.state === "draft"; // there is nothing to review
    remove.disabled = BUSY.has(item.state);
    remove.title = remove.disabled ? "Pause or stop it first" : "";
  }

  // A tag leads to the studies that have it; who may change the study can remove it.
  /** @param {string} tag */
  function chip(tag) {
    const find = () => selection.set({ search: tag });
    const label = `Remove the tag ${tag} of ${item.name}`;
    const removes = {
      type: "button",
      aria: { label },
      title: label,
      data: { icon: "close" },
      on: { click: () => actions.untagAll([item], tag) },
    };
    return h(
      "span",
      { class: "tag" },
      h("button", { type: "button", on: { click: find } }, tag),
      changes(who, item) && h("button", removes),
    );
  }

  const untick = () => {
    chooser.checked = false;
  };

  return { element, update, untick };
}

/** @param {Schemas["StudyOverview"]} item */
function progressOf(item) {
  const counts =
    item.planned === null
      ? counted(item.designs, "design")
      : `${count(item.designs)} of ${count(item.planned)}`;
  const left =
    item.state === "running" && item.seconds_left !== null ? `, ${duration(item.seconds_left)} left` : "";
  const failed = item.failed ? h("span", { class: "note" }, `${count(item.failed)} failed`) : null;
  const bar = h("progress", { max: 1, value: item.share, aria: { label: `Progress of ${item.name}` } });
  const spent = item.seconds ? h("span", { class: "note" }, duration(item.seconds)) : null;
  return [bar, h("span", { class: "note" }, counts + left), spent, failed];
}

// The text in place of best values while there are none.
/** @param {Schemas["StudyOverview"]} item */
function nothing(item) {
  if (!item.designs) return "–";
  if (item.feasible) return counted(item.feasible, "feasible design");
  return MOVING.has(item.state) || item.state === "paused" ? "no feasible design yet" : "no feasible design";
}

// The best value of each objective, and which layout has it where there are several.
/** @param {Schemas["StudyOverview"]} item */
function bestOf(item) {
  const several = item.layouts.length > 1;
  /** @param {Schemas["BestValue"]} best */
  const line = (best) =>
    h(
      "li",
      {},
      h(
        "span",
        { class: "quiet" },
        tipped(best.label, description(best.objective, "", best.sense)),
        " ",
        h("span", { aria: { label: SENSES[best.sense] }, role: "img" }, SIGNS[best.sense]),
      ),
      " ",
      h("span", { class: "short" }, quantity(best.value, best.unit)),
      several && best.value !== null && h("span", { class: "quiet" }, ` ${best.layout}`),
    );
  if (item.best.every((best) => best.value === null)) return h("span", { class: "quiet" }, nothing(item));
  return h(
    "div",
    { class: "front-and-best" },
    frontThumbnail(item),
    h("ul", { class: "plain" }, item.best.map(line)),
  );
}
