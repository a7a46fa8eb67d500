"""The order of results: how well a record fits a text, and which kind comes first. Pure functions."""

from __future__ import annotations

import pytest

from svc_tui.workspace.kinds.registry import SEARCH_RULES
from svc_tui.workspace.search.ranking import (
    BEGINNING,
    OTHER,
    PART,
    WHOLE,
    WORDS,
    SearchResult,
    in_groups,
    matching_field,
    rank,
)
from svc_tui.workspace.search.recognition import meanings

_FINDERS = {rule.kind: rule for rule in SEARCH_RULES}


@pytest.mark.parametrize(
    ("text", "kind", "record", "expected"),
    [
        ("northwind", "companies", {"name": "Northwind"}, WHOLE),
        ("north", "companies", {"name": "Northwind Telecom"}, BEGINNING),
        ("tel north", "companies", {"name": "Northwind Telecom"}, WORDS),
        ("wind", "companies", {"name": "Northwind Telecom"}, PART),
        ("wind", "companies", {"name": "Cedar Insurance"}, OTHER),
        # A login is compared without its domain, which all users of a company have.
        ("agnes", "users", {"displayName": "A. Jansen", "loginEmail": "agnes@wind.example"}, BEGINNING),
        ("wind", "users", {"displayName": "A. Jansen", "loginEmail": "agnes@wind.example"}, OTHER),
        # The name of a contact is in two fields.
        ("zeno alm", "directoryentries", {"firstName": "Zeno", "lastName": "Almeida"}, BEGINNING),
        ("2005", "subscribers", {"shortNumber": "2005"}, WHOLE),
        ("02-74-A1-2B-79-CD", "sipdevices", {"macAddress": "02:74:a1:2b:79:cd"}, WHOLE),
        ("6566e0b2c3d4e5f6a7b8c9d0", "users", {"id": "6566e0b2c3d4e5f6a7b8c9d0"}, WHOLE),
    ],
)
def test_a_record_fits_a_text_better_the_more_of_a_field_it_is(
    text: str, kind: str, record: dict[str, object], expected: int
) -> None:
    assert rank(_FINDERS[kind], meanings(text), record) == expected


def test_the_best_results_come_first_and_kinds_with_the_better_result() -> None:
    hits = [
        SearchResult("users", "1", {}, OTHER),
        SearchResult("companies", "2", {}, PART),
        SearchResult("companies", "3", {}, BEGINNING),
        SearchResult("sites", "4", {}, BEGINNING),
    ]
    groups = in_groups(SEARCH_RULES, hits)
    assert [(rule.kind, [hit.id for hit in found]) for rule, found in groups] == [
        ("companies", ["3", "2"]),
        ("sites", ["4"]),
        ("users", ["1"]),
    ]


def test_the_field_that_contains_the_text_is_named_but_never_an_id() -> None:
    record = {"userId": "plan4", "lastName": "Almeida", "jobTitle": "Planner", "tags": ["plan"]}
    assert matching_field(meanings("plan"), record) == ("jobTitle", "Planner")
    assert matching_field(meanings("berlin"), record) == ("", "")
