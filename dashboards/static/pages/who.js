// Who looks at the page, and what they may do; the server decides it again for whatever is asked of it.
import { get } from "./api.js";

let asked;

export const me = () => (asked ??= get("me"));

export const writes = (who) => who.role !== "viewer" && who.scope !== "read";
export const administers = (who) => who.role === "admin" && who.scope === "admin";
export const changes = (who, study) => administers(who) || (writes(who) && study.owner === who.account);
