// One's own password.
import { get, part, send } from "../api.js";
import { h, replace } from "../dom.js";
import { field, form } from "./fields.js";

export function createPassword(who) {
  const place = h("div", {});
  const element = h("section", {}, h("h2", {}, "Password"), place);
  const path = `accounts/${part(who.account)}`;

  async function load() {
    const account = await get(path);
    const text = "This account has no password: it is used with tokens and login links. An admin can set its first password.";
    replace(place, account.password ? changeForm(path) : h("p", { class: "quiet" }, text));
  }

  return { element, load };
}

function changeForm(path) {
  const input = (name, autocomplete) => h("input", { name, type: "password", required: true, maxlength: 1024, autocomplete });
  return form({
    fields: [field("Current password", input("current", "current-password")), field("New password", input("password", "new-password"))],
    action: "Change it and log out everywhere",
    send: (values) => send("PUT", `${path}/password`, values),
    done: () => location.assign("/"),
  });
}
