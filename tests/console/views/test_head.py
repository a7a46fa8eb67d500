"""The head of a record: name, badge, what users ask for first, findings; also as the beginning of the detail pane."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from rich.cells import cell_len

from svc_tui.console.core.overview import Entry, Facts
from svc_tui.console.core.place_requests import specs_of
from svc_tui.console.core.record_lines import EMPTY, IDENTIFIERS, record_lines
from svc_tui.console.shell.resources import BY_NAME, OVERVIEWS
from svc_tui.console.views.head import found_pieces, head_of, pane_lines
from svc_tui.interface.errors import Effect, Finding

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def finding(effect: Effect) -> Finding:
    return Finding("Calls", "Not possible.", effect, "users", "id", "1")


def test_the_head_has_name_badge_and_the_columns_that_the_kind_declares() -> None:
    record = {"id": "1", "name": "Night Audit", "state": "blocked", "env": "deployed", "type": "web"}
    head = head_of(BY_NAME["applications"], {**record, "origin": "import"})
    assert (head.name, head.badge.text, head.badge.style) == ("Night Audit", "× blocked", "bad")
    assert [(each.label, each.text) for each in head.facts] == [("Env", "deployed"), ("Type", "web")]


def test_entries_that_are_asked_for_come_before_columns_and_are_at_most_three() -> None:
    asked = [Entry(str(number), "text", asked=True) for number in range(5)]
    entries = [Entry("Other", "text"), Entry("Unknown", "", asked=True), *asked]
    head = head_of(BY_NAME["companies"], {"id": "1", "name": "Acme"}, entries)
    assert [each.label for each in head.facts] == ["0", "1", "2"]
    # The state is not known: there is no badge that would be a guess.
    assert head.badge.text == ""


def test_findings_are_counted_by_what_they_mean() -> None:
    found = [finding("prevents"), finding("limits"), finding("limits"), finding("notes")]
    assert [(piece.text, piece.style) for piece in found_pieces(found)] == [
        ("× 1 problem", "bad"),
        ("▲ 2 warnings", "warn"),
    ]
    assert [piece.text for piece in found_pieces([finding("notes")])] == ["✓ no problems"]
    # What could not be checked is no statement that there is nothing.
    assert found_pieces([], "Checking…") == []


def test_the_pane_begins_with_the_state_and_what_prevents_something() -> None:
    pbx = {"id": "1", "name": "Voice", "status": "disconnected", "cloudpbx": {"numberingPlan": [{"prefix": "2"}]}}
    lines = list(pane_lines(BY_NAME["cloudpbxs"], OVERVIEWS["cloudpbxs"], Facts(pbx, True, NOW), 60, 30))
    assert lines[0].value == "× disconnected"
    assert "× Disconnected: no calls." in [line.value for line in lines[1:3]]
    assert ("Trunk", "none") in [(line.label, line.value) for line in lines]


KINDS: list[tuple[str, dict[str, Any]]] = [
    ("companies", {"id": "1", "name": "Acme", "status": "active", "numberUsers": 41}),
    (
        "users",
        {"id": "1", "displayName": "Ann", "isActive": True, "lastLoginDate": "2026-11-20T10:00:00Z", "roles": []},
    ),
    ("cloudpbxs", {"id": "1", "name": "Voice", "status": "connected", "cloudpbx": {}}),
    ("subscribers", {"id": "1", "names": "Ann", "status": "activated", "systemId": "s", "shortNumber": "2001"}),
    ("subscriptions", {"id": "1", "offerName": "Business", "status": "active", "maxNumberUsers": 5}),
    ("invoices", {"id": "1", "invoiceNumber": "INV1", "amount": 12.5, "balance": 0, "dueDate": "2026-12-01"}),
]


@pytest.mark.parametrize(("kind", "record"), KINDS, ids=[kind for kind, __ in KINDS])
def test_every_kind_that_users_look_at_most_has_facts_in_its_head(kind: str, record: dict[str, Any]) -> None:
    lines = list(pane_lines(BY_NAME[kind], OVERVIEWS.get(kind, ()), Facts(record, True, NOW), 60, 30))
    labels = [line.label for line in lines if line.kind == "field"]
    assert 1 <= len(labels) <= 3
    assert not any(record["id"] == line.value for line in lines)


@pytest.mark.parametrize(("kind", "record"), KINDS, ids=[kind for kind, __ in KINDS])
def test_no_fact_beside_a_list_is_cut(kind: str, record: dict[str, Any]) -> None:
    facts = Facts(record, True, NOW)
    lines = list(pane_lines(BY_NAME[kind], OVERVIEWS.get(kind, ()), facts, 30, 14))
    whole = list(pane_lines(BY_NAME[kind], OVERVIEWS.get(kind, ()), facts, 30, 200))
    assert max(cell_len(line.value) for line in lines if line.kind == "field") <= 14
    assert " ".join(line.value for line in lines).split() == " ".join(line.value for line in whole).split()


def test_ids_and_addresses_for_programs_are_last_and_dim() -> None:
    record = {"id": "5f", "names": "Ann", "jid_im": "a@b", "pbxId": "P1", "shortNumber": "2001", "userId": "u"}
    lines = list(record_lines(record, specs_of(BY_NAME["subscribers"]), 60, empty=False))
    headings = [line.label for line in lines if line.kind == "heading"]
    assert headings[-1] == IDENTIFIERS
    at = next(place for place, line in enumerate(lines) if line.label == IDENTIFIERS)
    assert {line.key for line in lines[at:] if line.key} == {"id", "jid_im", "pbxId"}
    assert {line.style for line in lines[at + 1 :]} == {"dim"}
    # A record that another one refers to is opened by its field, which stays in its group.
    assert "userId" in {line.key for line in lines[:at]}


def test_fields_without_a_value_are_folded_behind_a_key() -> None:
    record, specs = {"id": "5f", "name": "Acme"}, specs_of(BY_NAME["sites"])
    lines = list(
        record_lines(record, specs, 60, empty=False, with_keys=lambda text: text.replace("{empty_fields}", "z"))
    )
    assert lines[-1].key == EMPTY and lines[-1].value == f"z shows {len(specs) - 2} fields without a value"
    assert EMPTY not in [line.key for line in record_lines(record, specs, 60, with_keys=str)]
