// Browsers that are logged in to the account.
/** @import { Me, Notices, Schemas } from "../../core/types.js" */
import { administers, get, me, messageOf, pathPart, send } from "../../core/api.js";
import { byId, h, replace } from "../../core/dom.js";
import { moment } from "../../core/format.js";
import { failure, notices } from "../../core/messages.js";
import { cell, createList, rowHeader, shortCell } from "../../core/tables.js";
import { createPassword } from "./forms.js";
import { createAccounts, createTokens } from "./tokens.js";

/** @param {Notices} messages */
function createSessions(messages) {
  const table = createList({
    title: "Sessions",
    heads: ["Browser", "Logged in", "Last used", "Valid until", ""],
    none: "No browser is logged in.",
  });
  const element = h(
    "section",
    {},
    h("h2", {}, "Sessions"),
    h("p", { class: "quiet" }, "Browsers that are logged in under your name."),
    table.element,
  );

  async function load() {
    const { items } = await get("sessions");
    table.show(items.map((session) => row(session, end)));
  }

  /** @param {Schemas["SessionResource"]} session */
  async function end(session) {
    try {
      await send("DELETE", `sessions/${pathPart(session.id)}`);
      await load();
    } catch (error) {
      messages.fault(messageOf(error));
    }
  }

  return { element, load };
}

/** @param {Schemas["SessionResource"]} session @param {(session: Schemas["SessionResource"]) => void} end */
function row(session, end) {
  const what = session.current ? `${session.name}, this one` : session.name;
  // This browser logs out below.
  const button =
    !session.current &&
    h(
      "button",
      { type: "button", aria: { label: `Log out ${what}` }, on: { click: () => end(session) } },
      "Log out",
    );
  return h(
    "tr",
    { data: { session: session.id } },
    rowHeader(what),
    shortCell(moment(session.created)),
    shortCell(session.last_used ? moment(session.last_used) : "never"),
    shortCell(session.expires ? moment(session.expires) : "it is ended"),
    cell(button),
  );
}

// ------------------------------------------------------------------ the page

// The user's account, its tokens and sessions, and for admins all accounts.
const content = byId("content");
const ROLES = {
  viewer: "may read shared studies",
  editor: "may make studies and change its own",
  admin: "may change everything",
};

async function start() {
  const who = await me();
  const messages = notices();
  const parts = [createTokens(messages), createSessions(messages)];
  if (who.account) parts.push(createPassword(who));
  if (who.account && administers(who)) parts.push(createAccounts(who, messages));
  await Promise.all(parts.map((part) => part.load()));
  replace(
    content,
    h("p", {}, ...whoText(who)),
    messages.region,
    parts.map((part) => part.element),
  );
  content.removeAttribute("aria-busy");
}

/** @param {Me} options */
function whoText({ account, role }) {
  if (!account) return ["This server has no accounts: everybody who opens its login link may do everything."];
  return ["You are ", h("strong", {}, account), `, ${role}: an account that ${ROLES[role]}.`];
}

start().catch((error) => {
  content.removeAttribute("aria-busy");
  replace(
    content,
    failure(`The account cannot be shown: ${messageOf(error)}.`, () => location.reload()),
  );
});
