import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import ServerError
from service.client.watching import event_data

STREAM = (
    'id: 1\ndata: {"a": 1}\n\n: all so far\n\nid: 2\nevent: run\ndata: x\u2028y\r\ndata: z\r\n\r\ndata: cut'
)


@given(cuts=st.lists(st.integers(0, len(STREAM.encode())), max_size=8))
def test_events_are_the_same_however_they_are_cut(cuts):
    whole = STREAM.encode()
    ends = sorted([*cuts, len(whole)])
    pieces = [whole[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    assert list(event_data(pieces)) == ['{"a": 1}', "", "x\u2028y\nz"]


def test_blank_lines_are_no_events():
    assert list(event_data([b"\n\n\n"])) == []


def test_a_line_without_end_is_given_up():
    with pytest.raises(ServerError, match="without an end"):
        list(event_data([b"data: "] + [b"x" * 100_000] * 20))
