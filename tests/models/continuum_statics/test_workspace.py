"""The stable workspace: its rays, its surface and what is lost."""

import numpy as np
import pytest

from models.continuum_statics import ContinuumStatics, equilibrium, frames, potential, rest
from models.continuum_statics.chain_kernels import tips
from models.continuum_statics.continuation import start_from, sweep_loading, trace
from models.continuum_statics.events import crossings
from models.continuum_statics.model import MODEL
from models.continuum_statics.rays import centred_rays, sectors
from models.continuum_statics.reachable_volume import prism_volumes, reachable_volume
from models.continuum_statics.tension_sweep import stable_path
from models.continuum_statics.workspace import stable_workspace, triangle_area
from tests.repetition import repeated


def design(**settings):
    return ContinuumStatics.model_validate(settings)


@pytest.fixture(scope="module")
def seventy():
    return design(tip_mass=0.07, rays=32, refinements=0)


@pytest.fixture(scope="module")
def seventy_workspace(seventy):
    return stable_workspace(seventy)


@pytest.mark.parametrize(("rays", "area"), [(97, 1.23)])
def test_areas_of_fifty_grams_are_near_those_of_separate_code(rays, area):
    """That code halves every cell along the same diagonal, which makes sheared cells too large."""
    found = stable_workspace(design(tip_mass=0.05, rays=rays))
    assert area - 0.03 < found.area < area
    assert area_of_equal_diagonals(found) == pytest.approx(area, abs=0.005)
    assert found.fraction == 1.0  # only the ray of cable 1 itself is lost, and it is not sampled
    assert found.rays == 3 * rays + found.added_rays
    assert found.added_rays <= 6
    third = stable_workspace(design(tip_mass=0.05, rays=rays // 3)).area
    assert third == pytest.approx(found.area_of_third, rel=0.03)  # the centres of one cell less or two
    assert found.area_of_third < found.area


def area_of_equal_diagonals(found):
    """Area of all cells of the sampled rays, each halved from its first ray to the second."""
    place = np.arange(found.stable.size).reshape(found.stable.shape)
    inside = np.flatnonzero(np.diff(found.sectors) == 0)
    a, b = place[inside, :-1].ravel(), place[inside, 1:].ravel()
    c, d = place[inside + 1, :-1].ravel(), place[inside + 1, 1:].ravel()
    both = np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)])
    return triangle_area(found.tips, both[found.stable.ravel()[both].all(axis=1)])


def test_at_seventy_grams_rays_near_cable_1_are_lost(seventy, seventy_workspace):
    lost = np.isfinite(seventy_workspace.losses)
    first, _ = sectors(seventy)[int(seventy_workspace.sectors[lost][0])]
    away = [psi if sectors(seventy)[sector][0] == 0 else np.pi / 2 - psi
            for sector, psi in zip(seventy_workspace.sectors[lost], seventy_workspace.psi[lost], strict=True)]  # fmt: skip
    assert first == 0
    assert max(np.degrees(away)) < 2.0
    assert 0.98 < seventy_workspace.fraction < 1.0
    assert seventy_workspace.losses[lost] == pytest.approx(10.0, abs=0.1)


def test_refinement_puts_rays_only_near_losses(seventy, seventy_workspace):
    fine = stable_workspace(seventy.model_copy(update={"refinements": 4}))
    assert fine.fraction == seventy_workspace.fraction
    added = ~np.isin(np.round(fine.psi, 9), np.round(seventy_workspace.psi, 9))
    assert fine.added_rays > seventy_workspace.added_rays
    assert fine.rays == 96 + fine.added_rays
    near_cable_1 = np.minimum(fine.psi[added], np.pi / 2 - fine.psi[added])
    assert np.degrees(near_cable_1).max() < 5.0
    assert seventy_workspace.area < fine.area
    assert np.all(np.diff(fine.psi)[np.diff(fine.sectors) == 0] > 0)
    nothing_lost = design(rays=32, refinements=3)
    assert stable_workspace(nothing_lost).added_rays == 0


