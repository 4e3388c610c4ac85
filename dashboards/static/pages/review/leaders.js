// The designs to begin with of all layouts, evaluated again together: does their order stay on a finer grid?
/** @import { Column, Study } from "./study.js" */
/** @import { Child, Schemas } from "../../core/types.js" */
import { messageOf, pathPart, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce, refusalBox } from "../../core/messages.js";
import { cardTable } from "../../core/tables.js";
import { tipped, unsafeMark } from "../../core/tooltips.js";
import { merged, pickText } from "./controls.js";
import { stoppableForm, whenFree } from "./stoppable_form.js";
import { createSettings, difference, offered } from "./reevaluation.js";
import { short } from "./study.js";
import { select } from "./view_state.js";
import { brokenTexts, notComputedTexts } from "./what_if.js";

const HELP =
  "The best designs of each layout with a finer grid or under other conditions, beside their stored values: is the leader still the leader? Nothing is stored. A number is in SI units; a text may have its unit, such as 5 mm.";

// A design to begin with, and what it was found to be now; `found` is null until it is evaluated.
/** @typedef {{ layout: string, key: string, text: string, stored: Schemas["DesignResource"], found: Schemas["JudgedEvaluationResource"] | null }} Leader */

/** @param {Study} study */
export function createLeaders(study) {
  const body = h("div", {});
  const element = h(
    "details",
    { class: "leaders" },
    h("summary", {}, "Evaluate the leaders again"),
    h("p", { class: "quiet small" }, HELP),
    body,
  );
  element.addEventListener("toggle", () => element.open && !body.firstChild && fill());

  async function fill() {
    replace(body, h("p", { class: "quiet", role: "status" }, "Reading the leaders…"));
    try {
      const [{ layout, key }] = study.picks;
      const [design, model] = await Promise.all([study.design(layout, key), study.model()]);
      replace(body, leadersForm(study, createSettings(offered(study, design, model))));
    } catch (error) {
      replace(body, h("p", { class: "fault" }, messageOf(error)));
    }
  }

  return { element };
}

/** @param {Study} study @param {ReturnType<typeof createSettings>} settings */
function leadersForm(study, settings) {
  const status = h("div", { role: "status" });
  const result = h("div", {});

  /** @param {AbortSignal} signal */
  async function work(signal) {
    replace(result);
    const chosen = settings.read();
    const leaders = await readLeaders(study);
    await evaluateEach(study, leaders, chosen, signal, (done) => {
      const text = `${done} of ${counted(leaders.length, "leader")} evaluated`;
      replace(
        status,
        h("p", {}, text),
        h("progress", { max: leaders.length, value: done, aria: { label: text } }),
      );
    });
    replace(status, signal.aborted && h("p", {}, "Stopped; the table has what is evaluated."));
    show(leaders, chosen);
  }

  /** @param {unknown} error */
  function refused(error) {
    replace(status);
    replace(result, refusalBox(error, 1));
  }

  /** @param {Leader[]} leaders @param {Record<string, unknown>} chosen */
  function show(leaders, chosen) {
    const known = leaders.filter(({ found }) => found);
    if (!known.length) return;
    const changes = orderChanges(study, known);
    replace(
      result,
      h(
        "p",
        { class: changes.length ? "bad" : "good" },
        changes.length ? changes.join(" ") : "The order stays the same in every objective.",
      ),
      remarkOf(known),
      leadersTable(study, known, chosen),
    );
    announce(changes.length ? changes.join(" ") : "The order stays the same.");
  }

  return stoppableForm({
    label: "Evaluate the leaders again",
    fields: settings.element,
    more: settings.more,
    below: [status, result],
    work,
    refused,
  });
}

// Which part of a change the installed version may have made.
/** @param {Leader[]} leaders */
function remarkOf(leaders) {
  const remark = leaders.map(({ stored }) => stored.remark).find(Boolean);
  const text = "Differences come from the version, too, and not from the settings alone.";
  return remark && h("p", { class: "notice" }, `${remark} ${text}`);
}

/** @param {Study} study @returns {Promise<Leader[]>} */
async function readLeaders(study) {
  return Promise.all(
    merged(study.picks).map(async (picks) => {
      const { layout, key } = picks[0];
      return {
        layout,
        key,
        text: pickText(study, picks),
        stored: await study.design(layout, key),
        found: null,
      };
    }),
  );
}

// One after the other: the server computes one evaluation for each account at a time.
/** @param {Study} study @param {Leader[]} leaders @param {Record<string, unknown>} settings @param {AbortSignal} signal @param {(done: number) => void} report */
async function evaluateEach(study, leaders, settings, signal, report) {
  report(0);
  for (const [place, leader] of leaders.entries()) {
    const path = /** @type {const} */ (`${study.path}/designs/${pathPart(leader.key)}/evaluate`);
    leader.found = await whenFree(() => send("POST", path, { settings }, { signal }), signal);
    if (signal.aborted) return;
    report(place + 1);
  }
}

// ------------------------------------------------------------------ order

// Values of an objective before and now; NaN where a design has none.
/** @param {Column} column @param {Leader} leader */
function beforeAndNow(column, { layout, stored, found }) {
  const done = found?.status === "done";
  return {
    before: column.of({ layout, metrics: stored.metrics }),
    now: done ? column.of({ layout, metrics: found.metrics }) : NaN,
  };
}

// The limits that a design breaks now, in words.
/** @param {Study} study @param {Leader} leader */
const brokenNow = (study, { found }) => (found?.status === "done" ? brokenTexts(study, found.metrics) : []);

