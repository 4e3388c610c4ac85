// A study as a tree of plain values, and places in it: a place is a list of keys.
/** @import { Schemas } from "../../core/types.js" */
import { ApiError, messageOf, send, statusOf } from "../../core/api.js";

// A place in the study: the keys that lead there. What stands there is what the user typed: only the server checks it.
/** @typedef {string[]} Place */
/** @typedef {any} Tree */
/** @typedef {"definition" | "text" | "answer"} Side */
/** @typedef {{ definition?: Tree, text?: string, robots?: Schemas["ReadRobot"][] }} Beginning */
/** @typedef {typeof draft} Draft */
/** @typedef {Schemas["DraftFault"]} Fault */

/** @param {Tree} tree @param {Place} place */
const getAt = (tree, place) => place.reduce((node, key) => node?.[key], tree);

// Set the value at a place; missing tables above it are added.
/** @param {Tree} tree @param {Place} place @param {unknown} value */
function setAt(tree, place, value) {
  let node = tree;
  for (const key of place.slice(0, -1)) {
    if (!isTable(node[key])) node[key] = {};
    node = node[key];
  }
  node[place[place.length - 1]] = value;
}

// Remove the value at a place, and the tables that are empty afterwards, except named ones such as a layout.
const NAMED = new Set(["layouts", "variables", "constraints"]);

/** @param {Tree} tree @param {Place} place */
function deleteAt(tree, place) {
  const holder = getAt(tree, place.slice(0, -1));
  if (!isTable(holder)) return;
  delete holder[place[place.length - 1]];
  const above = place.slice(0, -1);
  if (above.length && !NAMED.has(above[above.length - 2]) && !Object.keys(holder).length)
    deleteAt(tree, above);
}

// Rename a key of a table; the order of the keys stays.
/** @param {Tree} tree @param {Place} place @param {string} name */
export function renameKey(tree, place, name) {
  const holder = getAt(tree, place.slice(0, -1));
  const old = place.at(-1);
  const entries = Object.entries(holder).map(([key, value]) => [key === old ? name : key, value]);
  Object.keys(holder).forEach((key) => delete holder[key]);
  entries.forEach(([key, value]) => (holder[key] = value));
}

/** @param {unknown} value */
export const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Places as JSON pointers (RFC 6901), as the server reports faults.
/** @param {string} key */
const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
/** @param {Place} place */
export const pointerOf = (place) => place.map((key) => `/${escaped(key)}`).join("");

// ------------------------------------------------------------------ storage of the tab

// The draft survives a reload of the page: the tab's session storage holds it, per address.
const key = `tautline-draft${location.search}`;

/** @template Found @param {() => Found} work @returns {Found | null} */
const attempt = (work) => {
  try {
    return work();
  } catch {
    return null; // no storage: nothing is saved
  }
};

/** @param {string} text */
const remember = (text) => attempt(() => sessionStorage.setItem(key, text));
const recall = () => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? "null"));
const forget = () => attempt(() => sessionStorage.removeItem(key));

// The idempotency key of a request: the same request has the same key, so that sending it twice makes one study.
/** @param {string} request */
export function requestKey(request) {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(`${key}-request`) ?? "null"));
  if (kept?.request === request) return kept.key;
  const made = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  attempt(() => sessionStorage.setItem(`${key}-request`, JSON.stringify({ request, key: made })));
  return made;
}

// ------------------------------------------------------------------ the draft

// The study in the form: its definition for the fields, its text for the file, and the server's answer to them.
// After a change on one side, the server's answer has the other side.
const PAUSE = 300;
const RETRY = 2000;
const TOO_MANY = 429;
const MOST_STEPS = 50;
// What every study needs that begins with nothing but a robot; the server tells one lack after the other.
const TO_CHOOSE = ["/objectives", "/variables"];
let began = false;

/** @type {Record<Side, Set<() => void>>} */
const listeners = { definition: new Set(), text: new Set(), answer: new Set() };
/** @param {Side} what */
const notify = (what) => listeners[what].forEach((listener) => listener());
/** @type {string[]} */
const steps = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {AbortController | undefined} */
let request;
/** @type {((value?: unknown) => void)[]} */
const waiting = [];

