// What stands where no study is to be listed, and what one can do then.
import { h } from "../dom.js";

export function emptyText({ search, archived }, clear) {
  if (search) {
    const button = h("button", { type: "button", on: { click: clear } }, "Show all");
    return h("div", { class: "empty" }, h("p", {}, "No study here matches ", h("q", {}, search), "."), button);
  }
  if (archived) return h("p", { class: "empty" }, "Nothing is archived.");
  return h(
    "div",
    { class: "empty" },
    h("p", {}, "No studies yet. A study says which parameters of a robot may vary and which metrics to improve."),
    h("p", {}, h("a", { href: "/new" }, "Make the first one"), ", or run ", h("code", {}, "tautline demo"), " in a shell."),
  );
}
