// How far the study is: one bar, the numbers beside it, and what it waits for.
import { h, replace } from "../dom.js";
import { count, counted, duration, percent, rate } from "../format.js";

const SOON = 6;

export function createProgress(study) {
  const bar = h("progress", { max: 1, value: 0, aria: { label: `Progress of ${study.name}` } });
  const line = h("p", { class: "numbers" });
  const waits = h("p", { class: "notice", hidden: true });
  const totals = h("dl", { class: "totals" });
  const element = h("section", { aria: { label: "Progress" } }, bar, line, waits, totals);

  function update(progress) {
    bar.value = progress.share;
    line.textContent = inWords(progress);
    const reason = waiting(progress);
    waits.hidden = !reason;
    replace(waits, reason);
    replace(totals, numbersOf(progress).map(([term, value, note]) => h("div", {}, h("dt", {}, term), h("dd", {}, value, note && h("span", { class: "note" }, note)))));
  }

  return { element, update };
}

function inWords(progress) {
  const budget = progress.planned === null ? counted(progress.designs, "design") : `${count(progress.designs)} of ${counted(progress.planned, "design")}`;
  const parts = [percent(progress.share), budget];
  if (progress.state === "running") {
    if (progress.rate !== null) parts.push(rate(progress.rate));
    if (progress.seconds_left !== null) parts.push(`about ${duration(progress.seconds_left)} left`);
  }
  return parts.join(", ");
}

function numbersOf(progress) {
  const { designs, feasible, failed, computed, seconds } = progress;
  const others = designs - feasible - failed;
  const share = (part) => (designs ? `${percent(part / designs)} of all` : "");
  return [
    ["feasible", count(feasible), share(feasible)],
    ["not feasible", count(others), share(others)],
    ["failed", count(failed), share(failed)],
    ["computed", count(computed), designs > computed ? `${count(designs - computed)} known before` : ""],
    ["time of searching", duration(seconds), ""],
  ];
}

// Why nothing happens although it was launched.
function waiting({ state, designs, waiting: queue, runs }) {
  if (state === "draft") return "It is a draft: nothing is computed before it is launched.";
  if (runs.some((run) => run.state === "running" && run.owner_gone)) return "The process that worked on it has ended; a runner will continue it.";
  if (!designs && runs.some((run) => run.state === "running")) return "Starting workers: each loads the back-end and computes its first designs. Numbers appear after the first generation.";
  const taken = runs.find((run) => run.state === "queued" && run.owner && !run.owner_gone);
  if (taken) return "A runner prepares the back-end; the first time, this takes about a minute.";
  if (!queue || runs.some((run) => run.state === "running")) return null;
  if (queue.at_work) return `It waits for its turn: ${counted(queue.at_work, "run is", "runs are")} worked on, ${counted(queue.ahead, "waits", "wait")} before it.`;
  if (queue.seconds < SOON) return "It waits for a runner to take it.";
  return ["No runner has been active for ", duration(queue.seconds), ". Start one on a machine that reaches the store: ", h("code", {}, "tautline runner"), "."];
}
