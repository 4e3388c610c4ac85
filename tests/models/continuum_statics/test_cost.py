"""Cost of an evaluation, limited before anything runs."""

import time

import pytest

from errors import InputError
from models.continuum_statics import stable_workspace
from models.continuum_statics.model import MODEL
from models.continuum_statics.processor_time import Sizes, seconds, state_seconds


def test_ten_hours_are_refused_where_every_face_reads_a_record():
    """3 x 2 000 x 300 states of 40 arcs under 20 pretensions: as long as a night."""
    settings = {"disks": 40, "rays": 2000, "tension_steps": 300, "pretension_steps": 20, "refinements": 0}
    sizes = Sizes(40, 3, 2000, 300, 0, 20, 6)
    assert sum(seconds(sizes).values()) > 4 * 3600
    with pytest.raises(InputError, match=r"minutes of processor time, but at most 10 are allowed"):
        MODEL.resolve(None, settings)


def test_the_time_grows_with_what_is_computed():
    base = sum(seconds(Sizes(6, 3, 32, 161, 2, 5, 6)).values())
    assert base < 10
    more = (
        {"arcs": 48}, {"cables": 12}, {"rays": 320}, {"tension_steps": 1601}, {"refinements": 6},
        {"pretension_steps": 20}, {"targets": 100},
    )  # fmt: skip
    for change in more:
        sizes = Sizes(6, 3, 32, 161, 2, 5, 6)._replace(**change)
        assert sum(seconds(sizes).values()) > 1.3 * base


@pytest.mark.parametrize("disks", [6, 24])
def test_states_take_about_what_is_said(disks):
    settings = {"disks": disks, "length": 0.48, "disk_mass": 0.03 / disks, "material": "custom"}
    parameters = MODEL.resolve(None, {**settings, "rays": 2, "tension_steps": 41, "refinements": 0})
    stable_workspace(parameters)
    begun = time.process_time()
    found = stable_workspace(parameters)
    taken = time.process_time() - begun
    assert taken / found.stable.size < 10 * (state_seconds(disks) + 1e-4)
