// What the study is, and what can be done with it now.
import { changes, send, writes } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { moment } from "../../core/format.js";
import { askDialog } from "../../core/messages.js";
import { stateMark } from "../../core/tables.js";
import { askBranch, askExtension, cannotExtend } from "./dialogs.js";

const UNFINISHED = new Set(["draft", "queued", "running", "pausing", "paused"]);
const HINTS = {
  cancelled: "It was stopped for good. A branch starts the search again.",
  failed: "It stopped by itself: the runs below say why. A branch starts the search again.",
  diverged:
    "The repeated search differs from its log: the runs below say more. A branch starts the search again.",
};

export function createHead(context, first, algorithms) {
  let study = first;
  let drawnText = "";
  const { name, path, who, messages, changed } = context;
  const state = h("span", {});
  const hint = h("p", { class: "quiet", hidden: true });
  const fixed = h("p", { class: "quiet", id: "cannot-extend", hidden: true });
  const about = h("p", {});
  const buttons = h("div", { class: "row", role: "group", aria: { label: "What to do with the study" } });
  const element = h(
    "div",
    { class: "head" },
    h("div", { class: "row" }, state, buttons),
    hint,
    fixed,
    about,
    links(name),
  );

  async function act(verb) {
    try {
      study = { ...study, ...(await send("POST", `${path}/${verb}`)) };
      update(study);
    } catch (error) {
      messages.fault(error.message);
    }
    changed(study.state);
  }

  async function stop() {
    const text = "Its runs are cancelled for good; their results stay. To continue later, pause it instead.";
    if (await askDialog({ title: `Stop ${name}?`, text, action: "Stop it" })) act("stop");
  }

  async function remove() {
    const text = "The draft is deleted for good. Nothing was computed for it.";
    if (!(await askDialog({ title: `Delete ${name}?`, text, action: "Delete it" }))) return;
    try {
      await send("DELETE", path);
      location.assign("/");
    } catch (error) {
      messages.fault(error.message);
    }
  }

  async function extend() {
    const extended = await askExtension(context, study);
    if (!extended) return;
    update(extended);
    changed(study.state);
  }

  // A search that cannot go on has its button all the same, which says why.
  function extensionButton() {
    const reason = cannotExtend(study, algorithms);
    fixed.textContent = reason;
    const described = reason ? { describedby: fixed.id } : {};
    return h(
      "button",
      { type: "button", disabled: Boolean(reason), aria: described, on: { click: extend } },
      "Extend",
    );
  }

  async function archive(archived) {
    try {
      update({ ...study, ...(await send("PATCH", path, { archived })) });
      const text = archived
        ? "Archived: it is now among the archived studies."
        : "It is among the current studies again.";
      messages.done(text, { undo: () => archive(!archived) });
    } catch (error) {
      messages.fault(error.message);
    }
    changed();
  }

  async function share(visibility) {
    try {
      update({ ...study, ...(await send("PATCH", path, { visibility })) });
      const [text, before] =
        visibility === "shared"
          ? ["Shared: everybody with an account may read it; only its owner and admins change it.", "private"]
          : ["Private: only its owner and admins see it.", "shared"];
      messages.done(text, { undo: () => share(before) });
    } catch (error) {
      messages.fault(error.message);
    }
    changed();
  }

  function actions() {
    const own = changes(who, study);
    const shared = study.visibility === "shared";
    const has = (...states) => own && states.includes(study.state);
    const ended = has("done", "paused");
    fixed.hidden = !(ended && cannotExtend(study, algorithms));
    return [
      has("draft") && button("Launch", () => act("launch"), "main"),
      has("draft") && h("a", { class: "button", href: `/new?edit=${encodeURIComponent(name)}` }, "Edit"),
      has("draft") && button("Delete", remove),
      has("paused") && button("Resume", () => act("launch"), "main"),
      ended && extensionButton(),
      has("queued", "running") && button("Pause", () => act("pause")),
      own && UNFINISHED.has(study.state) && button("Stop", stop),
      writes(who) && button("Branch", () => askBranch(context)),
      own &&
        who.account &&
        button(shared ? "Make private" : "Share", () => share(shared ? "private" : "shared")),
      own && button(study.archived ? "Restore" : "Archive", () => archive(!study.archived)),
    ].filter(Boolean);
  }

  function update(change) {
    study = { ...study, ...change };
    const text = JSON.stringify([study.state, study.archived, study.owner, study.visibility]);
    if (text !== drawnText) {
      const focused = buttons.contains(document.activeElement);
      replace(state, stateMark(study.state));
      replace(buttons, actions());
      if (focused) buttons.querySelector("button")?.focus();
      drawnText = text;
    }
    hint.hidden = !(study.state in HINTS);
    hint.textContent = HINTS[study.state] ?? "";
    replace(about, aboutText(study));
  }

  update(first);
  return { element, update };
}

const button = (label, click, look) => h("button", { type: "button", class: look, on: { click } }, label);

function aboutText(study) {
  const origin = [
    `${study.model}, stored ${moment(study.created)}`,
    study.owner && ` by ${study.owner}`,
    study.visibility === "shared" && ", shared with all",
    study.archived && ", archived",
  ];
  const branch = study.branch_of && [
    ", a branch of ",
    h("a", { href: `/studies/${encodeURIComponent(study.branch_of)}` }, study.branch_of),
  ];
  const remarks = (study.remarks ?? []).map((text) => h("span", { class: "note" }, ` ${text}`));
  return [
    study.description && `${study.description} `,
    h("span", { class: "quiet" }, origin.filter(Boolean), branch, "."),
    ...remarks,
  ].filter(Boolean);
}

function links(name) {
  const own = encodeURIComponent(name);
  return h(
    "nav",
    { class: "row", aria: { label: "Of this study" } },
    h("a", { href: `/studies/${own}/review` }, "Review designs"),
    h("a", { href: `/compare?of=${own}` }, "Compare"),
    h("a", { href: `/studies/${own}/report` }, "Report"),
    h("a", { href: `/new?from=${own}` }, "New study from this"),
    h("a", { href: `/api/v1/studies/${own}/file`, download: "" }, "Study file"),
    h("a", { href: `/api/v1/studies/${own}/export?format=csv`, download: "" }, "All designs as CSV"),
  );
}
