"""A company's MFA policies (5.7), managed by its administrators."""

from __future__ import annotations

from svc_tui.interface.authentication import mfa as declared
from svc_tui.interface.authentication.mfa import MfaSetting, MfaSettingBody, MfaSettingCreation, MfaSettingQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import not_found
from svc_tui.server.request_values import update_of, values_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document

_FOR_ALL = "enabledForAllCompanyUsers"
#: The only kind of second factor.
_TYPE = "totp"


class StoredSetting(MfaSetting):
    mfa_id: str = field(...)
    company_id: str = field(...)


def _represented(setting: StoredSetting, format: str = "full") -> Document:
    return MfaSetting.answered(document_of(setting), format)


@rule(declared.list_company_mfa_settings)
async def list_settings(call: Call[MfaSettingQuery]) -> RuleResult:
    company_id = await _company_id(call)
    settings = await call.store.mfa_settings.find(Is("companyId", company_id), sort=Sort("mfaName"))
    return {"data": [_represented(each, call.query.format) for each in all_typed(StoredSetting, settings.documents)]}


@rule(declared.create_company_mfa_setting)
async def create(call: Call[Nothing, MfaSettingCreation]) -> RuleResult:
    company_id = await _company_id(call)
    await _lock(call, company_id)
    defaults = {spec.wire: spec.default for spec in fields_of(MfaSettingBody)}
    ids = {"mfaId": call.service.ids.record(), "companyId": company_id}
    setting = typed(StoredSetting, {**ids, **defaults, "mfaType": _TYPE, **values_of(call.body)})
    await _put(call, setting)
    return {"data": _represented(setting)}


@rule(declared.get_company_mfa_setting)
async def get(call: Call) -> RuleResult:
    return {"data": _represented(await _setting(call, await _company_id(call)))}


@rule(declared.update_company_mfa_setting)
async def update(call: Call[Nothing, MfaSettingBody]) -> RuleResult:
    company_id = await _company_id(call)
    await _lock(call, company_id)
    setting = await _setting(call, company_id)
    changed = typed(StoredSetting, {**document_of(setting), **update_of(call.body)})
    await _put(call, changed)
    return {"data": _represented(changed)}


@rule(declared.delete_company_mfa_setting)
async def delete(call: Call) -> RuleResult:
    company_id = await _company_id(call)
    await _lock(call, company_id)
    setting = await _setting(call, company_id)
    await call.store.mfa_settings.remove(setting.mfa_id)
    return {"status": f"MFA setting {setting.mfa_id} successfully deleted", "data": []}


async def _company_id(call: AnyCall) -> str:
    """The company of the path. Refusal 404000 if there is none, 403000 if the caller does not reach it."""
    id = call.path["companyId"]
    company = await call.store.companies.get(id)
    if company is None:
        raise not_found("Company", id)
    call.require(company_subject(company), Code.ROLE_MISSING)
    return id


async def _setting(call: AnyCall, company_id: str) -> StoredSetting:
    """The policy of the path. Refusal 404000, also for a policy of another company."""
    setting = typed(StoredSetting, await call.store.mfa_settings.get(call.path["mfaId"]))
    if setting is None or setting.company_id != company_id:
        raise not_found("MFA setting", call.path["mfaId"])
    return setting


async def _lock(call: AnyCall, company_id: str) -> None:
    # Policies of a company are changed one at a time: only one of them can apply to all users, and an update must
    # not restore a policy that is deleted at the same time.
    await call.store.lock(f"mfa_settings:{company_id}")


async def _put(call: AnyCall, setting: StoredSetting) -> None:
    """Write a policy. If it applies to all users, the company's other policies no longer do."""
    if setting.enabled_for_all_company_users:
        others = await call.store.mfa_settings.find(Is("companyId", setting.company_id), Is(_FOR_ALL, True))
        for other in map(copied, all_typed(StoredSetting, others.documents)):
            other.enabled_for_all_company_users = False
            await call.store.mfa_settings.put(document_of(other))
    await call.store.mfa_settings.put(document_of(setting))
