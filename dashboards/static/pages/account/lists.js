// A titled table whose rows are made from a list.
import { h, replace } from "../dom.js";

export function list({ title, heads, none }) {
  const body = h("tbody", {});
  const row = h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "unseen" }, "Actions"))));
  const box = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: title } }, h("table", {}, h("thead", {}, row), body));
  const empty = h("p", { class: "quiet" }, none);
  const element = h("div", {}, box, empty);

  function show(rows) {
    box.hidden = !rows.length;
    empty.hidden = Boolean(rows.length);
    replace(body, rows);
  }

  return { element, show };
}

export const cell = (content) => h("td", {}, content);
export const name = (content) => h("th", { scope: "row" }, content);
export const short = (text) => h("td", { class: "short" }, text);
