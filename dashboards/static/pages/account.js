// Who one is, what lets programs and browsers in under that name, and for admins all accounts.
import { byId, h, replace } from "./dom.js";
import { notices } from "./notices.js";
import { administers, me } from "./who.js";
import { createAccounts } from "./account/accounts.js";
import { createPassword } from "./account/password.js";
import { createSessions } from "./account/sessions.js";
import { createTokens } from "./account/tokens.js";

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
  replace(content, h("p", {}, ...whoText(who)), messages.region, parts.map((part) => part.element));
  content.removeAttribute("aria-busy");
}

function whoText({ account, role }) {
  if (!account) return ["This server has no accounts: everybody who opens its login link may do everything."];
  return ["You are ", h("strong", {}, account), `, ${role}: an account that ${ROLES[role]}.`];
}

start().catch((error) => {
  content.removeAttribute("aria-busy");
  const again = h("button", { type: "button", on: { click: () => location.reload() } }, "Try again");
  replace(content, h("div", { class: "fault", role: "alert" }, h("p", {}, `The account cannot be shown: ${error.message}.`), again));
});
