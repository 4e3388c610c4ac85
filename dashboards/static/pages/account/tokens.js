// Tokens for programs: made, shown once, revoked.
/** @import { Me, Notices, Schemas } from "../../core/types.js" */
import { get, messageOf, pathPart, send } from "../../core/api.js";
import { find, h, replace } from "../../core/dom.js";
import { counted, day, moment } from "../../core/format.js";
import { askDialog } from "../../core/messages.js";
import { cell, createList, rowHeader, shortCell } from "../../core/tables.js";
import { field, form, options } from "./forms.js";

const SCOPES = { read: "read", run: "read, make and work on studies", admin: "all that the account may" };
const DAYS = { 7: "7 days", 30: "30 days", 90: "90 days", 365: "a year", "": "until it is revoked" };

/** @param {Notices} messages */
export function createTokens(messages) {
  const made = h("div", { class: "secret", role: "status" });
  const table = createList({
    title: "Tokens",
    heads: ["Name", "May", "Made", "Last used", "Valid until", ""],
    none: "No program has a token.",
  });
  const ended = h("p", { class: "quiet small", hidden: true });
  const element = h(
    "section",
    {},
    h("h2", {}, "Tokens"),
    h(
      "p",
      { class: "quiet" },
      "With a token, the command line, a notebook or another program uses the server under your name.",
    ),
    made,
    table.element,
    ended,
    tokenForm((token) => {
      replace(made, secret(token));
      load();
    }),
  );

  async function load() {
    const { items } = await get("tokens");
    const good = items.filter(isGood);
    table.show(good.map((token) => tokenRow(token, revoke)));
    ended.hidden = good.length === items.length;
    ended.textContent = `${counted(items.length - good.length, "token")} revoked or expired.`;
  }

  /** @param {Schemas["TokenResource"]} token */
  async function revoke(token) {
    if (
      !(await askDialog({
        title: `Revoke ${token.name}?`,
        text: "Programs that use this token are refused from now on.",
        action: "Revoke",
        read: () => true,
      }))
    )
      return;
    try {
      await send("DELETE", `tokens/${pathPart(token.id)}`);
      replace(made);
      await load();
    } catch (error) {
      messages.fault(messageOf(error));
    }
  }

  return { element, load };
}

/** @param {Schemas["TokenResource"]} token */
const isGood = (token) => !token.revoked && (!token.expires || new Date(token.expires) > new Date());

/** @param {Schemas["TokenResource"]} token @param {(token: Schemas["TokenResource"]) => void} revoke */
function tokenRow(token, revoke) {
  const button = h(
    "button",
    { type: "button", aria: { label: `Revoke ${token.name}` }, on: { click: () => revoke(token) } },
    "Revoke",
  );
  return h(
    "tr",
    { data: { token: token.id } },
    rowHeader(token.name),
    cell(SCOPES[token.scope]),
    shortCell(day(token.created)),
    shortCell(token.last_used ? moment(token.last_used) : "never"),
    shortCell(token.expires ? day(token.expires) : "it is revoked"),
    cell(button),
  );
}

/** @param {(token: Schemas["NewTokenResource"]) => void} done */
function tokenForm(done) {
  const scope = h("select", { name: "scope" }, options(SCOPES));
  const days = h("select", { name: "days" }, options(DAYS));
  find(scope, "[value=run]").setAttribute("selected", "");
  find(days, "[value='90']").setAttribute("selected", "");
  const name = h("input", { name: "name", required: true, maxlength: 100, autocomplete: "off" });
  const fields = [field("What it is for", name), field("What it may do", scope), field("Valid for", days)];
  return form({
    fields,
    action: "Make a token",
    /** @param {Record<string, FormDataEntryValue>} options */
    send: ({ name, scope, days }) =>
      send("POST", "tokens", { name, scope, days: days ? Number(days) : null }),
    done,
  });
}

