// Compare: studies, or the layouts of one, against each other. The address names them: ?of=one,other
import { ApiError } from "./api.js";
import { say, tenths } from "./announce.js";
import { contestView } from "./compare/contest.js";
import { load, watch } from "./compare/loading.js";
import { picker } from "./compare/picker.js";
import { byId, h, replace } from "./dom.js";

const content = byId("content");
const names = [...new Set(new URLSearchParams(location.search).getAll("of").flatMap((text) => text.split(",")))].filter(Boolean);

if (names.length) compare();
else choose();

async function choose() {
  replace(content, h("p", {}, "Choose one study to compare its layouts, or several to compare them with each other."));
  content.append(await picker([]));
  content.removeAttribute("aria-busy");
}

async function compare() {
  const heading = names.length === 1 ? `Compare the layouts of ${names[0]}` : `Compare ${names.join(", ")}`;
  document.querySelector("h1").textContent = heading;
  document.title = `${names.join(", ")} · Compare · Tautline`;
  let found;
  try {
    found = await load(names);
  } catch (error) {
    await failed(error);
    return;
  }
  const view = contestView(names, found);
  replace(content, view.element);
  content.removeAttribute("aria-busy");
  say(`Comparison of ${names.join(", ")}. ${found.verdict.join(" ")}`);
  try {
    await view.draw();
  } finally {
    follow(view); // also when a figure did not come: the next event brings it
  }
}

function follow(view) {
  const tell = tenths((percent) => say(`${percent} % of the runs are done.`));
  watch(names, async () => {
    const found = await load(names);
    const runs = (name) => found.contenders.reduce((sum, contender) => sum + contender[name], 0);
    tell(runs("done"), runs("runs"));
    view.update(found);
    await view.draw();
  });
}

async function failed(error) {
  if (!(error instanceof ApiError)) throw error;
  const again = h("button", { type: "button", on: { click: () => location.reload() } }, "Try again");
  const told = h("div", { class: "fault", role: "alert" }, h("p", {}, `${names.join(", ")}: ${error.message}`), error.status === 0 && again);
  replace(content, told);
  content.removeAttribute("aria-busy");
  if (error.status === 0) return;
  content.append(h("h2", {}, "Choose other studies"), await picker(names));
}
