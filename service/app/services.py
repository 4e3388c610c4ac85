"""All services on a store, composed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from service.app.accounts import AccountService, TokenService
from service.app.annotations import AnnotationService
from service.app.comparisons import ComparisonService
from service.app.context import Context
from service.app.decisions import DecisionService
from service.app.designs import DesignService
from service.app.drafts import DraftService
from service.app.evaluations import EvaluationService
from service.app.events import EventService
from service.app.exports import ExportService, RenderReport
from service.app.figures import FigureService
from service.app.fronts import FrontService
from service.app.importances import ImportanceService
from service.app.jobs import JobService
from service.app.models import ModelService
from service.app.progress import ProgressService
from service.app.reevaluations import ReevaluationService
from service.app.robustness import RobustnessService
from service.app.runs import RunService
from service.app.studies import StudyService
from service.app.study_checks import AlgorithmService
from service.app.sweeps import SweepService

if TYPE_CHECKING:
    from service.access.authenticator import Authenticator
    from studies.store import Store


class Services:
    """Everything that can be done, noun by noun, wherever the store is.

    :class:`StoreServices` does it on a store, ``tautline.Client`` by a server. A thing is done the same way
    everywhere: errors are those of :mod:`errors`, also over REST. A study that the caller may not see counts
    as missing for every method, and no error names it.

    Every list is a :class:`~service.resources.studies.Page`. Without ``limit`` it holds all items. With
    ``limit`` it holds at most so many, and ``next`` is the ``cursor`` of the following page.
    """

    models: ModelService
    algorithms: AlgorithmService
    studies: StudyService
    drafts: DraftService
    progress: ProgressService
    runs: RunService
    evaluations: EvaluationService
    fronts: FrontService
    designs: DesignService
    decisions: DecisionService
    annotations: AnnotationService
    comparisons: ComparisonService
    figures: FigureService
    jobs: JobService
    reevaluations: ReevaluationService
    sweeps: SweepService
    robustness: RobustnessService
    importances: ImportanceService
    exports: ExportService
    events: EventService
    accounts: AccountService
    tokens: TokenService


class StoreServices(Services):
    """Everything, done on a store. Several threads may use one.

    Parameters
    ----------
    context : Context
        What all services share.
    render_large : RenderReport, optional
        Renders reports on many designs; if not given, this process does.
    authenticator : callable () -> Authenticator, optional
        See :class:`~service.app.accounts.TokenService`; if not given, :func:`open_authenticator`.
    has_accounts : callable () -> bool, optional
        See there; if not given, whether the store has an account.
    """

    def __init__(
        self,
        context: Context,
        *,
        render_large: RenderReport | None = None,
        authenticator: Callable[[], Authenticator] | None = None,
        has_accounts: Callable[[], bool] | None = None,
    ) -> None:
        self.models = ModelService(context)
        self.algorithms = AlgorithmService()
        self.studies = StudyService(context)
        self.drafts = DraftService(context)
        self.progress = ProgressService(context)
        self.runs = RunService(context)
        self.evaluations = EvaluationService(context)
        self.fronts = FrontService(context)
        self.designs = DesignService(context)
        self.decisions = DecisionService(context)
        self.annotations = AnnotationService(context)
        self.comparisons = ComparisonService(context)
        self.figures = FigureService(context)
        self.jobs = JobService(context)
        self.reevaluations = ReevaluationService(context)
        self.sweeps = SweepService(context)
        self.robustness = RobustnessService(context)
        self.importances = ImportanceService(context)
        self.exports = ExportService(context, render_large)
        self.events = EventService(context)
        self.accounts = AccountService(context)
        self.tokens = TokenService(
            context,
            authenticator or partial(open_authenticator, context.store),
            has_accounts or context.store.accounts.exist,
        )


def open_authenticator(store: Store, secret_file: Path | None = None) -> Authenticator:
    """Open the authenticator of a store; without ``secret_file`` the key is the one of this user."""
    from service.access.authenticator import Authenticator
    from service.access.secret import server_key

    return Authenticator(store, server_key(secret_file), accounts=store.accounts.exist())
