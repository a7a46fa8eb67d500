"""Avatars and splash screens through the service (4.2, 4.3, 4.4, 8)."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.pictures import bomb, kind_of, picture, size_of, upright
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]
PNG, JPEG = {"content-type": "image/png"}, {"content-type": "image/jpeg"}
CUSTOMER = "cc" * 12


def avatar(company: str = COMPANY) -> str:
    return f"/api/svc/admin/v1.0/companies/{company}/avatar"


def splash(company: str = COMPANY) -> str:
    return f"/api/svc/admin/v1.0/companies/{company}/splashscreen"


def read(entity: str = COMPANY) -> str:
    return f"/api/avatar/{entity}"


ANY_UPDATE = {"update": "0" * 32}


def md5(date: str) -> str:
    return hashlib.md5(date.encode()).hexdigest()


@pytest.fixture
async def clara(world: World) -> Document:
    return await world.user("clara@example.com", roles=("company_admin",))


@pytest.fixture
async def head(world: World) -> Document:
    return await world.user("head@example.com", roles=("superadmin",))


@pytest.fixture
async def bruno(world: World) -> Document:
    """An administrator of a BP with one end customer."""
    await world.company(PARTNER, isBP=True)
    await world.company(CUSTOMER, bpId=PARTNER)
    return await world.user("bruno@example.com", roles=("bp_admin",), companyId=PARTNER)


@pytest.fixture
async def cora(world: World, bruno: Document) -> Document:
    """The administrator of the BP's end customer."""
    return await world.user("cora@example.com", roles=("company_admin",), companyId=CUSTOMER)


async def test_an_uploaded_avatar_is_public_at_its_new_address(world: World, clara: Document) -> None:
    for content, headers in ((picture("PNG"), PNG), (picture("JPEG"), JPEG)):
        world.clock.forward(minutes=1)
        body = granted(await world.post(avatar(), by=clara, content=content, headers=headers))
        assert body["data"] == []
        date = (await world.stored("companies", COMPANY))["lastAvatarUpdateDate"]
        assert date.startswith(f"{world.clock.now():%Y-%m-%dT%H:%M}")
        answer = await world.get(read(), params={"update": md5(date), "size": 512})
        assert (answer.status_code, answer.content) == (200, content)
        assert answer.headers["content-type"] == headers["content-type"]
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_content_types_are_read_in_the_notations_of_clients(world: World, clara: Document) -> None:
    for declared in ("image/jpg", "IMAGE/JPEG", "image/jpeg; charset=binary"):
        granted(await world.post(avatar(), by=clara, content=picture("JPEG"), headers={"content-type": declared}))


async def test_an_avatar_is_cached_for_a_year_at_its_address_and_revalidated_at_others(
    world: World, clara: Document
) -> None:
    granted(await world.post(avatar(), by=clara, content=picture(), headers=PNG))
    date = (await world.stored("companies", COMPANY))["lastAvatarUpdateDate"]
    own = await world.get(read(), params={"update": md5(date)})
    assert own.headers["cache-control"] == "public, max-age=31536000, immutable"
    old = await world.get(read(), params=ANY_UPDATE)
    assert old.headers["cache-control"] == "public, no-cache"
    assert old.content == own.content
    mark = old.headers["etag"]
    for known in (mark, f'"x", W/{mark}', "*"):
        same = await world.get(read(), params=ANY_UPDATE, headers={"if-none-match": known})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", mark)
    other = await world.get(read(), params={**ANY_UPDATE, "size": 40}, headers={"if-none-match": mark})
    assert other.status_code == 200
    granted(await world.post(avatar(), by=clara, content=picture(size=(90, 90)), headers=PNG))
    assert (await world.get(read(), params=ANY_UPDATE, headers={"if-none-match": mark})).status_code == 200


async def test_sizes_of_an_avatar(world: World, clara: Document) -> None:
    granted(await world.post(avatar(), by=clara, content=picture("JPEG", (600, 300)), headers=JPEG))
    for asked, sides in (
        (None, (80, 40)), (1, (1, 1)), (100, (100, 50)), (512, (512, 256)), (513, (80, 40)), (2048, (80, 40)),
    ):  # fmt: skip
        found = await world.get(read(), params=ANY_UPDATE | ({"size": asked} if asked else {}))
        assert (size_of(found.content), kind_of(found.content)) == (sides, "image/jpeg")
    for wrong in (0, -1, "large"):
        refused(await world.get(read(), params={**ANY_UPDATE, "size": wrong}), 400000)
    granted(await world.post(avatar(), by=clara, content=picture("PNG", (30, 20)), headers=PNG))
    found = await world.get(read(), params={**ANY_UPDATE, "size": 512})
    assert size_of(found.content) == (30, 20)


