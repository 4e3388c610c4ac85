"""Tautline from Python: what notebooks and scripts need, in one place.

::

    import tautline

    study = tautline.run("study.toml", store="tautline.db")
    with tautline.open_existing("tautline.db") as store:
        comparison = tautline.compare_layouts(store, study)

Everything here is defined elsewhere, except :func:`run`, :func:`use_model` and :func:`generator`. Back-ends
of packages import from :mod:`models`.
"""

from __future__ import annotations

import inspect
import sys
from contextlib import nullcontext
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gest_api.vocs import VOCS

    from studies.search.gest_generator import TautlineGenerator


class ShadowedPackageError(ImportError):
    """A file or folder of the user's has the name of one of Tautline's packages and hides it.

    Defined here and not among the other errors, because those may be what is hidden. ``name`` is
    the package, ``path`` the file that is imported in its place.
    """


def _require_own_packages() -> None:
    """Raise ``ShadowedPackageError`` unless Tautline's packages are the ones beside this file."""
    home = Path(__file__).resolve().parent
    for name in ("errors", "models", "studies", "dashboards", "service"):
        spec = getattr(sys.modules.get(name), "__spec__", None) or find_spec(name)
        found = (
            spec.origin if spec is not None and spec.origin is not None else "a folder without __init__.py"
        )
        if Path(found).resolve() not in (home / name / "__init__.py", home / f"{name}.py"):
            raise ShadowedPackageError(
                f"'{name}' is imported from {found}, which hides Tautline's package of that name in {home}; "
                "rename yours, or start Python in another folder",
                name=name,
                path=found,
            )


_require_own_packages()  # before anything of ours is imported

from dashboards.content.front.fronts import fronts  # noqa: E402
from dashboards.decision_sheet import write_sheet  # noqa: E402
from dashboards.report import write_report  # noqa: E402
from errors import (  # noqa: E402
    AbsentError,
    AccessError,
    AlgorithmError,
    AlgorithmLoadError,
    DivergedError,
    EditConflictError,
    FaultsError,
    ForbiddenError,
    GeneratorError,
    IdentityError,
    InputError,
    LeaseError,
    LimitError,
    ModelLoadError,
    NameTakenError,
    NotReadyError,
    SchemaError,
    ServerError,
    StateError,
    StoreError,
    StoreFullError,
    TautlineError,
    TooLargeError,
    UnknownNameError,
    UnreachableError,
    VersionError,
    WorkerError,
)
from models import (  # noqa: E402
    Evaluation,
    Infeasible,
    Metric,
    Model,
    Parameters,
    command_model,
    model,
    quantity,
)
from models import load as load_model  # noqa: E402
from models import names as model_names  # noqa: E402
from models.own_model import load_defined, load_file  # noqa: E402
from service import figures  # noqa: E402
from service.cli.progress import shown_progress  # noqa: E402
from service.client import Client  # noqa: E402
from service.new_studies import RobotViews, exported_robot, new_study, robots_of  # noqa: E402
from service.resources.access import AccountEdit, AccountRequest, PasswordRequest, TokenRequest  # noqa: E402
from service.resources.decisions import DecisionRequest, PreferencesRequest  # noqa: E402
from service.resources.drafts import NewStudyRequest  # noqa: E402
from service.resources.models import DesignEvaluationRequest, EvaluationRequest, SettingsRequest  # noqa: E402
from service.resources.robustness import RobustRequest, SensitivityRequest  # noqa: E402
from service.resources.studies import AnnotationEdit, AnnotationRequest, ExtensionRequest, StudyEdit  # noqa: E402  # noqa: E402
from service.resources.sweeps import SweepRequest  # noqa: E402
from studies.comparison.comparison import Comparison, Criterion, compare_layouts, compare_studies  # noqa: E402
from studies.comparison.verdict_map import VerdictMap, verdict_map  # noqa: E402
from studies.decision.decision import Ranking, rank_designs, record_decision  # noqa: E402
from studies.decision_records import DecisionRecord  # noqa: E402
from studies.definition.study_definition import StudyDefinition  # noqa: E402
from studies.definition.study_file import parse_study, read_study  # noqa: E402
from studies.definition.tolerance_tables import RobustTable, TolerancesTable  # noqa: E402
from studies.exchange.design import DesignFile  # noqa: E402
from studies.exchange.formats import design_file  # noqa: E402
from studies.exchange.imported_robot import ImportedRobot  # noqa: E402
from studies.exchange.robot_files import read_robot  # noqa: E402
from studies.execution import open_executor  # noqa: E402
from studies.problem.problem import check as check_study  # noqa: E402
from studies.records import FrontDesign, Progress, Report, RunRecord, StudyRecord, SweepRecord  # noqa: E402
from studies.results.export import evaluation_table, export_study, front_table  # noqa: E402
from studies.results.reevaluation import (  # noqa: E402
    Reevaluated,
    Reproduction,
    reproduce,
)
from studies.results.variable_importance import LayoutImportances, variable_importances  # noqa: E402
from studies.run.extension import extend_study  # noqa: E402
from studies.run.launch import branch_study, resume_study, run_study  # noqa: E402
from studies.run.questions import (  # noqa: E402
    evaluate_robust_design,
    evaluate_sensitivity,
    reevaluate_front,
    sweep,
)
from studies.run.runner import Runner  # noqa: E402
from studies.store import DEFAULT_STORE, Store, open_existing  # noqa: E402
from studies.uncertainty.global_sensitivity import SpaceIndices  # noqa: E402
from studies.uncertainty.robust_design import RobustDesign, RobustOptions  # noqa: E402

