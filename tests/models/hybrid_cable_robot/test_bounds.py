"""Certified blocks: never contradicted by a point of theirs, and bounds that close in on the volume."""

import itertools

import numpy as np
import pytest

from errors import InputError
from models.contract import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL, HybridCableRobot, WrenchBox, workspace_bounds
from models.hybrid_cable_robot.bounds.block_kernels import block_scratch, decide_blocks
from models.hybrid_cable_robot.bounds.octree import depth_of, refine
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE, OUTSIDE, UNDECIDED
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.cell_results import INTERFERENCE, PASSED, PLATFORM
from models.hybrid_cable_robot.robot import Load, changed_robot, robot_of
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.wrench.capacity import capacity_margin, facet_normals, facet_slacks
from tests.oracles import cable_robot_certificates as certificates

GRAVITY = {"orientations": "nominal", "wrench_set": "gravity"}
THICK = {"wrench_set": "gravity", "orientations": "nominal", "f_min": 0.1, "cable_diameter": 0.02}
NINE = {"f_max": 80.0}
SOAK = (pytest.mark.soak, pytest.mark.timeout(3600))


def random_robot(cables, rng, **chosen):
    """Random pulleys and attachments, and a load that middling tensions hold at the origin."""
    pulleys = rng.uniform(-1, 1, (cables, 3))
    pulleys /= np.abs(pulleys).max(axis=1)[:, None]
    settings = {
        "pulleys": pulleys.tolist(),
        "attachments": (rng.uniform(-1, 1, (cables, 3)) * [0.2, 0.15, 0.12]).tolist(),
        "platform_half_size": [0.05, 0.05, 0.05],
        "cable_stiffness": 1e4,
        "f_min": 1.0,
        "f_max": 30.0,
        "rotation_limit": 0.03,
        **chosen,
    }
    bare = HybridCableRobot(**settings)
    W = wrench_matrix(robot_of(bare), np.zeros(3), np.eye(3))
    load = {"center": (-W @ rng.uniform(10, 20, cables)).tolist(), "half_range": [0.1] * 3 + [0.01] * 3}
    return bare.model_copy(update={"wrench_set": WrenchBox(**load)})


def verdicts_of(robot, centers, half):
    """Verdicts of the compiled certificates, each block with fresh memory, as in the definition."""
    verdicts = np.empty(len(centers), np.int8)
    for i, center in enumerate(centers):
        decide_blocks(
            robot,
            center[None],
            half[i],
            np.zeros((1, len(robot.rotations)), np.uint8),
            block_scratch(robot),
            verdicts[i : i + 1],
        )
    return verdicts


def random_blocks(rng, count, spread, least=0.001, most=0.05):
    """Boxes of any proportions near the origin: centres and half sides (n, 3) m."""
    sizes = np.exp(rng.uniform(np.log(least), np.log(most), (count, 1)))
    return rng.uniform(-spread, spread, (count, 3)), sizes * rng.uniform(0.2, 1, (count, 3))


def points_in(centers, half, each, rng):
    """Random points (n * each, 3) m of blocks, a third of them corners."""
    share = rng.uniform(-1, 1, (len(centers), each, 3))
    corners = rng.random((len(centers), each)) < 1 / 3
    share[corners] = np.sign(share[corners])
    return (centers[:, None] + share * np.reshape(half, (-1, 1, 3))).reshape(-1, 3)


def assert_points_agree(robot, centers, half, kind, each, rng):
    """Every test at every point says what the certificate of its block says."""
    points = points_in(centers, half, each, rng)
    passed = evaluate_cells(robot, points, every_index=False).verdicts == PASSED
    assert passed.all() if kind == INSIDE else not passed.any()


