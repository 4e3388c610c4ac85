// What the study is, and what can be done with it now.
/** @import { Schemas } from "../../core/types.js" */
/** @import { RunContext } from "./page.js" */
import { ApiError, changes, messageOf, pathPart, send, writes } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { moment, sentence } from "../../core/format.js";
import { askDialog } from "../../core/messages.js";
import { stateMark } from "../../core/tables.js";

const UNFINISHED = new Set(["queued", "running", "pausing", "paused"]);
/** @type {Record<string, string>} */
const HINTS = {
  cancelled: "It was stopped for good. A branch starts the search again.",
  failed: "It stopped by itself: the runs below say why. A branch starts the search again.",
  diverged:
    "The repeated search differs from its log: the runs below say more. A branch starts the search again.",
};

/** @param {RunContext} context @param {Schemas["StudyResource"]} first @param {Schemas["AlgorithmResource"][]} algorithms */
export function createHead(context, first, algorithms) {
  let study = first;
  let drawnText = "";
  const { name, path, who, messages, changed } = context;
  const state = h("span", {});
  const hint = h("p", { class: "quiet", hidden: true });
  const fixed = h("p", { class: "quiet", id: "cannot-extend", hidden: true });
  const about = h("p", {});
  const remarks = h("div", { class: "notice", role: "note", hidden: true });
  const next = h("nav", { class: "row next", hidden: true, aria: { label: "Results" } }, resultLinks(first));
  const buttons = h("div", { class: "row", role: "group", aria: { label: "What to do with the study" } });
  const element = h(
    "div",
    { class: "head" },
    h("div", { class: "row" }, state, buttons),
    hint,
    fixed,
    remarks,
    about,
    links(name),
    next,
  );

  /** @param {"launch" | "pause" | "stop"} verb */
  async function act(verb) {
    try {
      study = { ...study, ...(await send("POST", `${path}/${verb}`)) };
      update(study);
    } catch (error) {
      messages.fault(messageOf(error));
    }
    changed(study.state);
  }

  async function stop() {
    const text = "Its runs are cancelled for good; their results stay. To continue later, pause it instead.";
    if (await askDialog({ title: `Stop ${name}?`, text, action: "Stop it", read: () => true })) act("stop");
  }

  async function remove() {
    const text = "The draft is deleted for good. Nothing was computed for it.";
    if (!(await askDialog({ title: `Delete ${name}?`, text, action: "Delete it", read: () => true }))) return;
    try {
      await send("DELETE", path);
      location.assign("/");
    } catch (error) {
      messages.fault(messageOf(error));
    }
  }

  async function extend() {
    const extended = await askExtension(context, study);
    if (!extended) return;
    update(extended);
    changed(study.state);
  }

  // A search that cannot go on has its button all the same, which says why.
  function extensionButton() {
    const reason = cannotExtend(study, algorithms);
    fixed.textContent = reason;
    const described = reason ? { describedby: fixed.id } : {};
    return h(
      "button",
      {
        type: "button",
        disabled: Boolean(reason),
        aria: described,
        data: { icon: "plus" },
        on: { click: extend },
      },
      "Extend",
    );
  }

  /** @param {boolean} archived */
  async function archive(archived) {
    try {
      update({ ...study, ...(await send("PATCH", path, { archived })) });
      const text = archived
        ? "Archived: it is now among the archived studies."
        : "It is among the current studies again.";
      messages.done(text, { undo: () => archive(!archived) });
    } catch (error) {
      messages.fault(messageOf(error));
    }
    changed();
  }

  /** @param {"private" | "shared"} visibility */
  async function share(visibility) {
    try {
      update({ ...study, ...(await send("PATCH", path, { visibility })) });
      /** @type {[text: string, before: "private" | "shared"]} */
      const [text, before] =
        visibility === "shared"
          ? ["Shared: everybody with an account may read it; only its owner and admins change it.", "private"]
          : ["Private: only its owner and admins see it.", "shared"];
      messages.done(text, { undo: () => share(before) });
    } catch (error) {
      messages.fault(messageOf(error));
    }
    changed();
  }

  function actions() {
    const own = changes(who, study);
    const shared = study.visibility === "shared";
    /** @param {...string} states */
    const has = (...states) => own && states.includes(study.state);
    const ended = has("done", "paused");
    fixed.hidden = !(ended && !study.source && cannotExtend(study, algorithms));
    return [
      has("draft") && button("Launch", () => act("launch"), "main"),
      has("draft") &&
        h(
          "a",
          { class: "button", href: `/new?edit=${encodeURIComponent(name)}`, data: { icon: "edit" } },
          "Edit",
        ),
      has("draft") && button("Delete", remove),
      has("paused") && button("Resume", () => act("launch"), "main"),
      ended && !study.source && extensionButton(),
      has("queued", "running") && button("Pause", () => act("pause")),
      own && UNFINISHED.has(study.state) && button("Stop", stop),
      writes(who) && !study.source && button("Branch", () => askBranch(context)),
      own &&
        who.account &&
        button(shared ? "Make private" : "Share", () => share(shared ? "private" : "shared")),
      own && button(study.archived ? "Restore" : "Archive", () => archive(!study.archived)),
    ].filter(Boolean);
  }

  /** @param {Partial<Schemas["StudyResource"]>} change */
  function update(change) {
    study = { ...study, ...change };
    const text = JSON.stringify([study.state, study.archived, study.owner, study.visibility]);
    if (text !== drawnText) {
      const focused = buttons.contains(document.activeElement);
      replace(state, stateMark(study.state));
      replace(buttons, actions());
      if (focused) buttons.querySelector("button")?.focus();
      drawnText = text;
    }
    hint.hidden = !(study.state in HINTS);
    hint.textContent = HINTS[study.state] ?? "";
    replace(about, aboutText(study));
    replace(remarks, remarksOf(study));
    remarks.hidden = !study.remarks?.length;
    next.hidden = study.state !== "done";
  }

  update(first);
  return { element, update };
}

