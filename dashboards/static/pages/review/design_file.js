// The list that saves the selected design as a file of another program: CAD, a simulator, a viewer.
/** @import { Schemas } from "../../core/types.js" */
/** @import { Model } from "../../core/parameters.js" */
/** @import { Study } from "./study.js" */
import { getFile, messageOf, pathPart, patiently } from "../../core/api.js";
import { h, replace, saveFile } from "../../core/dom.js";
import { short } from "./study.js";

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Model} model */
export function designFileList(study, design, model) {
  const report = h("div", { class: "quiet small", role: "status" });
  /** @param {Schemas["FileFormatResource"]} format */
  const entry = (format) => {
    const press = () => save(format);
    const button = h("button", { type: "button", class: "link", on: { click: press } }, format.format);
    return h("li", {}, button, ` (.${format.ending}): ${format.holds}`);
  };
  const list = h(
    "details",
    { class: "design-file" },
    h("summary", { data: { icon: "save" } }, "Save design as"),
    h("ul", {}, model.formats.map(entry)),
  );

  /** @param {Schemas["FileFormatResource"]} format */
  async function save({ format, ending }) {
    replace(report, `Writing ${format} ...`);
    try {
      const path = `${study.path}/designs/${pathPart(design.key)}/export`;
      const { content, warnings } = await patiently(() => getFile(path, { format }));
      const name = `${study.name}-${short(design.key)}.${ending}`;
      saveFile(name, content);
      replace(
        report,
        h("p", {}, `${name} is saved.`),
        warnings.length > 0 &&
          h(
            "ul",
            {},
            warnings.map((text) => h("li", {}, text)),
          ),
      );
    } catch (error) {
      replace(report, h("p", { class: "fault" }, messageOf(error)));
    }
  }

  return model.formats.length > 0 && [list, report];
}
