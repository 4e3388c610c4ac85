// Beside the selected design: whether it is a favourite, its tags, and its notes with author and time.
/** @import { Annotation, Annotations } from "./annotations.js" */
/** @import { Study } from "./study.js" */
import { messageOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted, moment, shortKey } from "../../core/format.js";
import { announce, askDialog } from "../../core/messages.js";
import { LONGEST_TAG, starButton } from "./annotations.js";

const LONGEST_NOTE = 10_000;

// One panel for the page: `show(key)` fills it for another design. What somebody has begun to write is kept for each
// design while the page is open.
/** @param {Study} study */
export function createAnnotationPanel(study) {
  const { annotations } = study;
  const fault = h("p", { class: "field-fault", role: "alert", hidden: true });
  const favourite = h("div", {});
  const tags = h("div", { class: "row tags" });
  const notes = h("ul", { class: "notes" });
  const tagForm = createTagForm(annotations, attempt);
  const noteForm = createNoteForm(annotations, attempt);
  const element = h(
    "section",
    { class: "annotations", aria: { label: "Tags and notes" } },
    h("div", { class: "row" }, favourite, tags, tagForm.element),
    fault,
    notes,
    noteForm.element,
  );
  let shown = "";
  /** @type {ReturnType<typeof starButton> | null} */
  let star = null;

  /** @param {string} text */
  function setFault(text) {
    fault.hidden = !text;
    fault.textContent = text;
  }

  // Says whether it was done; else the panel says why not.
  /** @param {() => Promise<void>} work */
  async function attempt(work) {
    setFault("");
    try {
      await work();
      return true;
    } catch (error) {
      setFault(messageOf(error));
      return false;
    }
  }

  function update() {
    if (!shown) return;
    const key = shown;
    star?.show();
    replace(
      tags,
      annotations.of(key, "tag").map((tag) => tagChip(annotations, tag, attempt, tagForm.focus)),
    );
    const written = annotations.of(key, "note");
    replace(
      notes,
      written.map((note) => noteItem(annotations, note, attempt, noteForm)),
    );
    notes.hidden = !written.length;
    tagForm.update();
    element.hidden = !annotations.writes && !tags.childElementCount && !written.length;
  }

  /** @param {string} key */
  function show(key) {
    if (key !== shown) {
      shown = key;
      setFault("");
      star = annotations.writes ? starButton(annotations, key, { label: true, onFault: setFault }) : null;
      replace(favourite, star?.button);
      tagForm.show(key);
      noteForm.show(key);
    }
    update();
    return element;
  }

  annotations.listen(update);
  return { element, show };
}

/** @typedef {(work: () => Promise<void>) => Promise<boolean>} Attempt */

/** @param {Annotations} annotations @param {Annotation} annotation */
const mayRemove = (annotations, { mine }) => annotations.writes && (mine || annotations.changes);

// ------------------------------------------------------------------ tags

/** @param {Annotations} annotations @param {Annotation} tag @param {Attempt} attempt @param {() => void} after */
function tagChip(annotations, tag, attempt, after) {
  async function remove() {
    if (!(await attempt(() => annotations.remove(tag)))) return;
    announce(`Tag ${tag.text} is removed.`);
    after();
  }
  const label = `Remove the tag ${tag.text}`;
  return h(
    "span",
    { class: "tag" },
    tag.text,
    mayRemove(annotations, tag) &&
      h("button", {
        type: "button",
        aria: { label },
        title: label,
        data: { icon: "close" },
        on: { click: remove },
      }),
  );
}

