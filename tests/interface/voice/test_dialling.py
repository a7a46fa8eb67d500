"""The treatment of a dialled number: codes, rules, numbering plan, outgoing prefix and barring (4.7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.voice.dialling import CallSettings, DialResult, Verdict, dial

SETTINGS: dict[str, Any] = {
    "outgoingPrefix": 0,
    "numberingPrefixes": ["8"],
    "numberingDigits": 4,
    "shortCodePrefix": "*",
    "shortCodeDigits": 4,
    "serviceCodesDialPlan": {"prefix": "*", "digits": 2, "serviceCodes": [{"code": "72", "service": "voicemail"}]},
    "externalTrunkAdditionalInfo": {"name": "Harbour trunk"},
}
NAMES = {"8001": "Jane Example", "500": "Doorbell"}


def tried(dialled: str, *, settings: dict[str, Any] | None = None, **exchange: Any) -> DialResult:
    """A number dialled in a German company with internal numbers 8000 to 8999 and 0 as the way out."""
    return dial(dialled, CallSettings(**{"settings": {**SETTINGS, **(settings or {})}, "country": "DEU", **exchange}))


@pytest.mark.parametrize(
    ("dialled", "verdict", "number"),
    [
        ("8001", Verdict.INTERNAL, "8001"),
        ("80 01", Verdict.INTERNAL, "8001"),
        ("500", Verdict.INTERNAL, "500"),
        ("8002", Verdict.UNASSIGNED, "8002"),
        ("80", Verdict.INCOMPLETE, "80"),
        ("80011", Verdict.IMPOSSIBLE, "80011"),
        ("0", Verdict.INCOMPLETE, ""),
        ("0 040 123456", Verdict.OUTSIDE, "+4940123456"),
        ("0 00351 211 234 567", Verdict.OUTSIDE, "+351211234567"),
        ("+351 211 234 567", Verdict.OUTSIDE, "+351211234567"),
        ("040 123456", Verdict.IMPOSSIBLE, "40123456"),
        ("40123456", Verdict.IMPOSSIBLE, "40123456"),
        ("0 1", Verdict.IMPOSSIBLE, "1"),
        ("*72", Verdict.SERVICE, "*72"),
        ("*1234", Verdict.SHORT_CODE, "*1234"),
        ("*12", Verdict.INCOMPLETE, "*12"),
        ("*", Verdict.INCOMPLETE, "*"),
        ("*12345", Verdict.IMPOSSIBLE, "*12345"),
        ("112", Verdict.EMERGENCY, "112"),
        ("0 112", Verdict.EMERGENCY, "112"),
        ("jane", Verdict.IMPOSSIBLE, "jane"),
        ("", Verdict.IMPOSSIBLE, ""),
        ("8" * 40, Verdict.IMPOSSIBLE, "8" * 40),
    ],
)
def test_the_verdict_on_a_dialled_number(dialled: str, verdict: Verdict, number: str) -> None:
    found = tried(dialled, names=NAMES)
    assert (found.verdict, found.number) == (verdict, number)


def test_steps_of_a_treatment() -> None:
    steps = tried("0 040 123456", names=NAMES).steps
    assert [(each.about, each.sentence) for each in steps] == [
        ("Outgoing prefix", "The outgoing prefix 0 is removed."),
        ("Number", "040 123456 is a national number."),
        ("Barring", "The call is not barred."),
        ("Trunk", "The call uses the trunk Harbour trunk."),
    ]
    assert tried("8001", names=NAMES).sentence == "Jane Example is called."
    assert tried("40123456").sentence.endswith("external numbers need the outgoing prefix 0.")
    assert "8000 to 8999" in tried("80").sentence


def test_unassigned_numbers_go_to_the_peer_when_enabled() -> None:
    assert tried("8002", names=NAMES, settings={"routeInternalCallsToPeer": True}).verdict is Verdict.PEER
    assert tried("8001", names=NAMES, settings={"routeInternalCallsToPeer": True}).verdict is Verdict.INTERNAL
    assert tried("8002").verdict is Verdict.INTERNAL


def test_external_numbers_without_an_outgoing_prefix() -> None:
    for settings in ({"outgoingPrefix": None}, {"optimizedDialing": True}):
        assert tried("+4940123456", settings=settings).verdict is Verdict.OUTSIDE
    assert tried("040123456", settings={"outgoingPrefix": None}).number == "+4940123456"
    assert tried("01701234567", settings={"optimizedDialing": True, "outgoingPrefix": 9}).verdict is Verdict.OUTSIDE


#: Dialled -> (national, surcharged).
CALLS = {
    "8001": None,
    "0 040 123456": (True, False),
    "0 0900 1 234567": (True, True),
    "0 00351 211 234 567": (False, False),
    "0 00351 760 123 456": (False, True),
}


@pytest.mark.parametrize("permissions", ["local", "nat_local", "int_nat_local"])
@pytest.mark.parametrize("restrictions", ["no_restriction", "surcharged_numbers"])
@pytest.mark.parametrize("own", [False, True])
def test_barring(permissions: str, restrictions: str, own: bool) -> None:
    options = {"permissions": permissions, "restrictions": restrictions}
    contrary = {"permissions": "local", "restrictions": "surcharged_numbers"}
    for dialled, call in CALLS.items():
        found = tried(
            dialled,
            settings={"barringOptions": contrary if own else options},
            barring=options if own else {"permissions": "default", "restrictions": "default"},
        )
        permitted = call is None or permissions == "int_nat_local" or (permissions == "nat_local" and call[0])
        prohibited = call is not None and restrictions == "surcharged_numbers" and call[1]
        assert (found.verdict is Verdict.BARRED) == (not permitted or prohibited), dialled


@pytest.mark.parametrize(
    ("pattern", "dialled"),
    [
        ("040", "0 040 123456"),
        ("040 12", "0 0049 40 123456"),
        ("+4940", "0 040 123456"),
        ("0049", "+49 40 123456"),
        ("00351", "0 00351 211 234 567"),
        ("118", "0 11833"),
    ],
)
def test_numbers_of_the_companys_list_are_barred_in_any_notation(pattern: str, dialled: str) -> None:
    barring = {"restrictions": "custom_numbers"}
    prohibited = [{"pattern": "+1"}, {"pattern": pattern, "description": "too dear"}]
    found = tried(dialled, barring=barring, prohibited=prohibited)
    assert found.verdict is Verdict.BARRED
    assert found.sentence == f"The company's list prohibits {pattern} (too dear)."
    assert tried(dialled, barring={"restrictions": "no_restriction"}, prohibited=prohibited).verdict is Verdict.OUTSIDE
    assert tried(dialled, barring=barring, prohibited=[{"pattern": "041"}, {"pattern": ""}]).verdict is Verdict.OUTSIDE


def test_the_first_dialling_rule_that_matches_changes_the_number() -> None:
    rules = [
        {"regexpMatch": r"^7(\d{3})$", "regexpReplace": "8$1", "description": "Old numbers"},
        {"regexpMatch": r"^7", "regexpReplace": "0"},
    ]
    found = tried("7001", settings={"customDialingRules": rules}, names=NAMES)
    assert found.steps[0].sentence == "Old numbers changes 7001 to 8001."
    assert (found.verdict, found.number) == (Verdict.INTERNAL, "8001")
    assert tried("7040123456", settings={"customDialingRules": rules}).number == "+4940123456"
    emergency = [{"regexpMatch": "^999$", "regexpReplace": "112"}]
    assert tried("999", settings={"customDialingRules": emergency}).verdict is Verdict.EMERGENCY


def test_an_invalid_rule_is_reported_and_skipped() -> None:
    rules = [{"regexpMatch": "(8+)+$", "regexpReplace": "1"}, {"regexpMatch": "^9$", "regexpReplace": "8001"}]
    found = tried("9", settings={"customDialingRules": rules})
    assert found.steps[0].sentence == "rule 1: the expression is too complex to test. The rule is skipped."
    assert found.number == "8001"


def test_emergency_calls() -> None:
    options = {"callAuthorizationWithSoftPhone": False, "emergencyGroupActivated": True}
    found = tried("112", settings={"emergencyOptions": options})
    assert [each.sentence for each in found.steps] == [
        "Emergency calls require a desk phone: soft phones may not make them.",
        "The emergency group is alerted.",
        "112 is an emergency number. Such calls are always connected.",
    ]


DIALLED = st.one_of(st.text(max_size=40), st.from_regex(r"[+*0]?[0-9*# ]{1,16}", fullmatch=True))
BARRING = st.fixed_dictionaries(
    {
        "permissions": st.sampled_from(["default", "local", "nat_local", "int_nat_local"]),
        "restrictions": st.sampled_from(["default", "no_restriction", "surcharged_numbers", "custom_numbers"]),
    }
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**18) | st.text("0123*+(", max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
ODD = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("outgoingPrefix", "numberingPrefix", "numberingDigits", "shortCodeDigits"), JSON),
        "numberingDigitsLength": JSON,
        "shortCodePrefix": JSON,
        "numberingPlan": st.lists(st.dictionaries(st.sampled_from(["prefix", "digits"]), JSON), max_size=3),
        "customDialingRules": st.lists(
            st.dictionaries(st.sampled_from(["regexpMatch", "regexpReplace"]), JSON), max_size=3
        ),
    },
)


@given(DIALLED, ODD, st.sampled_from([None, "DEU", "USA", "PRT", "XXX"]), BARRING)
def test_any_text_and_any_settings_get_a_verdict(
    dialled: str, settings: dict[str, Any], country: str | None, barring: dict[str, str]
) -> None:
    found = dial(dialled, CallSettings(settings, country, [{"pattern": "0"}, {}], barring))
    assert found.steps
    assert all(each.sentence and each.about for each in found.steps)
    assert isinstance(found.verdict, Verdict)


@given(st.sampled_from(["110", "112", "0112", "0 110"]), BARRING)
def test_an_emergency_call_is_never_barred(dialled: str, barring: dict[str, str]) -> None:
    options = {"permissions": "local", "restrictions": "custom_numbers"}
    prohibited = [{"pattern": "1"}, {"pattern": "0"}]
    found = tried(dialled, settings={"barringOptions": options}, barring=barring, prohibited=prohibited)
    assert found.verdict is Verdict.EMERGENCY


@given(DIALLED, BARRING)
def test_more_permission_never_bars_more(dialled: str, barring: dict[str, str]) -> None:
    order = ["local", "nat_local", "int_nat_local"]
    barred = [tried(dialled, barring={**barring, "permissions": each}).verdict is Verdict.BARRED for each in order]
    assert barred == sorted(barred, reverse=True)


@given(st.integers(8000, 8999), BARRING)
def test_internal_calls_are_never_barred(number: int, barring: dict[str, str]) -> None:
    assert tried(str(number), barring=barring, prohibited=[{"pattern": "8"}]).verdict is Verdict.INTERNAL
