"""Telephony for several users: proposals, conflicts, and the requests of each user."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from svc_tui.workspace.core.service import CREATED
from svc_tui.workspace.subscriptions.licences import free, objection
from svc_tui.workspace.voice.phone_setup import FreeRecords, problems, proposals, steps_of

PBX = "pbx"
VOICE = {"id": "s1", "offerId": "o1", "offerName": "Voice Phone", "status": "active", "isVoicePhone": True}
VOICE |= {"companyId": "c", "maxNumberUsers": 3, "numberAssignedUsers": 1, "profileName": "Voice"}
LICENSED = [{"subscriptionId": "s1", "offerId": "o1", "isVoicePhone": True, "hasVoice": True}]


def _there(**changes: Any) -> FreeRecords:
    values: dict[str, Any] = {
        "system_id": PBX,
        "country": "PRT",
        "extensions": ["2001", "2002", "2003"],
        "ddis": [{"id": f"d{at}", "numberE164": f"+35121099610{at}"} for at in range(3)],
        "devices": [{"id": f"v{at}", "macAddress": f"00:80:9F:00:00:0{at}"} for at in range(2)],
        "subscriptions": [VOICE, {"id": "s2", "offerId": "o2", "offerName": "Storage", "companyId": "c"}],
        "offers": {"o1": True, "o2": False},
        "seats": free,
        "objection": partial(objection, assign=True),
    }
    return FreeRecords(**{**values, **changes})


def _user(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "displayName": name, "companyId": "c", "profiles": [], **more}


def test_each_user_gets_what_is_next_and_nothing_where_nothing_is_left() -> None:
    users = [_user("ana"), _user("bo", profiles=LICENSED), _user("cy"), _user("di")]
    rows = proposals(users, _there())
    assert [(row["licence"], row["extension"], row["ddi"], row["device"]) for row in rows] == [
        ("Voice Phone", "2001", "21 099 6100", "00:80:9F:00:00:00"),
        # The licence is there already.
        (None, "2002", "21 099 6101", "00:80:9F:00:00:01"),
        ("Voice Phone", "2003", "21 099 6102", None),
        # No licence is left, so no extension is possible.
        (None, None, None, None),
    ]
    assert problems(rows, users, _there()) == [{}, {}, {}, {}]


def test_a_user_with_an_extension_keeps_it() -> None:
    own = {"systemId": PBX, "phoneNumberId": "sub", "shortNumber": "2999"}
    user = _user("ana", profiles=LICENSED, phoneNumbers=[own])
    there = _there()
    (row,) = proposals([user], there)
    assert (row["licence"], row["extension"], row["ddi"], row["device"]) == (None, "2999", "21 099 6100", None)
    (other,) = proposals([{**user, "phoneNumbers": [{**own, "number": "+351210992999"}]}], there)
    assert (other["extension"], other["ddi"]) == ("2999", None)
    step = steps_of({**row, "device": "00809F000000"}, user, there)
    assert step is not None
    assert [(each.operation_id, each.path.get("phoneNumberId")) for each in (step, *step.following)] == [
        ("assign_ddi_to_user", "d0"),
        ("assign_device_to_subscriber", "sub"),
    ]
    assert [each.undo and (each.undo.operation_id, each.undo.path) for each in (step, *step.following)] == [
        ("unassign_ddi_from_user", {"systemId": PBX, "phoneNumberId": "d0", "userId": "ana"}),
        ("unassign_device_from_subscriber", {"systemId": PBX, "phoneNumberId": "sub", "deviceId": "v0"}),
    ]
    changed = {**row, "extension": "2001"}
    assert problems([changed], [user], there) == [{"extension": "stays 2999: the user has it already"}]
    assert steps_of({"user": "ana", "extension": "2999"}, user, there) is None


def test_conflicts_are_found_in_all_cells_at_once() -> None:
    there = _there()
    users = [_user("ana"), _user("bo"), _user("cy"), _user("di"), _user("ed")]
    rows: list[dict[str, object]] = [
        {"licence": "voice phone", "extension": "2001", "ddi": "210996100", "device": "00809f000000"},
        {"licence": "Voice Phone", "extension": "2001", "ddi": "+351 21 099 6100", "device": "00-80-9F-00-00-00"},
        {"licence": "Voice Phone", "extension": "112", "ddi": "210996999"},
        {"licence": "Storage", "extension": "2009"},
        {"ddi": "210996101", "extension": None},
    ]
    assert problems(rows, users, there) == [
        dict.fromkeys(("extension", "ddi", "device"), "is in the table twice"),
        dict.fromkeys(("extension", "ddi", "device"), "is in the table twice"),
        {"licence": "has no licence left", "extension": "is an emergency number", "ddi": "is not free, or unknown"},
        {"licence": "is no subscription for voice of the company", "extension": "is not free"},
        {"ddi": "needs an extension"},
    ]


@pytest.mark.parametrize(
    ("wire", "text", "names", "problem"),
    [
        ("licence", "PHONE", "Voice Phone", ""),
        ("licence", "voice lin", "Voice Line", ""),
        ("licence", "voice", None, "names several: Voice Phone, Voice Line"),
        # The whole name of one is a part of another name.
        ("licence", "voice line", "Voice Line", ""),
        ("licence", "storage", None, "is no subscription for voice of the company"),
        ("ddi", "6101", "21 099 6101", ""),
        ("ddi", "610", None, "names several: 21 099 6100, 21 099 6101, …"),
        ("ddi", "000000", None, "is not free, or unknown"),
        ("device", "recéption", "00:80:9f:00:00:02", ""),
        ("device", "m110", None, "names several: 00:80:9f:00:00:02, 00:80:9f:00:00:03"),
        ("device", "00-01", None, "is not free, or unknown"),
        ("device", "0003", "00:80:9f:00:00:03", ""),
        # Without an address it is written by its name.
        ("device", "handset", "DECT handset", ""),
        ("device", "%", None, "is not free, or unknown"),
    ],
)
def test_a_typed_name_is_the_only_record_that_has_it_or_is_refused(
    wire: str, text: str, names: str | None, problem: str
) -> None:
    there = _there(
        subscriptions=[
            VOICE,
            {**VOICE, "id": "s3", "offerName": "Voice Line"},
            {**VOICE, "id": "s4", "offerName": "Our voice line plus"} if text == "voice line" else {"id": "s5"},
        ],
        devices=[
            {
                "id": "v2",
                "macAddress": "00:80:9f:00:00:02",
                "description": "Reception",
                "deviceType": {"model": "M110"},
            },
            {"id": "v3", "macAddress": "00:80:9f:00:00:03", "description": "Hall", "deviceType": {"model": "M110"}},
            {"id": "v4", "description": "DECT handset"},
        ],
    )
    row = {"licence": "Voice Phone", "extension": "2001", wire: text}
    assert problems([row], [_user("ana")], there) == [{wire: problem} if problem else {}]
    found = there.the(wire, text)
    assert (there.cell(wire, found) if found else None) == names
    assert found is None or there.the(wire, names) is found


def test_a_part_of_a_name_is_enough_for_the_requests() -> None:
    there, user = _there(), _user("ana")
    step = steps_of(
        {"user": "ana", "licence": "phone", "extension": "2001", "ddi": "6102", "device": "0001"}, user, there
    )
    assert step is not None
    paths = [{**each.path, **(each.body or {})} for each in (step, *step.following)]
    assert [paths[0]["subscriptionId"], paths[2]["phoneNumberId"], paths[3]["deviceId"]] == ["s1", "d2", "v1"]


def test_the_requests_of_a_user_follow_each_other() -> None:
    there, user = _there(), _user("ana")
    (row,) = proposals([user], there)
    step = steps_of(row, user, there)
    assert step is not None
    assert [(each.operation_id, each.path, each.body) for each in (step, *step.following)] == [
        ("assign_licence", {"userId": "ana", "subscriptionId": "s1"}, {}),
        ("create_subscriber", {"systemId": PBX}, {"userId": "ana", "shortNumber": "2001"}),
        ("assign_ddi_to_user", {"systemId": PBX, "phoneNumberId": "d0", "userId": "ana"}, {}),
        ("assign_device_to_subscriber", {"systemId": PBX, "phoneNumberId": CREATED}, {"deviceId": "v0"}),
    ]
    # What undoes them in turn; the deletion of the extension frees its number and its device.
    assert [each.undo and (each.undo.operation_id, each.undo.path) for each in (step, *step.following)] == [
        ("unassign_licence", {"userId": "ana", "subscriptionId": "s1"}),
        ("delete_subscriber", {"systemId": PBX, "phoneNumberId": CREATED}),
        None,
        None,
    ]
    assert [each.undo.label for each in (step, *step.following) if each.undo] == [
        "Licence Voice Phone of ana",
        "Extension 2001 of ana",
    ]
