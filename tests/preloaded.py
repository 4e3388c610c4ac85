# ruff: noqa: F401
"""Modules that commands import, for the process from which tests fork them."""

import multiprocessing.synchronize

import alembic.command
import alembic.config
import cryptography.hazmat.primitives.serialization
import cryptography.x509
import numba
import optuna.importance
import pint
import plotly.offline
import pymoo.algorithms.moo.nsga2
import scipy.stats
import tautline_analytic
import tornado.platform.asyncio

import dashboards.content.backends.cable_robot
import dashboards.robot_page
import service.app.services
import service.cli
import service.server
import service.web.app
import studies.execution.dispatch
import studies.results.reevaluation
import studies.run.launch
import studies.search.multi_objective
import studies.search.optuna_search
import studies.search.registry
import tautline
import tests.forked
from models import registry, units

COMMANDS = dict(service.cli.Imported())
"""Read from their modules, which takes most of the time of a short command."""
units.parsed_unit("mm")
MODELS = [registry.load(name) for name in registry.names()]
for _model in MODELS:
    if "all" in _model.stages_of:
        _model.prepare("all")
