// Tokens for programs: made, shown once, revoked.
import { get, part, send } from "../api.js";
import { ask } from "../dialog.js";
import { h, replace } from "../dom.js";
import { counted, day, moment } from "../format.js";
import { field, form, options } from "./fields.js";
import { cell, list, name, short } from "./lists.js";

const SCOPES = { read: "read", run: "read, make and work on studies", admin: "all that the account may" };
const DAYS = { 7: "7 days", 30: "30 days", 90: "90 days", 365: "a year", "": "until it is revoked" };

export function createTokens(messages) {
  const made = h("div", { class: "secret", role: "status" });
  const table = list({ title: "Tokens", heads: ["Name", "May", "Made", "Last used", "Valid until", ""], none: "No program has a token." });
  const ended = h("p", { class: "quiet small", hidden: true });
  const element = h(
    "section",
    {},
    h("h2", {}, "Tokens"),
    h("p", { class: "quiet" }, "With a token, the command line, a notebook or another program uses the server under your name."),
    made,
    table.element,
    ended,
    newForm((token) => {
      replace(made, secret(token));
      load();
    }),
  );

  async function load() {
    const { items } = await get("tokens");
    const good = items.filter(isGood);
    table.show(good.map((token) => row(token, revoke)));
    ended.hidden = good.length === items.length;
    ended.textContent = `${counted(items.length - good.length, "token")} revoked or expired.`;
  }

  async function revoke(token) {
    if (!(await ask({ title: `Revoke ${token.name}?`, text: "Programs that use this token are refused from now on.", action: "Revoke" }))) return;
    try {
      await send("DELETE", `tokens/${part(token.id)}`);
      replace(made);
      await load();
    } catch (error) {
      messages.fault(error.message);
    }
  }

  return { element, load };
}

const isGood = (token) => !token.revoked && (!token.expires || new Date(token.expires) > new Date());

function row(token, revoke) {
  const button = h("button", { type: "button", aria: { label: `Revoke ${token.name}` }, on: { click: () => revoke(token) } }, "Revoke");
  return h(
    "tr",
    { data: { token: token.id } },
    name(token.name),
    cell(SCOPES[token.scope]),
    short(day(token.created)),
    short(token.last_used ? moment(token.last_used) : "never"),
    short(token.expires ? day(token.expires) : "it is revoked"),
    cell(button),
  );
}

function newForm(done) {
  const fields = [
    field("What it is for", h("input", { name: "name", required: true, maxlength: 100, autocomplete: "off" })),
    field("What it may do", h("select", { name: "scope" }, options(SCOPES))),
    field("Valid for", h("select", { name: "days" }, options(DAYS))),
  ];
  const [, scope, days] = fields.map((label) => label.querySelector("input, select"));
  scope.querySelector("[value=run]").setAttribute("selected", "");
  days.querySelector("[value='90']").setAttribute("selected", "");
  return form({
    fields,
    action: "Make a token",
    send: ({ name, scope, days }) => send("POST", "tokens", { name, scope, days: days ? Number(days) : null }),
    done,
  });
}

// The only time that the token itself is seen.
function secret(token) {
  const text = h("code", {}, token.token);
  const copied = h("span", { class: "quiet" });
  const copy = h("button", { type: "button", on: { click: take } }, "Copy");

  async function take() {
    try {
      await navigator.clipboard.writeText(token.token);
      copied.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(text);
      copied.textContent = "Selected: copy it with the keyboard.";
    }
  }

  return h("div", { class: "notice" }, h("p", {}, `${token.name}: copy the token now, it is not shown again.`), h("p", {}, text), h("p", { class: "row" }, copy, copied));
}
