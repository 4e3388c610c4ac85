// Leads from chosen rows to the page that compares them.
import { h, replace } from "../dom.js";

export function compareBar(chosen) {
  const element = h("div", { class: "row choosing" });

  function update() {
    const names = [...chosen].sort();
    const link =
      names.length > 1
        ? h("a", { class: "button", href: `/compare?of=${names.map(encodeURIComponent).join(",")}` }, `Compare ${names.length} studies`)
        : h("span", { class: "quiet small" }, names.length ? "Choose another study to compare it with." : "Tick studies to compare them.");
    replace(element, link);
  }

  return { element, update };
}
