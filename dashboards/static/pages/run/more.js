// What one looks up now and then: what ran the study, and its file. Fetched when it is opened.
import { get, getText } from "../api.js";
import { h, replace } from "../dom.js";
import { moment } from "../format.js";

export function createMore({ path }) {
  const provenance = fold("Versions and machines", () => loadProvenance(path));
  const file = fold("Study file", async () => h("pre", { tabindex: 0, aria: { label: "Study file" } }, await getText(`${path}/file`)));
  const element = h("section", { aria: { label: "More of this study" } }, provenance.element, file.element);
  return { element, update: provenance.renew };
}

// Details whose content is fetched when they are opened, and anew after something changed.
function fold(title, load) {
  const place = h("div", {});
  const element = h("details", { on: { toggle } }, h("summary", {}, title), place);
  let known = false;
  let asked = 0;

  async function toggle() {
    if (!element.open || known) return;
    known = true;
    const turn = (asked += 1);
    try {
      const found = await load();
      if (turn === asked) replace(place, found); // else something changed meanwhile, and a newer one is on its way
    } catch (error) {
      if (turn !== asked) return;
      known = false;
      replace(place, h("p", { class: "fault" }, `It cannot be shown: ${error.message}. Close and open it to try again.`));
    }
  }

  return { element, renew: () => ((known = false), toggle()) };
}

async function loadProvenance(path) {
  const { items: runs } = await get(`${path}/runs`, { limit: 1000 });
  const begun = runs.filter((run) => run.state !== "draft" && run.state !== "queued").slice(0, 20);
  const pages = await Promise.all(begun.map((run) => get(`${path}/runs/${run.id}/provenance`)));
  const facts = new Map();
  for (const record of pages.flatMap((page) => page.items)) {
    for (const [name, value] of factsOf(record)) facts.set(name, (facts.get(name) ?? new Set()).add(value));
  }
  if (!facts.size) return h("p", { class: "quiet" }, "No run has started, so there are no versions to record.");
  const rows = [...facts].map(([name, values]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "long" }, [...values].join("; "))));
  return h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Versions and machines" } }, h("table", {}, h("tbody", {}, rows)));
}

function factsOf(record) {
  const { git, packages = {} } = record;
  return [
    ["back-end", `${record.model} version ${record.model_version}`],
    ["source", git ? `${git.commit}${git.dirty ? " with local changes" : ""}` : "installed package"],
    ["packages", Object.entries(packages).map(([name, version]) => `${name} ${version}`).join(", ")],
    ["Python", record.python ?? ""],
    ["machine", `${record.machine ?? ""}, ${record.processor ?? ""}, ${record.cores ?? "?"} cores`],
    ["started", moment(new Date(1000 * record.started).toISOString())],
  ];
}
