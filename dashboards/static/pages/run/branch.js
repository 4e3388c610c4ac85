// The same study once more, under a name of its own.
import { part, send } from "../api.js";
import { ask } from "../dialog.js";
import { h } from "../dom.js";

const LONGEST = 64;

export async function askBranch({ name, path, messages }) {
  const input = h("input", {
    name: "name",
    required: true,
    maxlength: LONGEST,
    pattern: "[a-z0-9\\-]{1,64}",
    value: `${name.slice(0, LONGEST - 2)}-2`,
    title: "lower-case letters, digits and hyphens",
    autocomplete: "off",
  });
  const launch = h("input", { type: "checkbox", checked: true });
  const wanted = await ask({
    title: "Branch",
    text: "The same study is stored under a new name, and searched with the versions that are installed now.",
    action: "Make the branch",
    fields: [h("label", {}, "Name", input), h("label", { class: "row" }, launch, "Launch it now")],
    read: () => ({ name: input.value, launch: launch.checked }),
  });
  if (!wanted) return;
  try {
    const made = await send("POST", `${path}/branch`, wanted, { key: crypto.randomUUID() });
    location.assign(`/studies/${part(made.name)}`);
  } catch (error) {
    messages.fault(`No branch was made: ${error.message}`);
  }
}
