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
  "Your session has ended. This page and what you typed are kept: open the login link that the server printed when it started, in another tab, then continue here.";

const known = async () => (await fetch(ME).catch(() => null))?.ok ?? false;

// The login page is at the requested address; the server does not see what follows a # there.
function startLoginPage() {
  if (document.body.dataset.page !== "login") return;
  const field = document.querySelector("input[name='next']");
  if (location.pathname === "/login") return;
  if (field instanceof HTMLInputElement) field.value = location.pathname + location.search + location.hash;
  // Somebody may have logged in in another tab meanwhile.
  document.addEventListener(
    "visibilitychange",
    async () => !document.hidden && (await known()) && location.reload(),
  );
}

/** @type {Promise<boolean> | null} */
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

/** @returns {Promise<boolean>} */
function askLogin() {
  const accounts = "accounts" in document.body.dataset;
  const before = document.body.dataset.who;
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const [account, password] = loginInputs(before);
  const close = h("button", { type: "button" }, "Not now");
  const form = h(
    "form",
    { class: "stack", on: { submit } },
    h("h2", { id: "login-title" }, "Log in again"),
    h("p", {}, accounts ? OVER : LINK),
    fault,
    accounts && [h("label", {}, "Account ", account), h("label", {}, "Password ", password)],
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "main" }, accounts ? "Log in" : "Continue"),
      close,
    ),
  );
  const dialog = h("dialog", { id: "login", aria: { labelledby: "login-title" } }, form);
  let done = false;

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const reason = accounts ? await send(account.value, password.value) : await missingSession();
    fault.hidden = !reason;
    fault.textContent = reason;
    if (reason) return;
    // Another account sees other studies.
    if (accounts && before !== undefined && account.value !== before) location.reload();
    done = true;
    dialog.close();
  }

  close.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  if (before) password.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      refused = !done;
      resolve(done);
    });
  });
}

/** @param {string | undefined} before */
const loginInputs = (before) => [
  h("input", { name: "account", autocomplete: "username", required: true, value: before ?? "" }),
  h("input", { name: "password", type: "password", autocomplete: "current-password", required: true }),
];

// Why the page of a server without accounts cannot continue; empty when the browser is logged in.
const missingSession = async () => ((await known()) ? "" : "This browser is not logged in yet.");

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

// On a phone the ways to other pages are folded; Escape closes them.
const fold = document.getElementById("fold");
/** @param {boolean} isOpen */
function unfold(isOpen) {
  byId("menu").classList.toggle("open", isOpen);
  fold?.setAttribute("aria-expanded", String(isOpen));
}
fold?.addEventListener("click", () => unfold(fold.getAttribute("aria-expanded") !== "true"));
document.querySelector("header.bar")?.addEventListener("keydown", (event) => {
  if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || !fold?.checkVisibility()) return;
  unfold(false);
  fold.focus();
});
startLoginPage();
online.listen((answers) => {
  byId("offline").hidden = answers;
  clearInterval(timer);
  if (!answers) timer = setInterval(askServer, RETRY);
});
addEventListener("online", askServer);
addEventListener("offline", () => online.set(false));
