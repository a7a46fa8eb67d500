"""Password login: the same answer, after the same work, for a wrong user, password or application; token renewal,
logout and the checks of a session (4.1, 2.2, 2.4, 5.6).
"""

from __future__ import annotations

from datetime import timedelta

from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication import users
from svc_tui.interface.authentication.proof import parse_basic
from svc_tui.interface.authentication.users import User
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.http.about import about
from svc_tui.server.http.parsing import storable
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.security.application_proof import check_application_token, check_open, proven_application
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.own_clients import check_client_version
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredApplication, StoredUser, UserSecrets

#: Claims of single sign-on that a renewed token keeps.
_KEPT = ("oidc", "saml")
#: All clients of an organisation use one application: its record must not be written for each of them.
_NOTED_EVERY = timedelta(minutes=1)


@rule(declared.ping)
async def ping(call: Call) -> RuleResult:
    return {"status": "OK", "data": {"eventLoopLagMilliseconds": 0}}


@rule(declared.get_authentication_about)
async def authentication_about(call: Call) -> RuleResult:
    return about("authentication")


@rule(declared.validate_token)
async def validate(call: Call) -> RuleResult:
    return {"status": "OK"}


@rule(users.get_own_user)
async def own_user(call: Call) -> RuleResult:
    return {"data": User.answered(document_of(call.user), "full")}


@rule(declared.renew_token)
async def renew(call: Call) -> RuleResult:
    claims = call.claims
    if claims.oauth:
        raise Refusal(Code.INVALID_TOKEN, "an OAuth access token cannot be renewed")
    if claims.count_renewed >= claims.max_token_renew:
        raise Refusal(Code.INVALID_TOKEN, "this token cannot be renewed again; log in again")
    await check_client_version(call.headers, call.application.id, call.store)
    kept = {name: value for name, value in document_of(claims).items() if name in _KEPT}
    counts = {"countRenewed": claims.count_renewed + 1, "maxTokenRenew": claims.max_token_renew}
    user, application = document_of(call.user), document_of(call.application)
    token = logins.user_token(user, application, call.service, **counts, **kept)
    await _note_renewal(call)
    return logins.login_response(user, application, token)


async def _note_renewal(call: Call) -> None:
    """Store when a token was last renewed for the application, to the minute: most renewals then write nothing."""
    id, last = call.application.id, call.application.date_of_last_token_when_renew
    if last is not None and timedelta(0) <= call.now - last < _NOTED_EVERY:
        return
    await call.store.lock(f"application:{id}")
    application = await call.store.applications.get(id)
    if application is not None:
        await call.store.applications.put({**application, "dateOfLastTokenWhenRenew": call.stamp})


@rule(declared.logout)
async def logout(call: Call) -> RuleResult:
    # Tokens are stateless, and public clients continue to use them after a logout: it revokes nothing.
    return {"status": f"User {call.user.id} successfully logged out", "data": []}


@rule(declared.login)
async def login(call: Call) -> RuleResult:
    identifier, password = parse_basic(call.headers.authorization) or ("", "")
    if not identifier:
        raise Refusal(Code.WRONG_CREDENTIALS)
    known, application, failed_before = await _verified(call, identifier, password)
    user, app = document_of(known), document_of(application)
    check_application_token(call.headers, app)
    check_open(app)
    await check_state(call.store, user, call.service)
    logins.check_voice_only(user)
    await check_client_version(call.headers, application.id, call.store)
    if await second_factor.is_required(user, application.id, call.headers.trusted_app, call.store, call.service):
        # The failure count stays: otherwise each login would allow new guesses of the second factor.
        return logins.limited_response(user, app, call.service)
    if failed_before:
        await guard.clear(known.id, call.store)
    return await logins.complete_login(user, app, call.store, call.service)


async def user_by_login(identifier: str, store: Store) -> StoredUser | None:
    """The user with this loginEmail, or else with this authenticationExternalUid. No user has a text that is not
    storable."""
    if not identifier or not storable(identifier):
        return None
    document = await store.users.one(Is("loginEmail", identifier))
    return typed(StoredUser, document or await store.users.one(Is("authenticationExternalUid", identifier)))


async def _verified(call: Call, identifier: str, password: str) -> tuple[StoredUser, StoredApplication, bool]:
    """User and application of the credentials, and whether the user failed before.

    Refusal 401500 or 401501; every failure counts for the lock.
    """
    user = await user_by_login(identifier, call.store)
    secrets = typed(UserSecrets, await call.store.user_secrets.get(user.id)) if user else None
    application = await proven_application(call.headers.app_auth, password, call.store)
    hashed = secrets.password_hash if secrets else None
    correct = await call.service.passwords.verify(password, hashed) and application is not None
    guarded = guard.guard_of(document_of(user) if user else None, identifier)
    failed_before = await guard.count_attempt(correct, guarded, password, call.headers, call.store, call.service)
    if user is None or application is None:
        raise Refusal(Code.WRONG_CREDENTIALS)
    return user, typed(StoredApplication, application), failed_before
