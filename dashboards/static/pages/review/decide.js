// Deciding: the ranking that follows weights, levels and ranges; the design that is chosen; what was decided before.
/** @import { Schemas } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { address, changes, get, me, messageOf, send, statusOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { counted, moment, number } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { cardTable } from "../../core/tables.js";
import { tipped, unsafeMark } from "../../core/tooltips.js";

import { createPreferencesForm, preferences, whyNoRanking } from "./preferences_form.js";
import { short } from "./study.js";
import { select, selected } from "./view_state.js";
import { unsafeText } from "./what_if.js";

/** @typedef {Schemas["DecisionResource"]} Decision */
/** @typedef {Schemas["RankingResource"]} Ranking */
/** @typedef {Schemas["CandidateResource"]} Candidate */
/** @typedef {Schemas["RuleResource"]} Rule */

const PAUSE = 150;
const FEW = 5;
const MANY = 25;
const CONFLICT = 412; // another decision stands than the one that was seen

// `front` stands above the ranking.
/** @param {Study} study @param {HTMLElement} front */
export function createDecide(study, front) {
  const heading = h("h2", { id: "decide-title", class: "unseen" }, "Decide");
  const element = h("section", { class: "decide", aria: { labelledby: "decide-title" } }, heading);
  /** @type {ReturnType<typeof createParts> | null} */
  let parts = null;

  // The rules and the rights of the user, once; a part that cannot be shown says why.
  async function begin() {
    try {
      const [rules, record, who] = await Promise.all([get("decision-rules"), get(study.path), me()]);
      const made = createParts(study, rules.items, changes(who, record), front);
      parts = made;
      replace(element, heading, made.element);
      await made.update();
    } catch (error) {
      replace(element, heading, h("p", { class: "fault" }, messageOf(error)), front);
    }
  }

  const update = () => (parts ? parts.update() : begin());
  return { element, update };
}

/** @param {Study} study @param {Rule[]} rules @param {boolean} mayDecide @param {HTMLElement} front */
function createParts(study, rules, mayDecide, front) {
  let fault = "";
  /** @type {ReturnType<typeof createChoice> | null} */
  let choice = null;
  const form = createPreferencesForm(study, rules, (text) => {
    fault = text;
    choice?.mark();
  });
  const ranking = createRanking(study, rules);
  const history = createHistory(study, rules);
  const made = createChoice(study, {
    wanted: () => preferences(study, rules),
    faultOf: () => fault,
    standing: () => history.standing(),
    placeOf: ranking.placeOf,
    isCut: ranking.isCut,
    recorded: () => history.update(),
  });
  choice = made;
  ranking.changed(made.mark);
  const element = h(
    "div",
    { class: "review" },
    h("div", { class: "wishes" }, form.element, mayDecide && made.element),
    h("div", { class: "outcome" }, front, ranking.element),
    history.element,
  );

  async function update() {
    form.update();
    await Promise.all([ranking.update(), history.update()]);
  }

  return { element, update };
}

// ------------------------------------------------------------------ ranking

