// What a study begins with: a back-end, or an example of one.
import { h } from "../dom.js";
import { button } from "./fields.js";
import { isOurs, picture } from "./pictures.js";

const SEARCH = { algorithm: "nsga2", population: 40, generations: 25 };
const WHAT =
  "A back-end is a model of a robot, which computes the metrics of a design. Begin with its published robot, or with a study that is ready to launch.";

const PROBLEMS = "Functions with known solutions, which test search algorithms. They do not describe a robot.";

export function begin(models, examples, draft) {
  const of = ({ model }) => examples.filter((example) => example.model === model);
  const cards = (some) => h("ul", { class: "cards" }, some.map((model) => card(model, of(model), draft)));
  const problems = models.filter((model) => model.test_problem);
  const others = models.filter((model) => !isOurs(model) && !model.test_problem);
  return h(
    "section",
    { aria: { labelledby: "begin" } },
    h("h2", { id: "begin" }, "Choose a back-end"),
    h("p", { class: "quiet" }, WHAT),
    cards(models.filter(isOurs)),
    others.length > 0 && [h("h2", {}, "From other packages"), cards(others)],
    problems.length > 0 && [h("h2", {}, "Test problems"), h("p", { class: "quiet" }, PROBLEMS), cards(problems)],
  );
}

function card(model, examples, draft) {
  const { model: name, metrics, presets, summary } = model;
  const ready = h("ul", { class: "examples" }, examples.map((example) => readyMade(example, draft)));
  return h(
    "li",
    { class: "card", data: { model: name } },
    picture(name),
    h(
      "div",
      {},
      h("h3", {}, name),
      h("p", { class: "small" }, summary),
      h("p", { class: "small quiet" }, `${metrics} metrics. Presets: ${presets.join(", ") || "none"}.`),
      button("New study", () => draft.begin({ tree: fresh(model) }), { aria: { label: `New study of ${name}` } }),
      examples.length > 0 && [h("h4", {}, "Ready to launch"), ready],
    ),
  );
}

function readyMade({ example, toml, description }, draft) {
  const start = button(example, () => draft.begin({ text: toml }), { class: "link", data: { example } });
  return h("li", {}, start, h("span", { class: "note" }, description));
}

function fresh({ model, presets }) {
  const preset = presets.length ? { preset: presets[0] } : {};
  return { schema_version: 1, name: model, model, seeds: [1], ...preset, search: { ...SEARCH } };
}