__all__ = [
    "AbsentError",
    "AccessError",
    "AccountEdit",
    "AccountRequest",
    "AlgorithmError",
    "AlgorithmLoadError",
    "AnnotationEdit",
    "AnnotationRequest",
    "Client",
    "Comparison",
    "Criterion",
    "DecisionRecord",
    "DecisionRequest",
    "DesignEvaluationRequest",
    "DesignFile",
    "DivergedError",
    "EditConflictError",
    "Evaluation",
    "EvaluationRequest",
    "ExtensionRequest",
    "FaultsError",
    "ForbiddenError",
    "FrontDesign",
    "GeneratorError",
    "IdentityError",
    "ImportedRobot",
    "Infeasible",
    "InputError",
    "LayoutImportances",
    "LeaseError",
    "LimitError",
    "Metric",
    "Model",
    "ModelLoadError",
    "NameTakenError",
    "NewStudyRequest",
    "NotReadyError",
    "Parameters",
    "PasswordRequest",
    "PreferencesRequest",
    "Progress",
    "Ranking",
    "Reevaluated",
    "Reproduction",
    "RobotViews",
    "RobustDesign",
    "RobustOptions",
    "RobustRequest",
    "RobustTable",
    "RunRecord",
    "Runner",
    "SchemaError",
    "SensitivityRequest",
    "ServerError",
    "SettingsRequest",
    "ShadowedPackageError",
    "SpaceIndices",
    "StateError",
    "Store",
    "StoreError",
    "StoreFullError",
    "StudyDefinition",
    "StudyEdit",
    "StudyRecord",
    "SweepRecord",
    "SweepRequest",
    "TautlineError",
    "TokenRequest",
    "TolerancesTable",
    "TooLargeError",
    "UnknownNameError",
    "UnreachableError",
    "VerdictMap",
    "VersionError",
    "WorkerError",
    "branch_study",
    "check_study",
    "command_model",
    "compare_layouts",
    "compare_studies",
    "design_file",
    "evaluate_robust_design",
    "evaluate_sensitivity",
    "evaluation_table",
    "export_study",
    "exported_robot",
    "extend_study",
    "figures",
    "front_table",
    "fronts",
    "generator",
    "load_model",
    "model",
    "model_names",
    "new_study",
    "open_executor",
    "open_existing",
    "parse_study",
    "quantity",
    "rank_designs",
    "read_robot",
    "read_study",
    "record_decision",
    "reevaluate_front",
    "reproduce",
    "resume_study",
    "robots_of",
    "run",
    "run_study",
    "sweep",
    "use_model",
    "variable_importances",
    "verdict_map",
    "write_report",
    "write_sheet",
]

__version__ = version("tautline")


def run(
    study: StudyDefinition | Path | str,
    store: str = DEFAULT_STORE,
    workers: int | None = None,
    scheduler: str | None = None,
    report: Report | None = None,
    model: Model | Path | str | None = None,
) -> StudyRecord:
    """Run a study on Dask, or go on with it where it was left; a finished one is returned at once.

    In a script, call it under ``if __name__ == "__main__":``, because local workers start by
    importing the script. Notebooks need no such line.

    Parameters
    ----------
    study : StudyDefinition, Path or str
        A definition, or the name of a study file.
    store : str
        Database URL or SQLite file; made when it does not exist.
    workers : int, optional
        Local worker processes; one per core if not given.
    scheduler : str, optional
        Address of a running Dask scheduler to use instead of local workers.
    report : callable (Progress) -> None, optional
        Told how the runs go on; a terminal and a notebook show it if left out.
    model : Model, Path or str, optional
        A model of your own: what ``@tautline.model`` or ``tautline.command_model`` has made, or its file.

    Raises
    ------
    InputError
        When the study, the model or the store cannot be used; nothing was written.
    VersionError
        When the study was begun with another source of the model; what is stored is kept.
    """
    _refuse_in_workers()
    if model is not None:
        use_model(model)
    definition = study if isinstance(study, StudyDefinition) else read_study(Path(study))
    check_study(definition)  # before the store is opened: a bad study leaves nothing behind

    with Store(store) as opened, nullcontext(report) if report else shown_progress() as show:
        return run_study(opened, definition, lambda: open_executor(workers, scheduler), report=show)


def _refuse_in_workers() -> None:
    """End a process that carries out a script only because a worker of its study imports it."""
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__mp_main__":
            sys.stderr.write(
                f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}: each worker imports this "
                'script, so put what starts a study under if __name__ == "__main__":\n'
            )
            sys.exit(1)
        frame = frame.f_back


def generator(vocs: VOCS, algorithm: str = "nsga2", *, seed: int = 0, **options: Any) -> TautlineGenerator:
    """A search as a generator of gest-api, which libEnsemble, Xopt and optimas drive.

    ``vocs`` is the problem; for ``options`` see :class:`studies.search.gest_generator.TautlineGenerator`.
    Raises ``InputError`` without the package gest-api, and ``GeneratorError``, a ``ValueError``, for what
    cannot be.
    """
    if find_spec("gest_api") is None:
        raise InputError(
            "generators need gest-api, which is not installed: pip install 'tautline[gest]'", ("gest_api",)
        )
    from studies.search.gest_generator import TautlineGenerator

    return TautlineGenerator(vocs, algorithm, seed=seed, **options)


def use_model(model: Model | Path | str) -> Model:
    """Let this process find a model of your own by its name, to run studies of it and to see their results.

    ``model`` is what ``@tautline.model`` or ``tautline.command_model`` has made, or its file. Raises
    ``ModelLoadError``, with the line, for code that cannot be carried out.
    """
    return load_defined(model) if isinstance(model, Model) else load_file(model)
