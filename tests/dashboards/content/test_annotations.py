"""Notes, tags and favourites of a study and its designs in its report."""

from dashboards.content.report.annotations import annotation_section
from dashboards.content.report.data import read_report_data
from dashboards.report import render

HOSTILE = "</td><script>window.hostile = 1</script><img src=x onerror='window.hostile = 1'>"


def rows_of(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_a_study_without_annotations_has_no_such_section(halves_data):
    found = halves_data
    assert annotation_section(found) is None
    assert 'id="annotations"' not in render(found, 0.0)


def test_marked_designs_stand_with_their_front_and_objectives(store, report_data, halves):
    before = report_data(halves)
    front = before.comparison.fronts["left"][0]
    others = {design.key for designs in before.comparison.fronts.values() for design in designs}
    other = next(each for each in before.runs[0].outcomes if each.key not in others)
    store.annotations.add("halves", "tag", "thesis")
    store.annotations.add("halves", "favourite", key=front.key)
    store.annotations.add("halves", "tag", "stiff", key=front.key)
    store.annotations.add("halves", "tag", "light", key=front.key)
    store.annotations.add("halves", "tag", "reject", key=other.key)
    store.annotations.add("halves", "favourite", key=other.key, author="ada")
    section = annotation_section(read_report_data(store, "halves"))
    assert (
        section.of_study
        == "The study is tagged \N{LEFT DOUBLE QUOTATION MARK}thesis\N{RIGHT DOUBLE QUOTATION MARK}."
    )
    assert section.notes is None
    assert section.designs.head[:4] == ("design", "favourite", "tags", "front")
    stored = store.find_evaluation(other.key)
    first, second = rows_of(section.designs)
    assert first[:4] == [front.key[:10], "\N{BLACK STAR}", "stiff, light", "left"]
    assert second[:4] == [other.key[:10], "", "reject", "not on a front"]
    for row, metrics in ((first, front.metrics), (second, stored.metrics)):
        assert [float(text.replace("\N{MINUS SIGN}", "-")) for text in row[4:]] == [
            float(f"{metrics[name]:.4g}") for name in ("f1", "f2")
        ]


def test_favourites_are_those_of_the_reader(store, report_data, halves):
    key = report_data(halves).comparison.fronts["left"][0].key
    store.annotations.add("halves", "favourite", key=key, author="ada")
    assert annotation_section(read_report_data(store, "halves", "bob")) is None
    assert rows_of(annotation_section(read_report_data(store, "halves", "ada")).designs)[0][1]


def test_hostile_notes_and_tags_are_text(store, report_data, halves):
    key = report_data(halves).comparison.fronts["left"][0].key
    made = store.annotations.add("halves", "note", HOSTILE, key=key, author="<b>ada</b>")
    store.annotations.edit("halves", made.id, f"{HOSTILE} again")
    store.annotations.add("halves", "note", "About all of it.")
    store.annotations.add("halves", "tag", HOSTILE[:64], key=key)
    store.annotations.add("halves", "tag", HOSTILE[:64])
    found = read_report_data(store, "halves")
    notes = annotation_section(found).notes
    assert [row[:3] for row in rows_of(notes)] == [
        [key[:10], f"{HOSTILE} again", "<b>ada</b>"],
        ["the study", "About all of it.", "\N{EN DASH}"],
    ]
    assert notes.rows[0][3].note.startswith("changed ")
    text = render(found, 0.0)
    assert "<script>window.hostile" not in text
    assert "<img src=x" not in text
    assert "<b>ada" not in text
    assert text.count("&lt;script&gt;window.hostile = 1&lt;/script&gt;") >= 3
