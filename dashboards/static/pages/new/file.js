// The study file next to the form: what is typed on one side appears on the other.
/** @import { Draft } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { byId, h, replace } from "../../core/dom.js";
import { counted, sentence } from "../../core/format.js";

const ROWS_ABOVE = 5;
const NOTE =
  "The form follows what you write here. A change in the form changes that value here; comments stay.";

/** @param {Draft} draft */
export function createFileEditor(draft) {
  const lines = h("div", { class: "lines", aria: { hidden: "true" } });
  /** @type {HTMLTextAreaElement} */
  const text = h("textarea", {
    id: "file",
    class: "code",
    wrap: "off",
    spellcheck: "false",
    autocomplete: "off",
    rows: 22,
    aria: { label: "Study file", describedby: "file-faults file-note" },
    on: { input: () => draft.type(text.value), scroll: () => (lines.scrollTop = text.scrollTop) },
  });
  const faultList = h("ul", { id: "file-faults", class: "faults" });
  let lost = 0;
  const comments = h("p", { class: "notice small", role: "status", hidden: true });

  /** @param {Schemas["DraftFault"][]} faults */
  function number(faults) {
    const faulty = new Set(faults.map(({ line }) => line));
    const count = text.value.split("\n").length;
    const numbered = Array.from({ length: count }, (_, i) => numberOf(i + 1, faulty.has(i + 1)));
    replace(lines, numbered);
    lines.scrollTop = text.scrollTop;
  }

  function update() {
    const faults = draft.answer?.faults ?? [];
    number(faults);
    replace(faultList, draft.source === "file" && faults.map(linked));
    if (draft.source === "file") lost = 0;
    lost += draft.source === "form" && draft.answer ? draft.answer.comments_lost : 0;
    if (draft.answer) draft.answer.comments_lost = 0;
    comments.hidden = lost === 0;
    comments.textContent = lost
      ? `The file had to be written again, without ${counted(lost, "comment")}; Undo brings ${lost === 1 ? "it" : "them"} back.`
      : "";
    if (draft.formIsStale) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
  }

  function write() {
    if (text.value !== draft.text) text.value = draft.text;
    update();
  }

  draft.listen("text", write);
  draft.listen("answer", update);
  write();
  return h(
    "details",
    { class: "file" },
    h("summary", {}, h("h2", {}, "Study file")),
    comments,
    h("div", { class: "sheet" }, lines, text),
    faultList,
    h("p", { id: "file-note", class: "hint" }, NOTE),
  );
}

/** @param {number} line @param {boolean} faulty */
const numberOf = (line, faulty) => h("span", { class: faulty ? "bad" : null }, faulty ? `! ${line}` : line);

/** @param {Schemas["DraftFault"]} options */
function linked({ line, detail }) {
  /** @param {Event} event */
  const click = (event) => {
    event.preventDefault();
    goTo(line);
  };
  const link = line ? h("a", { href: "#file", on: { click } }, `Line ${line}`) : "The file";
  return h("li", {}, link, `: ${sentence(detail)}`);
}

// Select a line of the file and bring it into view.
/** @param {number | null} line */
export function goTo(line) {
  const text = byId("file", HTMLTextAreaElement);
  const fold = text.closest("details");
  if (fold) fold.open = true;
  const rows = text.value.split("\n");
  const row = (line ?? 1) - 1;
  const start = rows.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (rows[row]?.length ?? 0));
  text.scrollTop = Math.max(0, row - ROWS_ABOVE) * (text.scrollHeight / rows.length);
}