def test_stable_states_are_equilibria_with_positive_eigenvalues(seventy, seventy_workspace):
    rng = np.random.default_rng(3)
    places = rng.permutation(np.argwhere(seventy_workspace.stable))[:60]
    for ray, step in places:
        tensions, q = seventy_workspace.tensions[ray, step], seventy_workspace.states[ray, step]
        found = potential(seventy, q, tensions)
        assert np.abs(found.gradient).max() < 1e-8
        assert np.linalg.eigvalsh(found.hessian)[0] > 0
        assert seventy_workspace.tips[ray, step] == pytest.approx(frames(seventy, q).positions[-1], abs=1e-12)
    lost = ~seventy_workspace.stable
    for array in (seventy_workspace.states, seventy_workspace.tips, seventy_workspace.mu_min):
        assert np.isnan(array[lost]).all()
    assert seventy_workspace.least_mu == np.nanmin(seventy_workspace.mu_min) > 0


def test_rays_end_where_a_single_path_says(seventy, seventy_workspace):
    """The end of a lost ray is a fold of the path along it, found by arclength continuation."""
    ray = int(np.flatnonzero(np.isfinite(seventy_workspace.losses))[0])
    level = seventy_workspace.losses[ray]
    rate = seventy_workspace.tensions[ray, -1] / seventy.max_tension
    before = equilibrium(seventy, (level - 1e-3) * rate)
    assert before.stable
    assert not equilibrium(seventy, (level + 1e-3) * rate).stable


@pytest.mark.parametrize("chosen", [0, 1, 13])
def test_a_ray_is_the_path_along_it(seventy, seventy_workspace, chosen):
    """Arclength continuation of separate code finds the same states, and the fold that ends the first ray."""
    near_cable_1 = np.argsort(np.where(seventy_workspace.sectors == 0, seventy_workspace.psi, np.inf))
    ray = int(near_cable_1[chosen])
    rate = seventy_workspace.tensions[ray, -1] / seventy.max_tension
    loading = sweep_loading(seventy, 1, seventy.max_tension)._replace(tension_rate=rate)
    start = start_from(loading, rest(seventy).q.ravel(), 0.0)
    points, found = crossings(loading, trace(loading, start).points)
    if np.isnan(seventy_workspace.losses[ray]):
        assert [each for each in found if each.loses_stability] == []
        assert points[-1].y[:-1] == pytest.approx(seventy_workspace.states[ray, -1].ravel(), abs=1e-7)
        assert min(point.mu[0] for point in points) <= np.min(seventy_workspace.mu_min[ray]) + 1e-3
    else:
        loss = next(each for each in found if each.loses_stability)
        assert loss.kind == "fold"
        assert points[loss.at].y[-1] * loading.limit == pytest.approx(seventy_workspace.losses[ray], abs=1e-4)


def test_the_ray_of_cable_1_itself_is_lost_at_its_bifurcation():
    """At fifty grams, though 0.01 deg away all is stable: why rays lie at the centres of cells."""
    parameters = design(tip_mass=0.05)
    loss = stable_path(parameters).losses[0].tension
    assert not equilibrium(parameters, np.array([loss + 0.01, 0.0, 0.0])).stable
    aside = np.array([1.0, np.tan(np.radians(0.01)), 0.0])
    assert all(equilibrium(parameters, level * aside).stable for level in (8.0, 9.0, 9.2, 10.0, 20.0))


def test_rays_lie_at_the_centres_of_cells_between_neighbours():
    parameters = design(rays=3)
    rays = centred_rays(parameters)
    assert sectors(parameters) == [(0, 2), (2, 1), (1, 0)]
    assert np.degrees(rays.psi[:3]) == pytest.approx([15.0, 45.0, 75.0])
    assert rays.rates.max(axis=1) == pytest.approx(np.ones(9))
    assert rays.rates[1] == pytest.approx([1.0, 0.0, 1.0])
    assert np.count_nonzero(rays.rates, axis=1).tolist() == [2] * 9


@pytest.mark.parametrize(("azimuths", "count"), [([0.0], 0), ([0.0, 3.0], 1), ([0.0, 1.6, 3.1, 4.7], 4)])
def test_any_number_of_cables_has_its_sectors(azimuths, count):
    parameters = design(hole_azimuths=azimuths, tensions=[0.0] * len(azimuths), rays=2, tension_steps=5)
    assert len(sectors(parameters)) == count
    found = stable_workspace(parameters)
    assert found.rays - found.added_rays == 2 * count


