"""The mix of requests fails where its figures are no success."""

from __future__ import annotations

from tests.bench.mix import Measured, faults


def measured(*times: float, **statuses: int) -> Measured:
    made = Measured()
    made.times["list"] = list(times)
    made.statuses.update({int(name.removeprefix("s")): count for name, count in statuses.items()})
    return made


def test_errors_lost_connections_and_long_waits_are_faults() -> None:
    assert faults(measured(0.1, 0.2, s200=2), 1.0) == []
    assert faults(measured(0.1, 0.2, s200=1, s503=1), 1.0) == ["1 answers with 503"]
    assert faults(measured(*[0.1] * 98, 2.0, 3.0, s200=100), 1.0) == ["p99 is 3.000 s, its bound 1.0 s"]
    assert faults(measured(*[0.1] * 98, 2.0, 3.0, s200=100), 0) == []
    assert faults(measured(), 1.0) == ["no answer at all"]
    lost = measured(0.1, s200=1)
    lost.lost = 3
    assert faults(lost, 1.0) == ["3 connections ended without an answer"]
