"""Login with password (4.1, 5.6): one answer for a wrong user, password or application, and the same work for each."""

from __future__ import annotations

from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication.proof import parse_basic
from svc_tui.interface.errors import Code
from svc_tui.server.parsing import storable
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.security.application_proof import check_application_token, check_open, proven_application
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.client_version import check_client_version
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


@rule(declared.login)
async def login(call: Call) -> RuleResult:
    identifier, password = parse_basic(call.headers.authorization) or ("", "")
    if not identifier or not storable(identifier):
        raise Refusal(Code.WRONG_CREDENTIALS)
    user = await by_login(identifier, call.store)
    application = await _proven(call, user, identifier, password)
    check_application_token(call.headers, application)
    check_open(application)
    await check_state(call.store, user or {}, call.service)
    assert user is not None
    logins.check_voice_only(user)
    app_id = str(application["id"])
    await check_client_version(call.headers, app_id, call.store)
    if await second_factor.is_required(user, app_id, call.headers.trusted_app, call.store, call.service):
        # Failures stay counted: else each login would allow new guesses of the second factor.
        token = logins.limited_token(user, application, call.service)
        return logins.login_response(user, application, token, mfa_required=True)
    await guard.clear(str(user["id"]), call.store)
    return await logins.complete_login(user, application, call.store, call.service)


async def by_login(identifier: str, store: Store) -> Document | None:
    """The user with this loginEmail, else with this authenticationExternalUid."""
    found = await store.users.one(Is("loginEmail", identifier))
    return found or await store.users.one(Is("authenticationExternalUid", identifier))


async def _proven(call: Call, user: Document | None, identifier: str, password: str) -> Document:
    secrets = await call.store.user_secrets.get(str(user["id"])) if user else None
    application = await proven_application(call.headers.app_auth, password, call.store)
    stored = (secrets or {}).get("passwordHash")
    fits = await call.service.passwords.verify(password, stored) and application is not None
    await guard.count_attempt(fits, guard.guard_of(user, identifier), password, call.headers, call.store, call.service)
    assert application is not None
    return application
