"""Labels of all declared fields: plain words, one label for one name, and no two alike in a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from svc_tui.interface.catalogue import AREAS, operations
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.labels import label_of
from svc_tui.interface.records import Record
from tests.support.plain_english import label_faults

#: Abbreviations with their spelling, by the areas that alone have them; every other word of a label is written out.
_WRITTEN = {
    "": "API AppConnect BP BYOT CAPEX CPaaS CRD CloudPBX DDI FAQ GIF ID IDs JID JWKS KPI MFA OAuth OTP PBX QR SAP SIP "
    "SMS SSO URI URIs URL URLs VoIP WebRTC",
    "directory": "CSV",
    "directory voice": "LDAP",
    "metrics": "OXE OXO",
    "voice": "CLI DDIs MAC MIME",
}
RIGHT = frozenset(
    word for areas, words in _WRITTEN.items() if not areas or {*areas.split()} & {*AREAS} for word in words.split()
)
WRONG = frozenset(right.lower() for right in RIGHT) | {"nb", "svc", "msg", "ops", "qrcode"}
#: Parts of words, and words of wire names only.
CLIPPED = frozenset(
    [
        "config",
        "customisation",
        "env",
        "exp",
        "iat",
        "info",
        "max",
        "msg",
        "param",
        "regexp",
        "stats",
        "sync",
        "synchro",
        "tel",
    ]
)
#: Names whose label depends on the record.
DIFFERENT = frozenset(
    {
        "activate",
        "bpBusinessType",
        "businessSpecific",
        "expirationDate",
        "id",
        "invoiceTargetDate",
        "isDefault",
        "loginEmail",
        "phoneNumberId",
        "state",
        "token",
        "userId",
        "value",
        *(["companyId"] if "invoicing" in AREAS else ()),
    }
)


def _below(record: type[Record]) -> Iterator[type[Record]]:
    for inner in record.__subclasses__():
        yield inner
        yield from _below(inner)


def records() -> list[type[Record]]:
    """Every declared record, bodies and queries too."""
    operations()
    return sorted({one for one in _below(Record) if one.__module__.startswith("svc_tui.interface")}, key=str)


LABELS = sorted({spec.label for record in records() for spec in fields_of(record)})


def test_every_label_is_read_without_knowing_the_wire() -> None:
    assert len(LABELS) > 500
    assert [label for label in LABELS if re.match(r"(Is|Has|Nb|Id) ", label)] == []
    wrong = [label for label in LABELS for word in label.split() if word.lower() in WRONG and word not in RIGHT]
    assert wrong == []
    assert [label for label in LABELS if not re.match(r"[A-Z\d]", label)] == []


def test_labels_are_plain_english() -> None:
    names = frozenset({"Latin", "Teams", "Web", "China"})
    assert [fault for label in LABELS for fault in label_faults(label, names=names)] == []


def test_labels_have_no_parts_of_words_and_no_other_abbreviations() -> None:
    words = {word for label in LABELS for word in re.findall(r"[A-Za-z]+", label)}
    assert {word for word in words if word.lower() in CLIPPED} == set()
    assert {word for word in words if re.search(r"[A-Z].*[A-Z]", word)} - RIGHT == set()
    assert words >= RIGHT, "remove what no label has any more"


def test_a_name_has_one_label_in_all_records() -> None:
    labels: dict[str, set[str]] = {}
    for record in records():
        for spec in fields_of(record):
            labels.setdefault(spec.wire, set()).add(spec.label)
    assert {wire for wire, found in labels.items() if len(found) > 1} == DIFFERENT


def test_no_declaration_repeats_the_label_of_its_name() -> None:
    repeated = [
        (record.__name__, spec.wire)
        for record in records()
        for spec in fields_of(record)
        if spec.facet.label == label_of(spec.wire)
    ]
    assert repeated == []


@pytest.mark.parametrize("record", records(), ids=lambda record: record.__name__)
def test_no_two_fields_of_a_record_have_the_same_label(record: type[Record]) -> None:
    counted = Counter(spec.label for spec in fields_of(record))
    assert [label for label, count in counted.items() if count > 1] == []


def test_labels_follow_from_names() -> None:
    said = {
        "ssoAuthenticationRedirectUrl": "SSO authentication redirect URL",
        "isDefault": "Default",
        "hasVoice": "Voice",
        "nbFreeLicences": "Free licences",
        "nbLicencesAssignedToECs": "Licences assigned to end customers",
        "useWebRTCAudioCustomisation": "Use WebRTC audio",
        "bpId": "Partner (BP)",
        "barringOptions.permissions": "Barring permissions",
        "id": "ID",
        "id_token": "ID token",
        "isBP": "BP",
    }
    assert {wire: label_of(wire) for wire in said} == said