/** @type {Record<string, string>} */
const ICONS = {
  Launch: "play",
  Resume: "play",
  Pause: "pause",
  Stop: "stop",
  Branch: "branch",
  Share: "share",
  Archive: "archive",
  Restore: "undo",
  Delete: "delete",
};

/** @param {string} label @param {() => void} click @param {string} [look] */
const button = (label, click, look) =>
  h("button", { type: "button", class: look, data: { icon: ICONS[label] ?? "" }, on: { click } }, label);

/** @param {Schemas["StudyResource"]} study */
function aboutText(study) {
  const origin = [
    h("span", { title: study.model }, study.model_title),
    `, stored ${moment(study.created)}`,
    study.owner && ` by ${study.owner}`,
    study.visibility === "shared" && ", shared with all",
    study.archived && ", archived",
  ];
  const branch = study.branch_of && [
    ", a branch of ",
    h("a", { href: `/studies/${encodeURIComponent(study.branch_of)}` }, study.branch_of),
  ];
  return [
    study.description && `${study.description} `,
    h("span", { class: "quiet" }, origin.filter(Boolean), branch, "."),
  ].filter(Boolean);
}

// What should be known before a result is believed, and where it is mended.
/** @param {Schemas["StudyResource"]} study */
const remarksOf = ({ name, remarks = [] }) => [
  remarks.join(" "),
  " ",
  h("a", { href: `/studies/${pathPart(name)}/analyse` }, "Evaluate the leaders again"),
];

// Where a finished study is read on; one of a single layout has nothing of its own to compare.
/** @param {Schemas["StudyResource"]} study */
function resultLinks({ name, definition }) {
  const at = `/studies/${pathPart(name)}`;
  const { layouts } = /** @type {Schemas["StudyDefinition"]} */ (definition);
  const several = Object.keys(layouts ?? {}).length > 1;
  return [
    h("a", { class: "button main", href: `${at}/review` }, "Review the front"),
    several && h("a", { class: "button", href: `/compare?of=${pathPart(name)}` }, "Compare the layouts"),
    h("a", { class: "button", href: `${at}/decide` }, "Decide on a design"),
  ];
}