async def test_stored_images_have_the_largest_size_of_answers_and_no_metadata(world: World, clara: Document) -> None:
    granted(await world.post(avatar(), by=clara, content=picture("JPEG", (3000, 1500)), headers=JPEG))
    granted(await world.post(splash(), by=clara, content=picture("PNG", (3000, 1500)), headers=PNG))
    async with world.service.database.unit() as store:
        stored_image = [await store.images.get("avatar", COMPANY), await store.images.get("splashscreen", COMPANY)]
        contents = [await store.images.content(each) for each in stored_image if each]
    assert [size_of(each) for each in contents] == [(512, 256), (2048, 1024)]
    assert [(each.width, each.height) for each in stored_image if each] == [(512, 256), (2048, 1024)]
    granted(await world.post(avatar(), by=clara, content=upright(), headers=JPEG))
    answer = await world.get(read(), params={**ANY_UPDATE, "size": 512})
    assert size_of(answer.content) == (100, 300)
    assert b"taken at home" not in answer.content


async def test_bytes_behind_an_image_are_neither_stored_nor_sent(world: World, clara: Document) -> None:
    for content, headers in ((picture("PNG"), PNG), (picture("JPEG"), JPEG)):
        granted(await world.post(avatar(), by=clara, content=content + b"PK\x03\x04 hidden", headers=headers))
        async with world.service.database.unit() as store:
            image = await store.images.get("avatar", COMPANY)
            assert image is not None and image.size == len(content)
            assert await store.images.content(image) == content
        assert (await world.get(read(), params={**ANY_UPDATE, "size": 512})).content == content


async def test_an_avatar_requires_the_update_parameter_and_may_be_missing(world: World) -> None:
    refused(await world.get(read()), 400000)
    refused(await world.get(read(), params={"update": "yesterday"}), 400000)
    refused(await world.get(read(), params=ANY_UPDATE), 404000)
    refused(await world.get(read("no-identifier"), params=ANY_UPDATE), 400000)


async def test_an_avatar_is_deleted(world: World, clara: Document) -> None:
    refused(await world.delete(avatar(), by=clara), 404000)
    granted(await world.post(avatar(), by=clara, content=picture(), headers=PNG))
    body = granted(await world.delete(avatar(), by=clara))
    assert body == {"status": f"Avatar of company {COMPANY} successfully deleted", "data": []}
    assert "lastAvatarUpdateDate" not in await world.stored("companies", COMPANY)
    refused(await world.get(read(), params=ANY_UPDATE), 404000)


#: role, whose company, allowed or the code of the refusal.
REACH = [
    ("superadmin", "other", None),
    ("support", "other", None),
    ("company_admin", "own", None),
    ("company_admin", "other", 403301),
    ("bp_admin", "own", None),
    ("bp_finance", "own", None),
    ("bp_admin", "customer", None),
    ("bp_finance", "customer", None),
    ("bp_admin", "other", 403301),
    ("organization_admin", "organisation", None),
    ("organization_admin", "other", 403301),
    ("site_admin", "own", 403000),
    ("directory_admin", "own", 403000),
    ("business_admin", "own", 403000),
    ("app_superadmin", "own", 403000),
    ("user", "own", 403000),
]


@pytest.mark.parametrize(("role", "whose", "code"), REACH)
async def test_access_to_avatars_of_companies(world: World, role: str, whose: str, code: int | None) -> None:
    target = {
        "own": await world.company(PARTNER, isBP=True),
        "customer": await world.company(CUSTOMER, bpId=PARTNER),
        "organisation": await world.company("0c" * 12, organisationId=ORGANISATION),
        "other": await world.company(OTHER_COMPANY),
    }[whose]["id"]
    by = await world.user(roles=(role,), companyId=PARTNER, organisationId=ORGANISATION)
    uploaded = await world.post(avatar(target), by=by, content=picture(), headers=PNG)
    if code is None:
        granted(uploaded)
        granted(await world.delete(avatar(target), by=by))
    else:
        refused(uploaded, code)
        refused(await world.delete(avatar(target), by=by), code)
        refused(await world.get(read(target), params=ANY_UPDATE), 404000)


