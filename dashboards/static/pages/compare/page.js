// Compare: studies, or the layouts of one, against each other. The address names them: ?of=one,other
/** @import { Comparison } from "./request.js" */
import { ApiError, messageOf, online, statusOf } from "../../core/api.js";
import { byId, find, h, replace } from "../../core/dom.js";
import { announce, everyTenth, failure } from "../../core/messages.js";
import { follow, throttled } from "../../core/stream.js";
import { createComparison } from "./comparison.js";
import { askedOf, compareAddress, load } from "./request.js";
import { createStudyChoice } from "./study_choice.js";
import { createSweeps } from "./sweeps.js";

const PAUSE = 2000;
const CONDITIONS_DIFFER = "urn:tautline:problem:conditions-differ";

const content = byId("content");
const asked = askedOf(location.search);
const { names } = asked;

if (names.length && !("alone" in document.body.dataset)) compare();
else choose();

async function choose() {
  const [own] = names;
  if (own) document.title = `${own} · Compare · Tautline`;
  const text = own
    ? `${own} has one layout. Choose another study to compare it with; those of the same back-end come first.`
    : "Choose one study to compare its layouts, or several to compare them with each other.";
  replace(content, h("p", {}, text));
  content.append(await createStudyChoice(names, own));
  content.removeAttribute("aria-busy");
}

async function compare() {
  if (names.length > 1) find(document, "h1").textContent = `Compare ${names.join(", ")}`;
  document.title = `${names.join(", ")} · Compare · Tautline`;
  /** @type {Comparison} */
  let found;
  try {
    found = await load(asked);
  } catch (error) {
    await failed(error);
    return;
  }
  const sweeps = createSweeps(names, seedsText(found), found.contenders);
  const view = createComparison(asked, found, sweeps.element);
  replace(content, view.element);
  content.removeAttribute("aria-busy");
  announce(`Comparison of ${names.join(", ")}. ${Object.values(found.headline).filter(Boolean).join(". ")}.`);
  try {
    await view.draw();
    await sweeps.show();
  } finally {
    followStudies(view); // also when a figure did not come: the next event brings it
  }
}

// What the seeds of the studies can show, said before a sweep begins.
/** @param {Comparison} found */
function seedsText({ contenders, least_seeds: least }) {
  const seeds = Math.min(...contenders.map(({ runs }) => runs));
  const counts = `Each condition is judged by ${seeds} seed${seeds === 1 ? "" : "s"} per layout`;
  return seeds < least
    ? `${counts}. Fewer than ${least} can never show a difference: a layout then leads at best. Extend the study by seeds first.`
    : `${counts}; ${least} or more can show a difference.`;
}

/** @param {ReturnType<typeof createComparison>} view */
function followStudies(view) {
  const report = everyTenth((percent) => announce(`${percent} % of the runs are done.`));
  const renew = async () => {
    const found = await load(asked);
    /** @param {"done" | "runs"} name */
    const runs = (name) => found.contenders.reduce((sum, contender) => sum + contender[name], 0);
    report(runs("done"), runs("runs"));
    view.update(found);
    await view.draw();
  };
  // What fails is asked for again: soon, or once the server answers.
  const refresh = throttled(() => renew().catch(() => online.get() && refresh()), PAUSE);
  follow((event) => names.includes(event.study) && refresh());
  online.listen((answers) => answers && refresh());
}

/** @param {unknown} error */
async function failed(error) {
  if (!(error instanceof ApiError)) throw error;
  const retry = statusOf(error) === 0 ? () => location.reload() : null;
  replace(content, failure(`${names.join(", ")}: ${messageOf(error)}`, retry));
  if (error.problem.type === CONDITIONS_DIFFER) find(content, ".fault").append(allTheSame());
  content.removeAttribute("aria-busy");
  if (statusOf(error) === 0) return;
  content.append(h("h2", {}, "Choose other studies"), await createStudyChoice(names));
}

// The way to a comparison across conditions, which the address asks for.
const allTheSame = () =>
  h(
    "p",
    {},
    h("a", { class: "button main", href: compareAddress({ names, across: true }) }, "Compare all the same"),
    h("span", { class: "quiet" }, " Every figure then says which conditions differ."),
  );