/** @param {string} name */
function links(name) {
  const own = encodeURIComponent(name);
  return h(
    "div",
    { class: "row" },
    h("a", { href: `/new?from=${own}` }, "New study from this"),
    h("a", { href: `/api/v1/studies/${own}/file`, download: "" }, "Study file"),
    h("a", { href: `/api/v1/studies/${own}/export?format=csv`, download: "" }, "All designs as CSV"),
  );
}

// ------------------------------------------------------------------ dialogs

// A larger budget for a search that has ended, or more seeds: it goes on where it was.

/** @typedef {"seeds" | "generations" | "evaluations" | "wall_time"} Budget */

const BUDGETS = {
  seeds: ["Seeds of each layout", "a total as in 5, or what is added as in +2"],
  generations: ["Generations of each run", "a total as in 55, or what is added as in +25"],
  evaluations: ["Designs of each run", "a total as in 4096, or what is added as in +1000"],
  wall_time: ["Time of searching of each run", 'a total as in "2 h"'],
};

/** @param {Schemas["StudyResource"]} study */
const searchedSeeds = (study) => /** @type {Schemas["StudyDefinition"]} */ (study.definition).seeds.length;

/** @param {Schemas["StudyResource"]} study */
const searchOf = (study) => /** @type {Schemas["StudyDefinition"]} */ (study.definition).search;

// Why a finished search cannot go on, from what the server says of its algorithm; empty where it can.
/** @param {Schemas["StudyResource"]} study @param {Schemas["AlgorithmResource"][]} algorithms */
function cannotExtend(study, algorithms) {
  const found = algorithms.find(({ algorithm }) => algorithm === searchOf(study).algorithm);
  return found?.fixed
    ? `It cannot be extended: ${found.algorithm} ${found.fixed}. A new study finds its designs in the store.`
    : "";
}

// Resolves to the study with its new budget, or to null.
/** @param {RunContext} options @param {Schemas["StudyResource"]} study */
async function askExtension({ name, path }, study) {
  const search = { ...searchOf(study), seeds: searchedSeeds(study) };
  const fields = /** @type {Budget[]} */ (Object.keys(BUDGETS))
    .filter((key) => search[key] !== null && search[key] !== undefined)
    .map((key) => field(key, search[key]));
  const rest = h("p", { class: "field-fault", role: "alert", hidden: true });
  let extended = null;

  /** @param {Record<string, unknown>} budget */
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
      const place = placeOf(error);
      const at = fields.find(({ key }) => key === place.at(-1));
      show(at?.fault ?? rest, sentence(at ? `it ${messageOf(error)}` : messageOf(error)));
      return at ? lead(at) : false;
    }
  }

  await askDialog({
    title: `Extend ${name}`,
    text: "The searches go on where they ended, with the same log. Each ends as if it had the larger budget from the start. A new seed is a new run of each layout.",
    action: "Extend it",
    fields: [...fields.map(({ element }) => element), rest],
    read: () =>
      Object.fromEntries(fields.map(({ key, input }) => [key, total(key, input.value.trim(), search[key])])),
    send: request,
  });
  return extended;
}

// Where in the budget the server found a fault.
/** @param {unknown} error */
const placeOf = (error) =>
  error instanceof ApiError ? (error.problem.path ?? error.faults[0]?.path ?? []) : [];

/** @param {Budget} key @param {unknown} now */
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
/** @param {Budget} key @param {string} text @param {unknown} now */
function total(key, text, now) {
  if (text === "") return null;
  if (key === "wall_time") return text;
  if (!/^\+?\d+$/.test(text)) return undefined;
  return text.startsWith("+") ? Number(now) + Number(text) : Number(text);
}

/** @param {HTMLElement} fault @param {string} text */
function show(fault, text) {
  fault.hidden = !text;
  fault.textContent = text;
}

/** @param {{ input: HTMLElement }} options */
function lead({ input }) {
  input.focus();
  return false;
}

// ------------------------------------------------------------------ branch

// The same study once more, under a name of its own.
const LONGEST = 64;

/** @param {RunContext} options */
async function askBranch({ name, path, messages }) {
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
    messages.fault(`No branch was made: ${messageOf(error)}`);
  }
}
