"""References that follow from the code: a page has ``<!-- reference: NAME -->`` where one is put in."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, get_type_hints

import typer
from pydantic import BaseModel

import errors
import models
import tautline
from dashboards.formatting import unit_text
from docs.schema_tables import key_table, kind, plain, table
from models import Metric, Model
from models.contract import ALL
from models.parameters import Parameters
from service.app.services import Services
from service.cli import app
from service.cli.output import REMEDIES
from service.openapi import committed
from service.problem_types import PROBLEMS
from service.verbs import CHAPTERS, VERBS, Verb
from studies.definition.study_definition import StudyDefinition

STUDY = StudyDefinition.__name__
MANY = 5
"""Commands from which on an option is described once for all of them."""


def study_file() -> str:
    """Keys of a study file, table by table."""
    schema = StudyDefinition.model_json_schema(by_alias=True)
    headings = _headings(schema)
    parts = [f"## The whole file\n\n{key_table(schema)}"]
    for name, heading in headings.items():
        record = schema["$defs"][name]
        anchor = name.lower()
        parts.append(f"## `{heading}` {{#{anchor}}}\n\n{plain(record['description'])}\n\n{key_table(record)}")
    text = "\n".join(parts)
    for name, heading in headings.items():
        link = f"[{name}](#{name.lower()})"
        text = text.replace(f"{link} tables", link).replace(link, f"[`{heading}`](#{name.lower()})")
    return text


def _headings(schema: Mapping[str, Any]) -> dict[str, str]:
    """Records behind the tables of a study file, with the headings that the file has, in its order."""
    found: dict[str, str] = {}
    waiting = [("", schema)]
    for path, record in waiting:
        held = [(name, each) for name, each in record.get("properties", {}).items()]
        held += [("", {"additionalProperties": record.get("additionalProperties")})]
        for name, each in held:
            steps = ".".join(step for step in (path, name) if step)
            for form in each.get("anyOf", [each]):
                more = "" if "$ref" in form else "PATH" if name in ("variables", "") else "NAME"
                listed = form.get("type") == "array"
                place = steps if listed or not more else f"{steps}.{more}"
                for reference in dict.fromkeys(_references(form)):
                    if reference not in found:
                        found[reference] = f"[[{place}]]" if listed else f"[{place}]"
                        waiting.append((place, schema["$defs"][reference]))
    return found


def _records(found: Mapping[str, Any], level: int = 2, *, answer: bool = False) -> Iterator[str]:
    """A chapter for each record that a schema refers to."""
    for name, record in sorted(found.items()):
        if record.get("properties"):
            said = plain(record.get("description", ""))
            yield f"{'#' * level} {name}\n\n{said}\n\n{key_table(record, answer=answer)}"


def own_models() -> list[Model]:
    """The back-ends that Tautline itself brings."""
    loaded = (models.load(name) for name in models.names())
    return [model for model in loaded if model.parameters.__module__.startswith("models.")]


def model_page(model: Model) -> str:
    """Parameters, presets and metrics of a back-end, as its contract declares them."""
    schema = model.parameters.model_json_schema()
    groups: list[tuple[str, list[str]]] = [(title, names) for title, names in schema.get("groups", ())]
    grouped = {name for _, names in groups for name in names}
    rest = [name for name in schema["properties"] if name not in grouped]
    groups += [("Others" if groups else "All", rest)] if rest else []
    presets = [(f"`{name}`", each.description, each.source) for name, each in model.presets.items()]
    head = (
        f"{model.summary.rstrip('.')}. Version {model.version}; source: {model.source}. "
        f"[How it computes](../../models/{model.name}.md).\n\n"
        'Write numbers in SI units, or as text with a unit (`"5 mm"`). A study can vary every number that is '
        "not a setting of the computation. Without a default, a parameter is not set.\n"
    )
    parts = [f"# {model.name}: parameters and metrics\n", head, "## Parameters\n"]
    parts += [f"### {title}\n\n{key_table(schema, names)}" for title, names in groups]
    parts += ["## Tables in parameters\n"] if schema.get("$defs") else []
    parts += [
        *_records(schema.get("$defs", {}), 3),
        f"## Presets\n\n{table(('preset', 'design', 'source'), presets)}",
        f"## Metrics\n\n{_classes(model)}",
        table(("metric", "unit", "better", "class", "meaning"), map(_metric_row(model), _shown(model))),
        _error_metrics(model),
    ]
    return "\n".join(parts)


def _classes(model: Model) -> str:
    """The cost classes, and the stages that each runs."""
    listed = (f"`{name}` ({', '.join(stages)})" for name, stages in model.stages_of.items())
    return (
        "An evaluation computes the metrics of a cost class; a study asks for the cheapest one that has its "
        f"objectives and constraints. Classes, and the stages that each runs: {'; '.join(listed)}.\n"
    )


def _shown(model: Model) -> list[Metric]:
    named = {metric.error for metric in model.metrics}
    return [metric for metric in model.metrics if metric.name not in named]


def _metric_row(model: Model) -> Callable[[Metric], tuple[str, ...]]:
    def row(metric: Metric) -> tuple[str, ...]:
        notes = (
            (f"Exists only with {' or '.join(f'`{name}`' for name in metric.needed)}.", metric.needed),
            (f"Unsafe beyond {metric.safety_limit}.", metric.safety_limit is not None),
            (f"Jumps where {metric.jumps}.", metric.jumps),
            (f"Caution: {metric.caution}.", metric.caution),
        )
        said = " ".join([f"{metric.meaning.rstrip('.')}.", *(text for text, there in notes if there)])
        classes = ", ".join(name for name in model.cost_classes_of(metric) if name != ALL)
        return f"`{metric.name}`", unit_text(metric.unit), metric.sense, classes, said

    return row


def _error_metrics(model: Model) -> str:
    named = [f"`{metric.error}`" for metric in model.metrics if metric.error]
    return f"The numerical error of a metric is a metric of its own: {', '.join(named)}.\n" if named else ""


def shown_commands() -> dict[str, Any]:
    """Every command that is shown, by its words."""

    def walk(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
        if hasattr(command, "commands"):
            for name, each in command.commands.items():
                yield from walk(each, (*words, name))
        elif not command.hidden:
            yield " ".join(words), command

    return dict(walk(typer.main.get_command(app)))


def command_line() -> str:
    """Each command with its arguments and options; options of many commands once, at the top."""
    commands = shown_commands()
    rows = {words: list(_option_rows(command)) for words, command in commands.items()}
    every = [row for of in rows.values() for row in of]
    common = [row for row in dict.fromkeys(every) if row[0].startswith("`--") and every.count(row) >= MANY]
    parts = [f"## Options of many commands\n\n{table(('option', 'meaning'), common)}", "## Commands\n"]
    return "\n".join(
        [*parts, *(_command(words, each, rows[words], common) for words, each in commands.items())]
    )


def _command(words: str, command: Any, rows: list[tuple[str, str]], common: list[tuple[str, str]]) -> str:
    arguments = [row[0].strip("`").partition(" <")[0] for row in rows if not row[0].startswith("`-")]
    shared = [f"`{row[0].strip('`').partition(' ')[0]}`" for row in rows if row in common]
    own = table(("argument or option", "meaning"), [row for row in rows if row not in common])
    also = f"Also {', '.join(shared)}.\n" if shared else ""
    call = " ".join(["tautline", words, *arguments])
    return f"### {words}\n\n`{call}`\n\n{inspect.cleandoc(command.help or '')}\n\n{own}\n{also}"


def _option_rows(command: Any) -> Iterator[tuple[str, str]]:
    context = command.make_context(command.name, [], resilient_parsing=True)
    for each in command.params:
        record = each.get_help_record(context)
        if record is not None and "--help" not in each.opts:
            named = record[0].strip().replace("<int range>", "<int>").replace("<float range>", "<float>")
            yield f"`{named}`", record[1].replace("[", "(").replace("]", ")")


def interface() -> str:
    """Requests by chapter, the records that they send, and those of their answers."""
    described = json.loads(committed())
    schemas: Mapping[str, Any] = described["components"]["schemas"]
    operations = {one["operationId"]: one for path in described["paths"].values() for one in path.values()}
    chapters = dict.fromkeys(_chapter(verb) for verb in VERBS)
    parts = ["## Requests\n", _REQUESTS]
    for chapter in chapters:
        of_it = [verb for verb in VERBS if _chapter(verb) == chapter]
        heads = ("request", "takes → answers", "does, and its name in Python")
        rows = [_request_row(verb, operations[verb.operation], schemas) for verb in of_it]
        parts.append(f"### {chapter.capitalize()}\n\n{table(heads, rows)}")
    own = {name: schemas[name] for name in schemas if name not in {STUDY, *_study_records()}}
    bodies = {name for one in operations.values() for name in _references(one.get("requestBody", {}))}
    bodies |= {inner for outer in bodies for inner in _references(schemas[outer])}
    sent = {name: record for name, record in own.items() if name in bodies}
    answered = {name: own[name] for name in own.keys() - sent if not _is_list(own[name])}
    parts += ["## Records that requests send\n", *_records(sent, 3), "## Records of answers\n", _ANSWERS]
    text = "\n".join([*parts, *_records(answered, 3, answer=True)])
    text = re.sub(r"(\[\w+\]\(#\w+\)) tables", r"\1", text)
    lower = "|".join(name.lower() for name in _study_records())
    return re.sub(rf"\(#({lower})\)", r"(study-file.md#\1)", text).replace(
        f"(#{STUDY.lower()})", "(study-file.md)"
    )


_REQUESTS = (
    "Paths stand below `/api/v1`. A success is `200`, unless another status stands before the answer: `201`: "
    "made, `202`: a runner goes on with it, `204`: done.\n"
)
_ANSWERS = (
    "An answer has every key of its record, and a problem those that it needs. A table is a JSON object.\n"
)


def _study_records() -> list[str]:
    return list(StudyDefinition.model_json_schema()["$defs"])


def _is_list(record: Mapping[str, Any]) -> bool:
    return {*record.get("properties", ())} == {"items", "next"}


def _chapter(verb: Verb) -> str:
    return verb.tag or CHAPTERS.get(verb.noun, verb.noun)


def _request_row(verb: Verb, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> tuple[str, ...]:
    query = [_query(each) for each in operation.get("parameters", ()) if each["in"] != "path"]
    bodies = sorted(set(_references(operation.get("requestBody", {}))))
    taken = [*map(_link, bodies), *query]
    does = plain(operation.get("description") or operation.get("summary", "")).partition("\n")[0]
    called = f" `{verb.noun}.{verb.name}`" if verb.noun else ""
    takes = f"{', '.join(taken)}<br>" if taken else ""
    request = f"<code>{verb.request.replace('/', '<wbr>/')}</code>"
    return request, f"{takes}→ {_answer(operation, schemas)}", f"{does}{called}"


def _answer(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Record of a success, or the items of its list; of a file or a stream, its description."""
    found: dict[str, list[str]] = {}
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            found.setdefault(_content(answer, schemas), []).append(status)
    return "; ".join(
        " ".join([" or ".join(f"`{status}`" for status in statuses if status != "200"), said]).strip()
        for said, statuses in found.items()
    )


