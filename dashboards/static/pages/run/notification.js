// A notification of the browser when the runs have ended, if somebody asks for it while the page is open.
import { h } from "../../core/dom.js";
import { MOVING } from "../../core/tables.js";

const ASK = "Notify me when it ends";
const REFUSED = "The browser does not show notifications of this site. Its settings can allow them.";

/** @param {string} name of the study */
export function createNotification(name) {
  let wanted = false;
  let moving = false;
  const button = h("button", { type: "button", aria: { pressed: "false" }, on: { click: toggle } }, ASK);
  const hint = h("p", { class: "hint", role: "status", hidden: true }, REFUSED);
  const element = h("div", { class: "notification", hidden: true }, button, hint);

  async function toggle() {
    const allowed = wanted || (await Notification.requestPermission()) === "granted";
    wanted = allowed && !wanted;
    hint.hidden = allowed;
    button.setAttribute("aria-pressed", String(wanted));
  }

  /** @param {string} state of the study */
  function update(state) {
    const ended = moving && !MOVING.has(state) && state !== "paused"; // a pause is no end
    moving = MOVING.has(state);
    element.hidden = !moving || !("Notification" in window);
    if (!ended || !wanted) return;
    wanted = false;
    button.setAttribute("aria-pressed", "false");
    try {
      const shown = new Notification(`${name} is ${state}`, { tag: name });
      shown.onclick = () => window.focus();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      hint.hidden = element.hidden = false; // browsers of phones show notifications of service workers alone
    }
  }

  return { element, update };
}
