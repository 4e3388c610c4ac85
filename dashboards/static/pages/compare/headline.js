// The three answers above a comparison: which layout, how sure, at what price in safety.
/** @import { Comparison } from "./request.js" */
import { h } from "../../core/dom.js";

/** @param {Comparison} found */
export function headline({ headline: { which, sure, price } }) {
  const answers = [
    ["Which layout?", which],
    ["How sure?", sure],
    ["At what price in safety?", price],
  ];
  return h(
    "dl",
    { class: "answers" },
    answers
      .filter(([, answer]) => answer)
      .map(([question, answer]) => h("div", {}, h("dt", {}, question), h("dd", {}, `${answer}.`))),
  );
}