@pytest.mark.parametrize(
    ("preset", "settings", "points", "seed"),
    [
        ("constrained", GRAVITY, 3_000, 5),
        ("suspended", GRAVITY, 3_000, 5),
        ("robocab", THICK, 3_000, 5),
        *(
            pytest.param(preset, settings, 100_000, 6, marks=SOAK)
            for preset in ("constrained", "suspended", "robocab")
            for settings in (GRAVITY, NINE, THICK)
        ),
    ],
)
def test_points_never_contradict_their_block(preset, settings, points, seed):
    parameters = MODEL.resolve(preset, {"bounds_block": 1 / 32, **settings})
    robot, rng = robot_of(parameters), np.random.default_rng(seed)
    seen = {INSIDE: 0, OUTSIDE: 0}
    for level in refine(robot, parameters.space, depth_of(parameters)):
        for kind, centers in ((INSIDE, level.inside), (OUTSIDE, level.outside)):
            if len(centers):
                each = max(1, points // len(centers))
                assert_points_agree(robot, centers, level.half, kind, each, rng)
                seen[kind] += len(centers)
    assert seen[OUTSIDE] > 100
    assert seen[INSIDE] > 100


@pytest.mark.parametrize(
    ("cables", "collisions"),
    [
        (6, False),
        (7, True),
        (8, False),
        (9, True),
        (12, False),
        pytest.param(10, False, marks=pytest.mark.soak),
        pytest.param(11, True, marks=pytest.mark.soak),
    ],
)
def test_points_never_contradict_their_block_for_any_number_of_cables(cables, collisions):
    rng = np.random.default_rng(cables)
    seen = {INSIDE: 0, OUTSIDE: 0}
    for _ in range(3):
        robot = robot_of(
            random_robot(
                cables,
                rng,
                check_platform=collisions,
                check_interference=collisions,
                orientations="corners" if collisions else "nominal",
            )
        )
        centers, half = random_blocks(rng, 40 if collisions else 100, 0.3)
        verdicts = verdicts_of(robot, centers, half)
        for kind in (INSIDE, OUTSIDE):
            chosen = verdicts == kind
            seen[kind] += np.count_nonzero(chosen)
            assert_points_agree(robot, centers[chosen], half[chosen], kind, 20, rng)
    assert collisions or min(seen[INSIDE], seen[OUTSIDE]) > 5


@pytest.mark.parametrize(
    ("settings", "cause"),
    [
        ({"cable_diameter": 0.04, "check_platform": False}, INTERFERENCE),
        ({"check_interference": False}, PLATFORM),
    ],
)
def test_collisions_alone_are_certified_both_ways(settings, cause):
    """Tensions without limit hold any load, so that the collisions decide."""
    robot = robot_of(MODEL.resolve("constrained", {"wrench_set": "gravity", "f_max": 1e5, **settings}))
    rng = np.random.default_rng(8)
    centers, half = random_blocks(rng, 400, 0.4)
    verdicts = verdicts_of(robot, centers, half)
    causes = evaluate_cells(robot, centers, every_index=False).verdicts
    assert np.count_nonzero((verdicts == OUTSIDE) & (causes == cause)) > 10
    assert np.count_nonzero(verdicts == INSIDE) > 10
    for kind in (INSIDE, OUTSIDE):
        chosen = verdicts == kind
        assert_points_agree(robot, centers[chosen], half[chosen], kind, 100, rng)


@pytest.mark.parametrize(
    ("preset", "settings"),
    [("constrained", GRAVITY), ("suspended", NINE), ("constrained", {**THICK, "f_max": 1e5})],
    ids=["gravity", "nine", "thick"],
)
def test_compiled_certificates_equal_the_plain_ones(preset, settings):
    robot = robot_of(MODEL.resolve(preset, settings))
    centers, half = random_blocks(np.random.default_rng(3), 10, 0.45, least=1e-4)
    plain = [certificates.decide_block(robot, *block) for block in zip(centers, half, strict=True)]
    assert verdicts_of(robot, centers, half).tolist() == plain
    assert len(set(plain)) > 1


def test_compiled_certificates_equal_the_plain_ones_for_other_robots():
    rng = np.random.default_rng(4)
    for cables in (6, 7, 9):
        robot = robot_of(random_robot(cables, rng, orientations="nominal"))
        centers, half = random_blocks(rng, 8, 0.3, least=1e-4)
        plain = [certificates.decide_block(robot, *block) for block in zip(centers, half, strict=True)]
        assert verdicts_of(robot, centers, half).tolist() == plain


def test_blocks_without_pulls_away_from_a_singular_pose_stay_undecided():
    """At the centre all cables meet one axis; nothing is certain there."""
    ring = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.arange(8) * np.pi / 4])
    robot = robot_of(
        HybridCableRobot(
            pulleys=ring.tolist(),
            attachments=(0.1 * ring).tolist(),
            cable_stiffness=1.0,
            orientations="nominal",
            wrench_set={"center": [0] * 6},
            check_platform=False,
            check_interference=False,
        )
    )
    sides = np.array([1e-6, 1e-3, 0.1])
    verdicts = verdicts_of(robot, np.zeros((3, 3)), sides[:, None] * np.ones(3))
    assert verdicts.tolist() == [UNDECIDED] * 3


def test_blocks_around_a_pulley_stay_undecided():
    robot = robot_of(MODEL.resolve("constrained", {"orientations": "nominal"}))
    center = robot.pulleys[0] - robot.attachments[0]
    assert verdicts_of(robot, center[None], np.full((1, 3), 0.01)).tolist() == [UNDECIDED]


def test_facets_of_the_centre_alone_prove_nothing_elsewhere():
    """A pose fails although every facet direction of a neighbour is satisfied there."""
    rng = np.random.default_rng(1)
    robot = robot_of(MODEL.resolve("constrained", {"orientations": "nominal"}))
    found = 0
    while found < 5:
        center, step = rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.02, 0.02, 3)
        before, after = (scaled_matrix(robot, x) for x in (center, center + step))
        tensions = rng.choice([0.0, 23.0], 8)
        tensions[rng.permutation(8)[:2]] = rng.uniform(0, 23, 2)
        load = Load(
            -1.0001 * (after @ (tensions - 11.5)) - after @ np.full(8, 11.5),
            np.zeros(6), 0.0, 23.0, np.ones(8), np.ones(8), False, np.ones(6), 6, 1e-9,
        )  # fmt: skip
        naive = min(facet_slacks(W, load, facet_normals(before)).min() for W in (before, after))
        if naive > 0.001 and capacity_margin(after, load) < -0.001:
            found += 1
            scale = np.array([1.0, 1.0, 1.0, *(robot.length_scale,) * 3])
            loaded = changed_robot(robot, wrench_center=load.center * scale, wrench_range=np.zeros(6))
            assert capacity_margin(before, load) > 0
            assert verdicts_of(loaded, center[None], np.abs(step)[None]).tolist() != [INSIDE]


