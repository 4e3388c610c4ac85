// Studies with how far they are, from the server: part by part, and those of some names.
/** @import { Schemas } from "../../core/types.js" */
import { selection } from "../../core/url_state.js";
import { all, get, me, messageOf, online, writes } from "../../core/api.js";
import { byId, h, replace } from "../../core/dom.js";
import { announce, everyTenth, failure, notices } from "../../core/messages.js";
import { follow, throttled } from "../../core/stream.js";
import { controls, createActions, emptyText, noneText } from "./actions.js";
import { createFilters, passes, unfilter } from "./filters.js";
import { createTable } from "./table.js";

const PART = 100;
const MOST = 1000;

// Calls onPart(items, last, first) for each part until it returns false, all are there, or MOST are.
/** @param {string} search @param {boolean} archived @param {(items: Schemas["StudyOverview"][], last: boolean, first: boolean) => boolean} onPart */
async function load(search, archived, onPart) {
  /** @type {string | null | undefined} */
  let cursor;
  let shown = 0;
  do {
    /** @type {Schemas["Page_StudyOverview_"]} */
    const page = await get("overview", { search, archived, limit: PART, cursor });
    shown += page.items.length;
    const first = cursor === undefined;
    cursor = page.next;
    if (!onPart(page.items, !cursor, first)) return;
  } while (cursor && shown < MOST);
}

// The names of those that are listed, at most MOST, without what costs more.
/** @param {string} search @param {boolean} archived */
async function namesOf(search, archived) {
  return new Set((await all("studies", { search, archived }, MOST)).map((study) => study.name));
}

/** @param {string[]} names @param {string} search @param {boolean} archived */
async function loadNamed(names, search, archived) {
  return (await get("overview", { search, archived, limit: names.length, name: names })).items;
}

// Of a server that is away nothing is known.
const hasArchived = () =>
  get("overview", { archived: true, limit: 1 }).then(
    ({ items }) => items.length > 0,
    () => false,
  );

// ------------------------------------------------------------------ the page

// The studies of whoever is logged in: found, sorted, followed, archived, deleted.
const content = byId("content");
const CHECK_EVERY = 5000;
const messages = notices();
messages.region.classList.add("over"); // above the list, whose rows stay where they are
/** @type {Map<string, Schemas["StudyOverview"]>} */
const rows = new Map();
/** @type {Set<string>} */
const hidden = new Set();
/** @type {Set<string>} */
const changed = new Set();
/** @type {Map<string, (done: number, total: number) => void>} */
const announcers = new Map();
const place = h("div", {});
const filters = createFilters();
/** @type {ReturnType<typeof createTable>} */
let table;
let loading = 0;
let loaded = Promise.resolve();
let more = false;

const view = () => ({ search: selection.get().search ?? "", archived: selection.get().archived === "yes" });

// ------------------------------------------------------------ what is shown

function show() {
  const all = [...rows.values()].filter((item) => !hidden.has(item.name));
  const shown = all.filter(passes);
  filters.update(all);
  if (!shown.length && all.length) return void replace(place, noneText(unfilter));
  if (!shown.length) return void showEmpty();
  table.update(shown);
  const limit =
    more && h("p", { class: "quiet small" }, `The newest ${MOST} studies are shown; search for older ones.`);
  return replace(place, table.element, limit);
}

// An empty list says whether there are studies in the archive.
async function showEmpty() {
  const asked = view();
  const isWhole = !asked.search && !asked.archived;
  const allArchived = isWhole && (await hasArchived());
  const isEmpty = ![...rows.values()].some((item) => !hidden.has(item.name));
  if (!isEmpty || JSON.stringify(view()) !== JSON.stringify(asked)) return;
  replace(
    place,
    emptyText({ ...asked, allArchived }, (changes) => selection.set(changes)),
  );
}

function reload() {
  loaded = read(++loading);
  return loaded;
}

/** @param {number} turn */
async function read(turn) {
  const { search, archived } = view();
  try {
    await load(search, archived, (items, last, first) => {
      if (turn !== loading) return false;
      if (first) rows.clear();
      items.forEach((item) => rows.set(item.name, item));
      more = !last && rows.size >= MOST;
      show();
      content.removeAttribute("aria-busy");
      return true;
    });
    if (turn === loading) announce(search ? `${rows.size} found` : "");
  } catch (error) {
    if (turn === loading) failed(error);
  }
}

/** @param {unknown} error */
function failed(error) {
  content.removeAttribute("aria-busy");
  if (rows.size) return; // what is seen stays, the banner tells
  replace(place, failure(`The studies cannot be shown: ${messageOf(error)}.`, reload));
}

// ------------------------------------------------------------ what changes

const refresh = throttled(async () => {
  const turn = loading;
  await loaded; // a list that was asked for before these events must not come after what they change
  if (turn !== loading) return refresh();
  const names = [...changed].slice(0, 100);
  names.forEach((name) => changed.delete(name));
  const { search, archived } = view();
  try {
    const found = await loadNamed(names, search, archived);
    if (turn !== loading) return;
    const known = new Map(found.map((item) => [item.name, item]));
    for (const name of names) {
      const item = known.get(name);
      if (item) put(item);
      else rows.delete(name);
    }
    show();
  } catch {
    names.forEach((name) => changed.add(name)); // asked again when the server is back
  }
  if (changed.size && online.get()) refresh();
});

// A study that is deleted or archived elsewhere makes no event: whether the list is still the same is asked now and then.
const checkNames = throttled(async () => {
  const { search, archived } = view();
  const turn = loading;
  const found = await namesOf(search, archived).catch(() => null);
  if (!found || turn !== loading) return;
  for (const name of rows.keys()) if (!found.has(name) && rows.size < MOST) changed.add(name);
  for (const name of found) if (!rows.has(name) && rows.size < MOST) changed.add(name);
  if (changed.size) refresh();
});

// A new study stands first, one that is known stays where it is.
/** @param {Schemas["StudyOverview"]} item */
function put(item) {
  const before = rows.get(item.name);
  if (before) rows.set(item.name, item);
  else {
    const others = [...rows.values()];
    rows.clear();
    [item, ...others].forEach((other) => rows.set(other.name, other));
  }
  announceState(item, before);
}

/** @param {Schemas["StudyOverview"]} item @param {Schemas["StudyOverview"] | undefined} before */
function announceState(item, before) {
  if (before && before.state !== item.state) announce(`${item.name} is ${item.state}`);
  const announceShare =
    announcers.get(item.name) ?? everyTenth((percent) => announce(`${item.name}: ${percent} %`));
  announcers.set(item.name, announceShare);
  if (item.state === "running") announceShare(item.share, 1);
}

// ------------------------------------------------------------ the page

async function start() {
  const who = await me();
  const actions = createActions({ rows, hidden, show, messages });
  table = createTable({ who, actions });
  replace(content, controls(writes(who)), filters.element, messages.region, place);
  await reload();
  follow((event) => {
    changed.add(event.study);
    refresh();
  });
  let last = JSON.stringify(view());
  selection.listen(() => {
    const next = JSON.stringify(view());
    if (next !== last) reload();
    else show();
    last = next;
  });
  online.listen((answers) => answers && reload());
  setInterval(() => !document.hidden && online.get() && checkNames(), CHECK_EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || checkNames());
}

addEventListener("pagehide", messages.settle);
addEventListener("pageshow", (event) => event.persisted && reload());
start().catch(failed);
