"""Second factor policies of a company (5.7): made and changed by its administrators."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.authentication import mfa as declared
from svc_tui.interface.authentication.mfa import MfaSetting, MfaSettingBody, MfaSettingCreation, MfaSettingQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.records import field_by_wire, fields_of
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document

_FOR_ALL = "enabledForAllCompanyUsers"
#: The only second factor that there is.
_TYPE = "totp"


def _shown(setting: Document, format: str = "full") -> Document:
    known = field_by_wire(MfaSetting)
    return {name: value for name, value in MfaSetting.shown(setting, format).items() if name in known}


@rule(declared.list_company_mfa_settings)
async def list_settings(call: Call[MfaSettingQuery]) -> RuleResult:
    company_id = await _company(call)
    found = await call.store.mfa_settings.find(Is("companyId", company_id), sort=Sort("mfaName"))
    return {"data": [_shown(each, call.query.format) for each in found.documents]}


@rule(declared.create_company_mfa_setting)
async def create(call: Call[Nothing, MfaSettingCreation]) -> RuleResult:
    company_id = await _company(call)
    await _lock(call, company_id)
    defaults = {spec.wire: spec.default for spec in fields_of(MfaSettingBody)}
    setting = {
        "mfaId": call.service.ids.record(),
        "companyId": company_id,
        **defaults,
        "mfaType": _TYPE,
        **_given(call.body),
    }
    await _keep(call, setting)
    return {"data": _shown(setting)}


@rule(declared.get_company_mfa_setting)
async def get(call: Call) -> RuleResult:
    return {"data": _shown(await _setting(call, await _company(call)))}


@rule(declared.update_company_mfa_setting)
async def update(call: Call[Nothing, MfaSettingBody]) -> RuleResult:
    company_id = await _company(call)
    await _lock(call, company_id)
    setting = await _setting(call, company_id)
    given = _given(call.body)
    if not given:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    changed = {**setting, **given}
    await _keep(call, changed)
    return {"data": _shown(changed)}


@rule(declared.delete_company_mfa_setting)
async def delete(call: Call) -> RuleResult:
    company_id = await _company(call)
    await _lock(call, company_id)
    setting = await _setting(call, company_id)
    await call.store.mfa_settings.remove(setting["mfaId"])
    return {"status": f"MFA setting {setting['mfaId']} successfully deleted", "data": []}


async def _company(call: Call[Any, Any]) -> str:
    """The company of the path. Refusal 404000 when it is unknown, 403000 when the caller does not reach it."""
    id = call.path["companyId"]
    company = await call.store.companies.get(id)
    if company is None:
        raise not_found("Company", id)
    call.require(company_subject(company), Code.ROLE_MISSING)
    return id


async def _setting(call: Call[Any, Any], company_id: str) -> Document:
    setting = await call.store.mfa_settings.get(call.path["mfaId"])
    if setting is None or setting["companyId"] != company_id:
        raise not_found("MFA setting", call.path["mfaId"])
    return setting


async def _lock(call: Call[Any, Any], company_id: str) -> None:
    # Policies of a company are changed one after the other: only one of them may hold for all its users,
    # and an update must not bring back what is deleted at the same time.
    await call.store.lock(f"mfa_settings:{company_id}")


async def _keep(call: Call[Any, Any], setting: Document) -> None:
    if setting[_FOR_ALL]:
        others = await call.store.mfa_settings.find(Is("companyId", setting["companyId"]), Is(_FOR_ALL, True))
        for other in others.documents:
            await call.store.mfa_settings.put({**other, _FOR_ALL: False})
    await call.store.mfa_settings.put(setting)


def _given(body: MfaSettingBody) -> Document:
    known = field_by_wire(MfaSettingBody)
    return {name: value for name, value in body.wire().items() if name in known}
