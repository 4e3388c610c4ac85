// The study file next to the form: what is typed on one side appears on the other.
import { byId, h, replace } from "../../core/dom.js";
import { counted, sentence } from "../../core/format.js";

const ROWS_ABOVE = 5;
const NOTE =
  "The form follows what you write here. A change in the form changes that value here; comments stay.";

export function createFileEditor(draft) {
  const lines = h("div", { class: "lines", aria: { hidden: "true" } });
  const text = h("textarea", {
    id: "file",
    class: "code",
    wrap: "off",
    spellcheck: "false",
    autocomplete: "off",
    rows: 22,
    aria: { describedby: "file-faults file-note" },
    on: { input: () => draft.type(text.value), scroll: () => (lines.scrollTop = text.scrollTop) },
  });
  const faultList = h("ul", { id: "file-faults", class: "faults" });
  let lost = 0;
  const comments = h("p", { class: "notice small", role: "status", hidden: true });

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
    "div",
    { class: "file" },
    h("h2", {}, h("label", { for: "file" }, "Study file")),
    comments,
    h("div", { class: "sheet" }, lines, text),
    faultList,
    h("p", { id: "file-note", class: "hint" }, NOTE),
  );
}

const numberOf = (line, faulty) => h("span", { class: faulty ? "bad" : null }, faulty ? `! ${line}` : line);

function linked({ line, detail }) {
  const click = (event) => {
    event.preventDefault();
    goTo(line);
  };
  const link = line ? h("a", { href: "#file", on: { click } }, `Line ${line}`) : "The file";
  return h("li", {}, link, `: ${sentence(detail)}`);
}

// Select a line of the file and bring it into view.
export function goTo(line) {
  const text = byId("file");
  const rows = text.value.split("\n");
  const row = (line ?? 1) - 1;
  const start = rows.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (rows[row]?.length ?? 0));
  text.scrollTop = Math.max(0, row - ROWS_ABOVE) * (text.scrollHeight / rows.length);
}
