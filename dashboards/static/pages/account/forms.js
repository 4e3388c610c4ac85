// Forms of a few fields that the server checks: faults are shown at the field.
/** @import { Me } from "../../core/types.js" */
import { ApiError, get, messageOf, pathPart, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";

/**
 * @template Answer
 * @typedef {{ fields: HTMLElement[], action: string, send: (values: Record<string, FormDataEntryValue>) => Promise<Answer>, done: (answer: Answer) => void }} FormOptions
 */

/** @param {string} label @param {HTMLElement} input */
export const field = (label, input) => h("label", {}, label, input);

/** @param {Record<string, string>} values */
export function options(values) {
  return Object.entries(values).map(([value, label]) => h("option", { value }, label));
}

// A form that calls send(values) and then done(answer); it stays as it is when that goes wrong.
/** @template Answer @param {FormOptions<Answer>} options */
export function form({ fields, action, send, done }) {
  const fault = h("p", { class: "bad", role: "alert", hidden: true });
  const button = h("button", { type: "submit" }, action);
  const element = h("form", { class: "row bottom", on: { submit } }, fields, button, fault);

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    clear();
    try {
      const answer = await send(Object.fromEntries(new FormData(element)));
      element.reset();
      done(answer);
    } catch (error) {
      showFault(error);
    }
    button.disabled = false;
  }

  function clear() {
    fault.hidden = true;
    for (const input of element.elements) input.removeAttribute("aria-invalid");
  }

  /** @param {unknown} error */
  function showFault(error) {
    fault.textContent = messageOf(error);
    fault.hidden = false;
    const names = (error instanceof ApiError ? error.faults : []).map(({ pointer }) => pointer?.slice(1));
    const inputs = /** @type {HTMLInputElement[]} */ ([...element.elements]);
    const wrong = inputs.filter((input) => input.name && names.includes(input.name));
    wrong.forEach((input) => input.setAttribute("aria-invalid", "true"));
    wrong[0]?.focus();
  }

  return element;
}

// ------------------------------------------------------------------ password

// One's own password.
/** @param {Me} who */
export function createPassword(who) {
  const place = h("div", {});
  const element = h("section", {}, h("h2", {}, "Password"), place);
  const path = /** @type {const} */ (`accounts/${pathPart(who.account)}`);

  async function load() {
    const account = await get(path);
    const text =
      "This account has no password: it is used with tokens and login links. An admin can set its first password.";
    replace(place, account.password ? changeForm(path) : h("p", { class: "quiet" }, text));
  }

  return { element, load };
}

/** @param {`accounts/${string}`} path */
function changeForm(path) {
  /** @param {string} name @param {string} autocomplete */
  const input = (name, autocomplete) =>
    h("input", { name, type: "password", required: true, maxlength: 1024, autocomplete });
  return form({
    fields: [
      field("Current password", input("current", "current-password")),
      field("New password", input("password", "new-password")),
    ],
    action: "Change it and log out everywhere",
    /** @param {Record<string, FormDataEntryValue>} values */
    send: (values) => send("PUT", `${path}/password`, values),
    done: () => location.assign("/"),
  });
}
