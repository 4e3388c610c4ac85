// Plays a figure whose frames are moments of a motion: a button, a slider, and the moment that is shown. Nothing moves
// unless somebody asks for it, and no timer runs while nothing moves.
/** @import { Figure, PlotBox } from "./types.js" */
import { h } from "./dom.js";

// Between moments of a motion that has no times [ms].
const PAUSE = 60;
/** @param {number} time */
const wait = (time) => new Promise((done) => setTimeout(done, time));

// A figure that begins at another moment.
/** @param {Figure} figure @param {number} number */
export function beginAt(figure, number) {
  if (!figure.frames?.[number]) return;
  placeLines(figure, number);
  figure.layout.sliders[0].active = number;
}

// Lines of a figure's data where they are at a moment.
/** @param {Figure} figure @param {number} number */
function placeLines(figure, number) {
  const { data, traces } = figure.frames?.[number] ?? {};
  traces.forEach((/** @type {number} */ trace, /** @type {number} */ place) => {
    Object.assign(figure.data[trace], data[place]);
  });
}

// The controls of a figure of dashboards/figures/motion.py; they replace those that the figure brings for notebooks,
// which are taken out of its layout. `redraw` draws the traces that have moved.
/** @param {PlotBox} box @param {Figure} figure @param {string} title @param {(traces: number[]) => void} redraw */
export function createPlayer(box, figure, title, redraw) {
  const [{ steps, active }] = figure.layout.sliders;
  const { times, speed } = figure.layout.meta ?? {};
  delete figure.layout.sliders;
  delete figure.layout.updatemenus;
  const last = steps.length - 1;
  let number = active;
  // Who plays or played last; playing ends when somebody else does.
  let turn = 0;
  let isPlaying = false;

  const button = h("button", { type: "button", data: { icon: "play" }, on: { click: toggle } }, "Play");
  const slider = h("input", {
    type: "range",
    min: 0,
    max: last,
    value: active,
    aria: { label: "Moment that is shown" },
    on: { input: (event) => choose(event.currentTarget.valueAsNumber) },
  });
  // The slider says it to screen readers; while the motion is played, they need not hear every moment.
  const label = h("output", { aria: { live: "off" } });
  const element = h(
    "div",
    { class: "player", role: "group", aria: { label: `Controls of: ${title}` }, on: { keydown: pressed } },
    button,
    slider,
    label,
    times && h("span", { class: "quiet small" }, speedText(speed)),
  );

  function show() {
    slider.value = String(number);
    label.textContent = steps[number].label;
    slider.setAttribute("aria-valuetext", steps[number].label);
    placeLines(figure, number);
    redraw(figure.frames?.[number]?.traces ?? []);
    box.dataset.moment = String(number);
  }

  function stop() {
    turn += 1;
    isPlaying = false;
    button.textContent = "Play";
    button.dataset.icon = "play";
  }

  // A moment that somebody chose, within the motion.
  /** @param {number} wanted */
  function choose(wanted) {
    stop();
    number = Math.min(Math.max(wanted, 0), last);
    return show();
  }

  async function play() {
    const mine = (turn += 1);
    isPlaying = true;
    button.textContent = "Pause";
    button.dataset.icon = "pause";
    if (number === last) number = 0;
    show();
    const goOn = moments(
      number,
      last,
      times?.map((/** @type {number} */ time) => (1000 * time) / speed),
    );
    while (mine === turn && number < last && !document.hidden) {
      const next = await goOn();
      if (mine !== turn) return;
      number = next;
      show();
    }
    if (mine === turn) stop();
  }

  function toggle() {
    if (isPlaying) stop();
    else play();
  }

  // The slider moves by itself with the arrow keys; on the button they move it too, and Space plays from anywhere.
  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (event.key === " " && event.target === slider) toggle();
    else if (step && event.target === button) choose(number + step);
    else return;
    event.preventDefault();
  }

  label.textContent = steps[number].label;
  slider.setAttribute("aria-valuetext", steps[number].label);
  return { element, show, stop };
}

// A function that waits for the moment after the last one, and returns its number. With times, by the clock: moments
// for which drawing is too slow are left out. Without, all of them in turn.
/** @param {number} number @param {number} last @param {number[]} [starts] */
function moments(number, last, starts) {
  const from = performance.now() - (starts?.[number] ?? 0);
  return async () => {
    number += 1;
    await wait(starts ? Math.max(from + starts[number] - performance.now(), 0) : PAUSE);
    const now = performance.now() - from;
    while (starts && number < last && starts[number + 1] <= now) number += 1;
    return number;
  };
}

/** @param {number} speed */
const speedText = (speed) => (speed === 1 ? "in real time" : `${speed} × real time`);