def test_turning_gravity_and_holes_together_changes_nothing():
    angle = 0.7
    plain = stable_workspace(design(tip_mass=0.04, rays=6, tension_steps=41))
    gravity = [9.81 * np.sin(angle), -9.81 * np.cos(angle), 0.0]
    azimuths = [azimuth + angle for azimuth in (np.pi / 2, -np.pi / 6, 7 * np.pi / 6)]
    turned = design(tip_mass=0.04, rays=6, tension_steps=41, gravity=gravity, hole_azimuths=azimuths)
    found = stable_workspace(turned)
    assert found.area == pytest.approx(plain.area, rel=1e-8)
    assert found.least_mu == pytest.approx(plain.least_mu, rel=1e-8)


def test_the_surface_has_mirror_symmetry():
    """The two sectors beside cable 1 mirror each other; gravity lies in the plane between."""
    found = stable_workspace(design(tip_mass=0.03, rays=5, tension_steps=21))
    first, last = (found.tips[found.sectors == sector] for sector in (0, 2))
    assert first == pytest.approx(last[::-1] * [-1, 1, 1], abs=1e-9)


def test_triangles_join_stable_neighbours_and_all_of_them(seventy, seventy_workspace):
    """Along a strip there is one triangle per step of either ray, unless balance is lost."""
    tips = seventy_workspace.vertices.tips[seventy_workspace.triangles]
    assert np.isfinite(tips).all()
    whole = stable_workspace(design(rays=32, tension_steps=41))
    assert (whole.rays, whole.dropped) == (96, 0)
    between = (
        len(whole.vertices.tips) - whole.stable.size
    )  # joined on both sides, or on one at the outer rays
    assert 3 * 31 * 40 * 2 + between <= len(whole.triangles) <= 3 * 31 * 40 * 2 + 2 * between


# ---------------------------------------------------------------- sheets

TWO_SHEETS = {
    "segments": 2, "segment_length": 0.24, "bending_stiffness": 0.025751434297,
    "torsion_stiffness": 0.011747568796, "hole_radius": 0.0316885478, "tip_mass": 0.03, "section_mass": 0.005,
    "hole_azimuths": (0.7615038308, 1.9717532244, 2.0331854941, 5.8509767104),
    "gravity": (-2.9935865782, -8.7704047653, -3.2178470522), "max_tension": 15.0,
}  # fmt: skip


def random_robots(count):
    rng = np.random.default_rng(14)
    for _ in range(count):
        segments, cables = int(rng.integers(2, 7)), int(rng.integers(3, 5))
        gravity = rng.normal(size=3)
        bending = 0.0522 * rng.uniform(0.4, 1.5)
        yield {
            "segments": segments, "segment_length": 0.48 / segments, "bending_stiffness": bending,
            "torsion_stiffness": bending * rng.uniform(0.4, 0.8), "hole_radius": rng.uniform(0.015, 0.04),
            "tip_mass": rng.uniform(0, 0.06), "section_mass": 0.03 / segments,
            "hole_azimuths": tuple(sorted(rng.uniform(0, 2 * np.pi, cables))),
            "gravity": tuple(9.81 * gravity / np.linalg.norm(gravity)), "max_tension": 15.0,
        }  # fmt: skip


def mirrored(chosen):
    """In the plane x = 0."""
    return {
        **chosen,
        "hole_azimuths": tuple(np.pi - each for each in chosen["hole_azimuths"]),
        "gravity": (-chosen["gravity"][0], *chosen["gravity"][1:]),
    }


def widest(found):
    """The longest side [m] of a triangle."""
    corners = found.vertices.tips[found.triangles]
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max())


MIRRORED = [TWO_SHEETS, *random_robots(3)]


@pytest.mark.parametrize("chosen", repeated(MIRRORED, quick=MIRRORED[:2]))
def test_a_mirrored_robot_has_the_same_area_and_no_triangle_bridges_sheets(chosen):
    """It was .794 m^2 and .734 m^2 of the first robot, 40 % of it in cells that span over a quarter of it."""
    coarse = {**chosen, "rays": 16, "tension_steps": 81}
    plain, other = (stable_workspace(design(**each)) for each in (coarse, mirrored(coarse)))
    assert plain.area == pytest.approx(other.area, rel=1e-9)
    assert plain.dropped == other.dropped
    assert widest(plain) <= 0.48 / 8 + 1e-12


