"""Rules between the numbering settings (4.7), and the internal numbers that they allow."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.errors import Code
from svc_tui.interface.telephone_numbers import emergency_numbers
from svc_tui.interface.voice.numbering import (
    NumberRange,
    allows,
    contradictions,
    free_numbers,
    left_out,
    lost,
    new_contradictions,
    range_conflict,
    ranges,
    unassignable,
)

TRUNK = "7a" * 12


def keys(values: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each.key, each.needs) for each in contradictions(values)]


def test_a_linked_trunk_requires_an_outgoing_prefix() -> None:
    assert keys({"externalTrunkId": TRUNK}) == [("externalTrunkId", "outgoingPrefix")]
    assert keys({"externalTrunkId": TRUNK, "outgoingPrefix": None}) == [("externalTrunkId", "outgoingPrefix")]
    assert keys({"externalTrunkId": TRUNK, "outgoingPrefix": 0}) == []
    assert keys({"externalTrunkId": None}) == keys({"outgoingPrefix": 0}) == []


@pytest.mark.parametrize(("wire", "value"), [("numberingPrefixes", ["8"]), ("numberingPrefix", 8)])
def test_prefixes_require_the_number_of_digits(wire: str, value: Any) -> None:
    assert keys({wire: value}) == [(wire, "numberingDigits")]
    assert keys({wire: value, "numberingDigits": 4}) == []


def test_without_a_prefix_the_digits_are_optional() -> None:
    assert keys({"numberingPrefixes": []}) == keys({"numberingPrefixes": None}) == keys({}) == []


def test_a_fixed_length_requires_the_number_of_digits() -> None:
    assert keys({"numberingDigitsLength": "fixed"}) == [("numberingDigitsLength", "numberingDigits")]
    assert keys({"numberingDigitsLength": "fixed", "numberingDigits": 4}) == []
    assert keys({"numberingDigitsLength": "variable"}) == []


def test_outgoing_and_internal_prefix_are_not_identical() -> None:
    for values in ({"numberingPrefix": 8}, {"numberingPrefixes": ["7", "8"]}, {"numberingPrefixes": [8]}):
        (found,) = contradictions({"outgoingPrefix": 8, "numberingDigits": 4, **values})
        assert (found.needs, found.code) == ("outgoingPrefix", Code.SAME_PREFIXES)
        assert contradictions({"outgoingPrefix": 0, "numberingDigits": 4, **values}) == []
    assert Code.SAME_PREFIXES == 400601


@pytest.mark.parametrize(
    "plan",
    [[("2", 3), ("2", 4)], [("2", 4), ("5", 3), ("21", 3)], [("2", 3), ("21", 4)]],
)
def test_a_whole_number_is_not_the_beginning_of_another(plan: list[tuple[str, int]]) -> None:
    assert "contradict" in range_conflict(plan) and "contradict" in range_conflict(plan[::-1])


#: Dialled, a number of a range that begins with the outgoing prefix would be an internal or an external one: 0112.
@pytest.mark.parametrize(
    ("settings", "out"),
    [
        ({"numberingPlan": [{"prefix": "0", "digits": 4}]}, 0),
        ({"numberingPlan": [{"prefix": "2", "digits": 4}, {"prefix": "01", "digits": 4}]}, 0),
        ({"numberingPlan": [{"prefix": "9", "digits": 4}]}, 91),
        ({"numberingPrefix": 81, "numberingDigits": 4}, 8),
        ({"numberingPrefix": 8, "numberingDigits": 4}, 81),
        ({"numberingPrefixes": ["2", "01"], "numberingDigits": 4}, 0),
    ],
)
def test_no_internal_number_begins_with_the_outgoing_prefix(settings: dict[str, Any], out: int) -> None:
    (found,) = contradictions({**settings, "outgoingPrefix": out})
    assert (found.needs, found.code) == ("outgoingPrefix", Code.SAME_PREFIXES)
    # In either order of setting them.
    assert new_contradictions(settings, {**settings, "outgoingPrefix": out}) == [found]
    assert new_contradictions({"outgoingPrefix": out}, {**settings, "outgoingPrefix": out}) == [found]


@pytest.mark.parametrize(
    ("settings", "out"),
    [
        ({"numberingPlan": [{"prefix": "2", "digits": 4}]}, 0),
        ({"numberingPlan": [{"prefix": "9", "digits": 1}]}, 91),
        ({"numberingPrefix": 8, "numberingDigits": 4}, 9),
    ],
)
def test_other_ranges_are_compatible_with_an_outgoing_prefix(settings: dict[str, Any], out: int) -> None:
    assert contradictions({**settings, "outgoingPrefix": out}) == []


@pytest.mark.parametrize(
    ("prefixes", "prefix", "digits"),
    [
        ({"numberingPrefix": 2}, "2", 3),
        ({"numberingPrefix": 2}, "21", 5),
        ({"numberingPrefix": 21}, "2", 3),
        ({"numberingPrefixes": ["7", "2"]}, "2", 5),
    ],
)
def test_a_range_of_the_plan_does_not_begin_like_a_prefix_of_another_length(
    prefixes: dict[str, Any], prefix: str, digits: int
) -> None:
    with_prefixes = {**prefixes, "numberingDigits": 4}
    with_plan = {"numberingPlan": [{"prefix": prefix, "digits": digits}]}
    both = {**with_prefixes, **with_plan}
    (found,) = contradictions(both)
    assert (found.key, found.needs) == ("numberingPlan", next(iter(prefixes)))
    assert f"{prefix} with {digits}" in found.sentence
    assert [new_contradictions(old, both) for old in (with_prefixes, with_plan)] == [[found]] * 2
    # Also when only the number of digits is changed.
    assert new_contradictions({**both, "numberingDigits": digits}, both) == [found]
    assert contradictions({**both, "numberingDigits": digits}) == []


@pytest.mark.parametrize("country", ["PRT", "DEU", "GBR", "USA", "JPN", "AUS", "BRA", "CHE", "IND", "NZL", "ZAF"])
def test_emergency_numbers_of_no_country_are_extensions(country: str) -> None:
    numbers = emergency_numbers(country)
    settings = {"numberingPlan": [{"prefix": each, "digits": len(each)} for each in numbers]}
    assert all(unassignable(settings, each, country) == "is an emergency number" for each in numbers)
    assert list(free_numbers(settings, set(), country)) == []
    neighbour = {"numberingPlan": [{"prefix": numbers[0], "digits": len(numbers[0]) + 1}]}
    assert numbers[0] + "7" in free_numbers(neighbour, set(), country)


def test_ranges_with_other_prefixes_or_equal_length_are_compatible() -> None:
    assert (
        range_conflict([("2", 4), ("5", 3), ("7", 5)])
        == range_conflict([("2", 4), ("21", 4)])
        == range_conflict([])
        == ""
    )


def test_every_combination_breaks_exactly_the_rules_of_the_specification() -> None:
    values: dict[str, list[Any]] = {
        "outgoingPrefix": [None, 0, 8],
        "externalTrunkId": [None, TRUNK],
        "numberingPrefix": [None, 8],
        "numberingPrefixes": [None, [], ["7"]],
        "numberingDigits": [None, 4],
        "numberingDigitsLength": [None, "fixed", "variable"],
    }
    for combination in product(*values.values()):
        out, trunk, one, more, digits, length = combination
        expected = {
            ("externalTrunkId", "outgoingPrefix"): trunk is not None and out is None,
            ("numberingPrefix", "numberingDigits"): one is not None and digits is None,
            ("numberingPrefixes", "numberingDigits"): bool(more) and digits is None,
            ("numberingDigitsLength", "numberingDigits"): length == "fixed" and digits is None,
            ("numberingPrefix", "outgoingPrefix"): one is not None and one == out,
        }
        assert set(keys(dict(zip(values, combination, strict=True)))) == {
            pair for pair, wrong in expected.items() if wrong
        }


def test_prefix_8_with_4_digits_allows_8000_to_8999() -> None:
    settings = {"numberingPrefix": 8, "numberingDigits": 4}
    (only,) = ranges(settings)
    assert only.bounds == "8000 to 8999"
    numbers = list(only.numbers())
    assert (len(numbers), numbers[0], numbers[-1]) == (1000, "8000", "8999")
    assert [number for number in map(str, range(100_000)) if allows(settings, number)] == numbers
    assert list(islice(free_numbers(settings, {"8000", "8002"}), 2)) == ["8001", "8003"]


def test_a_plan_has_ranges_of_its_own() -> None:
    plan = [{"prefix": "2", "digits": 3, "description": "Porto"}, {"prefix": "31", "digits": 2}, {"prefix": "4"}]
    settings = {"numberingPlan": plan, "numberingPrefixes": ["8"], "numberingDigits": 4}
    assert [each.bounds for each in ranges(settings)] == ["200 to 299", "31", "8000 to 8999"]
    assert allows(settings, "250")
    assert allows(settings, "31")
    assert not allows(settings, "4000")
    assert len(list(free_numbers(settings, set()))) == 100 + 1 + 1000


def test_with_a_variable_length_numbers_may_be_shorter() -> None:
    settings = {"numberingPrefixes": ["8"], "numberingDigits": 4, "numberingDigitsLength": "variable"}
    assert [number for number in ("8", "80", "800", "8000", "80000", "7", "") if allows(settings, number)] == [
        "8",
        "80",
        "800",
        "8000",
    ]


def test_without_prefixes_no_number_begins_with_the_outgoing_prefix() -> None:
    settings = {"numberingDigits": 2, "outgoingPrefix": 0}
    assert not allows(settings, "01")
    assert allows(settings, "10")
    assert len(list(free_numbers(settings, set()))) == 90


def test_settings_without_a_plan_allow_any_digits_and_propose_none() -> None:
    assert ranges({}) == list(free_numbers({}, set())) == []
    assert allows({}, "4711")
    assert not allows({}, "*1")
    assert not allows({}, "")


RANGES = st.builds(NumberRange, st.text("0123456789", max_size=3), st.integers(1, 4), st.booleans())


@given(RANGES)
def test_a_range_holds_exactly_its_numbers(each: NumberRange) -> None:
    numbers = list(each.numbers())
    assert all(each.holds(number) for number in numbers)
    whole = [f"{number:0{each.digits}d}" for number in range(10**each.digits)]
    assert numbers == [number for number in whole if each.holds(number)]


@given(RANGES, st.text("0123456789", min_size=1, max_size=6))
def test_the_beginning_of_a_number_becomes_one_with_more_digits(each: NumberRange, digits: str) -> None:
    becomes = any(number.startswith(digits) and number != digits for number in each.numbers())
    assert each.begins(digits) == becomes


@given(st.dictionaries(st.sampled_from(["outgoingPrefix", "numberingPrefix", "numberingDigits"]), st.integers(0, 99)))
def test_proposed_numbers_are_allowed_and_free(settings: dict[str, Any]) -> None:
    first = list(islice(free_numbers(settings, set()), 50))
    assert len(first) == len(set(first))
    assert all(allows(settings, number) for number in first)
    assert not set(islice(free_numbers(settings, set(first)), 50)) & set(first)


def test_only_numbers_that_the_plan_had_can_be_lost_and_only_in_ranges_that_change() -> None:
    old = {"numberingPlan": [{"prefix": "2", "digits": 4, "description": "Offices"}, {"prefix": "5", "digits": 3}]}
    new = {"numberingPlan": [{"prefix": "5", "digits": 3, "description": "Shops"}, {"prefix": "20", "digits": 4}]}
    assert [each.prefix for each in left_out(old, new)] == ["2"]
    assert lost(old, new, ["2001", "2101", "501", "9999"]) == ["2101"]
    assert (left_out(old, old), lost(old, old, ["2001"])) == ([], [])


@pytest.mark.parametrize(
    "odd", [None, 0, True, "x", [None], ["a"], [[]], {"a": 1}, [{}], [{"prefix": [], "digits": {}}]]
)
def test_invalid_settings_have_no_ranges(odd: Any) -> None:
    for wire in ("numberingPlan", "numberingPrefixes", "numberingDigits", "numberingPrefix"):
        assert allows({"numberingPrefix": 8, "numberingDigits": 4, wire: odd}, "8000") in (True, False)