// The token's text is shown only here, once.
/** @param {Schemas["NewTokenResource"]} token */
function secret(token) {
  const text = h("code", {}, token.token);
  const copied = h("span", { class: "quiet" });
  const copy = h("button", { type: "button", on: { click: take } }, "Copy");

  async function take() {
    try {
      await navigator.clipboard.writeText(token.token);
      copied.textContent = "Copied.";
    } catch {
      getSelection()?.selectAllChildren(text);
      copied.textContent = "Selected: copy it with the keyboard.";
    }
  }

  return h(
    "div",
    { class: "notice" },
    h("p", {}, `${token.name}: copy the token now, it is not shown again.`),
    h("p", {}, text),
    h("p", { class: "row" }, copy, copied),
  );
}

// ------------------------------------------------------------------ accounts

// All accounts of the server, for admins: add, role, password, disable.
const ROLES = { viewer: "viewer", editor: "editor", admin: "admin" };

/** @param {Me} who @param {Notices} messages */
export function createAccounts(who, messages) {
  const table = createList({
    title: "Accounts",
    heads: ["Account", "Role", "Password", "Made", "Enabled", ""],
    none: "There is no account.",
  });
  const element = h("section", {}, h("h2", {}, "Accounts"), table.element, accountForm(load));

  async function load() {
    const { items } = await get("accounts");
    table.show(
      items.map((account) => accountRow(account, { own: account.name === who.account, edit, setPassword })),
    );
  }

  /** @param {Schemas["AccountResource"]} account @param {Schemas["AccountEdit"]} change */
  async function edit(account, change) {
    try {
      await send("PATCH", `accounts/${pathPart(account.name)}`, change);
    } catch (error) {
      messages.fault(messageOf(error));
    }
    await load();
  }

  /** @param {Schemas["AccountResource"]} account */
  async function setPassword(account) {
    const input = h("input", {
      type: "password",
      required: true,
      maxlength: 1024,
      autocomplete: "new-password",
    });
    const password = await askDialog({
      title: `Password of ${account.name}`,
      text: "All browsers that are logged in to the account are logged out.",
      action: "Set the password",
      fields: [h("label", {}, "New password", input)],
      read: () => input.value,
    });
    if (password === null) return;
    try {
      await send("PUT", `accounts/${pathPart(account.name)}/password`, { password });
    } catch (error) {
      messages.fault(messageOf(error));
    }
    await load();
  }

  return { element, load };
}

/** @param {Schemas["AccountResource"]} account @param {{ own: boolean, edit: (account: Schemas["AccountResource"], change: Schemas["AccountEdit"]) => void, setPassword: (account: Schemas["AccountResource"]) => void }} options */
function accountRow(account, { own, edit, setPassword }) {
  /** @type {HTMLSelectElement} */
  const role = h(
    "select",
    {
      aria: { label: `Role of ${account.name}` },
      on: { change: () => edit(account, { role: /** @type {Me["role"]} */ (role.value) }) },
    },
    options(ROLES),
  );
  role.value = account.role;
  /** @param {string} label @param {() => void} click */
  const button = (label, click) =>
    h("button", { type: "button", aria: { label: `${label}: ${account.name}` }, on: { click } }, label);
  const disable = button(account.disabled ? "Enable" : "Disable", () =>
    edit(account, { disabled: !account.disabled }),
  );
  return h(
    "tr",
    { data: { account: account.name } },
    rowHeader(own ? `${account.name}, you` : account.name),
    cell(role),
    cell(account.password ? "set" : "none"),
    shortCell(day(account.created)),
    cell(account.disabled ? h("span", { class: "bad" }, "no") : "yes"),
    cell(
      h("div", { class: "row" }, !own && button("Set password", () => setPassword(account)), !own && disable),
    ),
  );
}

/** @param {() => void} done */
function accountForm(done) {
  return form({
    fields: [
      field("Name", h("input", { name: "name", required: true, maxlength: 64, autocomplete: "off" })),
      field("Role", h("select", { name: "role" }, options(ROLES))),
      field(
        "Password (if empty, only tokens)",
        h("input", { name: "password", type: "password", maxlength: 1024, autocomplete: "new-password" }),
      ),
    ],
    action: "Add the account",
    /** @param {Record<string, FormDataEntryValue>} values */
    send: ({ name, role, password }) => send("POST", "accounts", { name, role, password: password || null }),
    done,
  });
}
