// The study that is being written: a tree for the form, a text for the file, and what the server says of them.
// A change on either side goes to the server, which answers the other side.
import { ApiError, send } from "../api.js";
import { at, drop, put } from "./tree.js";
import { forget, recall, remember } from "./kept.js";

const PAUSE = 300;
const AGAIN = 2000;
const TOO_MANY = 429;
const MOST_STEPS = 50;

const listeners = { tree: new Set(), text: new Set(), answer: new Set() };
const tell = (what) => listeners[what].forEach((listener) => listener());
const steps = [];
let timer;
let asking;
let waiting = [];

export const draft = {
  tree: null,
  text: "",
  // Which side was changed last: "form" or "file".
  source: "form",
  // The last answer of the server, for the present study; null during a request.
  answer: null,
  trouble: "",
  // The stored draft that is edited, if one is.
  replaces: "",
  // Whether the form shows an older study, because the file cannot be shown in it.
  behind: false,

  // listen("tree" | "text" | "answer", f): the form is to be drawn again; the file is; the server has spoken.
  listen: (what, listener) => listeners[what].add(listener),

  get: (...place) => at(draft.tree, place),

  // A value was typed in the form; undefined takes it away.
  set(place, value) {
    if (draft.source === "file") mark();
    if (value === undefined) drop(draft.tree, place);
    else put(draft.tree, place, value);
    changed("form");
  },

  // The form gets or loses parts: f changes the tree, and the form is drawn again.
  reshape(f) {
    mark();
    f(draft.tree);
    changed("form");
    tell("tree");
  },

  // The file was typed in.
  type(text) {
    if (draft.source === "form") mark();
    draft.text = text;
    changed("file");
  },

  // Begin again from a tree, or from a text.
  begin({ tree = null, text = "" }) {
    if (draft.tree) mark();
    Object.assign(draft, { tree: tree ?? {}, text, behind: false });
    changed(tree ? "form" : "file", 0);
    tell("text");
    tell("tree");
  },

  canUndo: () => steps.length > 0,

  undo() {
    const { tree, text, source } = JSON.parse(steps.pop());
    Object.assign(draft, { tree, text, behind: false });
    changed(source, 0);
    tell("text");
    tell("tree");
  },

  // What the server says of the present study, asked without a pause.
  settled() {
    if (draft.answer || draft.trouble) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
      ask();
    });
  },

  // What was typed before the page was loaded again; whether there was anything.
  restore() {
    const kept = recall();
    if (!kept) return false;
    Object.assign(draft, { tree: kept.tree, text: kept.text });
    changed(kept.source, 0);
    return true;
  },

  end() {
    clearTimeout(timer);
    forget();
  },
};

function mark() {
  steps.push(snapshot());
  if (steps.length > MOST_STEPS) steps.shift();
}

const snapshot = () => JSON.stringify({ tree: draft.tree, text: draft.text, source: draft.source });

function changed(source, pause = PAUSE) {
  asking?.abort(); // what is asked now was about the study as it stood before
  Object.assign(draft, { source, answer: null, trouble: "" });
  if (source === "form") draft.behind = false;
  remember(snapshot());
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
  tell("answer");
}

async function ask() {
  clearTimeout(timer);
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    take(await (draft.source === "file" ? send("POST", "studies/draft", draft.text, sending(signal)) : edited(signal)));
  } catch (error) {
    if (!(error instanceof ApiError)) {
      if (error.name === "AbortError") return;
      throw error;
    }
    if (error.status === 0 || error.status === TOO_MANY) {
      timer = setTimeout(ask, AGAIN);
      return;
    }
    draft.trouble = error.message;
  }
  waiting.splice(0).forEach((resolve) => resolve());
  tell("answer");
}

// What the form says is put into the file, so that comments and order stay.
function edited(signal) {
  if (!draft.text) return send("POST", "studies/draft", draft.tree, sending(signal));
  return send("POST", "studies/draft/edited", { definition: draft.tree, toml: draft.text }, sending(signal));
}

const sending = (signal) => ({ signal, query: { replaces: draft.replaces } });

function take(answer) {
  draft.answer = answer;
  if (draft.source === "form") {
    draft.text = answer.toml;
    remember(snapshot());
    tell("text");
    return;
  }
  draft.behind = answer.definition === null;
  if (draft.behind || JSON.stringify(draft.tree) === JSON.stringify(answer.definition)) return;
  draft.tree = answer.definition;
  remember(snapshot());
  tell("tree");
}
