// The knees of at most two fronts as robots, in the order of `contenders`, from one viewpoint and at one scale.
/** @import { Schemas } from "./types.js" */
import { pathPart, studyPath } from "./api.js";
import { h, replace } from "./dom.js";
import { shortKey } from "./format.js";
import { commonFrame, createRobot } from "./robot_view.js";
import { reviewAddress } from "./url_state.js";

const MOST = 2;

/** @typedef {Schemas["KneeResource"]} Knee */

// { element, update(found), draw() }: `update` takes the knees, `draw` draws the robots.
export function createKneeRobots() {
  const views = h("div", { class: "views" });
  const element = h(
    "section",
    { class: "knees", hidden: true, aria: { label: "Robots of the knees" } },
    views,
    h(
      "p",
      { class: "quiet small" },
      "The knee of each front: beyond it, a little more of one objective costs much of another. One viewpoint and one scale; axes are in m. Turn one, and both turn.",
    ),
  );
  /** @type {ReturnType<typeof robotOf>[]} */
  let robots = [];
  let drawn = robots;
  let shown = "";

  /** @param {{ knees?: Knee[], contenders: { label: string }[] }} found */
  function update({ knees = [], contenders }) {
    const order = contenders.map(({ label }) => label);
    const wanted = knees
      .slice(0, MOST)
      .sort((one, other) => order.indexOf(one.label) - order.indexOf(other.label));
    const identity = wanted.map(({ label, key }) => `${label} ${key}`).join();
    if (identity === shown) return;
    shown = identity;
    clear();
    robots = wanted.map(robotOf);
    element.hidden = !robots.length;
    replace(
      views,
      robots.map((robot) => robot.element),
    );
  }

  // Robots that are drawn stay until others are wanted.
  async function draw() {
    if (drawn === robots) return;
    const current = robots;
    const frame = await commonFrame(current);
    if (current !== robots) return;
    drawn = robots;
    if (frame) await Promise.all(current.map(({ view, key }) => view.update({ layout: "", key }, frame)));
    else clear(); // a back-end without pictures
  }

  function clear() {
    robots.forEach(({ view }) => view.close());
    replace(views);
    element.hidden = true;
  }

  return { element, update, draw };
}

/** @param {Knee} knee */
function robotOf({ label, study, layout, key }) {
  const figure = h("figure", { class: "view", role: "group", aria: { label: `Robot of ${label}` } });
  const source = { path: studyPath(study), name: study, layouts: [] };
  const view = createRobot(source, figure, { heading: "h2", name: label, brief: true });
  const way = h(
    "a",
    { href: reviewAddress(study, layout, key) },
    `Review design ${shortKey(key)}`,
    h("span", { class: "unseen" }, `, the knee of ${label}`),
  );
  return { element: h("div", {}, figure, way), view, study: source, key };
}
