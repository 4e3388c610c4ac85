// A new study: a form, and its file next to it.
import { all, ApiError, get, getText, part } from "./api.js";
import { byId, h, replace } from "./dom.js";
import { online } from "./online.js";
import { begin } from "./new/begin.js";
import { cost } from "./new/cost.js";
import { draft } from "./new/draft.js";
import { placeOf, show } from "./new/faults.js";
import { button, choice, section } from "./new/fields.js";
import { file, goTo } from "./new/file.js";
import { constraints, objectives } from "./new/goals.js";
import { heading, naming } from "./new/heading.js";
import { launching } from "./new/launch.js";
import { layouts } from "./new/layouts.js";
import { indicators, limits } from "./new/limits.js";
import { modelNamed } from "./new/model.js";
import { parameters } from "./new/parameters.js";
import { search } from "./new/search.js";
import { variables } from "./new/variables.js";

const content = byId("content");
const form = h("form", { id: "form", class: "form", on: { submit: (event) => event.preventDefault() } });
const MAKERS = new Set(["editor", "admin"]);
const AGAIN = 3000;
let offered;
let bench;
let drawing = 0;

async function load() {
  const [models, examples, algorithms, me] = await Promise.all([all("models"), all("examples"), all("algorithms"), get("me")]);
  const broken = models.filter((model) => model.fault);
  offered = { models: models.filter((model) => !model.fault), broken, examples, algorithms, mayMake: MAKERS.has(me.role) && me.scope !== "read" };
  const asked = new URLSearchParams(location.search);
  draft.replaces = asked.get("edit") ?? "";
  const from = draft.replaces || asked.get("from");
  const refused = draft.restore() || !from ? null : await beginAs(from);
  if (draft.tree) work();
  else offer();
  if (refused) content.prepend(h("p", { class: "fault", role: "alert" }, refused));
  content.removeAttribute("aria-busy");
}

// Begin with a stored study; what the server says if it does not give it.
async function beginAs(name) {
  try {
    const text = await getText(`studies/${part(name)}/file`);
    draft.begin({ text: draft.replaces ? text : renamed(text, name) });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    return error.message;
  }
}

// A study that begins as another one needs a name of its own.
function renamed(text, from) {
  const [, stem, number] = /^(.*?)(?:-(\d+))?$/.exec(from);
  return text.replace(/^name = .*$/m, `name = "${stem.slice(0, 56)}-${Number(number ?? 1) + 1}"`);
}

// What was written before is kept until something else is begun, and can be brought back then too.
function offer() {
  const began = (what) => {
    draft.begin(what);
    work();
    byId("main").focus();
  };
  replace(
    content,
    draft.tree && h("p", {}, button("Back to the study that you were writing", work)),
    begin(offered.models, offered.examples, { begin: began }),
    offered.broken.map((model) => h("p", { class: "fault" }, model.fault)),
  );
}

function work() {
  bench ??= workbench();
  replace(content, bench);
  render();
}

function workbench() {
  const { mayMake } = offered;
  const workers = Number(document.body.dataset.workers) || null;
  const launch = launching(draft, { form, goTo, mayMake, startOver: offer });
  const aside = h(
    "div",
    { class: "aside" },
    launch.element,
    h("h2", {}, "Cost"),
    cost(draft, { workers, mayCompute: mayMake }),
    file(draft),
  );
  return h("div", { class: "beside" }, form, aside, launch.bar);
}

// The form again, with the focus where it was.
async function render() {
  const mine = (drawing += 1);
  const name = draft.get("model");
  const known = offered.models.some((model) => model.model === name);
  let model = null;
  try {
    if (known) model = await modelNamed(name);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (mine === drawing) waiting(error);
    return;
  }
  if (mine !== drawing) return;
  const back = focused();
  replace(form, model ? parts(model) : unknown());
  show(form, draft.answer?.faults ?? []);
  back();
}

// The back-end's schema did not come: the form is drawn as soon as it does.
function waiting(error) {
  if (!form.childElementCount) replace(form, h("p", { class: "fault", role: "alert" }, error.message));
  setTimeout(render, AGAIN);
}

function parts(model) {
  const varies = "What the search may change, in every layout. Both ends of a range are included.";
  return [
    heading(model),
    naming(draft),
    parameters(draft, model),
    section("Variables", ["variables"], h("p", { class: "quiet small" }, varies), variables(draft, model)),
    layouts(draft, model),
    objectives(draft, model),
    constraints(draft, model),
    search(draft, offered.algorithms),
    section("More", null, limits(draft), indicators(draft, model)),
    h("datalist", { id: "parameters" }, model.names.map((name) => h("option", { value: name }))),
  ];
}

// Shown instead of the form while the file names no back-end.
function unknown() {
  if (!draft.answer) return h("p", { class: "quiet" }, "Reading the file\u2026");
  const place = ["model"];
  const choices = [["", "choose one"], ...offered.models.map(({ model }) => [model, model])];
  const onChange = (name) => draft.reshape(() => draft.set(place, name || undefined));
  const options = { place, label: "Back-end", hint: "The file does not name an installed back-end." };
  return section("Back-end", null, choice(options, { value: draft.get("model") ?? "", choices, onChange }));
}

// Puts the focus back to where it was, in the form that was drawn again: the same field or button, else one nearby.
function focused() {
  const active = document.activeElement;
  if (!form.contains(active)) return () => {};
  const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
  const label = active.tagName === "BUTTON" ? labelOf(active) : null;
  const pointer = active.closest("[data-pointer]")?.dataset.pointer ?? "";
  return () => {
    const place = placeOf(form, pointer) ?? form;
    const twin = label && [...place.querySelectorAll("button")].find((element) => labelOf(element) === label);
    const near = place.querySelector(label ? ".add select" : "input:not([disabled]), select, textarea");
    (twin || near || form.querySelector("input"))?.focus();
  };
}

async function start() {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    content.removeAttribute("aria-busy");
    replace(content, h("p", { class: "fault", role: "alert" }, error.message), h("p", {}, button("Try again", start)));
    if (!online.get()) setTimeout(start, AGAIN);
  }
}

draft.listen("tree", render);
draft.listen("answer", () => {
  show(form, draft.answer?.faults ?? []);
  if (draft.answer && !form.querySelector(".chosen")) render();
});
start();
