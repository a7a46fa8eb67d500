"""Renewal, logout and the checks around a session (4.1, 2.2, 2.4)."""

from __future__ import annotations

from svc_tui import __version__
from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication import users
from svc_tui.interface.authentication.users import User
from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.client_version import check_client_version

#: Claims of single sign-on that a renewed token keeps.
_KEPT = ("oidc", "saml")


@rule(declared.ping)
async def ping(call: Call) -> RuleResult:
    return {"status": "OK", "data": {"eventLoopLagMilliseconds": 0}}


@rule(declared.get_authentication_about)
async def about(call: Call) -> RuleResult:
    return {"version": __version__, "description": "Authentication portal"}


@rule(declared.validate_token)
async def validate(call: Call) -> RuleResult:
    return {"status": "OK"}


@rule(users.get_own_user)
async def own_user(call: Call) -> RuleResult:
    return {"data": User.shown(call.user, "full")}


@rule(declared.renew_token)
async def renew(call: Call) -> RuleResult:
    if call.claims.get("oauth"):
        raise Refusal(Code.INVALID_TOKEN, "an OAuth access token cannot be renewed")
    renewed = int(call.claims.get("countRenewed", 0))
    most = int(call.claims.get("maxTokenRenew", 0))
    if renewed >= most:
        raise Refusal(Code.INVALID_TOKEN, "this token cannot be renewed any more; please log in again")
    await check_client_version(call.headers, str(call.application["id"]), call.store)
    kept = {name: call.claims[name] for name in _KEPT if name in call.claims}
    token = logins.user_token(
        call.user, call.application, call.service, countRenewed=renewed + 1, maxTokenRenew=most, **kept
    )
    await _note_renewal(call)
    return logins.login_response(call.user, call.application, token)


async def _note_renewal(call: Call) -> None:
    id = str(call.application["id"])
    await call.store.lock(f"application:{id}")
    fresh = await call.store.applications.get(id)
    if fresh is not None:
        await call.store.applications.put({**fresh, "dateOfLastTokenWhenRenew": call.stamp})


@rule(declared.logout)
async def logout(call: Call) -> RuleResult:
    # Tokens are stateless and public clients go on using one after this: it ends nothing by itself.
    return {"status": f"User {call.user['id']} successfully logged out", "data": []}
