// Ranges as fields: what dragging does on the parallel coordinates, for the keyboard and for exact numbers.
import { h, replace } from "../dom.js";
import { say } from "../announce.js";
import { selection } from "../selection.js";
import { brush, inside, setBrush, setRange } from "./view.js";

export class Ranges {
  constructor(study, box, count) {
    Object.assign(this, { study, box, count });
    selection.watch(["brush"], () => {
      this.fill();
      say(this.tell());
    });
  }

  // Make the fields anew: after designs came, units may read differently.
  draw() {
    this.fields = this.study.main.map((column, number) => (column.options ? this.choice(column, number) : this.numbers(column, number)));
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    replace(this.box, this.fault, h("table", {}, h("caption", { class: "unseen" }, "Ranges for the designs"),
      h("thead", {}, h("tr", {}, ["quantity", "least", "greatest", "on the front"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, this.fields.map((field) => field.row))));
    this.fill();
  }

  // What is wrong with a field, if anything.
  blame(text) {
    this.fault.hidden = !text;
    this.fault.textContent = text ?? "";
  }

  fill() {
    const ranges = brush();
    this.fields?.forEach((field) => field.show(ranges.get(field.column.id) ?? [-Infinity, Infinity]));
    if (this.fault) this.blame();
    this.tell();
  }

  tell() {
    const visible = inside(this.study);
    const left = visible.reduce((sum, one) => sum + one, 0);
    const set = brush().size;
    const text = set ? `${left} of ${visible.length} designs lie in ${set === 1 ? "the range" : `all ${set} ranges`}.` : `No range is set: ${visible.length === 1 ? "the one design is" : `all ${visible.length} designs are`} shown.`;
    replace(this.count, text, set > 0 && h("button", { type: "button", on: { click: () => setBrush([]) } }, "Clear all ranges"));
    return text;
  }

  row(column, low, high) {
    const range = column.range;
    const ends = range ? `${column.bare(range[0])} to ${column.text(range[1])}` : "";
    return h("tr", {}, h("th", { scope: "row" }, column.heading), low, high, h("td", { class: "quiet" }, column.options ? "" : ends));
  }

  numbers(column, number) {
    const inputs = ["least", "greatest"].map((end) =>
      h("input", { type: "text", inputmode: "decimal", size: 9, id: `range-${number}-${end}`, aria: { label: `${end} ${column.heading}` }, on: { change: () => changed() } }));
    const changed = () => {
      const values = inputs.map((input, end) => read(input.value, end) / column.scale.factor);
      inputs.forEach((input, end) => (Number.isNaN(values[end]) ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid")));
      const wrong = inputs.find((_, end) => Number.isNaN(values[end]));
      this.blame(wrong && `\u201c${wrong.value}\u201d is not a number: write the number without its unit, which the row shows: ${column.heading}.`);
      if (!wrong) setRange(column.id, ...values);
    };
    const show = (ends) => inputs.forEach((input, end) => {
      input.value = Number.isFinite(ends[end]) ? String(Number((ends[end] * column.scale.factor).toPrecision(6))) : "";
      input.removeAttribute("aria-invalid");
    });
    return { column, show, row: this.row(column, ...inputs.map((input) => h("td", {}, input))) };
  }

  choice(column, number) {
    const select = h("select", { id: `range-${number}`, aria: { label: column.heading }, on: { change: () => changed() } },
      h("option", { value: "" }, "any"), column.options.map((_, place) => h("option", { value: place }, column.bare(place))));
    const several = h("option", { value: "several", disabled: true, hidden: true }, "several");
    select.append(several);
    const changed = () => {
      const place = select.value === "" ? null : Number(select.value);
      setRange(column.id, place ?? -Infinity, place ?? Infinity);
    };
    const show = ([low, high]) => {
      select.value = !Number.isFinite(low) && !Number.isFinite(high) ? "" : low === high ? String(low) : "several";
    };
    return { column, show, row: this.row(column, h("td", { colspan: 2 }, select), null) };
  }
}

// A field's number; empty is no bound.
function read(text, end) {
  const cleaned = text.trim().replace("\u2212", "-").replace(",", ".");
  if (cleaned === "") return end ? Infinity : -Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cleaned) ? Number(cleaned) : NaN;
}
