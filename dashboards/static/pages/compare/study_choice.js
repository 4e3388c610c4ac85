// Which studies to compare: a list to search, with a box to tick for each.
/** @import { Schemas } from "../../core/types.js" */
import { ApiError, get, messageOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { compareAddress } from "./request.js";

const MOST = 6;
const SHOWN = 50;
const PAUSE = 250;

// A form that leads to the comparison; `chosen` are names that are ticked to begin with.
/** @param {string[]} chosen */
export async function createStudyChoice(chosen) {
  const ticked = new Set(chosen);
  const list = h("div", { class: "box" });
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
    h("div", { class: "row" }, button, status),
  );
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
    if (ticked.size) location.assign(compareAddress({ names: [...ticked], across: false }));
  }

  function count() {
    button.disabled = ticked.size === 0 || ticked.size > MOST;
    const names = [...ticked].join(", ");
    if (ticked.size > MOST) status.textContent = `At most ${MOST} can be compared: ${names}`;
    else status.textContent = ticked.size ? `Chosen: ${names}` : "Nothing is chosen yet.";
  }

  /** @param {string} name @param {boolean} yes */
  function tick(name, yes) {
    if (yes) ticked.add(name);
    else ticked.delete(name);
    count();
  }

  async function show() {
    const turn = (asked += 1);
    let found;
    try {
      found = await get("studies", { search: search.value, limit: SHOWN });
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
  return h(
    "table",
    {},
    h("caption", {}, `Studies${more}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["study", "model", "state", "description"].map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      found.items.map((study) => row(study, ticked, tick)),
    ),
  );
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
    h("td", { class: "short" }, study.model),
    h("td", { class: "short" }, study.state),
    h("td", { class: "long" }, study.description),
  );
}
