// Browsers that are logged in to the account.
import { get, part, send } from "../api.js";
import { h } from "../dom.js";
import { moment } from "../format.js";
import { cell, list, name, short } from "./lists.js";

export function createSessions(messages) {
  const table = list({ title: "Sessions", heads: ["Browser", "Logged in", "Last used", "Valid until", ""], none: "No browser is logged in." });
  const element = h("section", {}, h("h2", {}, "Sessions"), h("p", { class: "quiet" }, "Browsers that are logged in under your name."), table.element);

  async function load() {
    const { items } = await get("sessions");
    table.show(items.map((session) => row(session, end)));
  }

  async function end(session) {
    try {
      await send("DELETE", `sessions/${part(session.id)}`);
      if (session.current) location.assign("/");
      else await load();
    } catch (error) {
      messages.fault(error.message);
    }
  }

  return { element, load };
}

function row(session, end) {
  const what = session.current ? `${session.name}, this one` : session.name;
  const button = h("button", { type: "button", aria: { label: `Log out ${what}` }, on: { click: () => end(session) } }, "Log out");
  return h(
    "tr",
    { data: { session: session.id } },
    name(what),
    short(moment(session.created)),
    short(session.last_used ? moment(session.last_used) : "never"),
    short(moment(session.expires)),
    cell(button),
  );
}
