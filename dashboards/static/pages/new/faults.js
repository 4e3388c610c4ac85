// Faults at their fields, and a summary with links to them.
import { h } from "../../core/dom.js";
import { sentence, words } from "../../core/format.js";

const CONTROLS = "input:not([disabled]), select:not([disabled]), textarea, button";

// The part of the form for a pointer: its field, else the nearest section around it.
export function placeOf(form, pointer) {
  for (let here = pointer; here; here = here.slice(0, here.lastIndexOf("/"))) {
    const found = form.querySelector(`[data-pointer="${CSS.escape(here)}"]`);
    if (found) return found;
  }
  return null;
}

export function show(form, faults) {
  for (const message of form.querySelectorAll(".field-fault:not([hidden])")) {
    message.hidden = true;
    message.textContent = "";
  }
  form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
  for (const { pointer, detail } of faults) {
    const place = placeOf(form, pointer);
    if (!place) continue;
    const message = place.querySelector(":scope > .field-fault");
    message.textContent += (message.textContent ? " " : "") + sentence(detail);
    message.hidden = false;
    if (place.classList.contains("field"))
      place.querySelector(CONTROLS)?.setAttribute("aria-invalid", "true");
  }
}

// A list of links to the faults; a fault without a place in the form leads to its line in the file.
export function summary(form, faults, onFile) {
  const items = faults.map((fault) => {
    const click = (event) => {
      event.preventDefault();
      lead(form, fault, onFile);
    };
    return h("li", {}, h("a", { href: "#form", on: { click } }, name(fault)), ` ${sentence(fault.detail)}`);
  });
  return h("ul", { class: "faults" }, items);
}

function lead(form, { pointer, line }, onFile) {
  const place = placeOf(form, pointer);
  if (!place) {
    onFile(line);
    return;
  }
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
  place.querySelector(CONTROLS)?.focus();
  place.scrollIntoView({ block: "center" });
}

function name({ pointer, line }) {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keys.length) return keys.map(words).join(" \u203a ");
  return line ? `Line ${line}` : "The file";
}
