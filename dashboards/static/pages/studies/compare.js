// Leads from chosen rows to the page that compares them.
import { h, replace } from "../dom.js";

export function compareBar(chosen) {
  const element = h("div", { class: "row", hidden: true });

  function update() {
    const names = [...chosen].sort();
    element.hidden = names.length === 0;
    const link =
      names.length > 1
        ? h("a", { class: "button", href: `/compare?of=${names.map(encodeURIComponent).join(",")}` }, `Compare ${names.length} studies`)
        : h("span", { class: "quiet small" }, "Choose another study to compare it with.");
    replace(element, link);
  }

  return { element, update };
}
