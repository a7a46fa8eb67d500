"""Fields are called by words, in the terms of the trade, and no two of one record alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.labels import label_of
from svc_tui.interface.records import Record, fields_of

#: Abbreviations as they are written, and what stands in names but is said by nobody.
_WRITTEN = """
API BP BPs BYOT CLI CPaaS CSV DDI DDIs DND FAQ GIF IM ISO IVR JID JWKS KPI LDAP MAC MFA MIME MRR OTP
OXE OXO PBX PSTN RTC SIP SMS SSO TCV UI UID URI URIs URL URLs VoIP WebRTC CloudPBX
"""
RIGHT = frozenset(_WRITTEN.split())
WRONG = frozenset(right.lower() for right in RIGHT) | {"nb", "svc", "msg", "ops", "qrcode"}


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


@pytest.mark.parametrize("record", records(), ids=lambda record: record.__name__)
def test_no_two_fields_of_a_record_are_called_alike(record: type[Record]) -> None:
    counted = Counter(spec.label for spec in fields_of(record))
    assert [label for label, count in counted.items() if count > 1] == []


def test_labels_follow_from_names() -> None:
    said = {
        "ssoAuthenticationRedirectUrl": "SSO authentication redirect URL",
        "isDefault": "Default",
        "hasVoice": "Voice",
        "nbFreeLicences": "Free licences",
        "nbLicencesAssignedToECs": "Licences assigned to end customers",
        "useWebRTCAudioCustomisation": "Use WebRTC audio customisation",
        "isCloudPbxDDI": "CloudPBX DDI",
        "barringOptions.permissions": "Barring permissions",
        "id": "Id",
        "id_token": "ID token",
        "isBP": "BP",
    }
    assert {wire: label_of(wire) for wire in said} == said
