// A new study that begins with tables of the user's own cable robots: a CSV file for each.

import { messageOf, send } from "../../core/api.js";
import { h } from "../../core/dom.js";

const WHAT =
  "Choose a CSV file with a row for each cable and the columns pulley_x [mm], pulley_y [mm], pulley_z [mm], attachment_x [mm], attachment_y [mm] and attachment_z [mm]. Several files become layouts of one study.";

/** @param {(text: string) => void} onStudy takes the text of the study file */
export function ownRobots(onStudy) {
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const input = h("input", {
    type: "file",
    id: "own-tables",
    accept: ".csv",
    multiple: true,
    on: { change: () => void begin() },
  });
  const begin = async () => {
    fault.hidden = true;
    try {
      onStudy(await studyOf([...(input.files ?? [])]));
    } catch (error) {
      fault.textContent = messageOf(error);
      fault.hidden = false;
    }
    input.value = ""; // so that the same file, once it is mended, can be chosen again
  };
  return h(
    "section",
    { class: "own-robots", aria: { labelledby: "own-robots" } },
    h("h2", { id: "own-robots" }, "Your own cable robot"),
    h("p", { class: "quiet" }, WHAT),
    h("label", { for: "own-tables" }, "Tables of robots "),
    input,
    fault,
  );
}

/** @param {File[]} files */
async function studyOf(files) {
  const texts = await Promise.all(files.map((file) => file.text()));
  const tables = Object.fromEntries(files.map((file, i) => [file.name, texts[i] ?? ""]));
  const { toml } = await send("POST", "studies/draft/new", { name: "own-robot", tables });
  return toml;
}