/** @param {Annotations} annotations @param {Attempt} attempt */
function createTagForm(annotations, attempt) {
  const known = h("datalist", { id: "known-tags" });
  const field = h("input", {
    type: "text",
    size: 12,
    required: true,
    maxlength: LONGEST_TAG,
    autocomplete: "off",
    list: "known-tags",
    placeholder: "Tag",
    aria: { label: "New tag" },
  });
  const element = h(
    "form",
    { class: "row", on: { submit: add } },
    field,
    known,
    h("button", { type: "submit" }, "Add tag"),
  );
  let key = "";
  /** @type {Map<string, string>} */
  const drafts = new Map();

  /** @param {Event} event */
  async function add(event) {
    event.preventDefault();
    const [where, text] = [key, field.value.trim()];
    if (!text || !(await attempt(() => annotations.add("tag", where, text)))) return;
    announce(`Tag ${text} is set.`);
    drafts.delete(where);
    if (where === key) field.value = "";
  }

  /** @param {string} next */
  function show(next) {
    drafts.set(key, field.value);
    key = next;
    field.value = drafts.get(key) ?? "";
  }

  function update() {
    element.hidden = !annotations.writes;
    replace(
      known,
      annotations.allTags.map((text) => h("option", { value: text })),
    );
  }

  return { element, show, update, focus: () => field.focus() };
}

// ------------------------------------------------------------------ notes

/** @param {Annotations} annotations @param {Annotation} note @param {Attempt} attempt @param {{ focus: () => void }} form */
function noteItem(annotations, note, attempt, form) {
  const when = [
    note.author,
    moment(note.created),
    note.changed !== note.created && `changed ${moment(note.changed)}`,
  ];
  const buttons = [
    note.mine && annotations.writes && small("Change", change),
    mayRemove(annotations, note) && small("Delete", remove),
  ];

  async function change() {
    const field = noteField(note.text);
    const fault = h("p", { class: "field-fault", role: "alert" });
    await askDialog({
      title: "Change the note",
      text: "",
      action: "Save",
      fields: [h("label", {}, "Note", field), fault],
      read: () => field.value,
      send: async (text) => {
        try {
          await annotations.edit(note, text);
          return true;
        } catch (error) {
          fault.textContent = messageOf(error);
          return false;
        }
      },
    });
  }

  async function remove() {
    const agreed = await askDialog({
      title: "Delete the note?",
      text: note.text.length > 200 ? `${note.text.slice(0, 200)}\u2026` : note.text,
      action: "Delete",
      read: () => true,
    });
    if (agreed && (await attempt(() => annotations.remove(note)))) form.focus();
  }

  return h(
    "li",
    {},
    h("p", {}, note.text),
    h("div", { class: "row quiet small" }, when.filter(Boolean).join(", "), buttons),
  );
}

/** @param {string} label @param {() => void} click */
const small = (label, click) => h("button", { type: "button", class: "link", on: { click } }, label);

const noteField = (text = "") =>
  h("textarea", { rows: 3, required: true, maxlength: LONGEST_NOTE, value: text });

/** @param {Annotations} annotations @param {Attempt} attempt */
function createNoteForm(annotations, attempt) {
  const field = noteField();
  field.setAttribute("aria-label", "New note");
  const submit = h("button", { type: "submit" }, "Keep the note");
  const form = h("form", { class: "stack", on: { submit: add } }, field, h("div", {}, submit));
  const summary = h("summary", {}, "Write a note");
  const element = h("details", {}, summary, form);
  let key = "";
  /** @type {Map<string, string>} */
  const drafts = new Map();

  /** @param {Event} event */
  async function add(event) {
    event.preventDefault();
    const [where, text] = [key, field.value];
    submit.disabled = true;
    const done = await attempt(() => annotations.add("note", where, text));
    submit.disabled = false;
    if (!done) return;
    announce(`A note is kept beside design ${shortKey(where)}.`);
    drafts.delete(where);
    if (where !== key) return;
    field.value = "";
    element.open = false;
    summary.focus();
  }

  /** @param {string} next */
  function show(next) {
    drafts.set(key, field.value);
    key = next;
    field.value = drafts.get(key) ?? "";
    element.open = field.value !== "";
    element.hidden = !annotations.writes;
  }

  return { element, show, focus: () => summary.focus() };
}

// ------------------------------------------------------------------ in the table

// What a row of the table says of a design's tags and notes.
/** @param {Annotations} annotations @param {string} key */
export function annotationMarks(annotations, key) {
  const notes = annotations.of(key, "note").length;
  return [
    annotations.tags(key).map((text) => h("span", { class: "tag" }, text)),
    notes > 0 && h("span", { class: "quiet small" }, counted(notes, "note")),
  ];
}
