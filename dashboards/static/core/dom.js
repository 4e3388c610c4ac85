// Elements from plain values. A text is only ever a text: nothing here reads HTML.
/** @import { Attributes, Child } from "./types.js" */
import { raised, tooltipText } from "./format.js";

// h("a", { href: "/", class: "x", on: { click: f }, data: { key: 1 }, aria: { label: "y" } }, "text", child, ...)
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<HTMLElementTagNameMap[K]>} attributes
 * @param {...Child} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  return replace(element, ...children);
}

const SVG = "http://www.w3.org/2000/svg";

// The same for drawings: svg("path", { d: "M0 0" })
/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  return replace(element, ...children);
}

/** @template {Element} E @param {E} element @param {...Child} children */
export function replace(element, ...children) {
  element.replaceChildren(...nodes(children).map((child) => typeset(child, element)));
  return element;
}

// Units have powers as "m^1.5". A reader sees them raised; what is copied or typed keeps its letters.
export const POWERS = /\^(-?\d+(?:\.\d+)?)/g;
const VERBATIM = new Set(["code", "pre", "textarea"]);

/** @param {any} child @param {Element} parent */
function typeset(child, parent) {
  if (typeof child !== "string" || child.search(POWERS) < 0 || VERBATIM.has(parent.localName)) return child;
  if (parent instanceof SVGElement || parent instanceof HTMLOptionElement) return plainPowers(child);
  const parts = child.split(POWERS).map((part, place) => (place % 2 ? h("sup", {}, part) : part));
  return h("span", {}, parts);
}

// The same where no element can stand: raised digits, with a dot at half height.
/** @param {string} text */
export const plainPowers = (text) => text.replaceAll(POWERS, (_, power) => raised(power));

// Resolves in a task of its own, so that the browser can answer somebody before what follows.
/** @returns {Promise<void>} */
export const nextTask = () => new Promise((done) => setTimeout(done));

// A box that scrolls where its content is wider; the keyboard reaches it.
/** @param {string} label @param {...Child} children */
export const scrollBox = (label, ...children) =>
  h("div", { class: "box", tabindex: 0, role: "region", aria: { label } }, ...children);

// Keep a length of the page's style sheets at the height of an element that stands over others.
/** @param {string} property @param {HTMLElement} element */
export const followHeight = (property, element) =>
  new ResizeObserver(() =>
    document.documentElement.style.setProperty(property, `${element.offsetHeight}px`),
  ).observe(element);

// Save content as a file of the one who looks at the page.
/** @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // a browser may read it a little later
}

// An element that the page's template has, of the class that the script needs.
/**
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @param {new () => E} [kind]
 * @returns {E}
 */
export function byId(id, kind) {
  return checked(document.getElementById(id), `#${id}`, kind ?? /** @type {new () => E} */ (HTMLElement));
}

// The first element inside another one that a selector names; `kind` is its class.
/**
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} [kind]
 * @returns {E}
 */
export function find(parent, selector, kind) {
  const found = parent.querySelector(selector);
  return checked(found, selector, kind ?? /** @type {new () => E} */ (/** @type {unknown} */ (HTMLElement)));
}

// All elements inside another one that a selector names.
/**
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} [kind]
 * @returns {E[]}
 */
export function findAll(parent, selector, kind) {
  const wanted = kind ?? /** @type {new () => E} */ (/** @type {unknown} */ (HTMLElement));
  return Array.from(parent.querySelectorAll(selector), (found) => checked(found, selector, wanted));
}

/** @template {Element} E @param {Element | null} found @param {string} named @param {new () => E} kind @returns {E} */
function checked(found, named, kind) {
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} ${named}`);
  return found;
}

/** @param {HTMLElement | SVGElement} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "on")
    for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "aria")
    for (const [key, text] of Object.entries(value)) element.setAttribute(`aria-${key}`, text);
  else if (name === "value" && "value" in element) element.value = value;
  else if (name === "title") element.setAttribute(name, tooltipText(plainPowers(value)));
  else element.setAttribute(name, value === true ? "" : value);
}

/** @param {Child[]} children */
const nodes = (children) =>
  /** @type {any[]} */ (children)
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);
