// Descriptions of names. A mouse sees the title of the element; for the keyboard, a box beside what has the focus.
/** @import { Child } from "./types.js" */
import { h, replace } from "./dom.js";

const GAP = 6;

// A name that can be reached and says what it means; without a description it is the name alone.
/** @param {Child} name @param {string | null | undefined} tooltip */
export const tipped = (name, tooltip) =>
  tooltip ? h("span", { class: "tipped", tabindex: 0, title: tooltip }, name) : name;

// The mark of a design that is not safe to build, with the reasons as its tooltip; nothing for any other design.
/** @param {string[]} [unsafe] */
export const unsafeMark = (unsafe = []) =>
  unsafe.length > 0 && h("span", { class: "bad small unsafe", title: unsafe.join("; ") }, " unsafe");

const box = h("div", { class: "tooltip", role: "tooltip", hidden: true });
/** @type {HTMLElement | null} */
let described = null;

/** @param {HTMLElement} element */
function show(element) {
  described = element;
  replace(box, element.title);
  box.hidden = false;
  // An open dialog is above all else of the page.
  (element.closest("dialog") ?? document.body).append(box);
  place();
}

// Beside the element, wherever it has moved.
function place() {
  if (!described) return;
  const { left, top, bottom } = described.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = bottom + GAP + box.offsetHeight <= clientHeight;
  box.style.left = `${Math.max(Math.min(left, clientWidth - box.offsetWidth - GAP), GAP)}px`;
  box.style.top = `${below ? bottom + GAP : Math.max(top - GAP - box.offsetHeight, GAP)}px`;
}

function hide() {
  described = null;
  box.hidden = true;
}

// The mouse has the browser's own tooltip: only a focus that the browser shows brings the box.
document.addEventListener("focusin", ({ target }) => {
  hide();
  if (target instanceof HTMLElement && target.title && target.matches(":focus-visible")) show(target);
});
document.addEventListener("focusout", hide);
document.addEventListener("scroll", place, { capture: true, passive: true });
document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
