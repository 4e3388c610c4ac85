// Which studies to compare: a list to search, with a box to tick for each.
/** @import { Schemas } from "../../core/types.js" */
import { ApiError, get, messageOf, studyPath } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { cardTable, textTable } from "../../core/tables.js";
import { compareAddress, load } from "./request.js";

const MOST = 6;
const SHOWN = 50;
const PAUSE = 250;
const DIFFERENT =
  "They were searched under different conditions: a lead may come from these, and not from the robots.";

// A form that leads to the comparison; `chosen` are names that are ticked to begin with. One of them may be `own`, which
// is compared with another study in any case: those of its back-end come first, and what differs is listed.
/** @param {string[]} chosen @param {string} [own] */
export async function createStudyChoice(chosen, own) {
  const ticked = new Set(chosen);
  const list = h("div", {});
  const differences = h("div", { aria: { live: "polite" } });
  const button = h("button", { type: "submit", class: "main" }, "Compare");
  const status = h("span", { class: "quiet small", role: "status" });
  const search = h("input", {
    type: "search",
    name: "search",
    autocomplete: "off",
    placeholder: "name, model or description",
  });
  const form = h(
    "form",
    { class: "picker", on: { submit: go } },
    h("label", {}, "Search ", search),
    list,
    differences,
    h("div", { class: "row" }, button, status),
  );
  const least = own ? 2 : 1;
  let model = "";
  let across = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asked = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE);
  });

  /** @param {Event} event */
  function go(event) {
    event.preventDefault();
    if (ticked.size >= least) location.assign(compareAddress({ names: [...ticked], across }));
  }

  function count() {
    button.disabled = ticked.size < least || ticked.size > MOST;
    const names = [...ticked].join(", ");
    if (ticked.size > MOST) status.textContent = `At most ${MOST} can be compared: ${names}`;
    else status.textContent = ticked.size ? `Chosen: ${names}` : "Nothing is chosen yet.";
  }

  /** @param {string} name @param {boolean} yes */
  function tick(name, yes) {
    if (yes) ticked.add(name);
    else ticked.delete(name);
    count();
    if (own) compareConditions();
  }

  // What differs between the chosen studies, before they are compared.
  async function compareConditions() {
    across = false;
    button.textContent = "Compare";
    const names = [...ticked];
    const isCurrent = () => names.join() === [...ticked].join();
    if (names.length < least || names.length > MOST) return replace(differences);
    replace(differences, h("p", { class: "quiet" }, "Reading what differs…"));
    try {
      const found = await load({ names, across: true });
      if (!isCurrent()) return;
      across = Boolean(found.across);
      if (across) button.textContent = "Compare all the same";
      const { differing } = found.tables;
      const text = across
        ? h("p", { class: "notice" }, DIFFERENT)
        : h("p", { class: "quiet" }, "They were searched under the same conditions.");
      replace(differences, text, differing.rows.length > 0 && textTable(differing));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isCurrent()) return;
      button.disabled = true;
      replace(differences, h("p", { class: "fault", role: "alert" }, messageOf(error)));
    }
  }

  // The newest studies that have begun; those of the own back-end first, and also where they are older.
  /** @param {string} text */
  async function read(text) {
    const of = (/** @type {string} */ search) => get("studies", { search, limit: SHOWN });
    if (own && !model) ({ model } = await get(studyPath(own)));
    const [found, alike] = await Promise.all([of(text), model && !text ? of(model) : null]);
    const every = new Map([...found.items, ...(alike?.items ?? [])].map((one) => [one.name, one]));
    const items = [...every.values()].filter(({ name, state }) => name !== own && state !== "draft");
    const isOther = (/** @type {{ model: string }} */ one) => Number(Boolean(model) && one.model !== model);
    return { ...found, items: items.sort((one, other) => isOther(one) - isOther(other)) };
  }

  async function show() {
    const turn = (asked += 1);
    let found;
    try {
      found = await read(search.value);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn === asked) replace(list, h("p", { class: "fault", role: "alert" }, messageOf(error)));
      return;
    }
    if (turn !== asked) return; // the answer to an older search came later
    const none = search.value
      ? "No study has this in its name, model or description."
      : "There are no studies yet.";
    if (!found.items.length) replace(list, h("p", { class: "empty" }, none));
    else replace(list, table(found, ticked, tick));
  }

  count();
  await show();
  return form;
}

/** @param {Schemas["Page_StudySummary_"]} found @param {Set<string>} ticked @param {(name: string, yes: boolean) => void} tick */
function table(found, ticked, tick) {
  const more = found.next ? `, the newest ${found.items.length}; search for others` : "";
  const rows = found.items.map((study) => row(study, ticked, tick));
  const caption = `Studies${more}`;
  return cardTable("Studies", ["study", "model", "state", "description"], rows, { caption });
}

/** @param {Schemas["StudySummary"]} study @param {Set<string>} ticked @param {(name: string, yes: boolean) => void} tick */
function row(study, ticked, tick) {
  const box = h("input", {
    type: "checkbox",
    checked: ticked.has(study.name),
    on: { change: (event) => tick(study.name, event.currentTarget.checked) },
  });
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("label", { class: "tick" }, box, " ", study.name)),
    h("td", { class: "short", title: study.model }, study.model_title),
    h("td", { class: "short" }, study.state),
    h("td", { class: "long" }, study.description),
  );
}
