// Faults at their fields, and a summary with links to them.
import { find, findAll, h, replace } from "../../core/dom.js";
import { counted, sentence, words } from "../../core/format.js";

/** @typedef {{ pointer: string, detail: string, line: number | null }} Fault */

const CONTROLS = "input:not([disabled]), select:not([disabled]), textarea, button";

// The part of the form for a pointer: its field, else the nearest section around it.
/** @param {HTMLElement} form @param {string} pointer */
export function placeOf(form, pointer) {
  for (let here = pointer; here; here = here.slice(0, here.lastIndexOf("/"))) {
    const found = form.querySelector(`[data-pointer="${CSS.escape(here)}"]`);
    if (found instanceof HTMLElement) return found;
  }
  return null;
}

// A folded step says how many faults are in it.
/** @param {HTMLElement} form @param {Fault[]} faults */
export function show(form, faults) {
  /** @type {Map<HTMLElement, number>} */
  const counts = new Map();
  for (const message of findAll(form, ".field-fault:not([hidden])")) {
    message.hidden = true;
    replace(message);
  }
  form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
  for (const { pointer, detail } of faults) {
    const place = placeOf(form, pointer);
    if (!place) continue;
    const step = place.closest(".step");
    if (step instanceof HTMLElement) counts.set(step, (counts.get(step) ?? 0) + 1);
    const message = find(place, ":scope > .field-fault");
    message.append(message.hasChildNodes() ? " " : "", h("span", {}, sentence(detail)));
    message.hidden = false;
    if (place.classList.contains("field"))
      place.querySelector(CONTROLS)?.setAttribute("aria-invalid", "true");
  }
  for (const step of findAll(form, ".step")) {
    const mark = find(step, "summary > .bad", HTMLElement);
    mark.hidden = !counts.has(step);
    mark.textContent = counted(counts.get(step), "fault");
  }
}

// A list of links to the faults; a fault without a place in the form leads to its line in the file.
/** @param {HTMLElement} form @param {Fault[]} faults @param {(line: number | null) => void} onFile */
export function summary(form, faults, onFile) {
  const items = faults.map((fault) => {
    /** @param {Event} event */
    const click = (event) => {
      event.preventDefault();
      lead(form, fault, onFile);
    };
    return h("li", {}, h("a", { href: "#form", on: { click } }, name(fault)), ` ${sentence(fault.detail)}`);
  });
  return h("ul", { class: "faults" }, items);
}

// Lead to a fault: the focus at its field, which is in view with its message; of one without a field, to its line.
/** @param {HTMLElement} form @param {Fault} options @param {(line: number | null) => void} onFile */
export function lead(form, { pointer, line }, onFile) {
  const place = placeOf(form, pointer);
  if (!place) {
    onFile(line);
    return;
  }
  for (let part = /** @type {HTMLElement | null} */ (place); part; part = part.parentElement)
    if (part instanceof HTMLDetailsElement) part.open = true;
  const [control] = findAll(place, CONTROLS);
  control?.focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
}

/** @param {Fault} options */
function name({ pointer, line }) {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keys.length) return keys.map(words).join(" \u203a ");
  return line ? `Line ${line}` : "The file";
}
