"""Token renewal, logout and the checks of a session (4.1, 2.2, 2.4)."""

from __future__ import annotations

from datetime import timedelta

from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication import users
from svc_tui.interface.authentication.users import User
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of
from svc_tui.server.http.about import about
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.client_version import check_client_version

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
