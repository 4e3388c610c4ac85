// Designs to begin with, one row of buttons per layout: best of each objective, knee, nearest to the ideal point.
import { h, replace } from "../dom.js";
import { words } from "../format.js";
import { selection } from "../selection.js";
import { select, selected } from "./view.js";

const MEANINGS = {
  best: "the best value of this objective on the front",
  knee: "where the front bulges most towards the ideal point: less of one objective costs much of another",
  ideal: "nearest to the best values of all objectives at once, each scaled to the front's range",
};

export class Picks {
  constructor(study, box) {
    Object.assign(this, { study, box });
    selection.watch(["layout", "key"], () => this.mark());
  }

  draw() {
    this.buttons = [];
    const { layouts, picks } = this.study;
    replace(this.box, layouts.map((layout) => {
      const mine = picks.filter((pick) => pick.layout === layout);
      if (!mine.length) return h("p", { class: "quiet" }, layouts.length > 1 ? `${layout}: no feasible design so far.` : "No feasible design so far.");
      return h("div", { class: "row", role: "group", aria: { label: `Designs of ${layout} to begin with` } },
        layouts.length > 1 && h("strong", { class: "layout" }, layout), mine.map((pick) => this.button(pick)));
    }));
    this.mark();
  }

  button(pick) {
    const text = { best: `Best ${words(pick.objective)}`, knee: "Knee", ideal: "Closest to ideal" }[pick.kind];
    const button = h("button", { type: "button", title: MEANINGS[pick.kind], data: { pick: pick.kind }, on: { click: () => select(pick.layout, pick.key) } }, text);
    this.buttons.push({ button, pick });
    return button;
  }

  mark() {
    const { layout, key } = selected();
    this.buttons?.forEach(({ button, pick }) => button.setAttribute("aria-pressed", String(pick.layout === layout && pick.key === key)));
  }
}
