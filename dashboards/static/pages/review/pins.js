// Pinned designs side by side: their differences, their metrics, and their robots at one scale.
import { selection } from "../../core/address.js";
import { h, replace, scrollBox } from "../../core/dom.js";
import { heading, MISSING, number, scaleOf } from "../../core/format.js";
import { schemaAt, valueText } from "../../core/parameters.js";
import { modelOf } from "./details.js";
import { commonFrame, Robot } from "./robot.js";
import { limited, short } from "./study.js";
import { LETTERS, pins, select, setPins } from "./view.js";

const MOST_SHORT = 30;

export class Pins {
  constructor(study, box) {
    this.study = study;
    this.box = box;
    this.robots = [];
    this.all = false;
    this.tables = h("div", {});
    this.views = h("div", { class: "views" });
    selection.watch(["pins"], () => this.draw());
  }

  async draw() {
    const wanted = pins();
    this.box.hidden = wanted.length === 0;
    this.box.dataset.pins = String(wanted.length);
    if (!wanted.length) return this.drawRobots([]);
    const turn = (this.turn = {});
    try {
      const [{ parameters: schema }, ...designs] = await Promise.all([
        modelOf(this.study),
        ...wanted.map(({ layout, key }) => this.study.design(layout, key)),
      ]);
      if (this.turn !== turn) return;
      const shown = designs.map((design, place) => ({
        ...design,
        layout: this.study.known(wanted[place].layout, design.key)?.layout ?? wanted[place].layout,
      }));
      this.fill(shown, schema);
      await this.drawRobots(shown);
    } catch (error) {
      if (this.turn === turn)
        replace(this.box, h("h2", {}, "Side by side"), h("p", { class: "fault" }, error.message));
    }
  }

  fill(designs, schema) {
    const whole = h(
      "label",
      {},
      h("input", {
        type: "checkbox",
        checked: this.all,
        on: {
          change: (event) => {
            this.all = event.target.checked;
            this.fill(designs, schema);
          },
        },
      }),
      " Also parameters that are the same",
    );
    const alone =
      designs.length === 1 && h("p", { class: "quiet" }, "Pin another design to see what differs.");
    replace(
      this.tables,
      table("Metrics of pinned designs", designs, this.head(designs), metricRows(this.study, designs)),
      table(
        "Parameters of pinned designs",
        designs,
        this.head(designs),
        parameterRows(designs, schema, this.all),
      ),
      h("div", { class: "row" }, whole),
    );
    replace(this.box, h("h2", {}, "Side by side"), alone, this.views, this.tables);
  }

  head(designs) {
    return designs.map((design, place) =>
      h(
        "th",
        { scope: "col", class: "number" },
        h(
          "button",
          { type: "button", class: "pick", on: { click: () => select(design.layout, design.key) } },
          `${LETTERS[place]}: ${short(design.key)}`,
        ),
        h("span", { class: "note" }, design.layout),
        h(
          "button",
          {
            type: "button",
            class: "small",
            aria: { label: `Unpin ${LETTERS[place]}` },
            on: {
              click: () =>
                setPins(pins().filter((pin) => pin.key !== design.key || pin.layout !== design.layout)),
            },
          },
          "Unpin",
        ),
      ),
    );
  }

  async drawRobots(designs) {
    const turn = this.turn;
    const wanted = designs.length > 1 ? designs : [];
    while (this.robots.length > wanted.length) {
      const robot = this.robots.pop();
      robot.close();
    }
    while (this.robots.length < wanted.length) {
      const figure = h("figure", {
        class: "view",
        role: "group",
        aria: { label: `Robot ${LETTERS[this.robots.length]}` },
      });
      this.robots.push(
        Object.assign(new Robot(this.study, figure, { name: LETTERS[this.robots.length] }), { figure }),
      );
    }
    replace(
      this.views,
      this.robots.map((robot) => robot.figure),
    );
    const frame = wanted.length
      ? await commonFrame(
          this.study,
          wanted.map((design) => design.key),
        )
      : null;
    if (this.turn !== turn) return;
    if (wanted.length && !frame)
      replace(this.views); // a back-end without pictures
    else wanted.forEach((design, place) => this.robots[place].show(design, frame));
  }
}

function table(caption, designs, head, rows) {
  return scrollBox(
    caption,
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "quantity"), head)),
      h("tbody", {}, rows),
    ),
  );
}

// One unit per row; the best of an objective carries a tick.
function metricRows(study, designs) {
  const objectives = new Map(study.objectives.map((column) => [column.id, column.sense]));
  const rank = (name) => (objectives.has(name) ? [...objectives.keys()].indexOf(name) : objectives.size);
  const shown = study.quantities.metrics.filter(
    ({ metric }) =>
      objectives.has(metric) || designs.some((design) => (design.metrics[metric] ?? null) !== null),
  );
  return shown
    .sort((one, other) => rank(one.metric) - rank(other.metric))
    .map(({ metric, unit, better }) => {
      const column = objectives.has(metric) ? study.column(metric) : null;
      const values = designs.map((design) =>
        column ? worth(column, design) : (design.metrics[metric] ?? null),
      );
      const known = values.filter((value) => value !== null);
      const scale = scaleOf(known, unit);
      const sense = objectives.get(metric) ?? better;
      const best = sense === "maximize" ? Math.max(...known) : Math.min(...known);
      const differs = new Set(values).size > 1;
      return h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          heading(metric, scale.unit),
          objectives.has(metric) && h("span", { class: "note" }, "objective"),
        ),
        values.map((value, place) =>
          h(
            "td",
            { class: differs && value === best ? "number best" : "number" },
            cellText(value, designs[place], column, scale),
          ),
        ),
      );
    });
}

const worth = (column, design) => (Number.isNaN(column.of(design)) ? null : column.of(design));
const cellText = (value, design, column, scale) =>
  value === null ? MISSING : limited(number(value * scale.factor), column?.sense, column?.isLimit(design));

// Differing parameters come first and are marked; equal ones are shown on request.
function parameterRows(designs, schema, all) {
  const names = [...new Set(designs.flatMap((design) => Object.keys(design.parameters)))];
  const rows = names.map((name) => {
    const values = designs.map((design) => design.parameters[name]);
    return { name, values, differs: new Set(values.map((value) => JSON.stringify(value))).size > 1 };
  });
  const shown = [...rows.filter((row) => row.differs), ...(all ? rows.filter((row) => !row.differs) : [])];
  if (!shown.length)
    return h(
      "tr",
      {},
      h(
        "td",
        { colspan: designs.length + 1 },
        designs.length > 1 ? "All parameters are the same." : "With one design nothing differs.",
      ),
    );
  return shown.map(({ name, values, differs }) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row", class: differs ? "differs" : "" },
        name,
        differs && h("span", { class: "note" }, "differs"),
      ),
      values.map((value) => {
        const text = valueText(value, schemaAt(schema, name)?.unit);
        return h(
          "td",
          { class: `${text.length > MOST_SHORT ? "long" : "number"}${differs ? " differs" : ""}` },
          text,
        );
      }),
    ),
  );
}