def scaled_matrix(robot, position):
    W = wrench_matrix(robot, position, np.eye(3))
    W[3:] /= robot.length_scale
    return W


@pytest.mark.parametrize(
    ("preset", "settings", "share"),
    [
        ("constrained", GRAVITY, 0.6),
        pytest.param("suspended", GRAVITY, 0.7, marks=pytest.mark.soak),
        ("constrained", {}, 0.6),
    ],
)
def test_bounds_close_in_on_the_volume(preset, settings, share):
    sides = (1 / 16, 1 / 32)
    bounds = [workspace_bounds(MODEL.resolve(preset, {"bounds_block": side, **settings})) for side in sides]
    outcome = MODEL.evaluate(MODEL.resolve(preset, {"cells": 40, **settings}), "workspace", 0)
    for side, found in zip(sides, bounds, strict=True):
        assert found.block_side == side
        assert 0 <= found.lower <= outcome.metrics["workspace_volume"] <= found.upper <= 1
    for coarse, fine in itertools.pairwise(bounds):
        assert coarse.lower <= fine.lower <= fine.upper <= coarse.upper
        assert fine.upper - fine.lower < share * (coarse.upper - coarse.lower)


def test_bounds_of_the_projects_example():
    """Bounds .331 to .390 were measured with equal cells of 1 cm; the octree's get to 1/128 m."""
    found = workspace_bounds(
        MODEL.resolve("constrained", {"bounds_block": 1 / 64, "weight_moment": "ignored", **GRAVITY})
    )
    assert found.lower == pytest.approx(0.312, abs=5e-4)
    assert found.upper == pytest.approx(0.383, abs=5e-4)


def test_blocks_add_up_to_the_space():
    parameters = MODEL.resolve(
        "constrained", {**GRAVITY, "space": [[-0.4, -0.2, -0.1], [0.3, 0.3, 0.2]], "bounds_block": "5 cm"}
    )
    levels = list(refine(robot_of(parameters), parameters.space, depth_of(parameters)))
    volume = sum((len(x.inside) + len(x.outside)) * np.prod(2 * x.half) for x in levels)
    volume += len(levels[-1].undecided) * np.prod(2 * levels[-1].half)
    assert volume == pytest.approx(0.7 * 0.5 * 0.3)
    found = workspace_bounds(parameters)
    assert found.block_side == pytest.approx(0.7 / 16)
    assert found.upper - found.lower == pytest.approx(
        len(levels[-1].undecided) * np.prod(2 * levels[-1].half)
    )
    counters = found.counters
    assert counters["blocks_undecided"] == len(levels[-1].undecided)
    assert counters["blocks_inside"] == sum(len(level.inside) for level in levels) > 0


def test_metrics_are_there_when_asked_for():
    plain = MODEL.evaluate(MODEL.resolve("constrained", {"cells": 10, **GRAVITY}), "workspace", 0)
    assert plain.metrics["workspace_volume_lower"] is plain.metrics["workspace_volume_upper"] is None
    parameters = MODEL.resolve("constrained", {"cells": 10, "bounds": True, "bounds_block": 0.1, **GRAVITY})
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Evaluation)
    found = workspace_bounds(parameters)
    assert outcome.metrics["workspace_volume_lower"] == found.lower
    assert outcome.metrics["workspace_volume_upper"] == found.upper
    assert outcome.counters.items() >= found.counters.items()
    assert {
        **outcome.metrics,
        "workspace_volume_lower": None,
        "workspace_volume_upper": None,
        "workspace_volume_error": plain.metrics["workspace_volume_error"],  # the bounds give another one
    } == plain.metrics


def test_designs_without_a_cell_stay_infeasible():
    outcome = MODEL.evaluate(
        MODEL.resolve(None, {"cells": 4, "f_max": "1 N", "bounds": True}), "workspace", 0
    )
    assert isinstance(outcome, Infeasible)
    empty = workspace_bounds(MODEL.resolve(None, {"f_max": "1 N"}))
    assert (empty.lower, empty.upper) == (0.0, 0.0)


def test_blocks_that_are_too_small_are_refused():
    with pytest.raises(InputError, match="must be at least"):
        MODEL.resolve(None, {"bounds_block": "1 mm"})
    assert MODEL.resolve(None, {"bounds_block": "2 mm"}).smallest_block == 0.002
