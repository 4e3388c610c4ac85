// Does the winner stay the winner? The sweeps of the compared studies, a map of one of them, and a form for a new one.
/** @import { Schemas } from "../../core/types.js" */
import { ApiError, all, get, me, messageOf, studyPath, writes } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { announce } from "../../core/messages.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { textTable } from "../../core/tables.js";
import { selection } from "../../core/url_state.js";
import { createSweepForm } from "./sweep_form.js";

/** @typedef {Schemas["SweepResource"]} Sweep */
/** @typedef {Schemas["VerdictMapResource"]} VerdictMap */

const PAUSE = 2000;
const ABOUT =
  "A sweep evaluates the designs of the fronts under a grid of conditions, or searches anew under each, and says who wins where.";

// { element, show() }: `show` fetches the sweeps and draws the map of the chosen one.
/** @param {string[]} names @param {string} seeds @param {Schemas["ContenderResource"][]} contenders */
export function createSweeps(names, seeds, contenders) {
  const place = h("div");
  const status = h("p", { class: "quiet", role: "status" });
  const form = h("div");
  const map = createMap();
  const element = h(
    "section",
    { aria: { labelledby: "sweeps" } },
    h("h3", { id: "sweeps" }, "Does the winner stay the winner?"),
    place,
    status,
    map.element,
    form,
  );
  /** @type {Sweep[]} */
  let sweeps = [];

  /** @param {Sweep} sweep */
  const key = (sweep) => `${sweep.study}/${sweep.sweep}`;
  const chosen = () => sweeps.find((sweep) => key(sweep) === selection.get().sweep) ?? sweeps.at(-1);

  async function show() {
    try {
      sweeps = (await Promise.all(names.map((name) => all(`${studyPath(name)}/sweeps`)))).flat();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      status.textContent = `${messageOf(error)}.`;
      return;
    }
    const sweep = chosen();
    replace(place, sweep ? choice(sweep) : h("p", {}, ABOUT));
    if (!form.childElementCount && writes(await me()))
      replace(form, createSweepForm(names, seeds, contenders, begun));
    if (sweep) await follow(sweep);
  }

  // The map of a sweep as far as it is computed, and again while it goes on.
  /** @param {Sweep} sweep */
  async function follow(sweep) {
    const moves = ["queued", "running"].includes(sweep.state);
    const noun = sweep.mode === "search" ? "conditions" : "evaluations";
    status.textContent = {
      done: "",
      failed: `Not complete: ${sweep.message}.`,
      incomplete: `Not complete: ${sweep.done} of ${sweep.wanted} ${noun} are there. Begin the same sweep again to go on.`,
      queued: `Waiting: ${sweep.done} of ${sweep.wanted} ${noun}.`,
      running: `Computing: ${sweep.done} of ${sweep.wanted} ${noun}.`,
    }[sweep.state];
    if (moves) setTimeout(() => element.isConnected && show(), PAUSE);
    if (!moves || sweep.mode === "search") await map.show(sweep);
    else map.hide();
  }

  /** @param {Sweep} current */
  function choice(current) {
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { on: { change: () => (selection.set({ sweep: select.value }), show()) } },
      sweeps.map((sweep) =>
        h("option", { value: key(sweep), selected: sweep === current }, titleOf(sweep, names.length > 1)),
      ),
    );
    return h("p", {}, h("label", {}, "Sweep ", select));
  }

  /** @param {Sweep} sweep */
  function begun(sweep) {
    selection.set({ sweep: key(sweep) });
    announce("The sweep has begun.");
    return show();
  }

  return { element, show };
}

/** @param {Sweep} sweep @param {boolean} several */
function titleOf(sweep, several) {
  const swept = Object.entries(sweep.over).map(
    ([path, values]) => `${sweep.labels?.[path] ?? path} (${values.length})`,
  );
  const how = sweep.mode === "search" ? "searched anew" : "fronts evaluated again";
  return `${several ? `${sweep.study}: ` : ""}${swept.join(", ")}, ${how}`;
}

// ------------------------------------------------------------------ the map

// { element, show(sweep), hide() }: one criterion as a figure and in words, and all of them as a table.
function createMap() {
  const element = h("div", { hidden: true });
  const box = h("div", { class: "plot", data: { figure: "sweep" } });
  const drawing = new FigureBox(box);
  /** @type {HTMLSelectElement} */
  const select = h("select", { on: { change: () => selection.set({ criterion: select.value }) } });
  const title = h("h3", { id: "figure-sweep-title" });
  const caption = h("figcaption", { id: "figure-sweep-caption" });
  const note = h("p", { class: "quiet sweep-note" });
  const table = h("details");
  const wide = h(
    "div",
    { class: "scroll-plot", tabindex: 0, role: "region", aria: { label: "Map of winners" } },
    box,
  );
  const figure = h(
    "figure",
    {
      class: "wide",
      role: "group",
      aria: { labelledby: "figure-sweep-title", describedby: "figure-sweep-caption" },
    },
    title,
    wide,
    caption,
  );
  element.append(h("p", {}, h("label", {}, "Criterion ", select)), figure, note, table);
  /** @type {VerdictMap | undefined} */
  let found;
  selection.watch(["criterion"], () => found && draw(found));

  /** @param {Sweep} sweep */
  async function show(sweep) {
    found = await get(`${studyPath(sweep.study)}/sweeps/${sweep.sweep}/map`);
    element.hidden = false;
    replace(note, found.note);
    replace(
      table,
      h("summary", {}, `${found.conditions.length} conditions, each with all criteria`),
      textTable(found.table),
    );
    await draw(found);
  }

  /** @param {VerdictMap} of */
  async function draw(of) {
    const wanted = of.criteria.find(({ name }) => name === selection.get().criterion) ?? of.criteria[0];
    replace(
      select,
      of.criteria.map(({ name, title: text }) =>
        h("option", { value: name, selected: name === wanted.name }, text),
      ),
    );
    replace(title, wanted.title);
    replace(caption, wanted.sentences.join(" "));
    box.setAttribute("aria-busy", "true");
    const drawn = await get(`${studyPath(of.study)}/sweeps/${of.sweep}/figure`, { criterion: wanted.name });
    if (!element.isConnected || found !== of) return;
    box.style.height = `${drawn.layout.height ?? 420}px`;
    await drawing.show(/** @type {any} */ (drawn));
  }

  return { element, show, hide: () => void (element.hidden = true) };
}