// The rank of each value, 1 for the best; equal ones share a rank, and NaN has none.
/** @param {number[]} values @param {string} sense */
function ranks(values, sense) {
  const sign = sense === "maximize" ? -1 : 1;
  return values.map((value) =>
    Number.isNaN(value) ? NaN : 1 + values.filter((other) => sign * other < sign * value).length,
  );
}

// A design that breaks a limit now has no rank any more.
/** @param {Study} study @param {Column} column @param {Leader[]} leaders */
function ranksOf(study, column, leaders) {
  const values = leaders.map((leader) => {
    const { before, now } = beforeAndNow(column, leader);
    return { before, now: brokenNow(study, leader).length ? NaN : now };
  });
  return {
    before: ranks(
      values.map((one) => one.before),
      column.sense,
    ),
    now: ranks(
      values.map((one) => one.now),
      column.sense,
    ),
  };
}

// A sentence for each design that breaks a limit now, each objective whose order changes, and each design that is lost.
/** @param {Study} study @param {Leader[]} leaders */
function orderChanges(study, leaders) {
  /** @param {number} place */
  const name = (place) => nameOf(study, leaders[place]);
  const sentences = study.objectives.flatMap((column) => {
    const { before, now } = ranksOf(study, column, leaders);
    const moved = before.filter((rank, place) => !Object.is(rank, now[place])).length;
    if (!moved) return [];
    const [first, best] = [before.indexOf(1), now.indexOf(1)];
    const leads = best < 0 || now[first] === 1 ? "" : `: ${name(best)} leads instead of ${name(first)}`;
    return [`The order by ${column.name} changes for ${counted(moved, "design")}${leads}.`];
  });
  const lost = leaders.filter(({ found }) => found?.status !== "done");
  const texts = lost.map((leader) => `${nameOf(study, leader)} is ${leader.found?.status}.`);
  const broken = leaders.flatMap((leader) => {
    const limits = brokenNow(study, leader);
    if (!limits.length) return [];
    return [`${nameOf(study, leader)} breaks a limit now and has no rank: ${limits.join("; ")}.`];
  });
  return [...broken, ...sentences, ...texts];
}

/** @param {Study} study @param {Leader} leader */
const nameOf = (study, { layout, key }) =>
  study.layouts.length > 1 ? `${short(key)} of ${layout}` : short(key);

// ------------------------------------------------------------------ table

/** @param {Study} study @param {Leader[]} leaders @param {Record<string, unknown>} chosen */
function leadersTable(study, leaders, chosen) {
  const columns = study.objectives;
  const order = columns.map((column) => ranksOf(study, column, leaders));
  const settings = Object.entries(chosen).map(([path, value]) => `${path} ${value}`);
  const heads = [
    "design",
    ...columns.flatMap((column) => [
      tipped(`${column.heading}, stored`, column.tooltip),
      "now",
      "difference",
      tipped("rank", `rank: place among the leaders by ${column.name}, 1 for the best`),
    ]),
    "limits",
  ];
  const caption = `Leaders with ${settings.join(", ") || "the same settings"}, beside their stored values`;
  const rows = leaders.map((leader, place) =>
    h(
      "tr",
      { data: { key: leader.key, layout: leader.layout } },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          { type: "button", class: "pick", on: { click: () => select(leader.layout, leader.key) } },
          short(leader.key),
        ),
        unsafeMark(leader.stored.unsafe),
        h(
          "div",
          { class: "quiet small" },
          [study.layouts.length > 1 && leader.layout, leader.text].filter(Boolean).join(", "),
        ),
      ),
      columns.map((column, number) => objectiveCells(column, leader, order[number], place)),
      h("td", { class: isBad(study, leader) && "bad" }, limitsText(study, leader)),
    ),
  );
  const cells = heads.map((text, place) =>
    h("th", { scope: "col", class: place > 0 && place < heads.length - 1 && "number" }, text),
  );
  return cardTable("Leaders before and now", cells, rows, { caption, kind: "dense" });
}

/** @param {Column} column @param {Leader} leader @param {ReturnType<typeof ranksOf>} order @param {number} place @returns {Child} */
function objectiveCells(column, leader, order, place) {
  const { before, now } = beforeAndNow(column, leader);
  const [old, rank] = [order.before[place], order.now[place]];
  const text = Object.is(old, rank) ? rankText(rank) : `${rankText(old)} \u2192 ${rankText(rank)}`;
  return [
    h("td", { class: "number" }, column.bare(before)),
    h("td", { class: "number" }, column.bare(now)),
    h("td", { class: "number" }, difference(valueOf(before), valueOf(now))),
    h("td", { class: `number ${Object.is(old, rank) ? "" : "bad"}` }, text),
  ];
}

/** @param {number} value */
const valueOf = (value) => (Number.isNaN(value) ? null : value);
/** @param {number} rank */
const rankText = (rank) => (Number.isNaN(rank) ? "none" : String(rank));

/** @param {Study} study @param {Leader} leader */
const isBad = (study, leader) =>
  brokenNow(study, leader).length > 0 ||
  (leader.found?.status === "done" && (leader.found.unsafe ?? []).length > 0);

/** @param {Study} study @param {Leader} leader */
function limitsText(study, { found }) {
  if (!found) return "";
  if (found.status !== "done") return `${found.status}: ${found.reason}`;
  const unsafe = (found.unsafe ?? []).map((text) => `unsafe: ${text}`);
  const texts = [...brokenTexts(study, found.metrics), ...unsafe, ...notComputedTexts(study, found.metrics)];
  return texts.join("; ") || "kept";
}
