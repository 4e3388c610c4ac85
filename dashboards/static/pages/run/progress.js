// How far the study is: one bar and the numbers beside it until it is done, what it waits for, and what became of it.
/** @import { Figure, Schemas } from "../../core/types.js" */
/** @import { RunContext } from "./page.js" */
import { all, get } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count, counted, duration, percent, rate } from "../../core/format.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { createKneeRobots } from "../../core/knee_robots.js";
import { MOVING } from "../../core/tables.js";

const SOON = 6;

/** @param {Schemas["StudyResource"]} study */
export function createProgress(study) {
  const bar = h("progress", { max: 1, value: 0, aria: { label: `Progress of ${study.name}` } });
  const line = h("p", { class: "numbers" });
  const waits = h("div", { class: "notice", hidden: true });
  const totals = h("dl", { class: "totals" });
  const element = h("section", { aria: { label: "Progress" } }, bar, line, waits, totals);

  /** @param {Schemas["ProgressResource"]} progress */
  function update(progress) {
    bar.hidden = line.hidden = progress.state === "done";
    bar.value = progress.share;
    line.textContent = inWords(progress);
    const reason = waiting(progress);
    waits.hidden = !reason;
    replace(waits, reason);
    replace(
      totals,
      numbersOf(progress).map(([term, value, note]) =>
        h("div", {}, h("dt", {}, term), h("dd", {}, value, note && h("span", { class: "note" }, note))),
      ),
    );
  }

  return { element, update };
}

/** @param {Schemas["ProgressResource"]} progress */
function inWords(progress) {
  const budget =
    progress.planned === null
      ? counted(progress.designs, "design")
      : `${count(progress.designs)} of ${counted(progress.planned, "design")}`;
  const parts = [percent(progress.share), budget];
  if (progress.state === "running") {
    if (progress.rate !== null) parts.push(rate(progress.rate));
    if (progress.seconds_left !== null) parts.push(`about ${duration(progress.seconds_left)} left`);
  }
  return parts.join(", ");
}

/** @param {Schemas["ProgressResource"]} progress */
function numbersOf(progress) {
  const { designs, planned, feasible, failed, computed, seconds } = progress;
  const others = designs - feasible - failed;
  /** @param {number} part */
  const share = (part) => (designs ? `${percent(part / designs)} of all` : "");
  return [
    ["designs", count(designs), planned === null ? "" : `of ${count(planned)} planned`],
    ["feasible", count(feasible), share(feasible)],
    ["not feasible", count(others), share(others)],
    ["failed", count(failed), share(failed)],
    ["computed", count(computed), designs > computed ? `${count(designs - computed)} known before` : ""],
    ["time of searching", duration(seconds), ""],
  ];
}

