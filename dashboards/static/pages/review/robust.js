// A stored design under tolerances: statistics of the robots that production makes of it, histogram and tornado.
/** @import { Study } from "./study.js" */
/** @import { Child, Schemas } from "../../core/types.js" */
import { get, messageOf, pathPart, send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count, heading, number, scaleOf, shortKey, words } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { plotBox } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { evaluationForm } from "./stoppable_form.js";
import { indicesView } from "./sobol_indices.js";

/** @typedef {Schemas["RobustResource"]} Robust */
/** @typedef {Schemas["RobustMetricResource"]} RobustMetric */
/** @typedef {HTMLElement & { read: () => [string, Record<string, unknown>] | null }} ToleranceRow */

const HELP =
  "How the design does when it is not built exactly as drawn. Robots are drawn with errors and evaluated one by one; they are kept, so that the same question is answered at once.";
const SAMPLES = [16, 32, 64, 128, 256, 512, 1024];
const INDEX_ROWS = 64;
/** @type {[string, string, string][]} */
const STATISTICS = [
  ["mean", "mean", "the mean over the robots that work"],
  ["sd", "standard deviation", "how much the metric scatters over the robots that work"],
  ["q05", "5 % quantile", "a twentieth of the robots that work lie below it"],
  ["q50", "median", "half of the robots that work lie below it"],
  ["q95", "95 % quantile", "a twentieth of the robots that work lie above it"],
  ["worst", "worst value", "the worst value of the robots that work"],
];

/** @param {Study} study @param {Schemas["DesignResource"]} design */
export function robustPanel(study, design) {
  const body = h("div", {});
  const panel = h("details", { class: "robust" }, h("summary", {}, "Under tolerances"), body);
  panel.addEventListener("toggle", () => panel.open && !body.firstChild && fill());

  async function fill() {
    replace(body, h("p", { class: "quiet", role: "status" }, "Reading what the study states…"));
    try {
      const { definition } = await get(study.path);
      replace(body, robustForm(study, design, definition));
    } catch (error) {
      replace(body, h("p", { class: "fault" }, messageOf(error)));
    }
  }
  return panel;
}

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Record<string, any>} definition */
function robustForm(study, design, definition) {
  const stated = Boolean(definition.tolerances);
  const samples = definition.robust?.samples ?? 64;
  const rows = createTolerances(design, stated);
  const select = h(
    "select",
    { aria: { label: "Robots" } },
    [...new Set([...SAMPLES, samples])]
      .sort((one, other) => one - other)
      .map((n) => h("option", { value: n, selected: n === samples }, count(n))),
  );
  const indices = h("input", { type: "checkbox" });
  const path = /** @type {const} */ (`${study.path}/designs/${pathPart(design.key)}/robust`);

  function ask() {
    const wanted = {
      tolerances: rows.read(),
      samples: Number(select.value),
      index_rows: indices.checked ? INDEX_ROWS : 0,
    };
    /** @param {AbortSignal} signal */
    return (signal) => send("POST", path, wanted, { signal });
  }

  const fields = [
    h("p", { class: "quiet small" }, HELP),
    stated && h("p", {}, statedText(study, definition.tolerances)),
    rows.element,
    h(
      "div",
      { class: "row" },
      rows.more,
      h("label", {}, "robots ", select),
      h("label", {}, indices, " Sobol indices"),
    ),
  ];
  return evaluationForm({
    label: "Evaluate robots",
    fields,
    ask,
    show: (result, found) => shown(study, result, found),
  });
}

/** @param {Study} study @param {Record<string, any>} tolerances */
function statedText({ quantities: { labels } }, tolerances) {
  const { correlated = [], ...single } = tolerances;
  const parts = Object.entries(single).map(
    ([path, table]) => `${labels[path] ?? path}: ${toleranceText(table)}`,
  );
  for (const { parameters } of correlated) {
    const paths = parameters.join(", ");
    parts.push(`${labels[paths] ?? paths}: correlated`);
  }
  return `The study states: ${parts.join("; ")}.`;
}

/** @param {Record<string, unknown>} table */
const toleranceText = (table) =>
  Object.entries(table)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

// ------------------------------------------------------------------ tolerances of one's own

/** @param {Schemas["DesignResource"]} design @param {boolean} stated */
function createTolerances(design, stated) {
  const element = h("div", { class: "settings" });
  const more = h("button", { type: "button" });
  const label = () => {
    const none = stated ? "Other tolerances" : "A tolerance";
    more.textContent = element.children.length ? "One more tolerance" : none;
  };
  const add = () => {
    element.append(toleranceRow(design, numericPaths(design), label));
    label();
  };
  more.addEventListener("click", add);
  if (!stated) add();
  label();
  const rows = () => /** @type {ToleranceRow[]} */ ([...element.children]);
  function read() {
    const given = rows()
      .map((row) => row.read())
      .filter((one) => one !== null);
    return given.length ? Object.fromEntries(given) : null;
  }
  return { element, more, read };
}

