// A larger budget for a search that has ended: it goes on where it was.
import { pathPart, send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { askDialog } from "../../core/messages.js";
import { sentence } from "../../core/format.js";

const BUDGETS = {
  generations: ["Generations of each run", "a total as in 55, or what is added as in +25"],
  evaluations: ["Designs of each run", "a total as in 4096, or what is added as in +1000"],
  wall_time: ["Time of searching of each run", 'a total as in "2 h"'],
};

// Why a finished search cannot go on, from what the server says of its algorithm; empty where it can.
export function cannotExtend(study, algorithms) {
  const found = algorithms.find(({ algorithm }) => algorithm === study.definition.search.algorithm);
  return found?.fixed
    ? `It cannot be extended: ${found.algorithm} ${found.fixed}. A new study finds its designs in the store.`
    : "";
}

// Resolves to the study with its new budget, or to null.
export async function askExtension({ name, path }, study) {
  const { search } = study.definition;
  const fields = Object.keys(BUDGETS)
    .filter((key) => search[key] !== null && search[key] !== undefined)
    .map((key) => field(key, search[key]));
  const rest = h("p", { class: "field-fault", role: "alert", hidden: true });
  let extended = null;

  async function request(budget) {
    for (const { fault } of [...fields, { fault: rest }]) show(fault, "");
    const wrong = fields.filter(({ key }) => budget[key] === undefined || budget[key] === search[key]);
    wrong.forEach(({ fault, key }) =>
      show(
        fault,
        budget[key] === undefined
          ? `Write ${BUDGETS[key][1]}.`
          : `It must be more than the ${search[key]} that it has.`,
      ),
    );
    if (wrong.length) return lead(wrong[0]);
    try {
      extended = await send("POST", `${path}/extend`, budget);
      return true;
    } catch (error) {
      const place = error.problem.path ?? error.faults[0]?.path ?? [];
      const at = fields.find(({ key }) => key === place.at(-1));
      show(at?.fault ?? rest, sentence(at ? `it ${error.message}` : error.message));
      return at ? lead(at) : false;
    }
  }

  await askDialog({
    title: `Extend ${name}`,
    text: "The searches go on where they ended, with the same log. Each ends as if it had the larger budget from the start.",
    action: "Extend it",
    fields: [...fields.map(({ element }) => element), rest],
    read: () =>
      Object.fromEntries(fields.map(({ key, input }) => [key, total(key, input.value.trim(), search[key])])),
    send: request,
  });
  return extended;
}

function field(key, now) {
  const [label, hint] = BUDGETS[key];
  const input = h("input", {
    name: key,
    autocomplete: "off",
    aria: { describedby: `extend-${key}-hint extend-${key}-fault` },
  });
  const fault = h("p", { id: `extend-${key}-fault`, class: "field-fault", role: "alert", hidden: true });
  const note = h(
    "p",
    { id: `extend-${key}-hint`, class: "quiet small" },
    `It has ${now}. Write ${hint}; leave it empty to keep it.`,
  );
  return { key, input, fault, element: h("div", {}, h("label", {}, label, input), note, fault) };
}

// The budget as a total; null for one that stays, undefined for what is none.
function total(key, text, now) {
  if (text === "") return null;
  if (key === "wall_time") return text;
  if (!/^\+?\d+$/.test(text)) return undefined;
  return text.startsWith("+") ? now + Number(text) : Number(text);
}

function show(fault, text) {
  fault.hidden = !text;
  fault.textContent = text;
}

function lead({ input }) {
  input.focus();
  return false;
}

// ------------------------------------------------------------------ branch

// The same study once more, under a name of its own.
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
  const request = await askDialog({
    title: "Branch",
    text: "The same study is stored under a new name, and searched with the versions that are installed now.",
    action: "Make the branch",
    fields: [h("label", {}, "Name", input), h("label", { class: "row" }, launch, "Launch it now")],
    read: () => ({ name: input.value, launch: launch.checked }),
  });
  if (!request) return;
  try {
    const made = await send("POST", `${path}/branch`, request, { key: crypto.randomUUID() });
    location.assign(`/studies/${pathPart(made.name)}`);
  } catch (error) {
    messages.fault(`No branch was made: ${error.message}`);
  }
}
