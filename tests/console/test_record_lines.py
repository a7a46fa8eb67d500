"""Records as lines: a list of whole records is told by its number, short ones in a line."""

from __future__ import annotations

from svc_tui.console.record_lines import record_lines, says_lines


def test_whole_records_inside_a_record_are_told_by_their_number() -> None:
    whole = [{f"field{number}": number for number in range(20)}] * 3
    (_, line) = record_lines({"subscriptions": whole}, (), 60)
    assert (line.value, line.note) == ("3 entries", "d shows them whole")
    (_, line) = record_lines({"numbers": [{"number": "1", "type": "work"}]}, (), 60)
    assert line.value == "number 1 · type work"


def test_what_a_record_means_stands_under_its_heading_wrapped_and_safe() -> None:
    lines = list(
        says_lines(("What it means", lambda record: [f"only in {record['where']}"]), {"where": "A\x1b[2J"}, 60)
    )
    assert [line.value for line in lines] == ["", "only in A␛[2J"]
    assert not list(says_lines(("Where it stands", lambda record: []), {}, 60))
    assert not list(says_lines(None, {}, 60))
