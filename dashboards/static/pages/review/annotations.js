// Favourites, tags and notes of the designs of a study: read, written, and as filters of what the page shows.
/** @import { Schemas } from "../../core/types.js" */
/** @import { Study } from "./study.js" */
import { changes, get, me, messageOf, pathPart, send, statusOf, studyPath, writes } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted, shortKey } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { selection } from "../../core/url_state.js";

/** @typedef {Schemas["AnnotationResource"]} Annotation */

const NOT_FOUND = 404;
const MOST_OTHERS = 8;
export const LONGEST_TAG = 64;

// What is written beside the designs of a study, by the key of the design.
export class Annotations {
  /** @type {Map<string, Annotation[]>} */
  byKey = new Map();
  // Whether the user may write, and may remove what others wrote.
  writes = false;
  changes = false;
  /** @type {Set<() => void>} */
  listeners = new Set();

  /** @param {string} name */
  constructor(name) {
    this.path = studyPath(name);
  }

  async load() {
    const [who, study, found] = await Promise.all([me(), get(this.path), get(`${this.path}/annotations`)]);
    this.writes = writes(who);
    this.changes = changes(who, study);
    this.byKey = new Map(); // those of the study itself have no key
    for (const one of found.items)
      if (one.key) this.byKey.set(one.key, [...(this.byKey.get(one.key) ?? []), one]);
    this.notify();
  }

  // Calls the listener after each change.
  /** @param {() => void} listener */
  listen(listener) {
    this.listeners.add(listener);
  }

  notify() {
    this.listeners.forEach((listener) => listener());
  }

  /** @param {string} key @param {Annotation["kind"]} kind */
  of(key, kind) {
    return (this.byKey.get(key) ?? []).filter((one) => one.kind === kind);
  }

  /** @param {string} key */
  isFavourite(key) {
    return this.of(key, "favourite").length > 0;
  }

  /** @param {string} key */
  tags(key) {
    return this.of(key, "tag").map(({ text }) => text);
  }

  // Every tag of a design, in alphabetical order.
  get allTags() {
    const tags = [...this.byKey.keys()].flatMap((key) => this.tags(key));
    return [...new Set(tags)].sort((one, other) => one.localeCompare(other));
  }

  // Whether a design is a favourite and has a tag, as far as that is asked for.
  /** @param {string} key @param {MarkFilter} filter */
  matches(key, { favourites, tag }) {
    return (!favourites || this.isFavourite(key)) && (!tag || this.tags(key).includes(tag));
  }

  /** @param {Annotation["kind"]} kind @param {string} key @param {string} [text] */
  async add(kind, key, text = "") {
    const made = await send("POST", `${this.path}/annotations`, { kind, key, text });
    this.put(key, [...this.others(made), made]);
  }

  /** @param {Annotation} annotation @param {string} text */
  async edit(annotation, text) {
    const changed = await send("PATCH", this.pathOf(annotation), { text });
    const list = this.byKey.get(annotation.key) ?? [];
    this.put(
      annotation.key,
      list.map((one) => (one.id === changed.id ? changed : one)),
    );
  }

  // What somebody else has removed meanwhile is gone as well.
  /** @param {Annotation} annotation */
  async remove(annotation) {
    try {
      await send("DELETE", this.pathOf(annotation));
    } catch (error) {
      if (statusOf(error) !== NOT_FOUND) throw error;
    }
    this.put(annotation.key, this.others(annotation));
  }

  /** @param {string} key */
  async toggleFavourite(key) {
    const [before] = this.of(key, "favourite");
    await (before ? this.remove(before) : this.add("favourite", key));
    announce(`Design ${shortKey(key)} is ${before ? "no longer" : "now"} a favourite.`);
  }

  /** @param {Annotation} annotation */
  pathOf({ id }) {
    return /** @type {const} */ (`${this.path}/annotations/${pathPart(id)}`);
  }

  /** @param {Annotation} annotation */
  others({ key, id }) {
    return (this.byKey.get(key) ?? []).filter((one) => one.id !== id);
  }

  /** @param {string} key @param {Annotation[]} list */
  put(key, list) {
    if (list.length) this.byKey.set(key, list);
    else this.byKey.delete(key);
    this.notify();
  }
}

// ------------------------------------------------------------------ a filter

// What is asked for of the designs: to be favourites, and to have a tag; an empty tag is any.
/** @typedef {{ favourites: boolean, tag: string }} MarkFilter */

