// A table of text fields into which cells of a spreadsheet can be pasted.
/** @import { Place } from "./draft.js" */
import { findAll, h, replace, scrollBox } from "../../core/dom.js";
import { pointerOf } from "./draft.js";
import { button } from "./fields.js";

/** @typedef {{ title: string, choices?: string[][], placeholder?: string, tooltip?: string }} Column */
/** @typedef {{ place: Place, label: string, hint?: string, tooltip?: string, columns: Column[], rows: string[][], rowName?: (row: number) => string, fixed?: boolean, whole?: boolean, onChange: (rows: string[][]) => void }} GridOptions */

// Rows of pasted text: cells between tabs as spreadsheets copy them, else between semicolons, commas or spaces.
/** @param {string} text */
export function cellsOf(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const between = text.includes("\t") ? "\t" : text.includes(";") ? ";" : /\s*,\s*|\s+/;
  const comma = /^\s*[+-]?\d+,\d+\s*$/; // a decimal comma, which no cell between commas has
  return lines.map((line) =>
    line.split(between).map((cell) => (comma.test(cell) ? cell.replace(",", ".") : cell).trim()),
  );
}

// `onChange` takes the rows that are not empty; a choice alone fills none, unless the table is `whole`. A `fixed` table
// keeps its number of rows. Cells of a row beyond the columns are not shown.
/** @param {GridOptions} options */
export function grid({
  place,
  label,
  hint = "",
  tooltip = "",
  columns,
  rows,
  rowName,
  fixed = false,
  whole = false,
  onChange,
}) {
  const cells = rows.map((row) => [...row, ...columns.slice(row.length).map(() => "")]);
  const body = h("tbody", {});
  const name = rowName ?? ((/** @type {number} */ row) => String(row + 1));
  const isFilled = (/** @type {string[]} */ row) =>
    columns.some(({ choices }, at) => row[at].trim() && (whole || !choices));
  const changed = () => onChange(cells.filter(isFilled));
  const empty = () => columns.map(({ choices }) => choices?.[0][0] ?? "");

  /** @param {number} row @param {number} column */
  function cell(row, column) {
    const { title, choices, placeholder } = columns[column];
    const aria = { label: [label, name(row), title].filter(Boolean).join(", ") };
    /** @param {Event & { currentTarget: HTMLInputElement | HTMLSelectElement }} event */
    const input = ({ currentTarget }) => {
      cells[row][column] = currentTarget.value;
      changed();
    };
    if (!choices)
      return h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: "false",
        placeholder,
        value: cells[row][column],
        aria,
        on: { input, paste: (event) => paste(event, row, column) },
      });
    const now = cells[row][column];
    const known = choices.some(([key]) => key === now) ? choices : [...choices, [now, now]];
    const select = h(
      "select",
      { aria, on: { input } },
      known.map(([key, text]) => h("option", { value: key }, text)),
    );
    select.value = now;
    return select;
  }

  /** @param {ClipboardEvent} event @param {number} row @param {number} column */
  function paste(event, row, column) {
    const pasted = cellsOf(event.clipboardData?.getData("text") ?? "");
    if (pasted.length < 2 && (pasted[0]?.length ?? 0) < 2) return;
    event.preventDefault();
    pasted.forEach((line, down) => {
      if (fixed && row + down >= cells.length) return;
      const target = (cells[row + down] ??= empty());
      line.forEach((text, right) => {
        if (column + right < columns.length) target[column + right] = text;
      });
    });
    draw(row, column);
    changed();
  }

  /** @param {number} [row] @param {number} [column] the cell that has the focus afterwards */
  function draw(row, column = 0) {
    replace(
      body,
      cells.map((_, place) =>
        h(
          "tr",
          {},
          name(place) ? h("th", { scope: "row" }, name(place)) : h("td", {}),
          columns.map((_, at) => h("td", {}, cell(place, at))),
          !fixed &&
            h(
              "td",
              { class: "act" },
              button("", () => remove(place), {
                data: { icon: "close" },
                aria: { label: `Remove ${label}, ${name(place)}` },
              }),
            ),
        ),
      ),
    );
    box.hidden = !cells.length;
    if (row !== undefined) findAll(body, `tr:nth-child(${row + 1}) :is(input, select)`)[column]?.focus();
  }

  /** @param {number} row */
  function remove(row) {
    cells.splice(row, 1);
    draw(Math.min(row, cells.length - 1));
    changed();
  }

  const head = columns.map(({ title, tooltip }) => h("th", { scope: "col", title: tooltip }, title));
  const unseen = (/** @type {string} */ text) =>
    h("th", { scope: "col" }, h("span", { class: "unseen" }, text));
  const titles = h("tr", {}, unseen("Row"), head, !fixed && unseen("Actions"));
  const box = scrollBox(label, h("table", {}, h("thead", {}, titles), body));
  draw();
  const add = () => {
    cells.push(empty());
    draw(cells.length - 1);
    if (whole) changed();
  };
  return h(
    "div",
    { class: "field wide grid", data: { pointer: pointerOf(place) } },
    h("p", { class: "title", title: tooltip || null }, label),
    hint && h("p", { class: "hint" }, hint),
    box,
    !fixed && h("div", { class: "row" }, button("Add row", add, { aria: { label: `Add row to ${label}` } })),
    h("p", { class: "field-fault", hidden: true }),
  );
}
