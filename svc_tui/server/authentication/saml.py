"""SAML logins (4.1): refused with 503000, because no company can have a SAML identity provider here."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import LogoutQuery, SamlLogin
from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule


@rule(declared.login_saml)
async def login(call: Call[SamlLogin]) -> RuleResult:
    raise await _no_provider(call, call.query.company_id)


@rule(declared.saml_assert)
async def assertion(call: Call) -> RuleResult:
    raise await _no_provider(call, call.path["companyId"])


@rule(declared.saml_metadata)
async def metadata(call: Call) -> RuleResult:
    raise await _no_provider(call, call.path["companyId"])


@rule(declared.logout_saml)
async def logout(call: Call[LogoutQuery]) -> RuleResult:
    call.service.tokens.read(call.query.token or "", call.now)
    raise Refusal(Code.NO_SAML)


async def _no_provider(call: Call[Any], company_id: str) -> Refusal:
    """The refusal for a company without SAML, or for an unknown one."""
    known = await call.store.companies.get(company_id) is not None
    return Refusal(Code.NO_SAML) if known else not_found("Company", company_id)
