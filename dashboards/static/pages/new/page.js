// A new study: a form, and its file next to it.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Schemas } from "../../core/types.js" */
/** @import { Beginning, Tree } from "./draft.js" */
import { failure } from "../../core/messages.js";
import { all, ApiError, get, getText, messageOf, online, pathPart, send, statusOf } from "../../core/api.js";
import { byId, findAll, h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { modelNamed } from "../../core/parameters.js";
import { backendChoice, backendSummary, studyFields } from "./backend.js";
import { createCost } from "./cost.js";
import { draft, pointerOf } from "./draft.js";
import { lead, placeOf, show } from "./faults.js";
import { beginSteps, button, choice, section, showWhole, step } from "./fields.js";
import { createFileEditor, goTo } from "./file.js";
import { createLaunch } from "./launch.js";
import { goals, goalsInWords } from "./goals.js";
import { variesInWords, whatVaries } from "./layouts.js";
import { presetName } from "./names.js";
import { parameters } from "./parameters.js";
import { createDraftRobot } from "./robot.js";
import { robotReport } from "./robot_files.js";
import { search, searchInWords } from "./search.js";

const content = byId("content");
const form = h("form", {
  id: "form",
  class: "form",
  on: { submit: (event) => event.preventDefault(), focusin: showWhole },
});
const MAKERS = new Set(["editor", "admin"]);
const RETRY = 3000;
/** @type {{ models: Schemas["ModelSummary"][], broken: Schemas["ModelSummary"][], examples: Schemas["ExampleResource"][], algorithms: Schemas["AlgorithmResource"][], mayMake: boolean }} */
let available;
/** @type {HTMLElement | undefined} */
let workbenchElement;
/** @type {ReturnType<typeof createDraftRobot> | null} */
let robot = null;
// Where form and picture do not fit beside each other, the picture folds into a bar that stays in view.
const narrow = matchMedia("(max-width: 59.99rem)");
let drawing = 0;

async function load() {
  const [models, examples, algorithms, me] = await Promise.all([
    all("models"),
    all("examples"),
    all("algorithms"),
    get("me"),
  ]);
  const broken = models.filter((model) => model.fault);
  available = {
    models: models.filter((model) => !model.fault),
    broken,
    examples,
    algorithms: algorithms.filter((algorithm) => !algorithm.fault),
    mayMake: MAKERS.has(me.role) && me.scope !== "read",
  };
  const query = new URLSearchParams(location.search);
  draft.replaces = query.get("edit") ?? "";
  const from = draft.replaces || query.get("from");
  const refused = draft.restore() || !from ? null : await beginAs(from);
  if (draft.definition) showWorkbench();
  else showBackends();
  if (refused) content.prepend(h("p", { class: "fault", role: "alert" }, refused));
  content.removeAttribute("aria-busy");
}

// Start from a stored study; returns the server's message if it refuses.
/** @param {string} name */
async function beginAs(name) {
  try {
    const text = await getText(`studies/${pathPart(name)}/file`);
    await beginLike(draft.replaces ? text : renamed(text, name));
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || statusOf(error) === 0) throw error;
    return messageOf(error);
  }
}

// What was chosen of earlier designs is chosen anew, since ranges and goals may change.
/** @param {string} text */
async function beginLike(text) {
  const definition = /** @type {Tree} */ ((await send("POST", "studies/draft", text)).definition);
  const holders = definition ? [definition.search ?? {}, ...Object.values(definition.layouts ?? {})] : [];
  if (!holders.some(({ earlier }) => earlier)) {
    draft.begin({ text });
    return;
  }
  holders.forEach((each) => delete each.earlier);
  draft.begin({ definition, text });
}

// A study that begins as another one needs a name of its own.
/** @param {string} text @param {string} from */
function renamed(text, from) {
  const [, stem, number] = /^(.*?)(?:-(\d+))?$/.exec(from) ?? ["", from];
  return text.replace(/^name = .*$/m, `name = "${stem.slice(0, 56)}-${Number(number ?? 1) + 1}"`);
}

// The previous draft stays until the user starts another one; Undo brings it back even then.
function showBackends() {
  /** @param {Beginning} what */
  const began = (what) => {
    beginSteps();
    draft.begin(what);
    showWorkbench();
    byId("main").focus();
  };
  replace(
    content,
    draft.definition && h("p", {}, button("Back to the study that you were writing", showWorkbench)),
    backendChoice(available.models, available.examples, { begin: began }),
    available.broken.map((model) => h("p", { class: "fault" }, model.fault)),
  );
}

function showWorkbench() {
  workbenchElement ??= workbench();
  replace(content, workbenchElement);
  render();
}

/** @param {string} name */
const isKnown = (name) => available.models.some(({ model }) => model === name);

