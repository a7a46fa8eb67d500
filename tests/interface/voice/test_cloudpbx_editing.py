"""Records seen flat: names with dots, groups, what is sent, and what a refusal is about."""

from __future__ import annotations

from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.flat import flattened, folded
from svc_tui.interface.problems import problem_of
from svc_tui.interface.voice.cloudpbx import CliOptionsUpdate, CloudPbxUpdate
from svc_tui.interface.voice.cloudpbx_editing import EDITED, PARTS, bodies, part_of, settings_of, values_of, wire_of
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumbers

UPDATE, CLI, PROHIBITED, ANNOUNCEMENT = PARTS
SPECS = field_by_wire(EDITED)


def test_every_field_of_an_update_can_be_edited() -> None:
    for model, under in ((CloudPbxUpdate, ""), (CliOptionsUpdate, "cliOptions."), (ProhibitedNumbers, "")):
        for spec in fields_of(model):
            wire = under + spec.wire
            assert any(each == wire or each.startswith(f"{wire}.") or each.endswith(f".{wire}") for each in SPECS)
    assert "announcementProfile" in SPECS


def test_fields_inside_objects_keep_constraint_and_group() -> None:
    spec = SPECS["serviceCodesDialPlan.digits"]
    assert (spec.facet.group, spec.constraint) == ("Short and service codes", "2..15")
    assert problem_of(EDITED, "serviceCodesDialPlan.digits", 1) == "must be 2 or more"
    assert problem_of(EDITED, "barringOptions.permissions", "moon").startswith("must be one of local, ")
    assert SPECS["barringOptions.permissions"].label == "Barring permissions"
    assert SPECS["emergencyOptions.emergencyGroupActivated"].label == "Emergency group activated"


def test_nothing_is_required_of_an_update() -> None:
    assert not [spec.wire for spec in fields_of(EDITED) if spec.required]


def test_values_are_flattened_and_folded_back() -> None:
    settings = {"name": "A", "barringOptions": {"permissions": "local"}, "cliOptions": None, "shortCodeDigits": 4}
    values = values_of(settings, [{"pattern": "1"}])
    assert values == {
        "name": "A",
        "shortCodeDigits": 4,
        "barringOptions.permissions": "local",
        "prohibitedNumbers.patterns": [{"pattern": "1"}],
    }
    assert flattened(folded(values), EDITED) == values
    assert settings_of(values) == {"shortCodeDigits": 4, "barringOptions": {"permissions": "local"}}


def test_each_operation_gets_its_fields() -> None:
    changed = {
        "outgoingPrefix": 0,
        "bargeOptions.telephonyBasicAttendantBargeIn": "enabled",
        "cliOptions.policy": "user_ddi_number",
        "announcementProfile": "all",
        "prohibitedNumbers.patterns": [],
    }
    assert bodies(changed, {**changed, "numberingDigits": 4}) == [
        (UPDATE, {"outgoingPrefix": 0, "bargeOptions": {"telephonyBasicAttendantBargeIn": "enabled"}}),
        (CLI, {"policy": "user_ddi_number"}),
        (PROHIBITED, {"patterns": []}),
        (ANNOUNCEMENT, {"announcementProfile": "all"}),
    ]
    assert part_of("cliOptions.policy") is CLI


def test_prefixes_are_sent_with_the_number_of_digits() -> None:
    """Section 4.7: if numberingPrefixes is provided and not empty, numberingDigits is required."""
    for prefixes, sent in (
        (["8"], {"numberingPrefixes": ["8"], "numberingDigits": 4}),
        ([], {"numberingPrefixes": []}),
    ):
        changed = {"numberingPrefixes": prefixes}
        assert bodies(changed, {**changed, "numberingDigits": 4}) == [(UPDATE, sent)]
    both = {"numberingPrefixes": ["8"], "numberingDigits": 5}
    assert bodies(both, both) == [(UPDATE, both)]


def test_a_refusal_of_an_inner_field_is_shown_at_the_outer_field() -> None:
    assert wire_of(UPDATE, "numberingPlan.0.prefix") == "numberingPlan"
    assert wire_of(UPDATE, "barringOptions.permissions") == "barringOptions.permissions"
    assert wire_of(PROHIBITED, "patterns.3.pattern") == "prohibitedNumbers.patterns"
    assert wire_of(UPDATE, "shortNumber") == ""
