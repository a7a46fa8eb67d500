"""Splash screens: a company's own, the default, and that of its BP, which the BP can force (4.2, 4.4)."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.access import Reach, Role
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.images import operations as declared
from svc_tui.interface.images.records import SplashscreenChoice, SplashscreenQuery
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.images.scaling import effective_size
from svc_tui.server.images.storage import REVALIDATE, company_of, image_result, prepared, require_uploads, store_image
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


class StoredSplashScreen(Record):
    """The choice of a company between its uploaded splash screen and the default one. `id` is the company's."""

    id: str = field(...)
    uploaded_used: bool = field(False)
    #: The mark of a BP: its customers show its splash screen instead of their own.
    forced: bool = field(False)
    last_update_date: datetime | None = field(None)


@rule(declared.get_splashscreen_image)
async def get_image(call: Call[SplashscreenQuery]) -> RuleResult:
    company_id = call.path["companyId"]
    company = typed(StoredCompany, await call.store.companies.get(company_id))
    owner = await _displayed_owner(call.store, company) if company is not None else ""
    image = await call.store.images.get("splashscreen", owner) if owner else None
    if image is None:
        raise not_found("Splash screen of company", company_id)
    return await image_result(call, image, effective_size(call.query.size), REVALIDATE)


@rule(declared.get_splashscreen_info)
async def get_info(call: Call) -> RuleResult:
    return {"data": await _info(call.store, await company_of(call))}


@rule(declared.upload_splashscreen)
async def upload(call: Call) -> RuleResult:
    require_uploads(await _changeable_company(call))
    found = await prepared(call, "splashscreen")
    company = await _locked_company(call)
    require_uploads(company)
    image = await store_image(call, "splashscreen", company.id, found)
    choice = await _choice_of(call.store, company.id)
    choice.uploaded_used, choice.last_update_date = True, moment(image.date)
    await call.store.splash_screens.put(document_of(choice))
    return {"status": f"Splash screen of company {company.id} successfully uploaded", "data": []}


@rule(declared.delete_splashscreen)
async def delete(call: Call) -> RuleResult:
    company = await _locked_company(call)
    if not await call.store.images.remove("splashscreen", company.id):
        raise not_found("Splash screen of company", company.id)
    choice = await _choice_of(call.store, company.id)
    choice.uploaded_used, choice.last_update_date = False, None
    await call.store.splash_screens.put(document_of(choice))
    return {"status": f"Splash screen of company {company.id} successfully deleted", "data": []}


@rule(declared.choose_splashscreen)
async def choose(call: Call[Nothing, SplashscreenChoice]) -> RuleResult:
    company = await _locked_company(call)
    used = call.body.uploaded_used
    if used and await call.store.images.get("splashscreen", company.id) is None:
        raise invalid(Problem("uploadedUsed", "requires an uploaded splash screen", True))
    choice = await _choice_of(call.store, company.id)
    choice.uploaded_used = used
    await call.store.splash_screens.put(document_of(choice))
    return {"data": await _info(call.store, company)}


async def _changeable_company(call: AnyCall) -> StoredCompany:
    """The company of the path. Refusal 403000 while its BP forces a splash screen, unless the BP itself calls."""
    company = await company_of(call)
    if await _forcing_bp(call.store, company) and Role.SUPERADMIN not in call.known_caller.roles:
        subject = company_subject(document_of(company))
        by_the_bp = Reach.END_CUSTOMERS in call.reached and call.reaches(Reach.END_CUSTOMERS, subject)
        if not by_the_bp:
            raise Refusal(Code.ROLE_MISSING, "The BP forces its splash screen. Only the BP can change it.")
    return company


async def _locked_company(call: AnyCall) -> StoredCompany:
    """The same, which is neither changed nor deleted before this request ends."""
    await call.store.lock(f"company:{call.path['companyId']}")
    return await _changeable_company(call)


async def _choice_of(store: Store, company_id: str) -> StoredSplashScreen:
    """The choice of a company; a new one when it made none."""
    return typed(StoredSplashScreen, await store.splash_screens.get(company_id) or {"id": company_id})


async def _forcing_bp(store: Store, company: StoredCompany) -> str:
    """The company's BP when it forces its uploaded splash screen; empty otherwise."""
    bp_id = company.bp_id or ""
    choice = await _choice_of(store, bp_id) if bp_id else None
    return bp_id if choice and choice.forced and choice.uploaded_used else ""


async def _displayed_owner(store: Store, company: StoredCompany) -> str:
    """The company whose uploaded splash screen is displayed: a forcing BP, itself, its BP; empty for the default."""
    if forcing := await _forcing_bp(store, company):
        return forcing
    for owner in (company.id, company.bp_id or ""):
        if owner and (await _choice_of(store, owner)).uploaded_used:
            return owner
    return ""


async def _info(store: Store, company: StoredCompany) -> Document:
    """The company's splash screen, or that of its BP when it has none."""
    forcing, bp_id = await _forcing_bp(store, company), company.bp_id or ""
    owner = forcing or company.id
    image = await store.images.get("splashscreen", owner)
    if image is None and bp_id and (image := await store.images.get("splashscreen", bp_id)):
        owner = bp_id
    info: Document = {
        "companyId": owner,
        "uploadedUsed": (await _choice_of(store, owner)).uploaded_used,
        "lastUpdateDate": image.date if image else None,
        "inherited": owner != company.id,
        "forced": bool(forcing),
    }
    return {**info, "type": image.media_type, "width": image.width, "height": image.height} if image else info
