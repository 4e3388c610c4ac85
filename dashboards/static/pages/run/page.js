// A study while it runs, and afterwards: how far it is, what it finds, what went wrong, and what one can do.
/** @import { Me, Notices, Schemas } from "../../core/types.js" */
import { get, me, messageOf, online, statusOf, studyPath } from "../../core/api.js";
import { byId, h, replace } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { announce, everyTenth, failure, notices } from "../../core/messages.js";
import { follow, throttled } from "../../core/stream.js";
import { MOVING } from "../../core/tables.js";
import { createHead } from "./actions.js";
import { createNotification } from "./notification.js";
import { createFigures, createProgress } from "./progress.js";
import { createProvenance, createRuns } from "./runs.js";
import { createReasons } from "./verdicts.js";

/** @typedef {{ name: string, path: `studies/${string}`, who: Me, messages: Notices, changed: (state?: string) => void }} RunContext */

const CHECK_EVERY = 5000;
const content = byId("content");
const name = document.body.dataset.study ?? "";
const path = studyPath(name);
const messages = notices();
/** @type {Parts} */
let parts;
/** @type {Schemas["ProgressResource"]} */
let last;
let counted = -1;

const announceShare = everyTenth((percent) => {
  const left = last.seconds_left === null ? "" : `, about ${duration(last.seconds_left)} left`;
  if (last.state === "running") announce(`${percent} %${left}`);
});

// ------------------------------------------------------------ what is fetched

const numbers = throttled(async (isCurrent) => {
  const found = await tried(() => get(`${path}/progress`));
  if (!found || !isCurrent()) return;
  if (last?.state !== undefined && last.state !== found.state) {
    announce(`${name} is ${found.state}`);
    if (!MOVING.has(found.state)) study();
  }
  last = found;
  parts.head.update({ state: found.state });
  parts.notification.update(found.state);
  parts.progress.update(found);
  arrange(found.state);
  parts.runs.update(found.runs);
  parts.runs.measure(found);
  announceShare(found.share, 1);
  if (found.designs !== counted) {
    counted = found.designs;
    figures();
    verdicts();
  }
});

const figures = throttled(() => tried(() => parts.figures.update(last)));
const verdicts = throttled(
  () => tried(() => Promise.all([parts.verdicts.update(), parts.runs.warn()])),
  3000,
);
const study = throttled(async (isCurrent) => {
  const found = await tried(() => get(path));
  if (!found || !isCurrent()) return;
  parts.head.update({ ...found, state: last.state }); // the numbers bring the state, so that both agree
  parts.more.update();
});

// What was found stands above the numbers of the search once it is done.
/** @param {string} state */
function arrange(state) {
  const { element: numbers } = parts.progress;
  const { element: found } = parts.figures;
  const [first, second] = state === "done" ? [found, numbers] : [numbers, found];
  if (first.nextElementSibling !== second) first.after(second); // a move would take the focus away
}

// The parts of the page.
/** @param {RunContext} context @param {Schemas["StudyResource"]} first @param {Schemas["AlgorithmResource"][]} algorithms */
const partsOf = (context, first, algorithms) => ({
  head: createHead(context, first, algorithms),
  notification: createNotification(context.name),
  progress: createProgress(first),
  figures: createFigures(context),
  runs: createRuns(context),
  verdicts: createReasons(context, first),
  more: createProvenance(context),
});
/** @typedef {ReturnType<typeof partsOf>} Parts */

// The answer, or undefined when there is none: the page stays as it is, and the banner reports a missing server.
/** @template Found @param {() => Found} work @returns {Promise<Awaited<Found> | undefined>} */
async function tried(work) {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) gone();
    else if (statusOf(error) !== 0) messages.fault(messageOf(error));
    return undefined;
  }
}

// The user has changed the study's state: answers to earlier requests are out of date.
function changed(state = last.state) {
  if (state !== last.state) announce(`${name} is ${state}`);
  last = { ...last, state };
  parts.notification.update(state);
  [study, numbers].forEach((wish) => wish.now());
}

let deleted = false;

function gone() {
  deleted = true;
  replace(
    content,
    h("p", { class: "empty" }, "This study was deleted. ", h("a", { href: "/" }, "Back to the studies")),
  );
}

// ------------------------------------------------------------ the page

async function start() {
  const [who, first, progress, { items: algorithms }] = await Promise.all([
    me(),
    get(path),
    get(`${path}/progress`),
    get("algorithms", { limit: 1000 }),
  ]);
  parts = partsOf({ name, path, who, messages, changed }, first, algorithms);
  const { head, notification, progress: bar, figures: drawings, runs, verdicts: reasons, more } = parts;
  replace(
    content,
    [head, { element: messages.region }, notification, bar, drawings, runs, reasons, more].map(
      (one) => one.element,
    ),
  );
  last = progress;
  bar.update(progress);
  arrange(progress.state);
  notification.update(progress.state);
  runs.update(progress.runs);
  runs.measure(progress);
  counted = progress.designs;
  announceShare(progress.share, 1);
  content.removeAttribute("aria-busy");
  figures();
  verdicts();
  listen();
}

function listen() {
  const all = () => [numbers, study].forEach((wish) => wish());
  follow((event) => (event.kind === "generation" ? numbers() : all()), name);
  online.listen((answers) => answers && all());
  // A runner that is missing makes no event; nor does time that passes.
  // Nor does a study that is deleted or archived elsewhere.
  setInterval(() => {
    if (deleted || document.hidden || !online.get()) return;
    if (MOVING.has(last.state)) numbers();
    study();
  }, CHECK_EVERY);
}

start().catch((error) => {
  content.removeAttribute("aria-busy");
  replace(
    content,
    failure(`The study cannot be shown: ${messageOf(error)}.`, () => location.reload()),
  );
});