async def test_avatars_require_credentials_and_a_known_company(world: World, head: Document) -> None:
    refused(await world.post(avatar(), content=picture(), headers=PNG), 401102)
    refused(await world.post(avatar("0" * 24), by=head, content=picture(), headers=PNG), 404000)
    refused(await world.post(avatar("no-identifier"), by=head, content=picture(), headers=PNG), 400000)


async def test_a_terminated_company_gets_no_images(world: World, head: Document) -> None:
    await world.company(CUSTOMER, status="terminated")
    bot = (await world.application("b0" * 12, type="bot"))["id"]
    of_bot = f"/api/svc/admin/v1.0/bots/{bot}/companies/{CUSTOMER}/avatar"
    for path in (avatar(CUSTOMER), splash(CUSTOMER), of_bot):
        body = refused(await world.post(path, by=head, content=picture(), headers=PNG), 400000)
        assert body["errorDetails"][0]["msg"] == "is a terminated company"
    for path in (avatar(CUSTOMER), splash(CUSTOMER)):
        refused(await world.delete(path, by=head), 404000)
    # The company with this name is built in: it was not deleted.
    await world.company(CUSTOMER, name="Terminated", status="terminated")
    granted(await world.post(avatar(CUSTOMER), by=head, content=picture(), headers=PNG))


