// Above the list: search, the two views, a new study.
/** @import { Notices, Schemas } from "../../core/types.js" */
import { selection } from "../../core/url_state.js";
import { get, messageOf, pathPart, send, statusOf, studyPath } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { askDialog } from "../../core/messages.js";
import { importButton } from "./import_results.js";

const PAUSE = 250;

/** @param {boolean} writes */
export function controls(writes) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const search = h("input", {
    type: "search",
    id: "search",
    value: selection.get().search ?? "",
    maxlength: 200,
    autocomplete: "off",
    placeholder: "Name, description, model, tag",
    on: { input: typed },
  });
  const form = h(
    "form",
    { role: "search", class: "row", on: { submit: now } },
    h("label", { for: "search", data: { icon: "search" } }, "Search"),
    search,
  );
  const current = choice("Current", null);
  const archive = choice("Archive", "yes");
  const views = h("div", { class: "row", role: "group", aria: { label: "Which studies" } }, current, archive);
  const link =
    writes &&
    h(
      "div",
      { class: "row" },
      importButton(),
      h("a", { class: "button main", href: "/new", data: { icon: "plus" } }, "New study"),
    );

  function typed() {
    clearTimeout(timer);
    timer = setTimeout(apply, PAUSE);
  }

  /** @param {Event} event */
  function now(event) {
    event.preventDefault();
    clearTimeout(timer);
    apply();
  }

  const apply = () => selection.set({ search: search.value.trim() });

  function pressed() {
    const archived = selection.get().archived === "yes";
    current.setAttribute("aria-pressed", String(!archived));
    archive.setAttribute("aria-pressed", String(archived));
    if (document.activeElement !== search) search.value = selection.get().search ?? "";
  }

  pressed();
  selection.listen(pressed);
  return h("div", { class: "row tools" }, form, views, link);
}

/** @param {string} label @param {string | null} archived */
const choice = (label, archived) =>
  h("button", { type: "button", on: { click: () => selection.set({ archived }) } }, label);

// ------------------------------------------------------------------ actions

// What can be done to a study of the list. Deleting waits until it can no longer be undone.
/** @param {{ rows: Map<string, Schemas["StudyOverview"]>, hidden: Set<string>, show: () => void, messages: Notices }} options */
export function createActions({ rows, hidden, show, messages }) {
  /** @param {string} name */
  function hide(name) {
    hidden.add(name);
    show();
  }

  /** @param {string} name */
  function bring(name) {
    hidden.delete(name);
    show();
  }

  // Decisions are history, so nobody deletes them without being asked. Says whether it is done.
  /** @param {Schemas["StudyOverview"][]} items @param {{ asks?: boolean, kept?: string }} [options] */
  async function removeAll(items, { asks = false, kept = "" } = {}) {
    const decided = await decisionsOf(items);
    const total = decided.reduce((sum, { count }) => sum + count, 0);
    if ((asks || total) && !(await askDialog(deletion(items, decided, total, kept)))) return false;
    removeLater(items, total > 0);
    return true;
  }

  // The rows disappear at once; the studies are deleted when the time for Undo is over, or the user leaves the page.
  /** @param {Schemas["StudyOverview"][]} items @param {boolean} withDecisions */
  function removeLater(items, withDecisions) {
    items.forEach((item) => hide(item.name));
    const undo = messages.done(`Deleted ${called(items)}.`, {
      undo: () => items.forEach((item) => bring(item.name)),
      end: () => items.forEach((item) => removeNow(item, withDecisions)),
    });
    undo.focus();
  }

  /** @param {Schemas["StudyOverview"]} item @param {boolean} withDecisions */
  async function removeNow(item, withDecisions) {
    try {
      const query = { with_decisions: withDecisions || null };
      await send("DELETE", studyPath(item.name), undefined, { query, keepalive: true });
      rows.delete(item.name);
      hidden.delete(item.name);
    } catch (error) {
      if (statusOf(error) === 404) return;
      bring(item.name);
      messages.fault(`${item.name} was not deleted: ${messageOf(error)}`);
    }
  }

  /** @param {Schemas["StudyOverview"][]} items @param {boolean} archived */
  async function archiveAll(items, archived) {
    items.forEach((item) => hide(item.name));
    const done = await each(items, (item) => edit(item, archived));
    done.forEach((item) => rows.delete(item.name));
    items.forEach((item) => bring(item.name));
    if (!done.length) return;
    const text = archived
      ? `Archived ${called(done)}.`
      : `${called(done)} ${done.length > 1 ? "are" : "is"} current again.`;
    messages.done(text, { undo: () => takeBack(done, archived) }).focus();
  }

  /** @param {Schemas["StudyOverview"][]} items @param {boolean} archived */
  async function takeBack(items, archived) {
    const done = await each(items, (item) => edit(item, !archived));
    done.forEach((item) => rows.set(item.name, item));
    show();
  }

  /** @param {Schemas["StudyOverview"][]} items @param {string} text */
  async function tagAll(items, text) {
    const done = await each(items, ({ name }) =>
      send("POST", `studies/${pathPart(name)}/annotations`, { kind: "tag", text }),
    );
    retag(done, (tags) => (tags.includes(text) ? tags : [...tags, text]));
  }

  // A study may have changed, or be gone from the list, since somebody asked for the tag.
  /** @param {Schemas["StudyOverview"][]} items @param {(tags: string[]) => string[]} change */
  function retag(items, change) {
    for (const { name } of items) {
      const now = rows.get(name);
      if (now) rows.set(name, { ...now, tags: change(now.tags) });
    }
    show();
  }

  // What belongs to the studies themselves is listed with what belongs to their designs, which have a key.
  /** @param {Schemas["StudyOverview"][]} items @param {string} text */
  async function untagAll(items, text) {
    const done = await each(items, async ({ name }) => {
      const { items: found } = await get(`${studyPath(name)}/annotations`);
      const tag = found.find((one) => one.kind === "tag" && one.key === "" && one.text === text);
      if (tag) await send("DELETE", `${studyPath(name)}/annotations/${pathPart(tag.id)}`);
    });
    retag(done, (tags) => tags.filter((other) => other !== text));
    if (!done.length) return;
    const again = () =>
      tagAll(
        done.flatMap(({ name }) => rows.get(name) ?? []),
        text,
      );
    messages.done(`Removed the tag ${text} of ${called(done)}.`, { undo: again }).focus();
  }

  // Those for which it worked; a message names each of the others.
  /** @param {Schemas["StudyOverview"][]} items @param {(item: Schemas["StudyOverview"]) => Promise<unknown>} work */
  async function each(items, work) {
    const done = [];
    for (const item of items) {
      try {
        await work(item);
        done.push(item);
      } catch (error) {
        messages.fault(`${item.name} was not changed: ${messageOf(error)}`);
      }
    }
    return done;
  }

  return { removeAll, archiveAll, tagAll, untagAll };
}

