// Results from elsewhere: a table, its source, and a study file or a model that says what the columns mean.
/** @import { Schemas } from "../../core/types.js" */
import { all, messageOf, send, studyPath } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { askDialog } from "../../core/messages.js";

/** @typedef {Schemas["ResultsImport"]} Results */

// The button, whose dialog sends a table and leads to the study that was made of it.
export const importButton = () =>
  h(
    "button",
    { type: "button", data: { icon: "plus" }, on: { click: () => void importResults() } },
    "Import results",
  );

async function importResults() {
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const table = fileField("import-table", ".csv,text/csv", true);
  const study = fileField("import-study", ".toml", false);
  const source = textField("import-source", "CASPR 2019, measured by N.N.", true);
  const name = textField("import-name", "a-z, 0-9 and -", false);
  const model = h("select", { id: "import-model" }, await models());
  const minimize = textField("import-minimize", "F2, sag", false);
  const maximize = textField("import-maximize", "workspace_volume", false);

  /** @param {File | null} file */
  async function sent(file) {
    try {
      const made = await send("POST", "studies/import", await results(file));
      location.assign(studyPath(made.study.name));
      return true;
    } catch (error) {
      fault.textContent = messageOf(error);
      fault.hidden = false;
      return false;
    }
  }

  /** @param {File | null} file @returns {Promise<Results>} */
  async function results(file) {
    const goals = [
      ...listed(minimize.value).map((metric) => [metric, "minimize"]),
      ...listed(maximize.value).map((metric) => [metric, "maximize"]),
    ];
    const toml = (await study.files?.[0]?.text()) ?? "";
    return {
      table: (await file?.text()) ?? "",
      file: file?.name ?? "the table",
      source: source.value.trim(),
      name: name.value.trim(),
      toml,
      model: toml ? "" : model.value,
      preset: null,
      objectives: Object.fromEntries(goals),
      columns: {},
    };
  }

  await askDialog({
    title: "Import results",
    text: "Results from elsewhere become a study that is marked with their source. A column for each parameter and metric, with units in brackets.",
    action: "Import",
    fields: [
      labelled("Table (CSV)", table),
      labelled("Source", source),
      labelled("Name of the study", name),
      labelled("Study file with ranges and goals (TOML), or", study),
      labelled("Model of the parameters", model),
      labelled("Columns to minimise", minimize),
      labelled("Columns to maximise", maximize),
      fault,
    ],
    read: () => table.files?.[0] ?? null,
    send: sent,
  });
}

const models = async () =>
  (await all("models")).map((model) => h("option", { value: model.model }, model.title || model.model));

/** @param {string} text */
const listed = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** @param {string} label @param {HTMLElement} field */
const labelled = (label, field) => h("label", { for: field.id, class: "stack" }, label, field);

/** @param {string} id @param {string} placeholder @param {boolean} required */
const textField = (id, placeholder, required) =>
  h("input", { type: "text", id, placeholder, required, maxlength: 200, autocomplete: "off" });

/** @param {string} id @param {string} accept @param {boolean} required */
const fileField = (id, accept, required) => h("input", { type: "file", id, accept, required });