export const MARK_FILTERS = ["favourites", "tag"];

/** @returns {MarkFilter} */
export function markFilter() {
  const { favourites, tag } = selection.get();
  return { favourites: favourites === "yes", tag: tag ?? "" };
}

export const isMarkFiltered = () => markFilter().favourites || markFilter().tag !== "";

// The filter in words: ["favourites", "tagged thesis"].
export function markFilterWords() {
  const { favourites, tag } = markFilter();
  return [favourites && "favourites", tag && `tagged \u201c${tag}\u201d`].filter(
    (text) => text !== false && text !== "",
  );
}

// Buttons that show favourites alone, or designs with a tag. There is nothing to choose while nothing is marked.
/** @param {Study} study */
export function createAnnotationFilter(study) {
  const { annotations } = study;
  const favourites = h("button", { type: "button", data: { icon: "star-full" }, on: { click: turn } });
  const tag = h("select", {
    id: "tag-filter",
    on: { change: (event) => selection.set({ tag: event.currentTarget.value || null }) },
  });
  const tagLabel = h("label", { class: "axis" }, "Tag ", tag);
  const clear = h("button", { type: "button", on: { click: reset } }, "Show all designs");
  const others = h("span", { class: "row small" });
  const element = h(
    "div",
    { class: "row annotation-filter", role: "group", aria: { label: "Which designs are shown" } },
    favourites,
    tagLabel,
    clear,
    others,
  );

  function turn() {
    selection.set({ favourites: markFilter().favourites ? null : "yes" });
  }

  function reset() {
    selection.set({ favourites: null, tag: null });
    favourites.focus();
  }

  function update() {
    const filter = markFilter();
    const tags = [...new Set([...annotations.allTags, ...(filter.tag ? [filter.tag] : [])])];
    const count = [...annotations.byKey.keys()].filter((key) => annotations.isFavourite(key)).length;
    favourites.textContent = `Favourites (${count})`;
    favourites.setAttribute("aria-pressed", String(filter.favourites));
    favourites.hidden = !count && !filter.favourites;
    tagLabel.hidden = !tags.length;
    replace(
      tag,
      h("option", { value: "" }, "any"),
      tags.map((text) => h("option", { value: text, selected: text === filter.tag }, text)),
    );
    clear.hidden = !isMarkFiltered();
    replace(others, isMarkFiltered() && offTheFront(study, filter));
    element.hidden = favourites.hidden && tagLabel.hidden;
  }

  selection.watch(MARK_FILTERS, update);
  annotations.listen(update);
  return { element, update };
}

// Designs that match a filter and do not stand on a front: a marked design may leave it while runs go on.
/** @param {Study} study @param {MarkFilter} filter */
function offTheFront(study, filter) {
  const onFront = new Set(study.designs.map(({ key }) => key));
  const keys = [...study.annotations.byKey.keys()].filter(
    (key) => !onFront.has(key) && study.annotations.matches(key, filter),
  );
  if (!keys.length) return null;
  /** @param {string} key */
  const button = (key) =>
    h(
      "button",
      { type: "button", class: "link", on: { click: () => selection.set({ layout: null, key }) } },
      shortKey(key),
    );
  const more = keys.length - MOST_OTHERS;
  return [
    "Not on the front:",
    keys.slice(0, MOST_OTHERS).map(button),
    more > 0 && `and ${counted(more, "other")}`,
  ];
}

// ------------------------------------------------------------------ a star

// A button that makes a design a favourite, or takes that back. `onFault` is told why it could not.
/** @param {Annotations} annotations @param {string} key @param {{ label: boolean, tabindex?: number, onFault: (text: string) => void }} options */
export function starButton(annotations, key, { label, tabindex, onFault }) {
  const button = h("button", {
    type: "button",
    class: "star",
    tabindex,
    aria: label ? {} : { label: `Favourite ${shortKey(key)}` },
    on: { click: press },
  });
  if (label) button.textContent = "Favourite";

  function show() {
    const pressed = annotations.isFavourite(key);
    button.dataset.icon = pressed ? "star-full" : "star";
    button.setAttribute("aria-pressed", String(pressed));
  }

  /** @param {Event} event */
  async function press(event) {
    event.stopPropagation(); // a click on the row around it selects the design
    if (button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    try {
      await annotations.toggleFavourite(key);
    } catch (error) {
      onFault(messageOf(error));
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  show();
  return { button, show };
}