/** @param {Schemas["StudyOverview"]} item @param {boolean} archived */
const edit = ({ name }, archived) => send("PATCH", `studies/${pathPart(name)}`, { archived });

// The studies on which somebody has decided, and how often; of one that cannot be asked, its deletion will tell.
/** @param {Schemas["StudyOverview"][]} items */
async function decisionsOf(items) {
  const counts = items.map(async ({ name }) => {
    const found = await get(`${studyPath(name)}/decisions`).catch(() => ({ items: [] }));
    return { name, count: found.items.length };
  });
  return (await Promise.all(counts)).filter(({ count }) => count);
}

// The question before studies are deleted.
/** @param {Schemas["StudyOverview"][]} items @param {{ name: string, count: number }[]} decided @param {number} total @param {string} kept */
function deletion(items, decided, total, kept) {
  const names = items.map((item) => item.name).join(", ");
  const each = decided.map(({ name, count }) => `${name} holds ${counted(count, "decision")}`).join(", ");
  const lost = total ? ` ${each}: a record that is lost with it. The archive keeps both.` : "";
  return {
    title: `Delete ${items.length > 1 ? counted(items.length, "study", "studies") : names}?`,
    text: `${names} and the designs that no other study uses.${lost}${kept}`,
    action: total ? `Delete with ${counted(total, "decision")}` : "Delete",
    read: () => true,
  };
}

/** @param {Schemas["StudyOverview"][]} items */
const called = (items) => (items.length > 1 ? `${items.length} studies` : items[0].name);

// ------------------------------------------------------------------ an empty list

// The text where the filters leave no study.
/** @param {() => void} clear */
export function noneText(clear) {
  const button = h("button", { type: "button", on: { click: clear } }, "Clear the filters");
  return h("div", { class: "empty" }, h("p", {}, "No study here passes the filters."), button);
}

// The text in place of an empty list, with the possible actions.
/** @param {{ search: string, archived: boolean, allArchived: boolean }} options @param {(changes: Record<string, string | null>) => void} go */
export function emptyText({ search, archived, allArchived }, go) {
  if (search) {
    const button = h("button", { type: "button", on: { click: () => go({ search: null }) } }, "Show all");
    return h(
      "div",
      { class: "empty" },
      h("p", {}, "No study here matches ", h("q", {}, search), "."),
      button,
    );
  }
  if (archived) return h("p", { class: "empty" }, "Nothing is archived.");
  if (allArchived) {
    const button = h(
      "button",
      { type: "button", on: { click: () => go({ archived: "yes" }) } },
      "Show the archive",
    );
    return h("div", { class: "empty" }, h("p", {}, "All studies are archived."), button);
  }
  return h(
    "div",
    { class: "empty" },
    h(
      "p",
      {},
      "No studies yet. A study says which parameters of a robot may vary and which metrics to improve.",
    ),
    h(
      "p",
      {},
      h("a", { class: "button main", href: "/new" }, "Make the first one"),
      " Examples that are ready to launch stand there, too.",
    ),
  );
}
