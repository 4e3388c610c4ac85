// Above the list: search, the two views, a new study.
import { h } from "../dom.js";
import { selection } from "../selection.js";

const PAUSE = 250;

export function controls(writes) {
  let timer;
  const search = h("input", {
    type: "search",
    id: "search",
    value: selection.get().search ?? "",
    maxlength: 200,
    autocomplete: "off",
    placeholder: "Name, description, model",
    on: { input: typed },
  });
  const form = h("form", { role: "search", class: "row", on: { submit: now } }, h("label", { for: "search" }, "Search"), search);
  const current = choice("Current", null);
  const archive = choice("Archive", "yes");
  const views = h("div", { class: "row", role: "group", aria: { label: "Which studies" } }, current, archive);
  const link = writes && h("a", { class: "button main", href: "/new" }, "New study");

  function typed() {
    clearTimeout(timer);
    timer = setTimeout(apply, PAUSE);
  }

  function now(event) {
    event.preventDefault();
    clearTimeout(timer);
    apply();
  }

  const apply = () => selection.set({ search: search.value.trim() });

  function pressed() {
    const archived = selection.get().archived === "yes";
    current.setAttribute("aria-pressed", String(!archived));
    archive.setAttribute("aria-pressed", String(archived));
    if (document.activeElement !== search) search.value = selection.get().search ?? "";
  }

  pressed();
  selection.listen(pressed);
  return h("div", { class: "row tools" }, form, views, link);
}

const choice = (label, archived) => h("button", { type: "button", on: { click: () => selection.set({ archived }) } }, label);
