// All accounts of the server, for admins: add, role, password, disable.
import { get, part, send } from "../api.js";
import { ask } from "../dialog.js";
import { h } from "../dom.js";
import { day } from "../format.js";
import { field, form, options } from "./fields.js";
import { cell, list, name, short } from "./lists.js";

const ROLES = { viewer: "viewer", editor: "editor", admin: "admin" };

export function createAccounts(who, messages) {
  const table = list({ title: "Accounts", heads: ["Account", "Role", "Password", "Made", "Enabled", ""], none: "There is no account." });
  const element = h("section", {}, h("h2", {}, "Accounts"), table.element, newForm(load));

  async function load() {
    const { items } = await get("accounts");
    table.show(items.map((account) => row(account, { own: account.name === who.account, edit, setPassword })));
  }

  async function edit(account, change) {
    try {
      await send("PATCH", `accounts/${part(account.name)}`, change);
    } catch (error) {
      messages.fault(error.message);
    }
    await load();
  }

  async function setPassword(account) {
    const input = h("input", { type: "password", required: true, maxlength: 1024, autocomplete: "new-password" });
    const password = await ask({
      title: `Password of ${account.name}`,
      text: "All browsers that are logged in to the account are logged out.",
      action: "Set the password",
      fields: [h("label", {}, "New password", input)],
      read: () => input.value,
    });
    if (password === null) return;
    try {
      await send("PUT", `accounts/${part(account.name)}/password`, { password });
    } catch (error) {
      messages.fault(error.message);
    }
    await load();
  }

  return { element, load };
}

function row(account, { own, edit, setPassword }) {
  const role = h("select", { aria: { label: `Role of ${account.name}` }, on: { change: () => edit(account, { role: role.value }) } }, options(ROLES));
  role.value = account.role;
  const button = (label, click) => h("button", { type: "button", aria: { label: `${label}: ${account.name}` }, on: { click } }, label);
  const disable = button(account.disabled ? "Enable" : "Disable", () => edit(account, { disabled: !account.disabled }));
  return h(
    "tr",
    { data: { account: account.name } },
    name(own ? `${account.name}, you` : account.name),
    cell(role),
    cell(account.password ? "set" : "none"),
    short(day(account.created)),
    cell(account.disabled ? h("span", { class: "bad" }, "no") : "yes"),
    cell(h("div", { class: "row" }, !own && button("Set password", () => setPassword(account)), !own && disable)),
  );
}

function newForm(done) {
  return form({
    fields: [
      field("Name", h("input", { name: "name", required: true, maxlength: 64, autocomplete: "off" })),
      field("Role", h("select", { name: "role" }, options(ROLES))),
      field("Password (if empty, only tokens)", h("input", { name: "password", type: "password", maxlength: 1024, autocomplete: "new-password" })),
    ],
    action: "Add the account",
    send: ({ name, role, password }) => send("POST", "accounts", { name, role, password: password || null }),
    done,
  });
}
