"""The table of verbs: for each method of a service, the request that calls it over REST.

A verb is a method of a service in :mod:`service.app`. Its signature says what it takes and returns, with the
limits of :mod:`service.resources.parameters`; its docstring describes it everywhere. From a row,
:mod:`service.web.verb_routes` makes the route, :mod:`service.client.client` the method of a client.

What a path names is taken from the path, a record is the body, and everything else is in the query. Where a
method takes ``machines``, a service on a store evaluates on them at once; a server has its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

from service.resources.access import AccountResource, ListResource, TokenResource

Effect = Literal["none", "queues", "adds", "changes"]
"""Effect of a verb on what is stored: none; it queues work for runners, adds something else or holds work, or
changes or ends something."""


@dataclass(frozen=True, slots=True)
class Verb:
    """One row.

    Parameters
    ----------
    noun, name : str
        The service and its method; empty for a request that no program sends.
    request : str
        Method and path, as in ``"GET /studies/{name}"``.
    operation : str
        Name of the route in the interface's description.
    problems : tuple of int, optional
        Statuses of refusals, besides 400, 401, 403 and 429. None for a route that is written by hand,
        in :mod:`service.web.routes`.
    says : str
        Description of the route, where the method's docstring does not fit.
    status : int
        Status of a success.
    answer, headers : str, mapping
        Description of a success and of its headers. ``ETag`` is the revision of what is returned.
    location : str
        Address of what was made, from the fields of what is returned and the names in the path.
    names : mapping
        Names in the request that differ from the method's, as ``{"model": "name"}``; a header's is capital.
    body : str
        The parameter that is the body, where that is no record.
    without : str
        A parameter that the request leaves out, because another row of the verb has it in its path.
    result : type
        What is answered, where that is not what the method returns.
    callers : str
        Who may ask at all.
    again : bool
        True if a request that is sent twice does no harm; of ``GET`` that is always so.
    post : {"none", "queues", "adds", "changes"}
        Effect of a ``POST`` on what is stored: see :attr:`effect`.
    slow : bool
        True if the server computes before it answers; each ``GET`` may.
    tag : str
        Chapter of the interface's description, where it is not that of the noun.
    file : str
        Name under which an answer that is a file is saved, from the names in the path; a design's without
        its ending.
    """

    noun: str
    name: str
    request: str
    operation: str
    problems: tuple[int, ...] | None = None
    _: KW_ONLY
    says: str = ""
    status: int = 200
    answer: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    location: str = ""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str = ""
    without: str = ""
    result: Any = None
    callers: Literal["all", "admins", "persons"] = "all"
    again: bool = False
    post: Effect = "none"
    slow: bool = False
    tag: str = ""
    file: str = ""

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.request.partition(" ")[0]

    @property
    def path(self) -> str:
        """The path below ``/api/v1``."""
        return self.request.partition(" ")[2]

    @property
    def effect(self) -> Effect:
        """Effect of the verb on what is stored; ``PATCH``, ``PUT`` and ``DELETE`` always change it."""
        if self.method in ("PATCH", "PUT", "DELETE"):
            return "changes"
        return self.post

    @property
    def in_path(self) -> dict[str, str]:
        """The method's parameters by their names in the path, in its order."""
        return {name: self.names.get(name, name) for name in re.findall(r"{(\w+)}", self.path)}


CHAPTERS = {
    "": "access", "accounts": "access", "tokens": "access", "algorithms": "studies", "drafts": "studies",
    "jobs": "studies", "reevaluations": "studies", "sweeps": "studies", "evaluations": "runs",
    "importances": "results",
    "fronts": "results", "comparisons": "results", "figures": "results", "exports": "results",
}  # fmt: skip
"""Chapters of the interface's description by noun; the others are called as their nouns."""

_STUDY = "address of the study"
_PROGRESS = {"Location": "where its progress is"}
_REVISION = {"ETag": "revision of its metadata"}
_ACCEPTED: dict[str, Any] = {
    "status": 202, "answer": "Accepted; the study's state says when it is done",
    "location": "/studies/{name}", "headers": {"Location": _STUDY, **_REVISION}, "again": True,
}  # fmt: skip
_IF_MATCH = {"If-Match": "revision"}
_OF_STUDY = {"names": {"name": "study"}}
_COMPARED = {"names": {"of": "names"}}

