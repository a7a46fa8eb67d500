"""Avatars: uploaded and deleted for companies, set for bots, and read by anyone who knows the address (4.2, 4.3)."""

from __future__ import annotations

import hashlib

from svc_tui.interface.images import operations as declared
from svc_tui.interface.images.records import AvatarQuery
from svc_tui.interface.operations import Nothing
from svc_tui.server.images.storage import REVALIDATE, IMMUTABLE, company_of, fingerprint, keep, prepared, shown
from svc_tui.server.images.scaling import effective_size
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, rule

_DATE = "lastAvatarUpdateDate"


@rule(declared.get_avatar)
async def get_avatar(call: Call[AvatarQuery]) -> RuleResult:
    entity_id = call.path["entityId"]
    image = await call.store.images.get("avatar", entity_id)
    if image is None:
        raise not_found("Avatar", entity_id)
    # Only under the address of this very picture it may be kept without asking again.
    fits = call.query.update.lower() == fingerprint(image.date)
    return await shown(call, image, effective_size(call.query.size), IMMUTABLE if fits else REVALIDATE)


@rule(declared.upload_company_avatar)
async def upload(call: Call) -> RuleResult:
    await company_of(call)
    found = await prepared(call, "avatar")
    await call.store.lock(f"company:{call.path['companyId']}")
    company = await company_of(call)
    image = await keep(call, "avatar", company["id"], found)
    await call.store.companies.put({**company, _DATE: image.date})
    return {"status": f"Avatar of company {company['id']} successfully uploaded", "data": []}


@rule(declared.delete_company_avatar)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"company:{call.path['companyId']}")
    company = await company_of(call)
    if not await call.store.images.remove("avatar", company["id"]):
        raise not_found("Avatar of company", company["id"])
    await call.store.companies.put({name: value for name, value in company.items() if name != _DATE})
    return {"status": f"Avatar of company {company['id']} successfully deleted", "data": []}


@rule(declared.set_bot_company_avatar)
async def set_for_bot(call: Call[Nothing, Nothing]) -> RuleResult:
    company = await company_of(call)
    bot = await call.store.applications.get(call.path["botId"])
    if bot is None or bot.get("type") != "bot" or bot.get("state") == "deleted":
        raise not_found("Bot", call.path["botId"])
    avatar_id = bot_avatar_id(str(bot["id"]), str(company["id"]))
    await keep(call, "avatar", avatar_id, await prepared(call, "avatar"))
    return {"status": f"Avatar {avatar_id} of bot {bot['id']} successfully uploaded", "data": []}


def bot_avatar_id(bot_id: str, company_id: str) -> str:
    """What identifies a bot's avatar in a company: the same at each upload."""
    return hashlib.sha256(f"avatar/{bot_id}/{company_id}".encode()).hexdigest()[:24]