// The server ranks; while sliders move, only the last request counts.
/** @param {Study} study @param {Rule[]} rules */
function createRanking(study, rules) {
  const element = h("div", { class: "ranks" });
  /** @type {Candidate[]} */
  let candidates = [];
  let isCut = false;
  /** @type {AbortController | null} */
  let asking = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  let most = FEW;
  let listener = () => {};

  async function update() {
    asking?.abort();
    const mine = (asking = new AbortController());
    const wanted = preferences(study, rules);
    const reason = whyNoRanking(study, wanted);
    if (reason) {
      showNone(h("p", { class: "quiet", role: "status" }, reason));
      return;
    }
    element.setAttribute("aria-busy", "true");
    try {
      const found = await send("POST", `${study.path}/ranking`, wanted, { signal: mine.signal });
      if (mine.signal.aborted) return;
      candidates = found.candidates;
      isCut = candidates.length < found.total;
      show(found);
    } catch (error) {
      if (mine.signal.aborted) return;
      showNone(h("p", { class: "fault" }, messageOf(error)));
      return;
    }
    element.removeAttribute("aria-busy");
    listener();
  }

  /** @param {HTMLElement} message */
  function showNone(message) {
    candidates = [];
    replace(element, message);
    element.removeAttribute("aria-busy");
    listener();
  }

  /** @param {Ranking} found */
  function show(found) {
    const left = found.candidates.length;
    const more = h(
      "button",
      { type: "button", on: { click: () => ((most = most === FEW ? MANY : FEW), show(found)) } },
      most === FEW ? `Show the first ${Math.min(MANY, left)}` : `Show the first ${FEW}`,
    );
    replace(
      element,
      table(study, found, most),
      found.even && h("p", { class: "unsure small" }, EVEN),
      h("div", { class: "row" }, h("p", { class: "quiet small" }, leftOut(found)), left > FEW && more),
    );
    mark();
  }

  function mark() {
    const { layout, key } = selected();
    for (const row of element.querySelectorAll("tbody tr")) {
      const isChosen = row instanceof HTMLElement && row.dataset.key === key && row.dataset.layout === layout;
      if (isChosen) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  selection.watch(["rule", "weights", "levels", "brush"], () => {
    clearTimeout(pause);
    pause = setTimeout(update, PAUSE);
  });
  selection.watch(["layout", "key"], mark);
  return {
    element,
    update,
    // The candidate that is selected, if it is one.
    placeOf: (/** @type {string} */ layout, /** @type {string} */ key) =>
      candidates.find((one) => one.key === key && one.layout === layout),
    // More candidates than are listed: the server knows the place of the others.
    isCut: () => isCut,
    changed: (/** @type {() => void} */ report) => (listener = report),
  };
}

/** @param {Ranking} found */
function leftOut({ candidates, total, filtered, dominated }) {
  const parts = [counted(total, "candidate")];
  if (candidates.length < total) parts[0] += `, of which the best ${candidates.length} can be listed`;
  if (filtered) parts.push(`${filtered} outside the ranges`);
  if (dominated) parts.push(`${dominated} that another layout's design beats in everything`);
  return `${parts.join(", ")}.`;
}

const RANK = "rank: the place of the design among the candidates, 1 for the best by this rule";
/** @param {string} text */
const head = (text, kind = "", tooltip = "") => h("th", { scope: "col", class: kind }, tipped(text, tooltip));

const EVEN =
  "Numbers 1 and 2 differ by no more than their numerical errors: this ranking does not tell them apart. A finer grid may.";

// The numerical error of a value, where the model states it.
/** @param {Column} column @param {number | undefined} error */
const errorText = (column, error) =>
  error !== undefined && h("span", { class: "note" }, `± ${number(error * column.scale.factor, 2)}`);

/** @param {Study} study @param {Ranking} found @param {number} most */
function table(study, { rule, candidates, errors }, most) {
  const columns = study.objectives;
  const several = study.layouts.length > 1;
  const heads = [
    rule && [head("rank", "number", RANK), head("score", "number", `score: ${rule.score}`)],
    head("design"),
    several && head("layout"),
    columns.map((column) => head(column.heading, "number", column.tooltip)),
  ];
  const lines = candidates.slice(0, most).map(({ key, layout, rank, score, objectives }, place) =>
    h(
      "tr",
      { data: { key, layout }, on: { click: () => select(layout, key) } },
      rule && [h("td", { class: "number" }, String(rank)), h("td", { class: "number" }, number(score))],
      h(
        "th",
        { scope: "row" },
        h("button", { type: "button", class: "pick", on: { click: () => select(layout, key) } }, short(key)),
        unsafeMark(study.known(layout, key)?.unsafe),
      ),
      several && h("td", {}, layout),
      columns.map((column) =>
        h(
          "td",
          { class: "number" },
          column.bare(objectives[column.id]),
          errorText(column, errors[place][column.id]),
        ),
      ),
    ),
  );
  const title = rule ? `Ranking by ${rule.label}` : "Candidates, not ranked";
  const caption = errors.some((one) => Object.keys(one).length) ? `${title}; ± numerical error` : title;
  return cardTable("Ranking of designs", heads, lines, { caption, kind: "ranking dense" });
}

// ------------------------------------------------------------------ choosing

// Record the selected design with a reason. What stands is replaced only if it is still what the user saw.
/**
 * @param {Study} study
 * @param {{ wanted: () => ReturnType<typeof preferences>, faultOf: () => string, standing: () => Decision | null, placeOf: (layout: string, key: string) => Candidate | undefined, isCut: () => boolean, recorded: () => Promise<void> }} context
 */
function createChoice(study, { wanted, faultOf, standing, placeOf, isCut, recorded }) {
  const what = h("p", { id: "chosen-design" });
  const safety = h("div", {});
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const reason = h("textarea", { id: "decision-reason", rows: 3, required: true, maxlength: 10_000 });
  const submit = h("button", { type: "submit", class: "main" }, "Record decision");
  const mend = h("p", { class: "fault small", hidden: true });
  const recent = h("p", { class: "recorded", hidden: true });
  const element = h(
    "form",
    { class: "stack", on: { submit: record } },
    what,
    safety,
    h("label", { for: "decision-reason" }, "Why this design"),
    reason,
    fault,
    mend,
    h("div", { class: "row" }, submit),
    recent,
  );

  // A link may name a design without its layout.
  function chosen() {
    const { layout, key } = selected();
    return { layout: study.known(layout, key)?.layout ?? layout, key };
  }

  function mark() {
    const { layout, key } = chosen();
    const found = placeOf(layout, key);
    const place = found?.rank ? `, number ${found.rank} of the ranking` : "";
    const where = study.layouts.length > 1 && layout ? ` of ${layout}` : "";
    const asked = wanted();
    const isBeyond = !found && isCut() && study.place(layout, key) >= 0;
    const isOther = !found && !isBeyond && asked.rule !== "judgement";
    const isRanked = !whyNoRanking(study, asked); // else the ranking says why, and once is enough
    what.textContent =
      isOther && isRanked
        ? `The selected design ${short(key)}${where} is not among the candidates: select one of them, or decide by own judgement.`
        : `Selected: design ${short(key)}${where}${place}.`;
    replace(safety, unsafeText(study.known(layout, key)?.unsafe));
    const wrong = faultOf();
    mend.hidden = !wrong;
    mend.textContent = wrong && `${wrong} Mend it, or leave the field empty, to record a decision.`;
    submit.disabled = isOther || Boolean(wrong);
  }

  /** @param {Event} event */
  async function record(event) {
    event.preventDefault();
    const { layout, key } = chosen();
    submit.disabled = true;
    fault.hidden = true;
    recent.hidden = true;
    try {
      const replaces = standing()?.number ?? null;
      const body = { ...wanted(), key, chosen_layout: layout || null, reason: reason.value, replaces };
      const made = await send("POST", `${study.path}/decisions`, body);
      reason.value = "";
      const text = `Decision ${made.number} is recorded: design ${short(made.key)}.`;
      replace(recent, `${text} `, sheetLink(study, made.number, "Open its decision sheet"));
      recent.hidden = false;
      announce(text);
    } catch (error) {
      fault.hidden = false;
      const text = messageOf(error);
      replace(
        fault,
        statusOf(error) === CONFLICT
          ? `Somebody else decided meanwhile; read that decision, then record yours again. ${text}`
          : text,
      );
    }
    await recorded();
    mark();
  }

  selection.watch(["layout", "key", "rule"], mark);
  return { element, mark };
}

// The sheet of a decision is a page of its own, for paper.
/** @param {Study} study @param {number} place @param {string} text */
const sheetLink = (study, place, text) =>
  h("a", { href: address(`${study.path}/decisions/${place}/sheet`) }, text);

// ------------------------------------------------------------------ history

/** @param {Study} study @param {Rule[]} rules */
function createHistory(study, rules) {
  const element = h("div", { class: "decisions" });
  /** @type {Decision[]} */
  let decisions = [];

  async function update() {
    try {
      decisions = (await get(`${study.path}/decisions`)).items;
    } catch (error) {
      replace(element, h("p", { class: "fault" }, messageOf(error)));
      return;
    }
    const items = decisions.map((decision, place) => entry(study, rules, decision, place === 0));
    replace(
      element,
      h("h3", {}, "Decisions"),
      decisions.length
        ? h("ol", { class: "plain", reversed: true }, items)
        : h("p", { class: "quiet" }, "Nothing is decided yet."),
    );
  }

  return { element, update, standing: () => decisions[0] ?? null };
}

/** @param {Study} study @param {Rule[]} rules @param {Decision} decision @param {boolean} stands */
function entry(
  study,
  rules,
  { number: place, key, layout, preferences: wanted, candidates, reason, author, created },
  stands,
) {
  const own = candidates.find((one) => one.key === key);
  const label = rules.find((one) => one.rule === wanted.rule)?.label ?? "own judgement";
  const rank = own?.rank ? `, number ${own.rank} of ${candidates.length}` : "";
  const file = address(`${study.path}/decisions/${place}/sheet`, { download: true });
  return h(
    "li",
    { class: stands ? "stands" : "" },
    h(
      "p",
      {},
      h("strong", {}, `Decision ${place}`),
      stands ? "" : " (replaced)",
      ": design ",
      h("button", { type: "button", class: "pick", on: { click: () => select(layout, key) } }, short(key)),
      study.layouts.length > 1 && ` of ${layout}`,
      `, by ${label}${rank}.`,
    ),
    h("p", {}, reason),
    h(
      "p",
      { class: "quiet small" },
      `${moment(created)}${author && ` by ${author}`} \u00b7 `,
      sheetLink(study, place, "Decision sheet"),
      ", ",
      h("a", { href: file, aria: { label: `Save the sheet of decision ${place}` } }, "save"),
    ),
  );
}
