// A new study: a form, and its file next to it.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Schemas } from "../../core/types.js" */
/** @import { Beginning } from "./draft.js" */
import { failure } from "../../core/messages.js";
import { all, ApiError, get, getText, messageOf, online, pathPart, statusOf } from "../../core/api.js";
import { byId, findAll, h, replace } from "../../core/dom.js";
import { modelNamed } from "../../core/parameters.js";
import { backendChoice, backendSummary, studyFields } from "./backend.js";
import { createCost } from "./cost.js";
import { draft } from "./draft.js";
import { placeOf, show } from "./faults.js";
import { button, choice, section } from "./fields.js";
import { createFileEditor, goTo } from "./file.js";
import { createLaunch } from "./launch.js";
import { layouts } from "./layouts.js";
import { linked } from "./linked.js";
import { parameters } from "./parameters.js";
import { createDraftRobot } from "./robot.js";
import { robotReport } from "./robot_files.js";
import { constraints, indicators, limits, objectives, search } from "./search.js";
import { variables } from "./variables.js";

const content = byId("content");
const form = h("form", { id: "form", class: "form", on: { submit: (event) => event.preventDefault() } });
const MAKERS = new Set(["editor", "admin"]);
const RETRY = 3000;
/** @type {{ models: Schemas["ModelSummary"][], broken: Schemas["ModelSummary"][], examples: Schemas["ExampleResource"][], algorithms: Schemas["AlgorithmResource"][], mayMake: boolean }} */
let available;
/** @type {HTMLElement | undefined} */
let workbenchElement;
/** @type {HTMLElement | null} */
let robot = null;
// Where form and picture do not fit beside each other, the picture stands in the form: by what changes it.
const narrow = matchMedia("(max-width: 67.99rem)");
const beside = h("div");
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
    draft.begin({ text: draft.replaces ? text : renamed(text, name) });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || statusOf(error) === 0) throw error;
    return messageOf(error);
  }
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
  const aside = h(
    "div",
    { class: "aside" },
    launch.element,
    beside,
    h("h2", {}, "Cost"),
    createCost(draft, { workers, mayCompute: mayMake }),
    createFileEditor(draft),
  );
  return h("div", { class: "beside", on: { keydown: launch.onKey } }, form, aside, launch.bar);
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
  if (robot && !form.contains(robot)) replace(beside, robot);
  show(form, draft.answer?.faults ?? []);
  back();
}

// The back-end's schema is missing: the form is drawn as soon as it arrives.
/** @param {Error} error */
function waiting(error) {
  if (!form.childElementCount) replace(form, h("p", { class: "fault", role: "alert" }, messageOf(error)));
  setTimeout(render, RETRY);
}

/** @param {Model} model */
function parts(model) {
  const varies = "What the search may change, in every layout. Both ends of a range are included.";
  return [
    backendSummary(model),
    draft.robots.length > 0 && robotReport(draft.robots),
    studyFields(draft),
    parameters(draft, model),
    narrow.matches && robot,
    section("Variables", ["variables"], h("p", { class: "quiet small" }, varies), variables(draft, model)),
    linked(draft, model),
    layouts(draft, model),
    objectives(draft, model),
    constraints(draft, model),
    search(draft, available.algorithms),
    section("More", null, limits(draft), indicators(draft, model)),
    h(
      "datalist",
      { id: "parameters" },
      model.names.map((name) => h("option", { value: name })),
    ),
  ];
}

// Shown instead of the form while the file names no back-end.
function unknown() {
  if (!draft.answer) return h("p", { class: "quiet" }, "Reading the file\u2026");
  const place = ["model"];
  const choices = [["", "choose one"], ...available.models.map(({ model }) => [model, model])];
  /** @param {string} name */
  const onChange = (name) => draft.reshape(() => draft.set(place, name || undefined));
  const options = { place, label: "Back-end", hint: "The file does not name an installed back-end." };
  return section("Back-end", null, choice(options, { value: draft.get("model") ?? "", choices, onChange }));
}

// Restores the focus after the form was drawn again: to the same field or button, else to one nearby.
function focused() {
  const active = document.activeElement;
  if (!active || !form.contains(active)) return () => {};
  /** @param {Element} element */
  const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
  const label = active.tagName === "BUTTON" ? labelOf(active) : null;
  const pointer = active.closest("[data-pointer]")?.getAttribute("data-pointer") ?? "";
  return () => {
    const place = placeOf(form, pointer) ?? form;
    const sameButton = label && findAll(place, "button").find((element) => labelOf(element) === label);
    const [near] = findAll(place, label ? ".add select" : "input:not([disabled]), select, textarea");
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

narrow.addEventListener("change", () => workbenchElement && render());
draft.listen("definition", render);
draft.listen("answer", () => {
  show(form, draft.answer?.faults ?? []);
  if (draft.answer && !form.querySelector(".chosen")) render();
});
start();