// Why nothing happens although it was launched.
/** @param {Schemas["ProgressResource"]} options */
function waiting({ state, designs, waiting: queue, runs }) {
  if (state === "draft") return "It is a draft: nothing is computed before it is launched.";
  if (runs.some((run) => run.state === "running" && run.owner_gone))
    return "The process that worked on it has ended; a runner will continue it.";
  const running = runs.filter((run) => run.state === "running");
  const [reason] = running.map((run) => run.message);
  if (reason && running.every((run) => run.message)) return `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  if (!designs && runs.some((run) => run.state === "running"))
    return "Starting workers: each loads the back-end and computes its first designs. Numbers appear after the first generation.";
  const taken = runs.find((run) => run.state === "queued" && run.owner && !run.owner_gone);
  if (taken) return "A runner prepares the back-end; the first time, this takes about a minute.";
  if (!queue || runs.some((run) => run.state === "running")) return null;
  if (queue.at_work)
    return `It waits for its turn: ${counted(queue.at_work, "run is", "runs are")} worked on, ${counted(queue.ahead, "waits", "wait")} before it.`;
  if (queue.seconds < SOON) return "It waits for a runner to take it.";
  return [
    "No runner has been active for ",
    duration(queue.seconds),
    ". The study begins as soon as somebody starts one. ",
    h(
      "details",
      {},
      h("summary", {}, "From the shell"),
      "On a machine that reaches the store: ",
      h("code", {}, "tautline runner"),
      ".",
    ),
  ];
}

// ------------------------------------------------------------------ figures

// The hypervolume and the front, drawn anew when a generation came.
const CAPTIONS = {
  history:
    "Hypervolume of all feasible designs found so far, all against one point: median and quartiles over the seeds.",
  front:
    "No other design of the layout, from any seed, is better in one objective and no worse in all others. Arrows on the axes point to the better end.",
};

/** @param {RunContext} options */
export function createFigures({ name, path }) {
  const history = figure("history", "Hypervolume", CAPTIONS.history);
  const front = figure("front-1", "Front", CAPTIONS.front);
  const robots = createKneeRobots();
  const element = h(
    "section",
    { class: "plots", aria: { label: "What it found so far" }, hidden: true },
    front.element,
    robots.element,
    history.element,
  );

  // Before a design is feasible there is neither: the places stand, so that nothing moves when they come.
  /** @param {Schemas["ProgressResource"]} options */
  async function update({ designs, feasible, runs, state }) {
    element.hidden = !designs;
    for (const one of [history, front]) one.wait(noneText(state, feasible));
    if (!runs.some((run) => run.front)) return;
    const drawn = [front, history].map(async (one) => one.show(await get(`${path}/figures/${one.id}`)));
    await Promise.all([...drawn, showRobots()]);
  }

  // The knee of each layout, or the best design of a single objective.
  async function showRobots() {
    const picks = await all(`${path}/picks`);
    const layouts = [...new Set(picks.map(({ layout }) => layout))];
    const knees = layouts.flatMap((layout) => {
      const own = picks.filter((pick) => pick.layout === layout);
      const { key } = own.find(({ kind }) => kind === "knee") ?? own[0];
      return [{ label: layout, study: name, layout, key }];
    });
    robots.update({ knees, contenders: knees });
    await robots.draw();
  }

  return { element, update };
}

// The message in place of a figure until there is one.
/** @param {string} state @param {number} feasible */
function noneText(state, feasible) {
  if (feasible) return "Drawing\u2026";
  return MOVING.has(state) ? "No design is feasible yet." : "No design is feasible.";
}

/** @param {Figure["data"][number]} trace */
const isSeed = (trace) => trace.legendgroup === "each seed";

/** @param {"history" | "front-1"} id @param {string} title @param {string} caption */
function figure(id, title, caption) {
  const none = h("p", { class: "quiet" });
  const place = h("div", { class: "place" }, none);
  const heading = h("h2", { id: `title-${id}` }, title);
  // The lines of single seeds, where the figure has them, are shown by a switch.
  const seeds = h("input", { type: "checkbox", on: { change: () => last && show(last) } });
  const each = h("label", { class: "small", hidden: true }, seeds, " each seed");
  const element = h(
    "figure",
    { role: "group", aria: { labelledby: `title-${id}` } },
    h("div", { class: "heading" }, heading, each),
    place,
    h("figcaption", {}, caption),
  );
  /** @type {FigureBox | undefined} */
  let drawing;

  /** @type {Figure | undefined} */
  let last;

  /** @param {Figure} made */
  async function show(made) {
    last = made;
    each.hidden = !made.data.some(isSeed);
    const data = made.data.map((trace) =>
      isSeed(trace) ? { ...trace, visible: seeds.checked, showlegend: false } : trace,
    );
    if (!drawing) {
      drawing = new FigureBox(h("div", { class: "plot", data: { figure: id }, aria: { busy: "true" } }));
      replace(place, drawing.box);
    }
    await drawing.show({ ...made, data });
  }

  /** @param {string} text */
  const wait = (text) => (none.textContent = text);

  return { id, element, show, wait };
}