function workbench() {
  const { mayMake } = available;
  const workers = Number(document.body.dataset.workers) || null;
  robot = mayMake ? createDraftRobot(draft, isKnown) : null; // who may not compute designs may not have them drawn
  const launch = createLaunch(draft, { form, goTo, mayMake, startOver: showBackends });
  const cost = createCost(draft, { workers, mayCompute: mayMake });
  const glance = h(
    "details",
    { class: "glance" },
    h("summary", {}, robot ? "Robot and cost" : "Cost", cost.gist),
    h("div", { class: "inside" }, robot?.element, h("h2", {}, "Cost"), cost.element),
  );
  const aside = h("div", { class: "aside" }, launch.element, createFileEditor(draft));
  document.addEventListener("keydown", (event) => form.isConnected && launch.onKey(event));
  if (robot) form.addEventListener("input", robot.follow);
  const bench = h("div", { class: "beside" }, form, aside, launch.bar);
  const place = () => {
    glance.open = !narrow.matches;
    (narrow.matches ? bench : aside).prepend(glance);
  };
  narrow.addEventListener("change", place);
  place();
  return bench;
}

// The form again, with the focus where it was.
async function render() {
  const thisDrawing = (drawing += 1);
  const name = draft.get("model");
  let model = null;
  try {
    if (isKnown(name)) model = await modelNamed(name);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (thisDrawing === drawing) waiting(error);
    return;
  }
  if (thisDrawing !== drawing) return;
  const back = focused();
  replace(form, model ? parts(model) : unknown());
  show(form, draft.faults.wrong);
  if (draft.leadTo) lead(form, { pointer: pointerOf(draft.leadTo), detail: "", line: null }, goTo);
  else back();
  draft.leadTo = null;
}

// The back-end's schema is missing: the form is drawn as soon as it arrives.
/** @param {Error} error */
function waiting(error) {
  if (!form.childElementCount) replace(form, h("p", { class: "fault", role: "alert" }, messageOf(error)));
  setTimeout(render, RETRY);
}

// What the examples of a back-end change, or have as goals, most frequent first.
/** @param {string} model @param {"changes" | "goals"} kind */
function usual(model, kind) {
  const names = available.examples
    .filter((example) => example.model === model)
    .flatMap((example) => example[kind]);
  /** @param {string} name */
  const often = (name) => names.filter((one) => one === name).length;
  return [...new Set(names)].sort((one, other) => often(other) - often(one));
}

/** @param {Model} model */
function parts(model) {
  const name = model.title;
  const preset = draft.get("preset") ? `, ${presetName(draft.get("preset"))}` : "";
  const set = Object.keys(draft.get("parameters") ?? {}).length;
  /** @param {string} name */
  const isParameter = (name) => name in model.fields;
  const known = (/** @type {string} */ name) => model.metric(name) !== undefined;
  return [
    studyFields(draft),
    step(
      {
        name: "robot",
        number: 1,
        title: "Robot",
        chosen: `${name}${preset}${set ? `, ${counted(set, "value")} set` : ""}`,
        next: ["goals", "Goals"],
      },
      backendSummary(model),
      draft.robots.length > 0 && robotReport(draft.robots),
      parameters(draft, model, usual(model.model, "changes").filter(isParameter)),
    ),
    step(
      {
        name: "goals",
        number: 2,
        title: "Goals",
        chosen: goalsInWords(draft, model),
        next: ["vary", "What may vary"],
      },
      goals(draft, model, usual(model.model, "goals").filter(known)),
    ),
    step(
      {
        name: "vary",
        number: 3,
        title: "What may vary",
        chosen: variesInWords(draft, model),
        next: ["search", "Search"],
      },
      whatVaries(draft, model, usual(model.model, "changes").filter(isParameter)),
    ),
    step(
      { name: "search", number: 4, title: "Search", chosen: searchInWords(draft) },
      search(draft, available.algorithms, model),
    ),
  ];
}

// Shown instead of the form while the file names no back-end.
function unknown() {
  if (!draft.answer) return h("p", { class: "quiet" }, "Reading the file\u2026");
  const place = ["model"];
  const choices = [["", "choose one"], ...available.models.map(({ model, title }) => [model, title])];
  /** @param {string} name */
  const onChange = (name) => draft.reshape(() => draft.set(place, name || undefined));
  const options = { place, label: "Robot", hint: "The file does not name an installed back-end." };
  return section("Robot", null, choice(options, { value: draft.get("model") ?? "", choices, onChange }));
}

// Restores the focus after the form was drawn again: to the same field or button, else to one nearby.
function focused() {
  const active = document.activeElement;
  if (!active || !form.contains(active)) return () => {};
  /** @param {Element} element */
  const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
  const label = active.tagName === "BUTTON" ? labelOf(active) : active.getAttribute("aria-label");
  const pointer = active.closest("[data-pointer]")?.getAttribute("data-pointer") ?? "";
  return () => {
    const place = placeOf(form, pointer) ?? form;
    const sameButton =
      label && findAll(place, "button, input, select").find((element) => labelOf(element) === label);
    const [near] = findAll(place, "input:not([disabled]), select, textarea");
    (sameButton || near || form.querySelector("input"))?.focus();
  };
}

async function start() {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    content.removeAttribute("aria-busy");
    replace(content, failure(messageOf(error), start));
    if (!online.get()) setTimeout(start, RETRY);
  }
}

draft.listen("definition", render);
draft.listen("answer", () => {
  show(form, draft.faults.wrong);
  if (draft.answer && !form.querySelector(".chosen")) render();
});
start();
