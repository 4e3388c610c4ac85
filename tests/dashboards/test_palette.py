"""Parts of a robot have colours that tell them apart."""

from dashboards.palette import NUMBERED, PARTS, is_numbered, part_colours


def test_known_parts_have_their_own_colour():
    assert part_colours(["cables", "backbone"]) == {"cables": PARTS["cables"], "backbone": PARTS["backbone"]}


def test_numbered_parts_have_the_colour_of_their_number_whatever_is_beside_them():
    sections = [f"section {number}" for number in (1, 2, 3)]
    found = part_colours([*sections, "cables", "guides"])
    assert [found[name] for name in sections] == list(NUMBERED[:3])
    assert len(set(found.values())) == 5
    assert part_colours(["section 3"])["section 3"] == found["section 3"]
    assert part_colours(["section 7"])["section 7"] == NUMBERED[0]


def test_others_take_colours_in_order_that_no_numbered_part_has():
    assert list(part_colours(["one", "rod", "cable"]).values()) == ["#CC79A7", "#D55E00", "#8B7FD1"]
    found = part_colours(["section 1", "section 2", "section 3", "target frame", "tool frame"])
    assert len(set(found.values())) == 5


def test_many_parts_share_colours():
    every = [f"section {number}" for number in range(1, 7)] + [f"part {letter}" for letter in "abcdefghijkl"]
    assert set(part_colours(every)) == set(every)


def test_only_a_number_at_the_end_counts():
    assert is_numbered("section 12")
    assert not is_numbered("section 2 of 3 m")
    assert not is_numbered("12")
