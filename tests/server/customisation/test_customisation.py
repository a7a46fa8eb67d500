"""Customisation templates through the service (2.8, 4.4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from svc_tui.interface.customisation.features import BY_KEY
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]
ALL = "/api/svc/admin/v1.0/customisations/templates"
APPLY = f"{ALL}/apply"
FULL, SAME, OWN, OTHERS, SHARED = ("f0" * 12, "f1" * 12, "71" * 12, "72" * 12, "73" * 12)
CUSTOMER = "cc" * 12
#: A few of the keys of 2.8.
KEYS = {"useScreenSharingCustomisation", "useSoftPhoneMode", "imPopupDuration", "canUseTranscriptionCustomisation"}


async def put_template(world: World, id: str, name: str, **fields: Any) -> Document:
    document = {"id": id, "name": name, "visibility": "private", "visibleBy": [], "type": "other", **fields}
    async with world.service.database.unit() as store:
        return await store.templates.put(document)


@pytest.fixture
async def templates(world: World) -> World:
    """The two public ones, one of the own company, one of another, and one that the other lets us use."""
    await world.company(OTHER_COMPANY)
    await put_template(world, FULL, "Full", visibility="public", type="default_company")
    await put_template(world, SAME, "Same as company", visibility="public", type="default_user")
    await put_template(world, OWN, "Frontline", ownedByCompany=COMPANY, useGifCustomisation="disabled")
    await put_template(world, OTHERS, "Secret", ownedByCompany=OTHER_COMPANY)
    await put_template(world, SHARED, "Shared", ownedByCompany=OTHER_COMPANY, visibleBy=[COMPANY])
    return world


@pytest.fixture
async def clara(world: World) -> Document:
    return await world.user("clara@example.com", roles=("company_admin",))


@pytest.fixture
async def head(world: World) -> Document:
    return await world.user("head@example.com", roles=("superadmin",))


async def names(world: World, by: Document, **query: Any) -> list[str]:
    return [each["name"] for each in granted(await world.get(ALL, by=by, params=query))["data"]]


async def test_a_company_does_not_see_with_whom_else_a_template_is_shared(
    templates: World, clara: Document, head: Document
) -> None:
    await put_template(templates, SHARED, "Shared", ownedByCompany=OTHER_COMPANY, visibleBy=[COMPANY, PARTNER])
    owner = await templates.user("olga@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    for by, told in ((clara, False), (head, True), (owner, True)):
        listed = granted(await templates.get(ALL, by=by, params={"format": "full"}))["data"]
        one = granted(await templates.get(f"{ALL}/{SHARED}", by=by))["data"]
        for shown in (one, next(each for each in listed if each["id"] == SHARED)):
            assert ("visibleBy" in shown) == (PARTNER in str(shown)) == told


async def test_the_list_has_the_templates_of_a_company(templates: World, clara: Document, head: Document) -> None:
    ours = ["Frontline", "Full", "Same as company", "Shared"]
    assert await names(templates, clara) == ours
    assert await names(templates, clara, companyId=OTHER_COMPANY) == ours
    assert await names(templates, head) == ["Frontline", "Full", "Same as company", "Secret", "Shared"]
    assert await names(templates, head, companyId=COMPANY) == ours
    assert await names(templates, head, companyId=OTHER_COMPANY) == ["Full", "Same as company", "Secret", "Shared"]
    support = await templates.user("support@example.com", roles=("support",))
    assert len(await names(templates, support)) == 5
    refused(await templates.get(ALL, by=head, params={"companyId": "0" * 24}), 404000)
    refused(await templates.get(ALL, by=head, params={"companyId": "1"}), 400000)
    refused(await templates.get(ALL, by=await templates.user()), 403000)
    page = granted(await templates.get(ALL, by=clara, params={"limit": 1, "offset": 1, "sortOrder": -1}))
    assert ([each["name"] for each in page["data"]], page["total"]) == (["Same as company"], 4)


async def test_the_formats_of_the_list_and_one_template(templates: World, clara: Document, head: Document) -> None:
    def first(format: str) -> Any:
        return templates.get(ALL, by=clara, params={"format": format, "limit": 1})

    assert set(granted(await first("small"))["data"][0]) == {"id", "name", "visibility"}
    medium = granted(await first("medium"))["data"][0]
    assert set(medium) == {
        "id",
        "name",
        "visibility",
        "visibleBy",
        "type",
        "createdBy",
        "creationDate",
        "ownedByCompany",
    }
    assert set(granted(await first("full"))["data"][0]) >= KEYS
    one = granted(await templates.get(f"{ALL}/{OWN}", by=clara))["data"]
    assert (one["useGifCustomisation"], one["useRoomCustomisation"]) == ("disabled", "enabled")
    granted(await templates.get(f"{ALL}/{SHARED}", by=clara))
    refused(await templates.get(f"{ALL}/{OTHERS}", by=clara), 403301)
    granted(await templates.get(f"{ALL}/{OTHERS}", by=head))
    refused(await templates.get(f"{ALL}/{'0' * 24}", by=clara), 404000)


async def test_a_created_template_is_private_belongs_to_the_company_and_has_its_defaults(
    templates: World, clara: Document
) -> None:
    body = granted(await templates.post(ALL, by=clara, json={"name": "Kiosk", "useGifCustomisation": "disabled"}))
    made = body["data"]
    assert body["status"]
    assert (made["visibility"], made["type"], made["ownedByCompany"]) == ("private", "other", COMPANY)
    assert made["createdBy"] == clara["id"]
    assert made["creationDate"]
    disabled = {key for key in BY_KEY if made[key] == "disabled"}
    assert disabled == {"useGifCustomisation", "canUseTranscriptionCustomisation"}
    assert made["imPopupDuration"] is None
    # It keeps what it was made with, whatever the defaults are one day.
    assert set(BY_KEY) <= set(await templates.stored("templates", made["id"]))
    assert {key for key in BY_KEY if made[key] == "enabled"} == set(BY_KEY) - disabled - {"imPopupDuration"}


#: The text of 2.8: what is off, and what then cannot be on.
INCONSISTENT = [
    ("fileStorageCustomisation", {"fileSharingCustomisation", "fileCopyCustomisation", "instantMessagesCustomisation"}),
    ("fileCopyCustomisation", {"fileTransferCustomisation"}),
    ("useWebRTCAudioCustomisation", {"useWebRTCVideoCustomisation"}),
    ("fileSharingCustomisation", {"instantMessagesCustomisation"}),
]


@pytest.mark.parametrize(("off", "broken"), INCONSISTENT)
async def test_values_that_contradict_each_other_are_refused(
    templates: World, clara: Document, off: str, broken: set[str]
) -> None:
    body = refused(await templates.post(ALL, by=clara, json={"name": "Broken", off: "disabled"}), 403628)
    assert {each["param"] for each in body["errorDetails"]} == broken
    changed = refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={off: "disabled"}), 403628)
    assert {each["param"] for each in changed["errorDetails"]} == broken
    follows = {
        "fileStorageCustomisation": {"fileTransferCustomisation"},
        "fileSharingCustomisation": set(),
    }.get(off, set())
    whole = dict.fromkeys({off} | broken | follows, "disabled")
    granted(await templates.post(ALL, by=clara, json={"name": "Whole", **whole}))
    granted(await templates.put(f"{ALL}/{OWN}", by=clara, json=whole))


@pytest.mark.parametrize(
    ("key", "value", "fits"),
    [
        ("useSoftPhoneMode", "forced", True),
        ("ignoreVoipCallInDND", "forced", True),
        ("useRoomCustomisation", "forced", False),
        ("canCallParticipantPbxNumberCustomisation", "internal", True),
        ("canCallParticipantPbxNumberCustomisation", "national", True),
        ("useRoomCustomisation", "internal", False),
        ("useRoomCustomisation", "same_than_company", False),
        ("useRoomCustomisation", True, False),
        ("imPopupDuration", 30, True),
        ("imPopupDuration", None, True),
        ("imPopupDuration", "long", False),
    ],
)
async def test_values_of_keys(templates: World, clara: Document, key: str, value: Any, fits: bool) -> None:
    answer = await templates.post(ALL, by=clara, json={"name": "Values", key: value})
    if fits:
        assert granted(answer)["data"][key] == value
    else:
        assert refused(answer, 400000)["errorDetails"][0]["param"] == key


async def test_names_have_1_to_64_characters_and_are_unique_in_the_owning_company(
    templates: World, clara: Document, head: Document
) -> None:
    for wrong in ("", "x" * 65, None, 5):
        refused(await templates.post(ALL, by=clara, json={"name": wrong}), 400000)
    refused(await templates.post(ALL, by=clara, json={}), 400000)
    refused(await templates.post(ALL, by=clara, json={"name": "Owned", "ownedByCompany": "1"}), 400000)
    granted(await templates.post(ALL, by=clara, json={"name": "x" * 64}))
    refused(await templates.post(ALL, by=clara, json={"name": "Frontline"}), 409000)
    # Another company's names, and another way of writing it, are other names.
    made = granted(await templates.post(ALL, by=clara, json={"name": "Secret"}))["data"]
    granted(await templates.post(ALL, by=clara, json={"name": "FRONTLINE"}))
    refused(await templates.put(f"{ALL}/{made['id']}", by=clara, json={"name": "Frontline"}), 409000)
    granted(await templates.put(f"{ALL}/{made['id']}", by=clara, json={"name": "Secret"}))
    other = {"name": "Frontline", "ownedByCompany": OTHER_COMPANY}
    assert granted(await templates.post(ALL, by=head, json=other))["data"]["ownedByCompany"] == OTHER_COMPANY


async def test_of_two_concurrent_templates_with_one_name_one_is_created(world_on_both: World) -> None:
    world = world_on_both
    clara = await world.user("clara@example.com", roles=("company_admin",))
    answers = await asyncio.gather(*(world.post(ALL, by=clara, json={"name": "Twin"}) for _ in range(4)))
    assert sorted(each.status_code for each in answers) == [200, 409, 409, 409]


async def test_roles_that_create_templates(templates: World, clara: Document, head: Document) -> None:
    theirs = {"name": "For them", "ownedByCompany": OTHER_COMPANY}
    refused(await templates.post(ALL, by=clara, json=theirs), 403301)
    for role in ("support", "bp_finance", "organization_admin", "site_admin", "user"):
        refused(
            await templates.post(ALL, by=await templates.user(f"{role}@x.example", roles=(role,)), json={"name": "No"}),
            403000,
        )
    granted(await templates.post(ALL, by=head, json=theirs))
    refused(await templates.post(ALL, by=head, json={"name": "x", "ownedByCompany": "0" * 24}), 404000)
    body = refused(await templates.post(ALL, by=clara, json={"name": "x", "visibleBy": ["0" * 24]}), 400000)
    assert body["errorDetails"][0]["param"] == "visibleBy"
    shared = {"name": "x", "visibleBy": [OTHER_COMPANY]}
    assert granted(await templates.post(ALL, by=clara, json=shared))["data"]["visibleBy"] == [OTHER_COMPANY]


async def test_public_templates_are_never_changed_and_private_ones_by_their_company(
    templates: World, clara: Document, head: Document
) -> None:
    for by in (clara, head):
        for id in (FULL, SAME):
            refused(await templates.put(f"{ALL}/{id}", by=by, json={"useGifCustomisation": "disabled"}), 403000)
            refused(await templates.delete(f"{ALL}/{id}", by=by), 403000)
    for id in (OTHERS, SHARED):
        refused(await templates.put(f"{ALL}/{id}", by=clara, json={"useGifCustomisation": "disabled"}), 403301)
        refused(await templates.delete(f"{ALL}/{id}", by=clara), 403301)
    body = {"useGifCustomisation": "enabled", "useRoomCustomisation": "disabled", "name": "Frontline 2"}
    changed = granted(await templates.put(f"{ALL}/{OWN}", by=clara, json=body))["data"]
    assert body.items() <= changed.items()
    assert changed["ownedByCompany"] == COMPANY
    cleared = granted(await templates.put(f"{ALL}/{OWN}", by=head, json={"useRoomCustomisation": None}))["data"]
    assert cleared["useRoomCustomisation"] == "enabled"
    refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={"name": None}), 400000)
    refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={"nonsense": 1}), 400100)
    refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={}), 400100)
    refused(await templates.put(f"{ALL}/{'0' * 24}", by=clara, json={"name": "x"}), 404001)
    refused(await templates.delete(f"{ALL}/{'0' * 24}", by=clara), 404002)


async def test_a_company_gets_the_values_of_a_template_and_its_id(templates: World, clara: Document) -> None:
    await templates.company(COMPANY, useGifCustomisation="enabled", imPopupDuration=7, slogan="stays")
    body = granted(await templates.post(APPLY, by=clara, json={"name": "Frontline", "companyId": COMPANY}))
    assert body["status"]
    company = await templates.stored("companies", COMPANY)
    assert company["selectedAppCustomisationTemplate"] == OWN
    assert company["useGifCustomisation"] == "disabled"
    assert company["canUseTranscriptionCustomisation"] == "disabled"
    # Null in a template leaves the company's own value.
    assert (company["imPopupDuration"], company["slogan"]) == (7, "stays")
    granted(await templates.post(APPLY, by=clara, json={"name": "Full", "companyId": COMPANY}))
    company = await templates.stored("companies", COMPANY)
    assert (company["selectedAppCustomisationTemplate"], company["useGifCustomisation"]) == (FULL, "enabled")


async def test_a_user_gets_the_values_of_a_template(templates: World, clara: Document) -> None:
    jane = await templates.user("jane@example.com")
    granted(await templates.post(APPLY, by=clara, json={"name": "Frontline", "userId": jane["id"]}))
    user = await templates.stored("users", jane["id"])
    assert (user["useGifCustomisation"], user["useRoomCustomisation"]) == ("disabled", "enabled")
    granted(await templates.post(APPLY, by=clara, json={"name": "Same as company", "userId": jane["id"]}))
    user = await templates.stored("users", jane["id"])
    assert {user[key] for key in BY_KEY if key != "imPopupDuration"} == {"same_than_company"}


async def test_a_template_is_applied_to_exactly_one_company_or_user(templates: World, clara: Document) -> None:
    jane = await templates.user("jane@example.com")
    both = {"name": "Frontline", "companyId": COMPANY, "userId": jane["id"]}
    refused(await templates.post(APPLY, by=clara, json=both), 400000)
    refused(await templates.post(APPLY, by=clara, json={"name": "Frontline"}), 400000)
    refused(await templates.post(APPLY, by=clara, json={"companyId": COMPANY}), 400000)
    for wrong in ("", "x" * 65):
        refused(await templates.post(APPLY, by=clara, json={"name": wrong, "companyId": COMPANY}), 400000)
    refused(await templates.post(APPLY, by=clara, json={"name": "Frontline", "companyId": "nonsense"}), 400000)
    assert "useGifCustomisation" not in await templates.stored("users", jane["id"])


async def test_templates_for_users_are_not_for_companies_and_the_reverse(templates: World, clara: Document) -> None:
    jane = await templates.user("jane@example.com")
    refused(await templates.post(APPLY, by=clara, json={"name": "Same as company", "companyId": COMPANY}), 400000)
    refused(await templates.post(APPLY, by=clara, json={"name": "Full", "userId": jane["id"]}), 400000)


async def test_only_available_templates_are_applied(templates: World, clara: Document, head: Document) -> None:
    granted(await templates.post(APPLY, by=clara, json={"name": "Shared", "companyId": COMPANY}))
    for by in (clara, head):
        for name in ("Secret", "Unknown", "frontline"):
            refused(await templates.post(APPLY, by=by, json={"name": name, "companyId": COMPANY}), 404000)
    await put_template(templates, "74" * 12, "Shared", ownedByCompany=COMPANY)
    granted(await templates.post(APPLY, by=clara, json={"name": "Shared", "companyId": COMPANY}))
    # The company's own one of a name comes before that of others.
    assert (await templates.stored("companies", COMPANY))["selectedAppCustomisationTemplate"] == "74" * 12


async def test_roles_that_apply_templates(templates: World, clara: Document, head: Document) -> None:
    await templates.company(PARTNER, isBP=True)
    await templates.company(CUSTOMER, bpId=PARTNER)
    bruno = await templates.user("bruno@example.com", roles=("bp_admin",), companyId=PARTNER)
    stranger = await templates.user("stranger@example.com", companyId=OTHER_COMPANY)
    for company in (PARTNER, CUSTOMER):
        granted(await templates.post(APPLY, by=bruno, json={"name": "Full", "companyId": company}))
    refused(await templates.post(APPLY, by=bruno, json={"name": "Full", "companyId": COMPANY}), 403301)
    refused(await templates.post(APPLY, by=clara, json={"name": "Full", "companyId": OTHER_COMPANY}), 403301)
    refused(await templates.post(APPLY, by=clara, json={"name": "Shared", "userId": stranger["id"]}), 403301)
    granted(await templates.post(APPLY, by=head, json={"name": "Secret", "userId": stranger["id"]}))
    for unknown in ({"companyId": "0" * 24}, {"userId": "0" * 24}):
        refused(await templates.post(APPLY, by=head, json={"name": "Full", **unknown}), 404000)
    for role in ("support", "bp_finance", "organization_admin", "user"):
        by = await templates.user(f"{role}@x.example", roles=(role,))
        refused(await templates.post(APPLY, by=by, json={"name": "Full", "companyId": COMPANY}), 403000)


async def test_companies_of_a_deleted_template_fall_back_to_full(templates: World, clara: Document) -> None:
    await templates.company(OTHER_COMPANY, useGifCustomisation="disabled", selectedAppCustomisationTemplate=OTHERS)
    granted(await templates.post(APPLY, by=clara, json={"name": "Frontline", "companyId": COMPANY}))
    body = granted(await templates.delete(f"{ALL}/{OWN}", by=clara))
    assert body["status"] == f"Template {OWN} successfully deleted"
    company = await templates.stored("companies", COMPANY)
    assert (company["selectedAppCustomisationTemplate"], company["useGifCustomisation"]) == (FULL, "enabled")
    other = await templates.stored("companies", OTHER_COMPANY)
    assert (other["selectedAppCustomisationTemplate"], other["useGifCustomisation"]) == (OTHERS, "disabled")
    refused(await templates.get(f"{ALL}/{OWN}", by=clara), 404000)


@pytest.mark.parametrize("name", [" ", "\t", "\u200b", "\u00a0\u2003", "\u3164", "\u2800", "\u202e\u200d"])
async def test_a_name_of_a_template_is_seen(templates: World, clara: Document, name: str) -> None:
    """A list of templates, from which one is chosen, would have a line without a name."""
    refused(await templates.post(ALL, by=clara, json={"name": name}), 400000)
    refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={"name": name}), 400000)


@pytest.mark.parametrize("name", ["−", "1", "☎", "\u200bx", "名"])
async def test_any_sign_that_is_seen_is_a_name(templates: World, clara: Document, name: str) -> None:
    granted(await templates.post(ALL, by=clara, json={"name": name}))


async def test_a_template_of_a_company_does_not_take_the_place_of_a_public_one(
    templates: World, clara: Document, head: Document
) -> None:
    """Templates are applied by name: who applies Full means the public one (2.8)."""
    for name in ("Full", "Same as company"):
        assert "public" in refused(await templates.post(ALL, by=clara, json={"name": name}), 409000)["errorDetails"]
        refused(await templates.put(f"{ALL}/{OWN}", by=clara, json={"name": name}), 409000)
    # One from before is not applied in place of the public one, nor the other way round.
    await put_template(templates, "75" * 12, "Full", ownedByCompany=COMPANY, useGifCustomisation="disabled")
    before = await templates.stored("companies", COMPANY)
    for by in (clara, head):
        body = refused(await templates.post(APPLY, by=by, json={"name": "Full", "companyId": COMPANY}), 409000)
        assert "Rename the private one" in body["errorDetails"]
    assert await templates.stored("companies", COMPANY) == before
    granted(await templates.put(f"{ALL}/{'75' * 12}", by=clara, json={"name": "Ours"}))
    granted(await templates.post(APPLY, by=clara, json={"name": "Full", "companyId": COMPANY}))
