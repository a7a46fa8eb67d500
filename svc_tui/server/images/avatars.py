"""Avatars: uploaded and deleted for companies, uploaded for bots, and public at their addresses (4.2, 4.3)."""

from __future__ import annotations

import hashlib

from svc_tui.interface.dates import moment
from svc_tui.interface.images import operations as declared
from svc_tui.interface.images.records import AvatarQuery
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.images.scaling import effective_size
from svc_tui.server.images.storage import (
    IMMUTABLE,
    REVALIDATE,
    company_of,
    fingerprint,
    image_result,
    locked_company_of,
    prepared,
    require_uploads,
    store_image,
)
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.stored import StoredApplication


@rule(declared.get_avatar)
async def get_avatar(call: Call[AvatarQuery]) -> RuleResult:
    entity_id = call.path["entityId"]
    image = await call.store.images.get("avatar", entity_id)
    if image is None:
        raise not_found("Avatar", entity_id)
    # Caches need not check again only where the address is the one of this very image.
    is_current = call.query.update.lower() == fingerprint(image.date)
    return await image_result(call, image, effective_size(call.query.size), IMMUTABLE if is_current else REVALIDATE)


@rule(declared.upload_company_avatar)
async def upload(call: Call) -> RuleResult:
    require_uploads(await company_of(call))
    found = await prepared(call, "avatar")
    company = await locked_company_of(call)
    require_uploads(company)
    image = await store_image(call, "avatar", company.id, found)
    company.last_avatar_update_date = moment(image.date)
    await call.store.companies.put(document_of(company))
    return {"status": f"Avatar of company {company.id} successfully uploaded", "data": []}


@rule(declared.delete_company_avatar)
async def delete(call: Call) -> RuleResult:
    company = await locked_company_of(call)
    if not await call.store.images.remove("avatar", company.id):
        raise not_found("Avatar of company", company.id)
    del company.last_avatar_update_date
    await call.store.companies.put(document_of(company))
    return {"status": f"Avatar of company {company.id} successfully deleted", "data": []}


@rule(declared.set_bot_company_avatar)
async def set_for_bot(call: Call[Nothing, Nothing]) -> RuleResult:
    require_uploads(await company_of(call))
    bot = typed(StoredApplication, await call.store.applications.get(call.path["botId"]))
    if bot is None or bot.type != "bot" or bot.state == "deleted":
        raise not_found("Bot", call.path["botId"])
    found = await prepared(call, "avatar")
    company = await locked_company_of(call)
    require_uploads(company)
    avatar_id = bot_avatar_id(bot.id, company.id)
    await store_image(call, "avatar", avatar_id, found)
    return {"status": f"Avatar {avatar_id} of bot {bot.id} successfully uploaded", "data": []}


def bot_avatar_id(bot_id: str, company_id: str) -> str:
    """The id of a bot's avatar in a company, the same for each upload."""
    return hashlib.sha256(f"avatar/{bot_id}/{company_id}".encode()).hexdigest()[:24]
