// What can be done with the studies that are ticked: compare, tag, archive, export, delete.
/** @import { Actions } from "./table.js" */
/** @import { Me, Schemas } from "../../core/types.js" */
import { address, changes, studyPath, writes } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { askDialog } from "../../core/messages.js";
import { BUSY } from "../../core/tables.js";

const LONGEST_TAG = 64;
const MOST_EXPORTED = 100;
const HINT = "Tick studies to compare, tag, archive, export or delete them.";

/** @param {{ who: Me, actions: Actions, clear: () => void }} options */
export function createSelectionBar({ who, actions, clear }) {
  const element = h("div", {
    class: "row choosing",
    role: "group",
    aria: { label: "Studies that are ticked" },
  });

  /** @param {Schemas["StudyOverview"][]} items */
  function update(items) {
    const focused = element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    replace(element, items.length ? parts(items) : h("span", { class: "quiet small" }, HINT));
    const again = [...element.querySelectorAll("button")].find((one) => one.textContent === focused);
    again?.focus();
  }

  /** @param {Schemas["StudyOverview"][]} items */
  function parts(items) {
    const own = items.filter((item) => changes(who, item));
    const archived = items[0].archived;
    return [
      h("span", { class: "small" }, `${counted(items.length, "study", "studies")} ticked:`),
      items.length > 1 && compareLink(items),
      writes(who) && own.length > 0 && button("Tag…", () => tag(own)),
      own.some((item) => item.tags.length) && button("Remove a tag…", () => untag(own)),
      own.length > 0 && button(archived ? "Restore" : "Archive", () => archive(own, !archived)),
      exportLink(items),
      own.some((item) => !BUSY.has(item.state)) && button("Delete…", () => remove(own)),
      button("Untick all", clear),
    ];
  }

  /** @param {Schemas["StudyOverview"][]} items */
  async function tag(items) {
    const field = h("input", { type: "text", required: true, maxlength: LONGEST_TAG, autocomplete: "off" });
    const text = await askDialog({
      title: `Tag ${counted(items.length, "study", "studies")}`,
      text: "",
      action: "Set the tag",
      fields: [h("label", {}, "Tag", field)],
      read: () => field.value.trim(),
    });
    if (text) await actions.tagAll(items, text);
  }

  /** @param {Schemas["StudyOverview"][]} items */
  async function untag(items) {
    const tags = [...new Set(items.flatMap((item) => item.tags))].sort((one, other) =>
      one.localeCompare(other),
    );
    const field = h(
      "select",
      {},
      tags.map((tag) => h("option", { value: tag }, tag)),
    );
    const text = await askDialog({
      title: "Remove a tag",
      text: "",
      action: "Remove the tag",
      fields: [h("label", {}, "Tag", field)],
      read: () => field.value,
    });
    const having = items.filter((item) => text && item.tags.includes(text));
    if (text) await actions.untagAll(having, text);
  }

  /** @param {Schemas["StudyOverview"][]} items @param {boolean} archived */
  async function archive(items, archived) {
    clear();
    await actions.archiveAll(items, archived);
  }

  /** @param {Schemas["StudyOverview"][]} items */
  async function remove(items) {
    const idle = items.filter((item) => !BUSY.has(item.state));
    const busy = items.filter((item) => BUSY.has(item.state)).map((item) => item.name);
    const kept = busy.length ? ` Not deleted, pause or stop them first: ${busy.join(", ")}.` : "";
    if (await actions.removeAll(idle, { asks: true, kept })) clear();
  }

  return { element, update };
}

/** @type {Record<string, string>} */
const ICONS = { Archive: "archive", Restore: "undo", "Delete…": "delete", "Untick all": "close" };

/** @param {string} label @param {() => void} onClick */
const button = (label, onClick) =>
  h("button", { type: "button", data: { icon: ICONS[label] ?? "" }, on: { click: onClick } }, label);

/** @param {Schemas["StudyOverview"][]} items */
function compareLink(items) {
  const names = items.map((item) => item.name).sort();
  const href = `/compare?of=${names.map(encodeURIComponent).join(",")}`;
  return h("a", { class: "button", href }, `Compare ${names.length} studies`);
}

// The table of all designs of a study, as the review offers it; of several studies a zip file of tables. The server
// names the file.
/** @param {Schemas["StudyOverview"][]} items */
function exportLink(items) {
  const names = items.map((item) => item.name);
  const href =
    names.length > 1
      ? address("exports", { study: names.slice(0, MOST_EXPORTED), format: "csv" })
      : address(`${studyPath(names[0])}/export`, { format: "csv" });
  const label = names.length > MOST_EXPORTED ? `Export the first ${MOST_EXPORTED}` : "Export";
  return h("a", { class: "button", href, download: true, data: { icon: "download" } }, label);
}
