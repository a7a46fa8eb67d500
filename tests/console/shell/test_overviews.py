"""The overviews of all kinds: what they read, what they open, and records that do not fit their declaration."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.console.core.overview import Facts, KnownRows, Remedy, Section
from svc_tui.console.core.place_requests import specs_of
from svc_tui.console.core.places import Link, Place
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME, OVERVIEWS
from svc_tui.console.views.overview import entries_of, findings_of
from svc_tui.interface.errors import Finding
from tests.support.plain_english import label_faults, sentence_faults

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ALL = [(kind, section) for kind, sections in OVERVIEWS.items() for section in sections]
#: A record that is each of the records that sections read.
RECORD: dict[str, Any] = {
    "id": "own",
    "companyId": "company",
    "systemId": "system",
    "phoneNumbers": [{"systemId": "system", "phoneNumberId": "number"}],
}


def facts_of(kind: str, record: dict[str, Any]) -> Facts:
    """All facts of an overview, in which each record is the same."""
    reads: dict[str, KnownRows] = {}
    facts = Facts(record, True, NOW, reads)
    for _ in range(5):
        for section in OVERVIEWS[kind]:
            for name, where in section.reads.items():
                reads[name] = KnownRows([record], 1, place=where(facts))
    return facts


@pytest.mark.parametrize("kind", OVERVIEWS)
def test_what_is_read_has_one_name_and_belongs_to_one_section(kind: str) -> None:
    names = Counter(name for section in OVERVIEWS[kind] for name in section.reads)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(("kind", "section"), ALL)
def test_every_place_that_is_read_exists(kind: str, section: Section) -> None:
    facts = facts_of(kind, RECORD)
    for name, where in section.reads.items():
        place = where(facts)
        place = place.place if isinstance(place, Link) else place
        assert place is None or BY_NAME[place.kind].missing(place) == "", name
    assert section.only_shown <= section.reads.keys()
    assert label_faults(section.title) == []


@pytest.mark.parametrize(("kind", "section"), ALL)
def test_every_finding_is_changed_at_a_place_by_an_action_of_it(kind: str, section: Section) -> None:
    actions = registry()
    for name, where in section.remedies.items():
        of, _, field = name.partition(".")
        assert field in [spec.wire for spec in specs_of(BY_NAME[of])], name
        remedy = where(facts_of(kind, RECORD))
        assert remedy is not None, name
        resource = BY_NAME[remedy.place.kind]
        assert resource.missing(remedy.place) == "", name
        if remedy.action:
            action = actions[remedy.action]
            assert action.resource in ("", resource.name), name
            assert ("detail" if remedy.place.record_id else "list") in action.views, name


@pytest.mark.parametrize("value", [None, "text", 5, True, [], [None], ["text"], {"status": {}}, [[]]])
@pytest.mark.parametrize(("kind", "section"), ALL)
def test_a_record_that_does_not_fit_its_declaration_is_no_internal_error(
    kind: str, section: Section, value: Any
) -> None:
    fields = (*RECORD, "profiles", "cliOptions", "barringOptions", "cloudpbx", "mfaSvcAuth", "secondaryDDIs", "roles")
    dates = ("timeToLive", "creationDate", "expirationDate", "lastLoginDate", "status", "authenticationType")
    facts = facts_of(kind, RECORD)
    garbled = dict.fromkeys((*fields, *dates, "otherParty", "duration", "name", "recordingProfile"), value)
    broken = {name: KnownRows([garbled], 1, place=known.place) for name, known in facts.reads.items()}
    for each in (Facts(garbled, True, NOW, broken), Facts(RECORD, True, NOW, broken), Facts(garbled, True, NOW)):
        list(findings_of(section, each))
        list(entries_of(section, each))


def test_every_finding_about_a_company_leads_to_the_record_that_it_is_about() -> None:
    company = {"id": "own", "status": "hold", "isBP": True, "bpHasRightToSell": True, "csEmailList": ["a"] * 10}
    over = {"status": "failed", "syncOngoing": True, "expirationDate": "2026-11-30", "businessModel": "nb_users"}
    subscription = {"id": "sub", "numberAssignedUsers": 5, "maxNumberUsers": 5, **over}
    subscriptions = [subscription, {**subscription, "id": "other", "status": "hold"}]
    rows = {
        "subscriptions": subscriptions,
        "cloudpbxs": [{"id": "pbx", "status": "disconnected", "blockedDate": "2026-11-01", "cloudpbx": {}}],
        "ddis": [],
        "directory": [{"failed": 3, "state": "Creating", "startTime": "2026-11-01T10:00:00Z"}],
    }
    reads = {name: KnownRows(each, len(each), place=None) for name, each in rows.items()}
    facts = Facts(company, True, NOW, reads)
    found = [pair for section in OVERVIEWS["companies"] for pair in findings_of(section, facts)]
    places = {f"{each.kind}.{each.field} {each.record_id}": str(remedy.place) for each, remedy in found if remedy}
    assert len(places) == len(found) == 16
    assert places["companies.bpCRDid "] == "companies/own"
    assert places["subscriptions.maxNumberUsers other"] == "companies/own/subscriptions/other"
    assert places["subscriptions.status sub"] == "companies/own/subscriptions/sub"
    assert places["cloudpbxs.externalTrunkId pbx"] == "cloudpbxs/pbx"
    assert places["cloudpbxs.installationNumber pbx"] == "cloudpbxs/pbx/ddis"
    assert places["directory.failed "] == "companies/own/directory/import"
    actions = registry()
    for each, remedy in found:
        assert remedy is not None and BY_NAME[remedy.place.kind].missing(remedy.place) == "", each
        assert each.field in [spec.wire for spec in specs_of(BY_NAME[each.kind])], each
        if remedy.action:
            assert actions[remedy.action].resource in ("", remedy.place.kind), each
            assert ("detail" if remedy.place.record_id else "list") in actions[remedy.action].views, each


def test_a_broken_record_hides_only_its_own_section() -> None:
    def broken(facts: Facts) -> list[Finding]:
        raise TypeError("the record does not fit its declaration")

    finding = Finding("Login", "Refused.", "prevents", "users", "isActive", "5.6")
    fine = Section(title="Fine", findings=lambda facts: [finding], remedies={"users.isActive": lambda facts: remedy})
    remedy = Remedy(Place(("users",)))
    facts = Facts(RECORD, True, NOW)
    assert list(findings_of(Section(title="Broken", findings=broken), facts)) == []
    assert list(findings_of(fine, facts)) == [(finding, remedy)]


@pytest.mark.parametrize(("kind", "section"), ALL)
def test_entries_have_plain_labels(kind: str, section: Section) -> None:
    for entry in entries_of(section, facts_of(kind, RECORD)):
        assert label_faults(entry.label, names=frozenset({"DDI"})) == []
    for finding, _ in findings_of(section, facts_of(kind, RECORD)):
        assert sentence_faults(finding.sentence) == []


def _online_of(count: int, *, answered: int = 1000) -> tuple[str, int]:
    """The line of the devices of a CloudPBX with so many that are assigned, every other one online; and the most
    requests at a time."""
    rows: list[dict[str, Any]] = [{"id": f"d{at}"} for at in range(count)]
    reads = {"sipdevices": KnownRows(rows, count + 5), "assigned": KnownRows(rows[:100], count)}
    facts = Facts({"id": "p"}, True, NOW, reads)
    (section,) = (each for each in OVERVIEWS["cloudpbxs"] if "assigned" in each.reads)
    names = [name for name in section.reads if name.startswith("online-")]
    most = 0
    for turn in range(answered):
        asked = [name for name in names if name not in reads and section.reads[name](facts) is not None]
        most = max(most, len(asked))
        if not asked or turn == answered - 1:
            break
        until = {"id": "r", "expirationDate": "2026-11-22T13:00:00.000Z"}
        for name in asked:
            reads[name] = KnownRows([until] if int(name.removeprefix("online-")) % 2 else [], 1)
    return next(each.text for each in entries_of(section, facts) if each.label == "Devices"), most


def test_a_cloudpbx_shows_its_trunk_free_numbers_and_what_is_open_now() -> None:
    (section,) = (each for each in OVERVIEWS["cloudpbxs"] if "assigned" in each.reads)
    services = [{"id": "a", "name": "Sales", "state": "open"}, {"id": "b", "name": "Support", "state": "closed"}]
    reads = {"ddis": KnownRows([], 45), "unassigned": KnownRows([], 5), "welcomeservices": KnownRows(services, 2)}
    trunk = {"externalTrunkAdditionalInfo": {"name": "Lisbon", "status": "active"}}
    entries = entries_of(section, Facts({"id": "p", "cloudpbx": trunk}, True, NOW, reads))
    shown = [(each.label, each.text) for each in entries]
    assert ("DDI numbers", "45, 5 free") in shown and ("Trunk", "Lisbon   active") in shown
    assert [text for label, text in shown if label == "Welcome"] == ["Sales   open now", "Support   closed now"]


def test_all_assigned_devices_of_a_cloudpbx_are_asked_whether_they_are_online() -> None:
    assert _online_of(0) == ("5", 0)
    assert _online_of(41) == ("46; 20 online of 41 assigned", 8)


def test_devices_that_were_not_asked_are_not_counted_as_offline() -> None:
    # Not all have answered yet; and more than a hundred are not asked.
    assert _online_of(41, answered=3)[0] == "46; 8 online of 16 that were asked, 41 assigned"
    assert _online_of(250)[0] == "255; 50 online of 100 that were asked, 250 assigned"