async def test_avatars_of_the_default_and_terminated_companies_are_for_superadmin_only(
    world: World, head: Document
) -> None:
    support = await world.user("support@example.com", roles=("support",))
    inside = await world.user("inside@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    for name in ("Default", "Terminated"):
        await world.company(OTHER_COMPANY, name=name)
        for by in (support, inside):
            refused(await world.post(avatar(OTHER_COMPANY), by=by, content=picture(), headers=PNG), 403000)
        granted(await world.post(avatar(OTHER_COMPANY), by=head, content=picture(), headers=PNG))
        for by in (support, inside):
            refused(await world.delete(avatar(OTHER_COMPANY), by=by), 403000)
        granted(await world.delete(avatar(OTHER_COMPANY), by=head))


async def test_an_invalid_image_is_refused_with_the_reason_and_not_stored(world: World, clara: Document) -> None:
    whole = picture("JPEG")
    for content, headers, reason in (
        (b"", PNG, "must be the bytes of an image"),
        (b"%PDF-1.7 hello", PNG, "neither a JPEG nor a PNG"),
        (b"<svg onload='x()'/>", PNG, "neither a JPEG nor a PNG"),
        (picture("GIF"), PNG, "neither a JPEG nor a PNG"),
        (whole, PNG, "content type is image/png, the body is image/jpeg"),
        (whole[: len(whole) // 2], JPEG, "damaged or incomplete"),
        (bomb(), PNG, "too large"),
        (whole, {"content-type": "image/gif"}, "image/jpeg or image/png"),
        (whole, {"content-type": "application/json"}, "image/jpeg or image/png"),
        (whole, {}, "image/jpeg or image/png"),
    ):
        for path in (avatar(), splash()):
            body = refused(await world.post(path, by=clara, content=content, headers=headers), 400000)
            assert reason in body["errorDetails"][0]["msg"], body
    assert "lastAvatarUpdateDate" not in await world.stored("companies", COMPANY)
    refused(await world.get(read(), params=ANY_UPDATE), 404000)


class Endless:
    """A body that never ends; how much of it was asked for."""

    def __init__(self) -> None:
        self.given = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self.given < 400_000_000:
            self.given += 65_536
            yield b"\x89PNG\r\n\x1a\n" * 8_192


async def test_a_too_large_body_is_refused_with_the_limit_and_not_read(world: World, clara: Document) -> None:
    for path, most in ((avatar(), 4_194_304), (splash(), 10_485_760)):
        full = b"\x89PNG\r\n\x1a\n" + b"\0" * (most - 8)
        refused(await world.post(path, by=clara, content=full, headers=PNG), 400000)
        body = refused(await world.post(path, by=clara, content=full + b"\0", headers=PNG), 413000)
        assert body["maxSize"] == most


async def test_an_endless_body_is_dropped_after_a_while(world: World, clara: Document) -> None:
    endless = Endless()
    headers = {**PNG, "authorization": f"Bearer {world.token(clara)}"}
    tracemalloc.start()
    body = refused(await world.post(avatar(), content=endless, headers=headers), 413000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert body["maxSize"] == 4_194_304
    assert endless.given < 80_000_000
    assert peak < 20_000_000


async def test_a_missing_role_is_refused_before_the_body_is_validated(world: World) -> None:
    user = await world.user()
    big = b"x" * 5_000_000
    refused(await world.post(avatar(), content=big, headers=PNG), 401102)
    refused(await world.post(avatar(), by=user, content=big, headers=PNG), 403000)
    clara = await world.user("clara@example.com", roles=("company_admin",))
    refused(await world.post(avatar("no-identifier"), by=clara, content=big, headers=PNG), 400000)


async def test_a_splash_screen_is_uploaded_displayed_and_deleted(world: World, clara: Document) -> None:
    image = f"/api/splashscreen/{COMPANY}"
    refused(await world.get(image, params={"size": 100}), 404000)
    none = granted(await world.get(splash(), by=clara))["data"]
    assert (none["uploadedUsed"], none["lastUpdateDate"], none["inherited"], none["forced"]) == (
        False, None, False, False,
    )  # fmt: skip
    body = granted(await world.post(splash(), by=clara, content=picture("JPEG", (400, 200)), headers=JPEG))
    assert body["data"] == []
    info = granted(await world.get(splash(), by=clara))["data"]
    assert info["uploadedUsed"] is True
    assert info["companyId"] == COMPANY
    assert info["lastUpdateDate"].startswith(f"{world.clock.now():%Y-%m-%dT%H:%M}")
    assert (info["type"], info["width"], info["height"]) == ("image/jpeg", 400, 200)
    found = await world.get(image, params={"size": 100})
    assert size_of(found.content) == (100, 50)
    same = await world.get(image, params={"size": 100}, headers={"if-none-match": found.headers["etag"]})
    assert same.status_code == 304
    assert size_of((await world.get(image, params={"size": 2048})).content) == (80, 40)
    refused(await world.get(image), 400000)
    granted(await world.delete(splash(), by=clara))
    refused(await world.get(image, params={"size": 100}), 404000)
    refused(await world.delete(splash(), by=clara), 404000)


async def test_choice_between_default_and_uploaded_splash_screen(world: World, clara: Document) -> None:
    image = f"/api/splashscreen/{COMPANY}"
    body = refused(await world.put(splash(), by=clara, json={"uploadedUsed": True}), 400000)
    assert "requires an uploaded splash screen" in body["errorDetails"][0]["msg"]
    refused(await world.put(splash(), by=clara, json={}), 400000)
    granted(await world.post(splash(), by=clara, content=picture(), headers=PNG))
    info = granted(await world.put(splash(), by=clara, json={"uploadedUsed": False}))["data"]
    assert info["uploadedUsed"] is False
    assert info["lastUpdateDate"]
    refused(await world.get(image, params={"size": 80}), 404000)
    assert granted(await world.put(splash(), by=clara, json={"uploadedUsed": True}))["data"]["uploadedUsed"] is True
    assert (await world.get(image, params={"size": 80})).status_code == 200


async def test_a_company_without_a_splash_screen_has_the_one_of_its_bp(
    world: World, bruno: Document, cora: Document
) -> None:
    theirs, own = picture("JPEG", (60, 30)), picture("PNG", (40, 40))
    granted(await world.post(splash(PARTNER), by=bruno, content=theirs, headers=JPEG))
    info = granted(await world.get(splash(CUSTOMER), by=cora))["data"]
    assert (info["companyId"], info["inherited"], info["forced"], info["width"]) == (PARTNER, True, False, 60)
    image = f"/api/splashscreen/{CUSTOMER}"
    assert (await world.get(image, params={"size": 512})).content == theirs
    granted(await world.post(splash(CUSTOMER), by=cora, content=own, headers=PNG))
    assert (await world.get(image, params={"size": 512})).content == own
    assert granted(await world.get(splash(CUSTOMER), by=cora))["data"]["inherited"] is False
    granted(await world.put(splash(CUSTOMER), by=cora, json={"uploadedUsed": False}))
    assert (await world.get(image, params={"size": 512})).content == theirs


async def test_while_the_bp_forces_its_splash_screen_only_the_bp_changes_it(
    world: World, bruno: Document, cora: Document, head: Document
) -> None:
    theirs, own = picture("JPEG", (60, 30)), picture("PNG", (40, 40))
    granted(await world.post(splash(CUSTOMER), by=cora, content=own, headers=PNG))
    granted(await world.post(splash(PARTNER), by=bruno, content=theirs, headers=JPEG))
    async with world.service.database.unit() as store:
        choice = await store.splash_screens.get(PARTNER)
        await store.splash_screens.put({**(choice or {}), "forced": True})
    assert (await world.get(f"/api/splashscreen/{CUSTOMER}", params={"size": 512})).content == theirs
    info = granted(await world.get(splash(CUSTOMER), by=cora))["data"]
    assert (info["companyId"], info["forced"]) == (PARTNER, True)
    for answer in (
        await world.post(splash(CUSTOMER), by=cora, content=own, headers=PNG),
        await world.delete(splash(CUSTOMER), by=cora),
        await world.put(splash(CUSTOMER), by=cora, json={"uploadedUsed": False}),
    ):
        assert "Only the BP" in refused(answer, 403000)["errorDetails"]
    finance = await world.user("finance@example.com", roles=("bp_finance",), companyId=PARTNER)
    for by in (bruno, finance, head):
        granted(await world.post(splash(CUSTOMER), by=by, content=own, headers=PNG))


async def test_splash_screens_are_for_the_companys_administrators(world: World) -> None:
    await world.company(OTHER_COMPANY)
    support = await world.user("support@example.com", roles=("support",))
    user = await world.user("user@example.com")
    stranger = await world.user("stranger@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    refused(await world.get(splash(), by=support), 403000)
    for by, code in ((support, 403000), (user, 403000), (stranger, 403301)):
        refused(await world.post(splash(), by=by, content=picture(), headers=PNG), code)
        refused(await world.put(splash(), by=by, json={"uploadedUsed": False}), code)
        refused(await world.delete(splash(), by=by), code)
    refused(await world.get(splash(), by=user), 403000)
    refused(await world.get(splash(), by=stranger), 403301)


async def test_a_bot_has_an_avatar_of_its_own_in_a_company(world: World, clara: Document) -> None:
    bot = (await world.application("b0" * 12, type="bot"))["id"]
    path = f"/api/svc/admin/v1.0/bots/{bot}/companies/{COMPANY}/avatar"
    body = granted(await world.post(path, by=clara, content=picture(), headers=PNG))
    assert body["data"] == []
    avatar_id = body["status"].split()[1]
    assert (await world.get(read(avatar_id), params={**ANY_UPDATE, "size": 512})).content == picture()
    again = granted(await world.post(path, by=clara, content=picture("JPEG"), headers=JPEG))
    assert again["status"] == body["status"]
    refused(await world.post(path, by=clara, content=b"x", headers=PNG), 400000)
    no_bot = (await world.application("b1" * 12, type="web"))["id"]
    for unknown in ("0" * 24, no_bot):
        path = f"/api/svc/admin/v1.0/bots/{unknown}/companies/{COMPANY}/avatar"
        refused(await world.post(path, by=clara, content=picture(), headers=PNG), 404000)
    await world.company(OTHER_COMPANY)
    path = f"/api/svc/admin/v1.0/bots/{bot}/companies/{OTHER_COMPANY}/avatar"
    refused(await world.post(path, by=clara, content=picture(), headers=PNG), 403301)


async def test_images_are_stored_in_both_databases(world_on_both: World) -> None:
    world = world_on_both
    clara = await world.user("clara@example.com", roles=("company_admin",))
    for content, headers in ((picture("PNG"), PNG), (picture("JPEG"), JPEG)):
        granted(await world.post(avatar(), by=clara, content=content, headers=headers))
        assert (await world.get(read(), params={**ANY_UPDATE, "size": 512})).content == content
    granted(await world.post(splash(), by=clara, content=picture(), headers=PNG))
    granted(await world.delete(splash(), by=clara))
