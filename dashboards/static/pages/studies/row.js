// One study of the table. Its cells change with it, its buttons stay.
import { h, replace } from "../dom.js";
import { count, counted, day, duration, moment, quantity, words } from "../format.js";
import { MOVING, stateMark } from "../state.js";
import { changes } from "../who.js";
import { sparkline } from "./sparkline.js";

const BUSY = new Set(["running", "pausing", "cancelling"]);
const SIGNS = { minimize: "↓", maximize: "↑" };
const SENSES = { minimize: "least", maximize: "most" };

export function createRow(first, { who, actions, choose }) {
  let item = first;
  let told = "";
  const name = encodeURIComponent(item.name);
  const chooser = h("input", {
    type: "checkbox",
    aria: { label: `Choose ${item.name} to compare it` },
    on: { change: (event) => choose(item.name, event.target.checked) },
  });
  const about = h("span", { class: "note" });
  const cells = Object.fromEntries(["state", "progress", "growth", "values"].map((id) => [id, h("td", { class: id, role: "cell" })]));
  const archive = h("button", { type: "button", class: "bare", on: { click: () => actions.archive(item, !item.archived) } });
  const remove = h("button", { type: "button", class: "bare", aria: { label: `Delete ${item.name}` }, on: { click: () => actions.remove(item) } }, "Delete");
  const review = h("a", { href: `/studies/${name}/review`, aria: { label: `Review ${item.name}` } }, "Review");
  const edit = h("a", { href: `/new?edit=${name}`, aria: { label: `Edit ${item.name}` } }, "Edit");
  const own = changes(who, item) ? [edit, archive, remove] : [];
  const element = h(
    "tr",
    { role: "row", data: { study: item.name } },
    h("td", { class: "pick", role: "cell" }, chooser),
    h("th", { scope: "row", role: "rowheader" }, h("a", { href: `/studies/${name}` }, item.name), about),
    Object.values(cells),
    h("td", { class: "owner", role: "cell" }, item.owner || "–", item.visibility === "shared" && h("span", { class: "note" }, "shared")),
    h("td", { class: "created short", role: "cell" }, h("time", { datetime: item.created, title: moment(item.created) }, day(item.created))),
    h("td", { role: "cell" }, h("div", { class: "row acts" }, review, own)),
  );

  function update(next) {
    const text = JSON.stringify(next);
    if (text === told) return;
    told = text;
    item = next;
    about.textContent = [item.model, item.description].filter(Boolean).join(" · ");
    about.title = item.description;
    replace(cells.state, stateMark(item.state));
    replace(cells.progress, progressOf(item));
    replace(cells.growth, sparkline(item.growth) ?? h("span", { class: "quiet" }, "–"));
    replace(cells.values, bestOf(item));
    archive.textContent = item.archived ? "Restore" : "Archive";
    archive.setAttribute("aria-label", `${archive.textContent} ${item.name}`);
    edit.hidden = item.state !== "draft";
    review.hidden = item.state === "draft"; // there is nothing to review
    remove.disabled = BUSY.has(item.state);
    remove.title = remove.disabled ? "Pause or stop it first" : "";
  }

  return { element, update };
}

function progressOf(item) {
  const counts = item.planned === null ? counted(item.designs, "design") : `${count(item.designs)} of ${count(item.planned)}`;
  const left = item.state === "running" && item.seconds_left !== null ? `, ${duration(item.seconds_left)} left` : "";
  const failed = item.failed ? h("span", { class: "note" }, `${count(item.failed)} failed`) : null;
  const bar = h("progress", { max: 1, value: item.share, aria: { label: `Progress of ${item.name}` } });
  return [bar, h("span", { class: "note" }, counts + left), failed];
}

// What stands in the place of best values while there are none.
function nothing(item) {
  if (!item.designs) return "–";
  if (item.feasible) return counted(item.feasible, "feasible design");
  return MOVING.has(item.state) || item.state === "paused" ? "no feasible design yet" : "no feasible design";
}

// The best value of each objective, and which layout has it where there are several.
function bestOf(item) {
  const several = item.layouts.length > 1;
  const line = (best) =>
    h(
      "li",
      {},
      h("span", { class: "quiet" }, `${words(best.objective)} `, h("span", { title: SENSES[best.sense], aria: { label: SENSES[best.sense] }, role: "img" }, SIGNS[best.sense])),
      ` ${quantity(best.value, best.unit)}`,
      several && best.value !== null && h("span", { class: "quiet" }, ` ${best.layout}`),
    );
  if (item.best.every((best) => best.value === null)) return h("span", { class: "quiet" }, nothing(item));
  return h("ul", { class: "plain" }, item.best.map(line));
}