def test_the_area_hardly_grows_as_rays_are_added():
    """Halved along one diagonal, sheared cells of this robot made .450, .393 and .356 m^2 of .31 m^2."""
    chosen = list(random_robots(22))[21]
    areas = [stable_workspace(design(**chosen, rays=rays)).area for rays in (32, 96)]
    assert areas[0] < areas[1] < 1.05 * areas[0]


def test_what_lies_on_another_sheet_is_left_out_and_reported():
    """Two cables pull nearly alike: soft stretches are passed on one side or the other."""
    chosen = {**list(random_robots(3))[2], "tension_steps": 81, "rays": 16, "targets": []}
    found = stable_workspace(design(**chosen))
    outcome = MODEL.evaluate(design(**chosen), "workspace", 0)
    assert outcome.counters["dropped_triangles"] == found.dropped > 0
    assert any("lead to different sheets" in each for each in outcome.warnings)


def test_triangle_area_of_a_sphere_patch():
    theta, phi = np.meshgrid(np.linspace(0.3, 1.2, 120), np.linspace(0.0, 1.0, 120), indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)
    place = np.arange(theta.size).reshape(theta.shape)
    a, b, c, d = (part.ravel() for part in (place[:-1, :-1], place[1:, :-1], place[:-1, 1:], place[1:, 1:]))
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    assert triangle_area(points, triangles) == pytest.approx(np.cos(0.3) - np.cos(1.2), rel=1e-4)


def test_tips_of_the_kernel_are_those_of_the_chain():
    parameters = design()
    states = np.random.default_rng(1).uniform(-1.0, 1.0, (20, 6, 3))
    states[0] = 0.0
    states[1, :, :2] *= 1e-9
    wanted = [frames(parameters, q).positions[-1] for q in states]
    assert tips(parameters.gap, states) == pytest.approx(np.array(wanted), abs=1e-14)
    states[3, 2, 1] = np.nan
    assert np.isnan(tips(parameters.gap, states)[3]).all()


def test_a_robot_without_a_stable_rest_has_no_workspace():
    found = stable_workspace(design(gravity="up", tip_mass=0.1, rays=3, tension_steps=5))
    assert (found.area, found.fraction, found.least_mu) == (0.0, 0.0, 0.0)
    assert not found.stable.any()


def test_pretension_spans_a_volume_that_grows_with_it():
    parameters = design(segments=4, tip_mass=0.03, rays=4, tension_steps=21)
    some = reachable_volume(parameters, np.linspace(0.0, 2.0, 2))
    more = reachable_volume(parameters, np.linspace(0.0, 4.0, 3))
    assert 0 < some.volume < more.volume
    assert some.areas == pytest.approx(more.areas[:2])
    assert reachable_volume(parameters, np.array([1.0, 1.0])).volume == pytest.approx(0.0, abs=1e-15)
    assert len(reachable_volume(parameters).pretensions) == parameters.pretension_steps


def test_volume_between_flat_layers_is_that_of_a_prism():
    corners = np.random.default_rng(2).uniform(-1.0, 1.0, (7, 3, 3))
    corners[..., 2] = 0.0
    area = triangle_area(corners.reshape(-1, 3), np.arange(21).reshape(-1, 3))
    assert prism_volumes(corners, corners + np.array([0.0, 0.0, 0.1])) == pytest.approx(0.1 * area)
    uneven = corners + np.random.default_rng(3).uniform(0.0, 0.3, (7, 3, 3))
    for order in ([1, 2, 0], [1, 0, 2]):
        whole = prism_volumes(corners, uneven)
        assert prism_volumes(corners[:, order], uneven[:, order]) == pytest.approx(whole, rel=1e-12)


def test_rays_pull_cables_of_one_section():
    thirds = [0.0, 2 * np.pi / 3, 4 * np.pi / 3]
    two = design(hole_azimuths=thirds * 2, tie_disks=[3, 3, 3, 6, 6, 6])
    assert sectors(two) == [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    assert sectors(design(hole_azimuths=thirds, tie_disks=[2, 4, 6])) == [(0, 1), (1, 2), (2, 0)]
    assert sectors(design(hole_azimuths=[0.0, np.pi], tie_disks=[3, 6])) == [(0, 1)]
    cross = [np.pi / 2, 0.0, -np.pi / 2, np.pi]  # pairs of one section pull against each other
    assert sectors(design(hole_azimuths=cross, tie_disks=[6, 3, 6, 3])) == [(1, 0), (0, 3), (3, 2), (2, 1)]