// Parameters that hold a number or a list of numbers, those that vary first.
/** @param {Schemas["DesignResource"]} design */
function numericPaths(design) {
  /** @param {unknown} value @returns {boolean} */
  const numeric = (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(numeric) : typeof value === "number";
  const varied = Object.keys(design.variables ?? {});
  const own = Object.entries(design.parameters)
    .filter(([, value]) => numeric(value))
    .map(([name]) => name);
  return [...new Set([...varied.filter((path) => typeof design.variables?.[path] === "number"), ...own])];
}

/** @param {Schemas["DesignResource"]} design @param {string[]} paths @param {() => void} changed */
function toleranceRow(design, paths, changed) {
  const list = `tolerances-${shortKey(design.key)}`;
  const path = h("input", {
    type: "text",
    size: 16,
    list,
    value: paths[0] ?? "",
    aria: { label: "Parameter" },
  });
  const kind = h(
    "select",
    { aria: { label: "Distribution" } },
    h("option", { value: "normal" }, "normal"),
    h("option", { value: "uniform" }, "uniform"),
  );
  const width = h("input", {
    type: "text",
    size: 8,
    value: "1 %",
    aria: { label: "Standard deviation or greatest error" },
  });
  /** @type {HTMLElement} */
  const row = h(
    "div",
    { class: "row" },
    path,
    h(
      "datalist",
      { id: list },
      paths.map((one) => h("option", { value: one })),
    ),
    kind,
    width,
    h("button", {
      type: "button",
      aria: { label: "Leave this tolerance out" },
      data: { icon: "close" },
      on: { click: () => (row.remove(), changed()) },
    }),
  );
  /** @returns {[string, Record<string, unknown>] | null} */
  const read = () => {
    const text = width.value.trim();
    const value = text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    return path.value.trim() ? [path.value.trim(), { [kind.value]: value }] : null;
  };
  return Object.assign(row, { read });
}

// ------------------------------------------------------------------ results

/** @param {Study} study @param {HTMLElement} result @param {Robust} found */
function shown(study, result, found) {
  const figures = h("div", {});
  const names = found.metrics.map((metric) => metric.metric);
  const select = h(
    "select",
    {},
    names.map((name) => h("option", { value: name, title: study.tooltip(name) }, study.nameOf(name))),
  );
  select.addEventListener("change", () => drawFigures(figures, found.metrics[select.selectedIndex]));
  const share = `${count(found.works)} of ${count(found.samples)} robots work, ${count(found.feasible)} meet all constraints`;
  replace(
    result,
    h("p", {}, `${share}.`),
    found.reasons.length > 0 &&
      h(
        "ul",
        {},
        found.reasons.map(({ reason, robots }) => h("li", {}, `${count(robots)} do not work: ${reason}`)),
      ),
    statisticsTable(study, found),
    found.indices.length > 0 && indicesDetails(found.indices),
    names.length > 1 && h("label", {}, "Figures of ", select),
    figures,
  );
  const varies = found.metrics.findIndex((metric) => statisticOf(metric, "sd")?.value);
  select.selectedIndex = Math.max(varies, 0);
  if (found.metrics.length) drawFigures(figures, found.metrics[select.selectedIndex]);
  announce(`${share}.`);
}

// Figures are drawn when they are to be seen.
/** @param {Robust["indices"]} indices */
function indicesDetails(indices) {
  const details = h("details", {}, h("summary", {}, "Sobol indices"));
  const fill = () => details.append(...indices.map((one) => indicesView(one, INDEX_ROWS)));
  details.addEventListener("toggle", fill, { once: true });
  return details;
}

/** @param {RobustMetric} metric @param {string} name */
const statisticOf = (metric, name) => metric.statistics.find((one) => one.statistic === name);

/** @param {HTMLElement} place @param {RobustMetric} metric */
function drawFigures(place, metric) {
  /** @type {[string, Schemas["FigureResource"] | null | undefined, string][]} */
  const figures = [
    ["Robots", metric.histogram_figure, "How many robots have which value."],
    [
      "Tornado",
      metric.tornado_figure,
      "The metric when one number alone is a standard deviation less or more, the widest bar first." +
        (metric.caution && ` Caution: ${metric.caution}.`),
    ],
  ];
  replace(
    place,
    figures.map(([title, figure, caption]) => {
      if (!figure) return null;
      const box = plotBox({});
      box.style.height = `${figure.layout.height ?? 300}px`;
      new FigureBox(box).show(/** @type {any} */ (figure));
      const label = `${title} of ${words(metric.metric)}`;
      return h(
        "figure",
        { role: "group", aria: { label } },
        h("h3", {}, title),
        box,
        h("figcaption", {}, caption),
      );
    }),
  );
}

// A row for each statistic, a column for each metric: the table stays narrow.
/** @param {Study} study @param {Robust} found */
function statisticsTable(study, found) {
  const scales = found.metrics.map((metric) =>
    scaleOf([metric.nominal ?? NaN, ...metric.statistics.map((one) => one.value ?? NaN)], metric.unit),
  );
  /** @param {Child} title @param {(metric: RobustMetric) => [number | null | undefined, number | null | undefined]} read */
  const row = (title, read) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, title),
      found.metrics.map((metric, i) => {
        const [value, error] = read(metric);
        const { factor } = scales[i];
        const text = number(value === null || value === undefined ? null : value * factor);
        const off = error === null || error === undefined ? "" : ` \u00b1 ${number(error * factor, 2)}`;
        return h("td", { class: "number" }, text, off && h("span", { class: "quiet" }, off));
      }),
    );
  const heads = found.metrics.map((metric, i) =>
    tipped(heading(study.nameOf(metric.metric), scales[i].unit), study.tooltip(metric.metric)),
  );
  return table(
    "Statistics with standard errors",
    ["", ...heads],
    [
      row(tipped("nominal", "nominal: the design exactly as drawn"), (metric) => [metric.nominal, null]),
      STATISTICS.map(([name, title, tooltip]) =>
        row(tipped(title, `${title}: ${tooltip}`), (metric) => {
          const one = statisticOf(metric, name);
          return [one?.value, one?.error];
        }),
      ),
    ],
  );
}

/** @param {string} caption @param {Child[]} heads @param {Child} rows */
const table = (caption, heads, rows) =>
  cardTable(caption, [heads[0] || h("td", {}), ...heads.slice(1)], rows, { caption, kind: "dense" });
