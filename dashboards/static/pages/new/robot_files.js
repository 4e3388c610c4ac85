// A new study that begins with files of the user's own cable robots, and what was read of them.
/** @import { Beginning } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { messageOf, patiently, send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { folded, section } from "./fields.js";

const WHAT =
  "A study file (TOML), a CSV table of cables, a robot as URDF, SDF, CASPR, WireX, cdpyr or YAML of Gazebo, or the JSON of a design. Several robots become layouts of one study.";
const COLUMNS =
  "A CSV table has a row for each cable and the columns pulley_x [mm], pulley_y [mm], pulley_z [mm], attachment_x [mm], attachment_y [mm] and attachment_z [mm].";
const PAIR = "A robot of CASPR is two files, which you drop together: its _cables.xml and its _bodies.xml.";
const TABLE = ".csv";
const STUDY = ".toml";
const ENDINGS = [STUDY, TABLE, ".urdf", ".sdf", ".xml", ".wcrfx", ".txt", ".json", ".yaml", ".yml"].join(",");

/** @param {(beginning: Beginning) => void} onStudy takes the text of the study file, and what was read */
export function ownRobots(onStudy) {
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const input = h("input", {
    type: "file",
    id: "robot-files",
    accept: ENDINGS,
    multiple: true,
    on: { change: () => void begin([...(input.files ?? [])]) },
  });
  /** @param {File[]} files */
  const begin = async (files) => {
    fault.hidden = true;
    try {
      if (files.length) onStudy(await studyOf(files));
    } catch (error) {
      fault.textContent = messageOf(error);
      fault.hidden = false;
    }
    input.value = ""; // so that the same file, once it is mended, can be chosen again
  };
  /** @type {HTMLElement} */
  const zone = h(
    "li",
    {
      class: "own-robots",
      on: {
        dragover: (event) => {
          event.preventDefault();
          zone.classList.add("over");
        },
        dragleave: () => zone.classList.remove("over"),
        drop: (event) => {
          event.preventDefault();
          zone.classList.remove("over");
          void begin([...(event.dataTransfer?.files ?? [])]);
        },
      },
    },
    h("h3", {}, "Your own: drop files here"),
    h("p", { class: "small" }, WHAT),
    folded(
      "files",
      "What the files must hold",
      h("p", { class: "quiet small" }, COLUMNS),
      h("p", { class: "quiet small" }, PAIR),
    ),
    h("label", { class: "unseen", for: "robot-files" }, "Files"),
    input,
    fault,
  );
  return zone;
}

/** @param {File[]} chosen @returns {Promise<Beginning>} */
async function studyOf(chosen) {
  const texts = await Promise.all(chosen.map(async (file) => [file.name, await file.text()]));
  /** @param {string | undefined} name */
  const isStudy = (name) => name?.toLowerCase().endsWith(STUDY);
  const study = texts.find(([name]) => isStudy(name));
  if (study) return { text: study[1] };
  /** @param {string | undefined} name */
  const isTable = (name) => name?.toLowerCase().endsWith(TABLE);
  const tables = Object.fromEntries(texts.filter(([name]) => isTable(name)));
  const files = Object.fromEntries(texts.filter(([name]) => !isTable(name)));
  const { toml, robots } = await patiently(() =>
    send("POST", "studies/draft/new", { name: "own-robot", tables, files }),
  );
  return { text: toml, robots };
}

// What was read of robots of other programs, assumed and left out; the study file begins with the same.
/** @param {Schemas["ReadRobot"][]} robots */
export function robotReport(robots) {
  return section(
    "Read from files",
    null,
    h("p", { class: "quiet small" }, "Check what was assumed and left out before you launch."),
    robots.map((robot) =>
      h(
        "section",
        { class: "read-robot", aria: { label: robot.source } },
        h("h3", {}, robot.source),
        h("dl", { class: "facts" }, [
          h("dt", {}, "Read"),
          h("dd", { class: "small" }, robot.read.join(", ")),
          listed("Verdict", robot.verdict, FAILS),
          listed("Assumed", robot.assumed),
          listed("Left out", robot.unread),
        ]),
      ),
    ),
  );
}

// Words of the server's verdicts on robots that do not work as their files give them.
const FAILS = / is INFEASIBLE|, it fails /;

/** @param {string} title @param {string[]} texts @param {RegExp} [faulty] marks texts as faults */
const listed = (title, texts, faulty) =>
  texts.length > 0 && [
    h("dt", {}, title),
    h(
      "dd",
      { class: "small" },
      texts.map((text) => h("span", { class: faulty?.test(text) ? "each fault" : "each" }, text)),
    ),
  ];