VERBS = (
    Verb("accounts", "me", "GET /me", "who_am_i", ()),
    Verb("accounts", "list", "GET /accounts", "list_accounts", (), callers="admins",
         result=ListResource[AccountResource]),
    Verb("accounts", "add", "POST /accounts", "add_account", (409, 413, 415, 422), callers="admins",
         status=201, location="/accounts/{name}", post="changes"),
    Verb("accounts", "get", "GET /accounts/{name}", "show_account", (404, 422)),
    Verb("accounts", "edit", "PATCH /accounts/{name}", "edit_account", (404, 409, 413, 415, 422),
         callers="admins", again=True),
    Verb("accounts", "set_password", "PUT /accounts/{name}/password", "set_password", (404, 413, 415, 422),
         callers="persons", status=204),
    Verb("tokens", "list", "GET /tokens", "list_tokens", (404, 422), callers="persons",
         result=ListResource[TokenResource]),
    Verb("tokens", "create", "POST /tokens", "make_token", (404, 409, 413, 415, 422), callers="persons",
         status=201, location="/tokens/{id}", post="changes",
         says="Make a token, which is shown in this answer and never again. Only admins make tokens for "
         "others.\n\nA token that is made with a token ends with that token at the latest. "
         "There is none for an\naccount that is disabled."),
    Verb("tokens", "revoke", "DELETE /tokens/{token_id}", "revoke_token", (404, 422), callers="persons",
         status=204, again=True),
    Verb("", "", "GET /sessions", "list_sessions"),
    Verb("", "", "DELETE /sessions/{session_id}", "end_session"),

    Verb("models", "list", "GET /models", "list_models", (422,)),
    Verb("models", "get", "GET /models/{model}", "show_model", (404, 422), names={"model": "name"}),
    Verb("models", "check", "POST /models/{model}/check", "check_model", (404, 415, 422, 503),
         names={"model": "name"}, again=True, slow=True),
    Verb("models", "evaluate", "POST /models/{model}/evaluate", "evaluate", (404, 413, 415, 422, 503),
         names={"model": "name"}, again=True, slow=True),
    Verb("models", "figure", "POST /models/{model}/figure", "show_model_figure", (404, 413, 415, 422, 503),
         names={"model": "name"}, again=True, slow=True,
         says="The 3D view of one design as Plotly draws it, within limits of time and memory; nothing is "
         "stored."),
    Verb("models", "export", "POST /models/{model}/export", "export_robot", (404, 413, 415, 422, 503),
         names={"model": "name", "format": "kind"}, file="{model}-design", again=True, slow=True,
         says="One design as a file for other programs, within limits of time and memory; nothing is "
         "stored.\n\nJSON has the numbers of a robot: its parameters, and ends, length and stiffness of each "
         "cable."),
    Verb("algorithms", "list", "GET /algorithms", "list_algorithms", ()),
    Verb("algorithms", "get", "GET /algorithms/{algorithm}", "show_algorithm", (404, 422),
         names={"algorithm": "name"}),
    Verb("drafts", "examples", "GET /examples", "list_examples", ()),

    Verb("studies", "create", "POST /studies", "create_study", names={"Idempotency-Key": "key"}, again=True,
         post="queues"),
    Verb("studies", "check", "POST /studies/check", "check_study", (413, 415, 422), again=True,
         says="Check a study as TOML or JSON without storing anything."),
    Verb("studies", "import_results", "POST /studies/import", "import_results",
         (404, 409, 413, 415, 422, 507), status=201, answer="Stored", again=True, slow=True,
         headers={"Location": _STUDY}, location="/studies/{study.name}", post="adds"),
    Verb("drafts", "read", "POST /studies/draft", "draft_study", body="toml", again=True),
    Verb("drafts", "check", "POST /studies/draft", "draft_study", body="tree", again=True),
    Verb("drafts", "edit", "POST /studies/draft/edited", "edit_draft", (413, 415, 422), again=True,
         says="The same for a tree, whose values are put into a file: comments and order stay if they can."),
    Verb("drafts", "begin", "POST /studies/draft/new", "begin_draft", (413, 415, 422), again=True),
    Verb("studies", "list", "GET /studies", "list_studies", (422,)),
    Verb("studies", "get", "GET /studies/{name}", "show_study", (404, 422), answer="The study",
         headers=_REVISION,
         says="A study with its definition; the ETag is the revision of its metadata."),
    Verb("studies", "edit", "PATCH /studies/{name}", "edit_study", (404, 409, 412, 413, 415, 422, 507),
         names=_IF_MATCH, answer="The study", headers=_REVISION,
         says="Change description, visibility, archive; admins also the owner. What is left out stays."),
    Verb("studies", "delete", "DELETE /studies/{name}", "delete_study", (404, 409, 412, 415, 422, 507),
         names=_IF_MATCH, slow=True,
         says="Delete a study that nobody works on, and evaluations that no other study uses.\n\nA study on "
         "which somebody has decided is refused, unless `with_decisions` says that these go too."),
    Verb("studies", "launch", "POST /studies/{name}/launch", "launch_study", (404, 409, 415, 422, 507),
         post="queues", **_ACCEPTED),
    Verb("studies", "pause", "POST /studies/{name}/pause", "pause_study", (404, 409, 415, 422, 507),
         post="adds", **_ACCEPTED),
    Verb("studies", "stop", "POST /studies/{name}/stop", "stop_study", (404, 409, 415, 422, 507),
         post="changes", **_ACCEPTED),
    Verb("studies", "branch", "POST /studies/{name}/branch", "branch_study", again=True, post="queues"),
    Verb("studies", "extend", "POST /studies/{name}/extend", "extend_study",
         (404, 409, 412, 413, 415, 422, 507), post="queues", **_ACCEPTED),
    Verb("studies", "propose", "POST /studies/{name}/proposals", "propose_design",
         (404, 409, 413, 415, 422, 429, 507), status=201, location="/studies/{name}/proposals", post="adds"),
    Verb("studies", "proposals", "GET /studies/{name}/proposals", "list_proposals", (404, 422)),
    Verb("studies", "withdraw", "DELETE /studies/{name}/proposals/{proposal_id}", "withdraw_proposal",
         (404, 409, 422, 507), status=204),
    Verb("studies", "file", "GET /studies/{name}/file", "show_file", (404, 422), file="{name}.toml",
         says="The study as a file that anybody can run."),
    Verb("progress", "list", "GET /overview", "list_overview", (422,), names={"name": "names"},
         says="Studies as `GET /studies` lists them, each with its progress and its best values."),
    Verb("progress", "get", "GET /studies/{name}/progress", "show_progress", (404, 422)),
    Verb("progress", "verdicts", "GET /studies/{name}/verdicts", "show_verdicts", (404, 422)),
    Verb("jobs", "list", "GET /studies/{name}/jobs", "list_jobs", (404, 422)),
    Verb("jobs", "get", "GET /studies/{name}/jobs/{job_id}", "show_job", (404, 422)),
    Verb("jobs", "pause", "POST /studies/{name}/jobs/{job_id}/pause", "pause_job", (404, 409, 415, 422, 507),
         again=True, post="adds"),
    Verb("jobs", "resume", "POST /studies/{name}/jobs/{job_id}/resume", "resume_job",
         (404, 409, 415, 422, 507), again=True, post="queues"),
    Verb("jobs", "stop", "POST /studies/{name}/jobs/{job_id}/stop", "stop_job", (404, 409, 415, 422, 507),
         again=True, post="changes"),
    Verb("reevaluations", "start", "POST /studies/{name}/reevaluate", "reevaluate_study",
         (404, 409, 415, 422, 507), status=202, answer="Asked for", headers=_PROGRESS,
         location="/studies/{study}/reevaluation", again=True, post="queues"),
    Verb("reevaluations", "get", "GET /studies/{name}/reevaluation", "show_reevaluation", (404, 422)),
    Verb("reevaluations", "designs", "GET /studies/{name}/reevaluation/designs", "list_reevaluated",
         (404, 422)),
    Verb("sweeps", "start", "POST /studies/{name}/sweeps", "start_sweep", (404, 409, 413, 415, 422, 507),
         status=202, answer="Stored, and begun", headers=_PROGRESS,
         location="/studies/{study}/sweeps/{sweep}", again=True, slow=True, post="queues"),
    Verb("sweeps", "list", "GET /studies/{name}/sweeps", "list_sweeps", (404, 422)),
    Verb("sweeps", "get", "GET /studies/{name}/sweeps/{sweep_id}", "show_sweep", (404, 422)),
    Verb("sweeps", "map", "GET /studies/{name}/sweeps/{sweep_id}/map", "show_verdict_map", (404, 422)),
    Verb("sweeps", "figure", "GET /studies/{name}/sweeps/{sweep_id}/figure", "show_verdict_figure",
         (404, 422)),
    Verb("sweeps", "delete", "DELETE /studies/{name}/sweeps/{sweep_id}", "delete_sweep",
         (404, 409, 422, 507)),

    Verb("runs", "list", "GET /studies/{name}/runs", "list_runs", (404, 422)),
    Verb("runs", "get", "GET /studies/{name}/runs/{run_id}", "show_run", (404, 422)),
    Verb("runs", "generations", "GET /studies/{name}/runs/{run_id}/generations", "list_generations",
         (404, 422)),
    Verb("runs", "provenance", "GET /studies/{name}/runs/{run_id}/provenance", "show_provenance", (404, 422)),
    Verb("evaluations", "list", "GET /studies/{name}/evaluations", "list_evaluations", (404, 422)),
    Verb("evaluations", "array", "GET /studies/{name}/evaluations/array", "get_evaluations_array",
         names={"column": "columns", "most": "limit"}),
    Verb("evaluations", "get", "GET /studies/{name}/runs/{run_id}/evaluations/{ask_no}", "show_asked",
         (404, 422)),
    Verb("designs", "get", "GET /designs/{key}", "find_design", (404, 422), without="study",
         says="A stored design that a study which you may see asked for."),
    Verb("designs", "reproduce", "POST /designs/{key}/reproduce", "reproduce_found_design",
         (404, 415, 422, 503), without="study", again=True, slow=True,
         says="Evaluate a stored design again and compare every bit."),
    Verb("designs", "get", "GET /studies/{name}/designs/{key}", "show_design", (404, 422), **_OF_STUDY,
         says="A design that the study asked for: parameters, metrics, time and counters."),
    Verb("designs", "reproduce", "POST /studies/{name}/designs/{key}/reproduce", "reproduce_design",
         (404, 415, 422, 503), **_OF_STUDY, again=True, slow=True,
         says="Evaluate the design again and compare every bit."),
    Verb("designs", "evaluate", "POST /studies/{name}/designs/{key}/evaluate", "evaluate_design",
         (404, 413, 415, 422, 503), **_OF_STUDY, again=True, slow=True,
         says="Evaluate the design with other settings or other values of its variables; nothing is stored."),
    Verb("designs", "scene", "GET /studies/{name}/designs/{key}/scene", "show_scene", (404, 422, 503),
         **_OF_STUDY),
    Verb("designs", "figure", "GET /studies/{name}/designs/{key}/figure", "show_scene_figure",
         (404, 422, 503), **_OF_STUDY),
    Verb("designs", "draw", "POST /studies/{name}/designs/{key}/figure", "draw_design",
         (404, 413, 415, 422, 503), **_OF_STUDY, again=True,
         says="The 3D view of the design with other settings or other values of its variables."),
    Verb("designs", "export", "GET /designs/{key}/export", "export_found_design", (404, 422, 503),
         without="study", names={"format": "kind"}, file="design-{key:.10}",
         says="A stored design as a file for other programs: CAD, simulators, viewers."),
    Verb("designs", "export", "GET /studies/{name}/designs/{key}/export", "export_design", (404, 422, 503),
         names={"name": "study", "format": "kind"}, file="design-{key:.10}",
         says="The design as a file for other programs: CAD, simulators, viewers."),
    Verb("designs", "shape", "GET /studies/{name}/designs/{key}/scene/{shape}", "get_shape", (404, 422, 503),
         **_OF_STUDY,
         says="The points of a shape in m, the triangles of a surface as places in its points, or values of "
         "points.\n\nOf a line that moves also the points at all moments, one moment after the other."),
    Verb("robustness", "design", "POST /designs/{key}/robust", "find_robust_design",
         (404, 409, 413, 415, 422, 507), without="study", again=True, slow=True, post="queues",
         says="A design under tolerances, of the first study that you may see and that evaluated it."),
    Verb("robustness", "design", "POST /studies/{name}/designs/{key}/robust", "show_robust_design",
         (404, 409, 413, 415, 422, 507), **_OF_STUDY, again=True, slow=True, post="queues"),
    Verb("robustness", "variables", "POST /studies/{name}/sensitivity", "show_sensitivity",
         (404, 409, 413, 415, 422, 507), again=True, slow=True, post="queues"),
    Verb("importances", "get", "GET /studies/{name}/importances", "show_importances", (404, 422)),
    Verb("importances", "slice", "GET /studies/{name}/slice", "show_slice", (404, 422)),

    Verb("decisions", "rules", "GET /decision-rules", "list_decision_rules", ()),
    Verb("decisions", "rank", "POST /studies/{name}/ranking", "rank_designs", (404, 409, 413, 415, 422),
         again=True, slow=True),
    Verb("decisions", "list", "GET /studies/{name}/decisions", "list_decisions", (404, 422)),
    Verb("decisions", "get", "GET /studies/{name}/decisions/{number}", "show_decision", (404, 422)),
    Verb("decisions", "sheet", "GET /studies/{name}/decisions/{number}/sheet", "get_decision_sheet"),
    Verb("decisions", "add", "POST /studies/{name}/decisions", "add_decision",
         (404, 409, 412, 413, 415, 422, 507), status=201, answer="Recorded",
         headers={"Location": "address of the decision"}, location="/studies/{name}/decisions/{number}",
         slow=True, post="changes"),
    Verb("decisions", "sheet", "GET /studies/{name}/sheet", "get_sheet", without="number"),
    Verb("annotations", "list", "GET /studies/{name}/annotations", "list_annotations", (404, 422)),
    Verb("annotations", "add", "POST /studies/{name}/annotations", "add_annotation",
         (404, 413, 415, 422, 507), status=201, post="adds",
         says="Write a note, set a tag, or mark a favourite; a tag or favourite that is there is answered as "
         "it is."),
    Verb("annotations", "edit", "PATCH /studies/{name}/annotations/{annotation_id}", "edit_annotation",
         (404, 413, 415, 422, 507), again=True),
    Verb("annotations", "remove", "DELETE /studies/{name}/annotations/{annotation_id}", "remove_annotation",
         (404, 415, 422, 507)),

    Verb("fronts", "list", "GET /studies/{name}/front", "list_front", (404, 422)),
    Verb("fronts", "picks", "GET /studies/{name}/picks", "list_picks", (404, 422)),
    Verb("studies", "model", "GET /studies/{name}/model", "show_study_model", (404, 422), tag="results"),
    Verb("studies", "quantities", "GET /studies/{name}/quantities", "show_quantities", (404, 422),
         tag="results"),
    Verb("runs", "indicators", "GET /studies/{name}/indicators", "show_indicators", (404, 422),
         tag="results"),
    Verb("comparisons", "layouts", "GET /studies/{name}/comparison", "show_comparison", (404, 422)),
    Verb("figures", "list", "GET /studies/{name}/figures", "list_figures", (404, 422)),
    Verb("figures", "get", "GET /studies/{name}/figures/{figure}", "show_figure", (404, 422),
         says="A figure as Plotly draws it: `Plotly.newPlot(element, figure)`."),
    Verb("comparisons", "studies", "GET /comparison", "compare_studies", (404, 422), **_COMPARED),
    Verb("comparisons", "figure", "GET /comparison/figures/{figure}", "show_comparison_figure", (404, 422),
         **_COMPARED),
    Verb("exports", "table", "GET /studies/{name}/export", "export_study",
         names={"format": "kind", "front": "only_front"}),
    Verb("exports", "tables", "GET /exports", "export_studies",
         names={"study": "names", "format": "kind", "front": "only_front"}),
    Verb("exports", "report", "GET /studies/{name}/report", "get_report"),
    Verb("events", "follow", "GET /events", "stream_events"),
)  # fmt: skip
