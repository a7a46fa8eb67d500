"""The filter language: query parameters for the service, and the terms that are decided here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.workspace.kinds.kind import Kind, ServerFilter
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists import filters
from svc_tui.workspace.lists.filters import FieldQuery, Filter
from svc_tui.workspace.lists.matching import FilterColumn, SearchTargets, folded, predicate
from svc_tui.workspace.lists.terms import Match, Term, terms_of
from tests.support.filters import parse

APPLICATIONS = KINDS["applications"]
COLUMNS = ("name", "state", "type", "env", "ownerId")
PLAIN = Kind("things", "list_things", "get_thing")


def matches(terms: Sequence[Term], columns: Iterable[str], row: dict[str, Any]) -> bool:
    return predicate(terms, SearchTargets({name: FilterColumn(name) for name in columns}, PLAIN))(row)


def asked(text: str) -> dict[str, str]:
    return dict(parse(text, APPLICATIONS, COLUMNS).query)


def decides(text: str, row: dict[str, Any], kind: Kind = PLAIN, columns: tuple[str, ...] = ("name", "note")) -> bool:
    found = parse(text, kind, columns)
    return found.predicate is None or found.predicate(row)


@pytest.mark.parametrize(
    ("typed", "usual"),
    [
        ("created<2027-01-01", "created:<2027-01-01"),
        ("created < 2027-01-01", "created:<2027-01-01"),
        ("created ‹ 2027-01-01", "created:<2027-01-01"),
        ("created:< 2027-01-01", "created:<2027-01-01"),
        ("created :<2027", "created:<2027"),
        ("created≥2027-01", "created:>=2027-01"),
        ("created=<2027-01", "created:<=2027-01"),
        ("created < 31.12.2026", "created:<2026-12-31"),
        ("created:1.2.2026..31.12.2026", "created:2026-02-01..2026-12-31"),
        ("state=active", "state:=active"),
        ("state = active", "state:=active"),
        ("state: active", "state:active"),
        ("state : !active", "!state:active"),
        ("state != active", "!state:=active"),
        ("state<>active", "!state:=active"),
        ("!state == active", "!state:=active"),
        ("name = “crm north”", 'name:="crm north"'),
        ("crm created > 2026 state = new", "crm created:>2026 state:=new"),
        ("state: type:web", "type:web"),
        ("name: ~crm", "name:~crm"),
        ("name ~crm", "name ~crm"),
        ("name !crm", "name !crm"),
        ("created <", ""),
        ("created < ", ""),
        ("state: ", ""),
        # Signs that compare nothing are text.
        ("crm < 3", 'crm "<" 3'),
        ("name < north", 'name "<" north'),
        ("name:1.2.2024", "name:1.2.2024"),
        ('"created < 2027"', '"created < 2027"'),
        ("/created < 2027/", "/created < 2027/"),
    ],
)
def test_a_comparison_can_be_written_in_every_usual_way(typed: str, usual: str) -> None:
    assert str(parse(typed, APPLICATIONS, (*COLUMNS, "created"))) == usual


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("name:crm", {"name": "crm"}),
        ('name:"crm north"', {"name": "crm north"}),
        ("NAME:crm", {"name": "crm"}),
        ("n:crm", {"name": "crm"}),
        ("state:act", {"state": "active"}),
        ("state:e", {"state": "new,active,blocked,deleted,stopped"}),
        ("state:=active", {"state": "active"}),
        ("type:web state:stopped name:crm", {"types": "web", "state": "stopped", "name": "crm"}),
        ("env:not", {"env": "not_deployed"}),
        ("ownerId:" + "0a" * 12, {"ownerId": "0a" * 12}),
        ("", {}),
        ("  ", {}),
    ],
)
def test_terms_that_the_service_supports_become_query_parameters(text: str, query: dict[str, str]) -> None:
    found = parse(text, APPLICATIONS, COLUMNS)
    assert (dict(found.query), found.predicate) == (query, None)


@pytest.mark.parametrize(
    "text",
    [
        "crm",
        "!crm",
        "~crm",
        "/crm/",
        "!state:active",
        "state:!active",
        "state:~act",
        "state:nonsense",
        "name:=crm",
        "name:/crm/",
        "name:>5",
        "ownerId:0a",
        "env:deploy",
        "name:crm,sap",
    ],
)
def test_other_terms_are_decided_here(text: str) -> None:
    found = parse(text, APPLICATIONS, COLUMNS)
    assert (dict(found.query), found.predicate is None) == ({}, False)


def test_a_second_word_for_the_same_parameter_is_decided_here() -> None:
    found = parse("name:crm name:north", APPLICATIONS, COLUMNS)
    assert dict(found.query) == {"name": "crm"}
    assert found.predicate is not None
    assert found.predicate({"name": "CRM North"}) and not found.predicate({"name": "crm south"})


@pytest.mark.parametrize(
    ("text", "row", "shown"),
    [
        ("voice", {"name": "My VOICE"}, True),
        ("voice", {"name": "x", "note": "voice"}, True),
        ("voice", {"name": "x", "hidden": "voice"}, False),
        ("!voice", {"name": "voice"}, False),
        ("!voice", {"name": "x", "note": None}, True),
        ("~nwt", {"name": "Northwind Telecom"}, True),
        ("~tnw", {"name": "Northwind Telecom"}, False),
        ("!~nwt", {"name": "Northwind Telecom"}, False),
        ("name:x", {"name": "y", "note": "x"}, False),
        ("note:true", {"note": True}, True),
        ("note:41", {"note": 41}, True),
        ("note:b", {"note": ["a", "b"]}, True),
        ("note:deep", {"note": {"a": [{"b": "deep"}]}}, True),
        ("straße", {"name": "STRASSE"}, True),
        ("e\u0301cole", {"name": "École"}, True),
        ('"a b"', {"name": "a  b"}, False),
        ('"!a"', {"name": "it is !a"}, True),
        ("a b", {"name": "b and a"}, True),
        ("http://x", {"name": "http://x/y"}, True),
        ("[/x]", {"name": "[/x]"}, True),
    ],
)
def test_terms_decided_here(text: str, row: dict[str, Any], shown: bool) -> None:
    assert decides(text, row) is shown


@pytest.mark.parametrize("name", ["licences", "Licences", "assignedlicences", "assigned_licences", "Assigned_Lic"])
def test_a_column_can_be_named_by_its_label(name: str) -> None:
    columns = ("maxNumberUsers", "numberAssignedUsers", "status")
    (term,) = parse(f"{name}:5", KINDS["subscriptions"], columns).terms
    assert term.column == ("maxNumberUsers" if name.lower() == "licences" else "numberAssignedUsers")


def test_a_wire_name_precedes_a_label_and_an_ambiguous_label_is_unknown() -> None:
    (term,) = parse("status:x", KINDS["subscriptions"], ("status", "maxNumberUsers")).terms
    assert term.column == "status"
    assert parse("o:x", KINDS["subscriptions"], ("offerName", "offerReference")).note


def test_an_unknown_column_is_searched_as_text_with_a_note() -> None:
    found = parse("stat:active", PLAIN, ("name", "state", "status"))
    assert found.note == "Unknown column stat: searched as text."
    assert found.predicate is not None and found.predicate({"name": "stat:active"})


@pytest.mark.parametrize("text", ["!", "~", "name:", "name:!", "name:>", "name:=", "!name:~", '"', '""', '!""'])
def test_an_incomplete_term_filters_nothing(text: str) -> None:
    assert parse(text, APPLICATIONS, COLUMNS) == Filter()


texts = st.text(st.characters(), max_size=30)
columns = st.lists(st.from_regex(r"[a-z][a-zA-Z]{0,5}", fullmatch=True), min_size=1, max_size=4, unique_by=str.lower)
WRITTEN: list[Match] = ["part", "letters", "whole"]
values = st.none() | st.booleans() | st.integers() | texts | st.lists(texts, max_size=2)


@given(texts, columns)
def test_every_text_is_a_filter_and_reads_back_the_same(text: str, named: list[str]) -> None:
    found = parse(text, PLAIN, named)
    assert parse(str(found), PLAIN, named).terms == found.terms


@given(
    st.lists(
        st.builds(
            Term, texts.filter(bool), st.booleans(), st.sampled_from(WRITTEN), st.sampled_from(["", "name", "note"])
        ).filter(lambda term: term.match != "whole" or term.column)
    )
)
def test_every_term_can_be_written(terms: list[Term]) -> None:
    assert terms_of(" ".join(map(str, terms)), lambda name: name)[0] == tuple(terms)


@given(texts, st.dictionaries(st.sampled_from(["name", "note", "other"]), values))
def test_excluding_is_the_opposite_of_including(text: str, row: dict[str, Any]) -> None:
    if text:
        yes, no = Term(text), Term(text, excludes=True)
        assert matches([yes], ("name", "note"), row) != matches([no], ("name", "note"), row)


@given(texts, texts, texts)
def test_a_part_of_a_name_also_matches_fuzzily(before: str, text: str, after: str) -> None:
    row = {"name": f"{before} {text} {after}"}
    if text and folded(text) in folded(row["name"]):
        assert matches([Term(text)], ("name",), row)
        assert matches([Term(text, match="letters")], ("name",), row)


SERVED = Kind("things", "list_things", "get_thing", text_column="name", server_filters={"name": ServerFilter("q")})


@given(
    st.lists(
        st.sampled_from(["a", "!a", "~ab", "b", "note:a", "note:!b", '"a b"', "name:b", "/a b/", "name:=a"]), max_size=4
    ),
    st.data(),
)
def test_query_and_predicate_together_are_all_terms(words: list[str], data: st.DataObject) -> None:
    """However the terms are divided, the rows are those that match all terms."""
    found = parse(" ".join(words), SERVED, ("name", "note"))
    small = st.text("ab ", max_size=4)
    row = {"name": data.draw(small), "note": data.draw(small)}
    service = all(folded(value) in folded(row["name"]) for value in found.query.values())
    here = found.predicate is None or found.predicate(row)
    assert (service and here) == matches(found.terms, ("name", "note"), row)


def test_a_matcher_of_the_kind_finds_more_than_the_text() -> None:
    kind = Kind(
        "things",
        "list_things",
        "get_thing",
        matchers={"code": lambda text, value, row: value == text[::-1]},
    )
    row = {"name": "Lamp", "code": "abc"}
    expected = {"cba": True, "code:cba": True, "name:cba": False, "!cba": False}
    assert {text: decides(text, row, kind, ("name", "code")) for text in expected} == expected


# As seen on the screen


SEEN = (
    FilterColumn("displayName", "NAME", lambda row: row["displayName"]),
    FilterColumn("isActive", "STATE", lambda row: "active" if row["isActive"] else "inactive"),
    FilterColumn("creationDate", "CREATED", lambda row: row["creationDate"][:10]),
    FilterColumn("profiles", "SINCE", lambda row: row["since"]),
    FilterColumn("profiles", "OTHER LICENCES", lambda row: row["others"]),
)
USER = {
    "id": "5fe0" + "ab" * 10,
    "displayName": "Teo Martins",
    "loginEmail": "teo.martins8@northwind.example",
    "isActive": True,
    "creationDate": "2026-05-20T10:30:00.000Z",
    "profiles": [{"offerName": "Voice", "hidden": "secret"}],
    "since": "2025-02-03",
    "others": "Enterprise",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("teo.martins8@northwind.example", True),
        ("active", True),
        ("!active", False),
        ("state:active", True),
        ("state:!active", False),
        ("!state:!active", True),
        ("state:true", True),
        ("true", False),
        ("created:2026", True),
        ("created:>2026-01", True),
        ("created:>=2026-06", False),
        ("created:!<2026-06", False),
        ("created:2026-05..2026-06", True),
        ('created:>"2026-05-20 10:00"', True),
        ("since:2025", True),
        ("since:2026", False),
        ("otherlicences:enterprise", True),
        ("other_licences:2025", False),
        ("enterprise", True),
        ("secret", False),
        ("name:=teo", False),
        ('name:="teo martins"', True),
        ("/^teo/", True),
        ("/^martins/", False),
        ("/teo martins$/", True),
        ("!/^teo/", False),
        ("name:/m.rt/", True),
        ("name:/^m/", False),
        ("/(a+)+$/", False),
        ("5fe0", False),
        ("5fe0ab", True),
        ("id:5fe0", True),
    ],
)
def test_rows_are_found_by_their_shown_text_and_by_identifying_fields(text: str, found: bool) -> None:
    kind = replace(KINDS["users"], server_filters={})
    here = filters.parse(text, kind, SEEN)
    assert here.note == ""
    assert here.predicate is not None
    assert here.predicate(USER) is found


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("creatd:2026", "Unknown column creatd: searched as text."),
        ("created:>soon", "created: “soon” is not a date or a number."),
        ("name:/x(/", "Invalid expression: a bracket is not closed."),
        ("/*x/", "Invalid expression: there is nothing to repeat."),
    ],
)
def test_an_unknown_term_has_a_note_and_finds_nothing(text: str, note: str) -> None:
    found = filters.parse(text, KINDS["users"], SEEN)
    assert found.note == note
    assert found.predicate is not None
    assert not found.predicate(USER)


def test_a_value_that_a_column_cannot_have_has_a_note() -> None:
    column = FilterColumn("env", "ENV", words={"in_deployment": "deploying"})
    assert filters.parse("env:depl", APPLICATIONS, [column]).note == ""
    assert dict(filters.parse("env:deploying", APPLICATIONS, [column]).query) == {"env": "in_deployment"}
    found = filters.parse("env:live", APPLICATIONS, [column])
    assert found.note == "No deployment “live”: not_deployed, deploying, deployed."


def test_text_without_a_column_is_a_question_for_each_field_that_the_service_filters() -> None:
    found = filters.parse("teo martins8", KINDS["users"], SEEN)
    asked = {question.label: dict(question.query) for question in found.questions}
    assert asked == {"Display name": {"displayName": "martins8"}, "Login": {"searchEmail": "martins8"}}
    assert (dict(found.query), found.searched) == ({}, ("Login", "ID"))
    # The other word is decided here.
    (question, *_) = found.questions
    assert question.predicate is not None
    assert question.predicate(USER) and not question.predicate({**USER, "displayName": "Ana", "loginEmail": "a@b.c"})
    whole = filters.parse(str(USER["id"]), KINDS["users"], SEEN).questions
    assert whole[-1] == FieldQuery("id", "ID", record_id=str(USER["id"]))


@pytest.mark.parametrize("text", ["!teo", "~teo", "/teo/", "name:teo", "created:>2026"])
def test_other_terms_are_no_questions(text: str) -> None:
    assert filters.parse(text, KINDS["users"], SEEN).questions == ()


def test_questions_of_a_list_name_reference_and_number_fields() -> None:
    company = parse("EXT-7", KINDS["companies"], ("name", "status"))
    assert [dict(each.query) for each in company.questions] == [
        {"name": "EXT-7"},
        {"externalReference": "EXT-7"},
        {"externalReference2": "EXT-7"},
    ]
    recording = parse("2130", KINDS["recordings"], ("recordedParty", "otherParty"))
    assert [dict(each.query) for each in recording.questions] == [
        {"recordedName": "2130"},
        {"recordedNumber": "2130"},
        {"otherNumber": "2130"},
    ]
    assert recording.text_query == {"otherNumber": "2130"}


@given(st.text("/\\abx.(", max_size=8))
def test_every_expression_can_be_written(text: str) -> None:
    (*_, term) = terms_of(f"/{text}", lambda name: "")[0] or [Term("x")]
    assert terms_of(str(term), lambda name: "")[0] == (term,)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("created:lastmonth", "“lastmonth” is not a date: type 2026-01, >2026-01 or 2026-01..2026-03."),
        ("created:=never x", "“never” is not a date: type 2026-01, >2026-01 or 2026-01..2026-03."),
        ("created:2026", ""),
        ("created:!>2026-01", ""),
        ("name:lastmonth", ""),
        ("lastmonth", ""),
    ],
)
def test_a_word_in_a_column_of_dates_has_a_hint_how_dates_are_written(text: str, hint: str) -> None:
    assert filters.parse(text, KINDS["users"], SEEN).hint == hint


DEVICE_COLUMNS = (FilterColumn("description", "DESCRIPTION"), FilterColumn("macAddress", "MAC ADDRESS"))
#: A device that only its address could find.
DEVICE = {"description": "Lobby", "macAddress": "de:ad:be:ef:00:01"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DE:AD:BE:EF:00:01", True),
        ("de:ad:be:ef:00:01 lobby", True),
        ("!DE:AD:BE:EF:00:01", False),
        ("DE:AD:BE", True),
        ("DE:AD:BE:", True),
        ("DE:AD:BE:EF:00:02", False),
        ("dead:beef:0001", True),
        ("de:lob", True),
        ("de:ad", False),
    ],
)
def test_a_mac_address_is_no_column_that_begins_like_it(text: str, found: bool) -> None:
    parsed = filters.parse(text, KINDS["sipdevices"], DEVICE_COLUMNS)
    assert (parsed.note, parsed.predicate is not None and parsed.predicate(DEVICE)) == ("", found)


def test_a_time_of_a_column_is_no_mac_address() -> None:
    column = FilterColumn("date", "DA", lambda row: row["date"])
    for text in ("da:12:30", "da:12:30:15"):
        (term,) = filters.parse(text, PLAIN, [column]).terms
        assert (term.column, term.text) == ("date", text[3:])


def test_an_empty_value_is_found_as_it_is_shown() -> None:
    column = FilterColumn("otherParty", "OTHER", lambda row: row["otherParty"]["number"] or "—")
    found = filters.parse("other:—", KINDS["recordings"], [column])
    # The service would look for a number with this sign.
    assert found.query == {} and found.predicate is not None
    assert found.predicate({"otherParty": {"number": ""}})
    assert not found.predicate({"otherParty": {"number": "2353"}})
    assert filters.parse("other:2353", KINDS["recordings"], [column]).query == {"otherNumber": "2353"}