def _content(answer: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    names = list(_references(answer))
    if not names:
        types = list(answer.get("content", ()))
        said = plain(answer["description"]).partition(". ")[0] if types else "nothing"
        said = re.sub(rf"\b({'|'.join(schemas)})\b", lambda each: _link(each[1]), said)
        return f"{said[:1].lower()}{said[1:]}" + (f" (`{types[0]}`)" if len(types) == 1 else "")
    (record,) = (schemas[name] for name in names)
    return kind(record["properties"]["items"]) if _is_list(record) else _link(names[0])


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


_SAID = {"limit", "cursor"}
"""Query parameters that the page explains once."""


def _query(parameter: Mapping[str, Any]) -> str:
    said = "" if parameter["name"] in _SAID else plain(parameter.get("description", "")).rstrip(".")
    return f"`{parameter['name']}`" + (f" ({said[:1].lower()}{said[1:]})" if said else "")


def _references(tree: Any) -> Iterator[str]:
    """Names of the records that a schema refers to."""
    if isinstance(tree, dict):
        if isinstance(tree.get("$ref"), str):
            yield tree["$ref"].rpartition("/")[2]
        for each in tree.values():
            yield from _references(each)
    elif isinstance(tree, list):
        for each in tree:
            yield from _references(each)


def nouns() -> str:
    """The services of a client, and the methods of each."""
    rows: list[tuple[str, str, str]] = []
    for noun, service in get_type_hints(Services).items():
        methods = [name for name, _ in inspect.getmembers(service, inspect.isfunction) if name[0] != "_"]
        said = plain(inspect.getdoc(service) or "").partition("\n")[0]
        rows.append((f"`{noun}`", said, ", ".join(f"`{name}`" for name in methods)))
    return table(("noun", "holds", "methods"), rows)


def python_names() -> str:
    """The public names of ``tautline``: functions and records; links to requests, tables and errors."""
    found = {name: getattr(tautline, name) for name in tautline.__all__}
    kinds = {name: each for name, each in found.items() if inspect.isclass(each)}
    homes = {name: each.__module__ for name, each in kinds.items()}
    sent = [name for name, home in homes.items() if home.startswith("service.resources.")]
    of_file = [
        name
        for name, each in kinds.items()
        if issubclass(each, BaseModel) and homes[name].startswith("studies.definition.")
    ]
    raised = [name for name, each in kinds.items() if issubclass(each, Exception)]
    records = [name for name in kinds if name not in {*sent, *of_file, *raised}]
    functions = [name for name, each in found.items() if callable(each) and name not in kinds]
    drawn = [
        f"figures.{name}"
        for name, each in inspect.getmembers(tautline.figures, inspect.isfunction)
        if each.__module__ == tautline.figures.__name__ and name[0] != "_"
    ]
    chapters = {"Functions": functions, "Figures": drawn, "Records": records}
    parts = [
        part for title, names in chapters.items() for part in (f"## {title}\n", *map(_documented, names))
    ]
    for model in own_models():
        module = importlib.import_module(model.parameters.__module__.rpartition(".")[0])
        parts.append(f"## {model.name}\n\nFrom `{module.__name__}`.\n")
        parts.extend(_documented(name, module.__name__) for name in _public(module))
    links = {
        "Records that a client sends": [f"[`{name}`](rest.md#{name.lower()})" for name in sent],
        "Tables of a study file": [f"[`{name}`](study-file.md)" for name in of_file],
        "Errors": [f"[`{name}`](errors.md)" for name in raised],
    }
    return "\n".join([*parts, *(f"## {title}\n\n{', '.join(of)}.\n" for title, of in links.items())])


def _public(module: ModuleType) -> list[str]:
    """Functions and classes that a back-end offers, but the record of its parameters."""
    named = {name: getattr(module, name) for name in module.__all__}
    return [
        name
        for name, each in named.items()
        if (inspect.isfunction(each) or inspect.isclass(each))
        and not (inspect.isclass(each) and issubclass(each, Parameters))
    ]


def _documented(name: str, module: str = "tautline") -> str:
    """The block that mkdocstrings reads."""
    options = f"    options:\n      heading: {name}\n      toc_label: {name}\n"
    return f"::: {module}.{name}\n{options}"


def error_table() -> str:
    """Every error with its place in the tree, its status over REST, and its remedy."""
    rows = [_error_row(each) for each in _tree(errors.TautlineError)]
    return table(("error", "raised when", "what to do", "exit code", "REST"), rows)


def _tree(root: type[Exception]) -> Iterator[type[Exception]]:
    yield root
    for each in root.__subclasses__():
        if each.__module__ == errors.__name__:
            yield from _tree(each)


def _error_row(each: type[Exception]) -> tuple[str, ...]:
    when, _, after = (inspect.getdoc(each) or "").partition("Remedy: ")
    answer = next((kind for kind in PROBLEMS if issubclass(each, kind.error)), PROBLEMS[-1])
    code = "2" if issubclass(each, errors.InputError) else "1"
    parent = each.__bases__[0].__name__
    kin = "" if each is errors.TautlineError else f" ({parent})"
    said = [text.partition("\n\n")[0] for text in (when, after)]
    return f"`{each.__name__}`{kin}", *said, code, f"{answer.status} `{answer.name}`"


def remedies() -> str:
    """Commands that messages offer, by the verb that mends."""
    rows = [
        (f"`{noun}.{verb}`", " or ".join(f"`{part.format('NAME')}`" for part in command.split(", or ")))
        for (noun, verb), command in REMEDIES.items()
    ]
    return table(("verb", "command"), rows)


REFERENCES: Mapping[str, Callable[[], str]] = {
    "study-file": study_file,
    "command-line": command_line,
    "interface": interface,
    "nouns": nouns,
    "python": python_names,
    "errors": error_table,
    "remedies": remedies,
}