export const draft = {
  /** @type {Tree} */
  definition: null,
  text: "",
  // Which side was changed last: "form" or "file".
  /** @type {"form" | "file"} */
  source: "form",
  // The server's answer for the current study; null during a request.
  /** @type {Schemas["StudyDraft"] | null} */
  answer: null,
  trouble: "",
  // What was read of robots of other programs, if the study began with them.
  /** @type {Schemas["ReadRobot"][]} */
  robots: [],
  // The name of the stored draft that this one replaces; empty for a new study.
  replaces: "",
  // Whether the form shows an older definition because the file has errors.
  formIsStale: false,
  // Where the form leads when it is drawn the next time: the field of a value that was just added.
  /** @type {Place | null} */
  leadTo: null,
  // What the study lacked when it began, as pointers: not a fault until that part was touched, or a launch was tried.
  /** @type {Set<string> | null} */
  lacking: null,

  // Faults of the answer; `toDo` are those that a study has which has only begun.
  get faults() {
    const all = draft.answer?.faults ?? [];
    const isToDo = (/** @type {Fault} */ { pointer }) => draft.lacking?.has(pointer) ?? false;
    return { all, toDo: all.filter(isToDo), wrong: all.filter((fault) => !isToDo(fault)) };
  },

  // From now on, all that is missing counts as a fault.
  insist() {
    draft.lacking = new Set();
    notify("answer");
  },

  // listen("definition" | "text" | "answer", f): f is called when the form or the file must be drawn again, or at
  // every answer of the server.
  /** @param {Side} what @param {() => void} listener */
  listen: (what, listener) => listeners[what].add(listener),

  /** @param {...string} place */
  get: (...place) => getAt(draft.definition, place),

  // The user typed a value in the form; undefined removes it.
  /** @param {Place} place @param {unknown} value */
  set(place, value) {
    if (draft.source === "file") saveStep();
    touch(pointerOf(place));
    if (value === undefined) deleteAt(draft.definition, place);
    else setAt(draft.definition, place, value);
    changed("form");
  },

  // The form is drawn again, with another choice of fields, and leads to one of them.
  /** @param {Place} place */
  show(place) {
    draft.leadTo = place;
    notify("definition");
  },

  // Change the definition by f(definition) and draw the form again, since fields come or go.
  /** @param {(definition: Tree) => void} f */
  reshape(f) {
    saveStep();
    f(draft.definition);
    changed("form");
    notify("definition");
  },

  // The user typed in the file.
  /** @param {string} text */
  type(text) {
    if (draft.source === "form") saveStep();
    draft.lacking = new Set();
    draft.text = text;
    changed("file");
  },

  // Start again from a definition, or from a text and what was read of the robots in it.
  /** @param {Beginning} beginning */
  begin({ definition = null, text = "", robots = [] }) {
    if (draft.definition) saveStep();
    Object.assign(draft, { definition: definition ?? {}, text, robots, formIsStale: false, lacking: null });
    began = Boolean(definition);
    changed(definition ? "form" : "file", 0);
    notify("text");
    notify("definition");
  },

  canUndo: () => steps.length > 0,

  undo() {
    const { definition, text, source, robots } = JSON.parse(steps.pop() ?? "");
    Object.assign(draft, { definition, text, robots, formIsStale: false });
    changed(source, 0);
    notify("text");
    notify("definition");
  },

  // Resolves when the server has checked the current study; the check starts at once.
  settled() {
    if (draft.answer || draft.trouble) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
      check();
    });
  },

  // Restore the draft from before a reload; returns whether there was one.
  restore() {
    const kept = recall();
    if (!kept) return false;
    Object.assign(draft, { definition: kept.definition, text: kept.text, robots: kept.robots ?? [] });
    changed(kept.source, 0);
    return true;
  },

  end() {
    clearTimeout(timer);
    forget();
  },
};

/** @param {string} pointer */
function touch(pointer) {
  for (const lacking of draft.lacking ?? [])
    if (pointer === lacking || pointer.startsWith(`${lacking}/`) || lacking.startsWith(`${pointer}/`))
      draft.lacking?.delete(lacking);
}

function saveStep() {
  steps.push(snapshot());
  if (steps.length > MOST_STEPS) steps.shift();
}

const snapshot = () =>
  JSON.stringify({
    definition: draft.definition,
    text: draft.text,
    source: draft.source,
    robots: draft.robots,
  });

/** @param {"form" | "file"} source @param {number} [pause] */
function changed(source, pause = PAUSE) {
  request?.abort(); // its answer would be for the previous definition
  Object.assign(draft, { source, answer: null, trouble: "" });
  if (source === "form") draft.formIsStale = false;
  remember(snapshot());
  clearTimeout(timer);
  timer = setTimeout(check, pause);
  notify("answer");
}

async function check() {
  clearTimeout(timer);
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  try {
    applyAnswer(
      await (draft.source === "file"
        ? send("POST", "studies/draft", draft.text, sending(signal))
        : edited(signal)),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) {
      if (error instanceof Error && error.name === "AbortError") return;
      throw error;
    }
    if (statusOf(error) === 0 || statusOf(error) === TOO_MANY) {
      timer = setTimeout(check, RETRY);
      return;
    }
    draft.trouble = messageOf(error);
  }
  waiting.splice(0).forEach((resolve) => resolve());
  notify("answer");
}

// The server writes the form's changes into the file, so that its comments and order stay.
/** @param {AbortSignal} signal */
function edited(signal) {
  if (!draft.text) return send("POST", "studies/draft", draft.definition, sending(signal));
  return send(
    "POST",
    "studies/draft/edited",
    { definition: draft.definition, toml: draft.text },
    sending(signal),
  );
}

/** @param {AbortSignal} signal */
const sending = (signal) => ({ signal, query: { replaces: draft.replaces } });

/** @param {Schemas["StudyDraft"]} answer */
function applyAnswer(answer) {
  draft.answer = answer;
  draft.lacking ??= new Set([...answer.faults.map(({ pointer }) => pointer), ...(began ? TO_CHOOSE : [])]);
  if (draft.source === "form") {
    draft.text = answer.toml;
    remember(snapshot());
    notify("text");
    return;
  }
  draft.formIsStale = answer.definition === null;
  if (draft.formIsStale || JSON.stringify(draft.definition) === JSON.stringify(answer.definition)) return;
  draft.definition = answer.definition;
  remember(snapshot());
  notify("definition");
}
