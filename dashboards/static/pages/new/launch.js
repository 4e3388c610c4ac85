// What is wrong before anything runs, and the buttons that store the study or launch it.
import { say } from "../announce.js";
import { ApiError, part, send } from "../api.js";
import { h, replace } from "../dom.js";
import { summary } from "./faults.js";
import { button } from "./fields.js";
import { requestKey } from "./kept.js";

const BEHIND =
  "The form shows the study as it was before. Mend the file, or go on in the form: then the file is written anew.";
const SILENT =
  "The server did not answer. Press the button again when it is back: the study is made once, however often it is sent.";
const VIEWER = "You may look and check. To store or launch a study you need the role editor.";

export function launching(draft, { form, goTo, mayMake, startOver }) {
  const verdict = h("h2", { tabindex: -1 }, "Check");
  const told = h("div", { class: "verdict" });
  const message = h("div", { role: "status" });
  const launch = button("Launch", () => make(true), { class: "main" });
  const save = button("Save as draft", () => make(false));
  const undo = button("Undo", () => draft.undo());
  let before;

  function judge() {
    const faults = draft.answer?.faults ?? [];
    const { kind, text } = stateOf(draft);
    undo.disabled = !draft.canUndo();
    replace(
      told,
      h("p", { class: kind }, text),
      faults.length > 0 && summary(form, faults, goTo),
      (draft.answer?.remarks ?? []).map((remark) => h("p", { class: "hint" }, `Note: ${remark}.`)),
      draft.behind && h("p", { class: "notice" }, BEHIND),
    );
    if (draft.answer && before !== text) say((before = text));
  }

  async function make(now) {
    enable(false);
    replace(message, h("p", { class: "quiet" }, now ? "Launching\u2026" : "Saving\u2026"));
    try {
      await draft.settled();
      if (draft.answer && !draft.answer.faults.length) await store(draft, now);
      else verdict.focus();
      replace(message);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      replace(message, h("p", { class: "fault" }, error.status === 0 ? SILENT : error.message));
    } finally {
      enable(mayMake);
    }
  }

  function enable(may) {
    launch.disabled = save.disabled = !may;
  }

  enable(mayMake);
  draft.listen("answer", judge);
  judge();
  return h(
    "div",
    { class: "launching" },
    verdict,
    told,
    message,
    h("div", { class: "row" }, launch, save, undo, button("Start over", startOver)),
    !mayMake && h("p", { class: "hint" }, VIEWER),
  );
}

// The study is stored as its file says it, and the run page follows.
async function store(draft, now) {
  const key = requestKey(`${now} ${draft.text}`);
  const study = await send("POST", "studies", draft.text, { key, query: { launch: now ? true : null } });
  draft.end();
  location.assign(`/studies/${part(study.name)}`);
}

function stateOf({ answer, trouble }) {
  if (trouble) return { kind: "bad", text: trouble };
  if (!answer) return { kind: "quiet", text: "Checking\u2026" };
  const count = answer.faults.length;
  if (!count) return { kind: "good", text: "Nothing stands in the way." };
  return { kind: "bad", text: count === 1 ? "One thing is to be mended:" : `${count} things are to be mended:` };
}
