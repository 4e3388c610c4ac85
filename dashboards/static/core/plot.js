// Figures as Plotly's dictionaries, in the page's colours, drawn on demand.
/* global Plotly */
/** @import { Attributes, Figure, PlotBox, PlotSettings, Trace } from "./types.js" */
import { h } from "./dom.js";
import { onTheme, themedData, themedLayout } from "./theme.js";

// Settings from Python for all figures: dashboards.figures.CONFIG and dashboards.palette.
/** @type {PlotSettings} */
export const settings = JSON.parse(document.body.dataset.plots ?? "{}");
// For what must be clearly visible: the page's text colour.
const STRONG = "#1D2228";
const LIFTED = { ...settings.lifted, [STRONG]: "#FFFFFF" };
/** @type {Map<PlotBox, Figure>} */
const drawn = new Map();

// A box in which figures are drawn.
/** @param {Attributes} attributes */
export const plotBox = (attributes) =>
  /** @type {PlotBox} */ (/** @type {unknown} */ (h("div", { class: "plot", ...attributes })));

// plotly.js is large and blocks the page while it loads, so it loads once the page shows its numbers.
let library;
function ready() {
  if ("Plotly" in window) return undefined; // a report has it within
  const { plotly } = document.body.dataset;
  if (!plotly) return Promise.reject(new Error("this page cannot draw the figure; Compare and reports can"));
  library ??= painted().then(
    () =>
      new Promise((resolve, reject) => {
        const failed = () => reject(new Error("the drawing library was not loaded; reload the page"));
        document.head.append(h("script", { src: plotly, on: { load: resolve, error: failed } }));
      }),
  );
  return library;
}

// Resolves when the browser has painted the current state of the page.
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

onTheme(() => drawn.forEach((figure, box) => (box.isConnected ? draw(box, figure) : drawn.delete(box))));

// Draw a figure in a box, or draw it again; a view that the user has turned or zoomed stays. Figures are drawn in
// the order of the calls, and each is painted before the next one blocks the page.
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** @param {PlotBox} box @param {Figure} figure */
export function draw(box, figure) {
  drawn.set(box, figure);
  const drawing = last.catch(() => {}).then(() => drawNow(box, figure));
  last = drawing;
  return drawing;
}

/** @param {PlotBox} box @param {Figure} figure */
async function drawNow(box, figure) {
  await ready();
  if (!box.dataset.drawn) await painted();
  if (drawn.get(box) !== figure) return box; // another one was asked for meanwhile
  const layout = themedLayout(figure.layout);
  layout.uirevision ??= "kept";
  for (const part of ["annotations", "shapes"]) layout[part] = themedData(layout[part] ?? [], LIFTED);
  await Plotly.react(box, themedData(figure.data, LIFTED), layout, settings.config);
  box.removeAttribute("aria-busy");
  box.dataset.drawn = "yes";
  drawnSizes.set(box, [box.clientWidth, box.clientHeight]);
  sizes.observe(box);
  return box;
}

// plotly.js follows the window alone; a box also changes when something next to it opens or closes.
const drawnSizes = new WeakMap();
const sizes = new ResizeObserver((entries) => {
  for (const { target: box } of entries) {
    const [width, height] = drawnSizes.get(box) ?? [0, 0];
    const off = Math.max(Math.abs(width - box.clientWidth), Math.abs(height - box.clientHeight));
    if (!box.clientWidth || off < 1) continue;
    drawnSizes.set(box, [box.clientWidth, box.clientHeight]);
    Plotly.Plots.resize(/** @type {HTMLElement} */ (box));
  }
});

/** @param {PlotBox} box */
export function forget(box) {
  sizes.unobserve(box);
  if (drawn.delete(box) && box.dataset.drawn) Plotly.purge(box);
  delete box.dataset.drawn;
}
