"""The format of the decision records: numbered, dated, with a status and three parts, and listed in the index."""

from __future__ import annotations

import re

from tests.repository.files import ROOT

TEXT = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
RECORDS = re.split(r"^(?=## )", TEXT, flags=re.MULTILINE)[1:]
HEADING = re.compile(r"## (\d+)\. (.+)\n(\d{4}-\d{2}-\d{2}) · (accepted|replaced by \d+)\n\n")


def anchor(heading: str) -> str:
    """The target of a link to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_records_are_numbered_and_have_a_date_and_a_status() -> None:
    headings = [HEADING.match(record) for record in RECORDS]
    numbers = [int(heading[1]) if heading else 0 for heading in headings]
    # A number is not used again: what is not in force any more is removed.
    assert numbers and numbers == sorted(set(numbers)) and numbers[0] > 0


def test_records_have_context_decision_and_consequences() -> None:
    for record in RECORDS:
        parts = re.findall(r"^- (Context|Decision|Consequences)[:,]", record, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"], record.splitlines()[0]


def test_there_are_at_most_a_hundred_records_of_twelve_lines() -> None:
    lines = {record.splitlines()[0]: len([*filter(str.strip, record.splitlines()[2:])]) for record in RECORDS}
    assert len(lines) <= 100 and {title: count for title, count in lines.items() if count > 12} == {}


def test_the_index_lists_every_record_with_its_status() -> None:
    rows = []
    for record in RECORDS:
        heading = HEADING.match(record)
        assert heading is not None
        number, title, _, status = heading.groups()
        rows.append(f"| {number} | [{title}](#{anchor(f'{number}. {title}')}) | {status} |")
    assert "\n".join(rows) in TEXT
