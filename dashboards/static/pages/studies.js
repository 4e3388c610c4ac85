// The studies of whoever is logged in: found, sorted, followed, archived, deleted.
import { tenths, say } from "./announce.js";
import { byId, h, replace } from "./dom.js";
import { notices } from "./notices.js";
import { online } from "./online.js";
import { paced } from "./paced.js";
import { selection } from "./selection.js";
import { follow } from "./stream.js";
import { me, writes } from "./who.js";
import { createActions } from "./studies/actions.js";
import { controls } from "./studies/controls.js";
import { emptyText } from "./studies/empty.js";
import { load, loadNamed, MOST, namesOf } from "./studies/list.js";
import { createTable } from "./studies/table.js";

const content = byId("content");
const LOOK = 5000;
const messages = notices();
messages.region.classList.add("over"); // above the list, whose rows stay where they are
const rows = new Map();
const hidden = new Set();
const changed = new Set();
const tellers = new Map();
const place = h("div", {});
let table;
let loading = 0;
let loaded = Promise.resolve();
let more = false;

const view = () => ({ search: selection.get().search ?? "", archived: selection.get().archived === "yes" });

// ------------------------------------------------------------ what is shown

function show() {
  const shown = [...rows.values()].filter((item) => !hidden.has(item.name));
  if (!shown.length) return replace(place, emptyText(view(), () => selection.set({ search: null })));
  table.update(shown);
  const limit = more && h("p", { class: "quiet small" }, `The newest ${MOST} studies are shown; search for older ones.`);
  return replace(place, table.element, limit);
}

function reload() {
  loaded = read(++loading);
  return loaded;
}

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
    if (turn === loading) say(search ? `${rows.size} found` : "");
  } catch (error) {
    if (turn === loading) failed(error);
  }
}

function failed(error) {
  content.removeAttribute("aria-busy");
  if (rows.size) return; // what is seen stays, the banner tells
  const again = h("button", { type: "button", on: { click: reload } }, "Try again");
  replace(place, h("div", { class: "fault", role: "alert" }, h("p", {}, `The studies cannot be shown: ${error.message}.`), again));
}

// ------------------------------------------------------------ what changes

const refresh = paced(async () => {
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
    for (const name of names) known.has(name) ? put(known.get(name)) : rows.delete(name);
    show();
  } catch {
    names.forEach((name) => changed.add(name)); // asked again when the server is back
  }
  if (changed.size && online.get()) refresh();
});

// A study that is deleted or archived elsewhere makes no event: whether the list is still the same is asked now and then.
const look = paced(async () => {
  const { search, archived } = view();
  const turn = loading;
  const found = await namesOf(search, archived).catch(() => null);
  if (!found || turn !== loading) return;
  for (const name of rows.keys()) if (!found.has(name) && rows.size < MOST) changed.add(name);
  for (const name of found) if (!rows.has(name) && rows.size < MOST) changed.add(name);
  if (changed.size) refresh();
});

// A new study stands first, one that is known stays where it is.
function put(item) {
  const before = rows.get(item.name);
  if (before) rows.set(item.name, item);
  else {
    const others = [...rows.values()];
    rows.clear();
    [item, ...others].forEach((other) => rows.set(other.name, other));
  }
  tell(item, before);
}

function tell(item, before) {
  if (before && before.state !== item.state) say(`${item.name} is ${item.state}`);
  if (!tellers.has(item.name)) tellers.set(item.name, tenths((percent) => say(`${item.name}: ${percent} %`)));
  if (item.state === "running") tellers.get(item.name)(item.share, 1);
}

// ------------------------------------------------------------ the page

async function start() {
  const who = await me();
  const actions = createActions({ rows, hidden, show, messages });
  table = createTable({ who, actions });
  replace(content, controls(writes(who)), messages.region, place);
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
  setInterval(() => !document.hidden && online.get() && look(), LOOK);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

addEventListener("pagehide", messages.settle);
addEventListener("pageshow", (event) => event.persisted && reload());
start().catch(failed);
