// What every page has: the theme button, a banner while the server does not answer, and logging in: on the login
// page, which leads back to what was asked for, and over a page whose session is over.
import { get, online, onSessionEnd } from "./api.js";
import { byId, h } from "./dom.js";
import { startTheme } from "./theme.js";

const ME = "/api/v1/me";
const FORM = "application/x-www-form-urlencoded";
const UNAUTHORISED = 401;
const TOO_MANY = 429;
const OVER = "Your session has ended. This page and what you typed are kept: log in to continue.";
const LINK =
  "Your session has ended. This page and what you typed are kept: open the login link that tautline serve printed in another tab, then continue here.";

const known = async () => (await fetch(ME).catch(() => null))?.ok ?? false;

// The login page is at the requested address; the server does not see what follows a # there.
function startLoginPage() {
  if (document.body.dataset.page !== "login") return;
  const field = document.querySelector("input[name='next']");
  if (location.pathname === "/login") return;
  if (field) field.value = location.pathname + location.search + location.hash;
  // Somebody may have logged in in another tab meanwhile.
  document.addEventListener(
    "visibilitychange",
    async () => !document.hidden && (await known()) && location.reload(),
  );
}

let open = null;
let refused = false;

// Resolves to true when the user has logged in again. One dialog serves all waiting requests. After the user has
// closed it, only a request that changes something opens it again.
/** @param {boolean} sends */
function logInAgain(sends) {
  if (document.body.dataset.page === "login" || (refused && !sends)) return Promise.resolve(false);
  open ??= askLogin().finally(() => (open = null));
  return open;
}

function askLogin() {
  const accounts = "accounts" in document.body.dataset;
  const before = document.body.dataset.who;
  return new Promise((resolve) => {
    const fault = h("p", { class: "fault", role: "alert", hidden: true });
    const account = h("input", {
      name: "account",
      autocomplete: "username",
      required: true,
      value: before ?? "",
    });
    const password = h("input", {
      name: "password",
      type: "password",
      autocomplete: "current-password",
      required: true,
    });
    const fields = accounts && [h("label", {}, "Account ", account), h("label", {}, "Password ", password)];
    const form = h(
      "form",
      { class: "stack", on: { submit: go } },
      h("h2", { id: "login-title" }, "Log in again"),
      h("p", {}, accounts ? OVER : LINK),
      fault,
      fields,
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "main" }, accounts ? "Log in" : "Continue"),
        h("button", { type: "button", on: { click: () => dialog.close() } }, "Not now"),
      ),
    );
    const dialog = h("dialog", { id: "login", aria: { labelledby: "login-title" } }, form);
    let done = false;

    /** @param {Event} event */
    async function go(event) {
      event.preventDefault();
      const reason = accounts
        ? await send(account.value, password.value)
        : (await known())
          ? ""
          : "This browser is not logged in yet.";
      fault.hidden = !reason;
      fault.textContent = reason;
      if (reason) return;
      // Another account sees other studies.
      if (accounts && before !== undefined && account.value !== before) location.reload();
      done = true;
      dialog.close();
    }

    dialog.addEventListener("close", () => {
      dialog.remove();
      refused = !done;
      resolve(done);
    });
    document.body.append(dialog);
    dialog.showModal();
    if (before) password.focus();
  });
}

// The reason of a refused login; empty when the session is open.
/** @param {string} account @param {string} password */
async function send(account, password) {
  const options = {
    method: "POST",
    headers: { "Content-Type": FORM },
    body: new URLSearchParams({ account, password }),
    redirect: /** @type {const} */ ("manual"),
  };
  try {
    const answer = await fetch("/login", options);
    if (answer.type === "opaqueredirect") return "";
    if (answer.status === UNAUTHORISED) return "The account or the password is wrong.";
    return answer.status === TOO_MANY
      ? "Too many attempts; wait a minute."
      : `The server answered ${answer.status}.`;
  } catch {
    return "The server does not answer.";
  }
}

// ------------------------------------------------------------------ every page

const RETRY = 3000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const askServer = () => get("me").catch(() => undefined);

onSessionEnd(logInAgain);
startTheme();
startLoginPage();
online.listen((answers) => {
  byId("offline").hidden = answers;
  clearInterval(timer);
  if (!answers) timer = setInterval(askServer, RETRY);
});
addEventListener("online", askServer);
addEventListener("offline", () => online.set(false));
