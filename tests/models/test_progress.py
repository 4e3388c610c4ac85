"""Reports of long computations reach who listens, and nobody else."""

from models.progress import listen, report_progress


def test_reports_reach_the_listener_of_the_block():
    outer, inner = [], []
    report_progress(0.1)
    with listen(outer.append):
        report_progress(0.2)
        with listen(inner.append):
            report_progress(0.3)
        report_progress(0.4)
    report_progress(0.5)
    assert (outer, inner) == ([0.2, 0.4], [0.3])
