"""Splash screens: a company's own, the default, and those of its BP, who may force his (4.2, 4.4)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Reach, Role
from svc_tui.interface.errors import Code
from svc_tui.interface.images import operations as declared
from svc_tui.interface.images.records import SplashscreenChoice, SplashscreenQuery
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.server.images.storage import REVALIDATE, company_of, keep, prepared, shown
from svc_tui.server.images.scaling import effective_size
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: A BP's mark on his splash screen: his customers show it, whatever they have.
_FORCED = "forced"


@rule(declared.get_splashscreen_image)
async def get_image(call: Call[SplashscreenQuery]) -> RuleResult:
    company_id = call.path["companyId"]
    company = await call.store.companies.get(company_id)
    owner = await _shown_for(call.store, company) if company is not None else ""
    image = await call.store.images.get("splashscreen", owner) if owner else None
    if image is None:
        raise not_found("Splash screen of company", company_id)
    return await shown(call, image, effective_size(call.query.size), REVALIDATE)


@rule(declared.get_splashscreen_info)
async def get_info(call: Call) -> RuleResult:
    return {"data": await _info(call.store, await company_of(call))}


@rule(declared.upload_splashscreen)
async def upload(call: Call) -> RuleResult:
    await _changeable(call)
    found = await prepared(call, "splashscreen")
    company = await _to_change(call)
    image = await keep(call, "splashscreen", company["id"], found)
    await _choose(call.store, company["id"], uploadedUsed=True, lastUpdateDate=image.date)
    return {"status": f"Splash screen of company {company['id']} successfully uploaded", "data": []}


@rule(declared.delete_splashscreen)
async def delete(call: Call) -> RuleResult:
    company = await _to_change(call)
    if not await call.store.images.remove("splashscreen", company["id"]):
        raise not_found("Splash screen of company", company["id"])
    await _choose(call.store, company["id"], uploadedUsed=False, lastUpdateDate=None)
    return {"status": f"Splash screen of company {company['id']} successfully deleted", "data": []}


@rule(declared.choose_splashscreen)
async def choose(call: Call[Nothing, SplashscreenChoice]) -> RuleResult:
    company = await _to_change(call)
    used = call.body.uploaded_used
    if used and await call.store.images.get("splashscreen", company["id"]) is None:
        raise invalid(Problem("uploadedUsed", "there is no uploaded splash screen to use", True))
    await _choose(call.store, company["id"], uploadedUsed=used)
    return {"data": await _info(call.store, company)}


async def _to_change(call: Call[Any, Any]) -> Document:
    """The company of the path, its splash screen locked until the change is through."""
    await call.store.lock(f"splashscreen:{call.path['companyId']}")
    return await _changeable(call)


async def _changeable(call: Call[Any, Any]) -> Document:
    """The company of the path, whose splash screen the caller may change: while its BP forces his, only the BP."""
    assert call.caller is not None
    company = await company_of(call)
    if await _forcing(call.store, company) and Role.SUPERADMIN not in call.caller.roles:
        of_the_bp = Reach.END_CUSTOMERS in call.reached and call.reaches(Reach.END_CUSTOMERS, company_subject(company))
        if not of_the_bp:
            raise Refusal(Code.ROLE_MISSING, "the BP company forces its splash screen: only the BP may change it")
    return company


async def _choose(store: Store, company_id: str, **values: object) -> None:
    known = await store.splash_screens.get(company_id) or {"id": company_id}
    await store.splash_screens.put({**known, **values})


async def _forcing(store: Store, company: Document) -> str:
    """The company's BP when it forces its splash screen and has one; empty otherwise."""
    bp_id = str(company.get("bpId") or "")
    choice = await store.splash_screens.get(bp_id) if bp_id else None
    return bp_id if choice and choice.get(_FORCED) and choice.get("uploadedUsed") else ""


async def _shown_for(store: Store, company: Document) -> str:
    """The company whose uploaded splash screen is shown: forced, its own, its BP's; empty for the built-in one."""
    if forcing := await _forcing(store, company):
        return forcing
    for owner in (str(company["id"]), str(company.get("bpId") or "")):
        choice = await store.splash_screens.get(owner) if owner else None
        if choice and choice.get("uploadedUsed"):
            return owner
    return ""


async def _info(store: Store, company: Document) -> Document:
    """The company's splash screen, or its BP's when it has none of its own."""
    forcing, own, bp_id = await _forcing(store, company), str(company["id"]), str(company.get("bpId") or "")
    owner = forcing or own
    image = await store.images.get("splashscreen", owner)
    if image is None and bp_id and (image := await store.images.get("splashscreen", bp_id)):
        owner = bp_id
    choice = await store.splash_screens.get(owner) or {}
    info: Document = {
        "companyId": owner,
        "uploadedUsed": bool(choice.get("uploadedUsed")),
        "lastUpdateDate": image.date if image else None,
        "inherited": owner != own,
        "forced": bool(forcing),
    }
    return {**info, "type": image.media_type, "width": image.width, "height": image.height} if image else info
