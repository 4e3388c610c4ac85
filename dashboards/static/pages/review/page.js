// The results of a study: review, analyse, decide. One selection in the address links the views and their parts.
/** @import { Chosen, View } from "./views.js" */
import { selection } from "../../core/url_state.js";
import { messageOf, online, statusOf } from "../../core/api.js";
import { byId, findAll, h, nextTask, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce, failure } from "../../core/messages.js";
import { follow, throttled } from "../../core/stream.js";
import { downloads } from "./downloads.js";
import { Study } from "./study.js";
import { select, selected } from "./view_state.js";
import { VIEWS } from "./views.js";

const RESTING = 120;
const LATER = 3000;
const BETWEEN_REFRESHES = 2000;
const content = byId("content");
const study = new Study(document.body.dataset.study ?? "");

// What is shown, once there is a design to show.
/** @type {View | null} */
let view = null;

// The views of a study share the selection: their links take it along.
for (const link of findAll(document, "nav[aria-label='This study'] a"))
  link.addEventListener("click", () => {
    if (link instanceof HTMLAnchorElement && VIEWS[link.pathname.split("/").at(-1) ?? ""])
      link.hash = location.hash;
  });

async function begin() {
  try {
    await study.load();
  } catch (error) {
    replace(content, failure(messageOf(error), begin));
    content.removeAttribute("aria-busy");
    if (statusOf(error) === 0) setTimeout(begin, LATER);
    return;
  }
  if (study.designs.length) await show();
  else wait();
  refreshOnEvents();
}

// While there is no design on any front, say why.
function wait() {
  const reasons = [...new Set(study.runs.flatMap((run) => [run.message, ...run.reasons]).filter(Boolean))];
  const states = [...new Set(study.runs.map((run) => run.state))].join(", ");
  const text = study.moves
    ? "No feasible design so far. The front appears here as soon as there is one."
    : `No feasible design to review (${states}).`;
  const list = h(
    "ul",
    { class: "plain" },
    reasons.map((reason) => h("li", {}, reason)),
  );
  const link = h("a", { href: `/studies/${study.name}` }, "Runs of this study");
  replace(
    content,
    h("div", { class: "empty" }, h("p", {}, text), reasons.length > 0 && list, h("p", {}, link)),
  );
  content.removeAttribute("aria-busy");
}

async function show() {
  if (!selected().key) choose(beginning());
  const made = VIEWS[document.body.dataset.view ?? "review"](study, choose);
  view = made;
  replace(byId("links"), downloads(study, made.figures));
  replace(content, made.elements);
  selection.watch(["layout", "key"], () => followSelection(RESTING));
  await nextTask(); // what follows is a task of its own
  if (made.begin) await made.begin();
  else made.update();
  content.removeAttribute("aria-busy");
  performance.mark("content");
  followSelection(0);
}

// The initial selection: a design nearest to the ideal point that no other layout's design beats in everything, so that
// it can be decided on; a safe one, if there is one.
function beginning() {
  const ideals = study.picks.filter((one) => one.kind === "ideal");
  const known = (ideals.length ? ideals : study.picks).map(({ layout, key }) => study.place(layout, key));
  const good = known.filter((place) => !isBeaten(place));
  const safe = good.find((place) => !study.designs[place]?.unsafe?.length);
  return study.designs[safe ?? good[0] ?? known[0]];
}

/** @param {number} place */
function isBeaten(place) {
  const costs = study.objectives.map(({ values, sense }) => ({
    values,
    sign: sense === "maximize" ? -1 : 1,
  }));
  return study.designs.some((_, other) => {
    const leads = costs.map(({ values, sign }) => sign * (values[other] - values[place]));
    return leads.every((lead) => lead <= 0) && leads.some((lead) => lead < 0);
  });
}

/** @param {Chosen} design */
function choose(design) {
  select(design.layout, design.key);
}

// Details and robot follow the selection after a pause: with the arrow keys, a user passes many designs quickly.
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;
// The key of the design that is shown; one that did not come is not.
let shown = "";

/** @param {number} pause */
function followSelection(pause) {
  clearTimeout(resting);
  resting = setTimeout(settle, pause);
}

async function settle() {
  const { layout: stated, key } = selected();
  if (!key || !view) return;
  // A link may name a design by the first letters of its key, and without its layout.
  const known = study.known(stated, key);
  const chosen = { layout: known?.layout ?? stated, key: known?.key ?? key };
  if (await view.show(chosen, () => selected().key === key)) shown = key;
}

// ------------------------------------------------------------------ while runs go on

// New designs on the front during a run: requested after events. A failed request is sent again; the page's banner
// shows the reason. While the server does not answer, a request now and then checks whether it is back.
function refreshOnEvents() {
  const soon = throttled(() => refresh().catch(() => soon()), BETWEEN_REFRESHES);
  online.listen((answers) => answers || soon());
  follow(soon, study.name);
}

async function refresh() {
  const before = study.designs.length;
  const changed = await study.refresh();
  if (!view) {
    if (study.designs.length) await show();
    else wait();
    return;
  }
  if (!changed) return;
  await view.update();
  const now = study.designs.length;
  if (!study.moves) announce(`The runs have ended with ${counted(now, "design")} on the front.`);
  else if (Math.floor(before / 10) !== Math.floor(now / 10))
    announce(`${counted(now, "design is", "designs are")} on the front.`);
}

// What colleagues wrote meanwhile is there when somebody comes back to the page.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && view) study.annotations.load().catch(() => {});
});

// When the server answers again, show the design that was selected meanwhile.
online.listen((answers) => {
  if (answers && view && shown !== selected().key) followSelection(0);
});
begin();
