// The check of the study before its launch, and the buttons that store or launch it.
/** @import { Draft } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { ApiError, messageOf, pathPart, send, statusOf } from "../../core/api.js";
import { followHeight, h, replace } from "../../core/dom.js";
import { words } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { requestKey } from "./draft.js";
import { lead, summary } from "./faults.js";
import { button } from "./fields.js";

const STALE_FORM =
  "The form shows the study as it was before. Correct the file, or continue in the form: then the file is written again.";
const SILENT =
  "The server did not answer. Press the button again when it is back: the study is made only once, however often it is sent.";
const TO_DO = "Still to choose:";
const VIEWER = "You may read and check. To store or launch a study you need the role editor.";

/** @param {Draft} draft @param {{ form: HTMLElement, goTo: (line: number | null) => void, mayMake: boolean, startOver: () => void }} options */
export function createLaunch(draft, { form, goTo, mayMake, startOver }) {
  const verdict = h("h2", { tabindex: -1 });
  const check = button("Check", () => verdict.focus(), { class: "check" });
  const report = h("div", { class: "verdict" });
  const message = h("div", { role: "status" });
  const launch = button("Launch", () => make(true), {
    class: "main",
    title: "Ctrl+Enter",
    data: { icon: "play" },
  });
  const save = button("Save as draft", () => make(false), { data: { icon: "save" } });
  const undo = button("Undo", () => draft.undo(), { data: { icon: "undo" } });
  /** @type {string | undefined} */
  let before;

  function update() {
    const { toDo, wrong } = draft.faults;
    const { kind, text } = stateOf(draft);
    undo.disabled = !draft.canUndo();
    replace(check, h("span", { class: kind }, text.replace(/:$/, "")));
    verdict.className = kind;
    verdict.textContent = text;
    replace(
      report,
      verdict,
      wrong.length > 0 && summary(form, wrong, goTo),
      wrong.length > 0 && toDo.length > 0 && h("p", { class: "quiet" }, TO_DO),
      toDo.length > 0 && summary(form, toDo, goTo),
      (draft.answer?.unequal ?? []).map((one) => unequal(draft, one)),
      (draft.answer?.remarks ?? []).map((remark) => h("p", { class: "hint" }, `Note: ${remark}.`)),
      draft.formIsStale && h("p", { class: "notice" }, STALE_FORM),
    );
    if (draft.answer && before !== text) announce((before = text));
  }

  /** @param {boolean} now */
  async function make(now) {
    enable(false);
    replace(message, h("p", { class: "quiet" }, now ? "Launching\u2026" : "Saving\u2026"));
    try {
      await draft.settled();
      if (draft.answer && !draft.answer.faults.length) await store(draft, now);
      else if (draft.answer) {
        draft.insist();
        lead(form, draft.answer.faults[0], goTo);
      } else verdict.focus();
      replace(message);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      replace(message, h("p", { class: "fault" }, statusOf(error) === 0 ? SILENT : messageOf(error)));
    } finally {
      enable(mayMake);
    }
  }

  /** @param {boolean} may */
  function enable(may) {
    launch.disabled = save.disabled = !may;
  }

  enable(mayMake);
  draft.listen("answer", update);
  update();
  const element = h("div", { class: "launching" }, report, !mayMake && h("p", { class: "hint" }, VIEWER));
  const acts = h("div", { class: "row" }, launch, save, undo, button("Start over", startOver), check);
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || launch.disabled) return;
    event.preventDefault();
    make(true);
  }
  const bar = h("div", { class: "launchbar" }, message, acts);
  followHeight("--bar", bar);
  return { element, bar, onKey };
}

// The study is stored as its file says it, and the run page follows.
/** @param {Draft} draft @param {boolean} now */
async function store(draft, now) {
  const key = requestKey(`${now} ${draft.text}`);
  const study = await send("POST", "studies", draft.text, {
    key,
    query: { launch: now ? true : null, replaces: draft.replaces },
  });
  draft.end();
  location.assign(`/studies/${pathPart(study.name)}`);
}

const LONGEST = 40;

// A notice for a parameter in which the layouts differ by accident, with buttons that make it equal.
/** @param {Draft} draft @param {Schemas["UnequalParameter"]} options */
function unequal(draft, { parameter, values, choices }) {
  const name = words(parameter);
  const layouts = Object.keys(values);
  const all = layouts.length === 2 ? "both" : "all";
  const listed = Object.entries(values)
    .map(([layout, text]) => `${short(text)} in ${layout}`)
    .join(", ");
  /** @param {Schemas["EqualChoice"]} options */
  const use = ({ text, value }) => {
    const from = layouts.find((layout) => values[layout] === text);
    const label = text.length > LONGEST ? `Use the ${name} of ${from} in ${all}` : `Use ${text} in ${all}`;
    return button(label, () => equalise(draft, parameter, value), { data: { parameter } });
  };
  return h(
    "div",
    { class: "notice", data: { unequal: parameter } },
    h(
      "p",
      {},
      h("strong", {}, `The layouts differ in more than the layout: ${name}`),
      ` (${listed}). The comparison would show both effects together.`,
    ),
    h("div", { class: "row" }, choices.map(use)),
  );
}

/** @param {string} text */
const short = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}\u2026` : text);

// The value is set under parameters, which overrides the layouts' presets; layouts no longer have their own.
/** @param {Draft} draft @param {string} parameter @param {unknown} value */
function equalise(draft, parameter, value) {
  draft.reshape(() => {
    for (const layout of Object.keys(draft.get("layouts") ?? {})) {
      const own = Object.keys(draft.get("layouts", layout, "parameters") ?? {});
      for (const path of own.filter((one) => one === parameter || one.startsWith(`${parameter}.`)))
        draft.set(["layouts", layout, "parameters", path], undefined);
    }
    draft.set(["parameters", parameter], structuredClone(value));
  });
}

/** @param {Draft} draft */
function stateOf(draft) {
  const { answer, trouble } = draft;
  if (trouble) return { kind: "bad", text: trouble };
  if (!answer) return { kind: "quiet", text: "Checking\u2026" };
  const { wrong, toDo } = draft.faults;
  const count = wrong.length;
  if (!count && toDo.length) return { kind: "quiet", text: TO_DO };
  if (!count && answer.unequal?.length)
    return { kind: "unsure", text: "The study can be launched. Read this first:" };
  if (!count) return { kind: "good", text: "The study is ready to launch." };
  return {
    kind: "bad",
    text: count === 1 ? "One fault must be corrected:" : `${count} faults must be corrected:`,
  };
}
