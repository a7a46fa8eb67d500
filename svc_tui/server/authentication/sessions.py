"""Login, renewal, logout and the checks around them (4.1, 2.2, 2.4)."""

from __future__ import annotations

from svc_tui import __version__
from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication import users
from svc_tui.interface.authentication.users import User
from svc_tui.server.rules import Answer, Call, rule


@rule(declared.ping)
async def ping(call: Call) -> Answer:
    return {"status": "OK", "data": {"eventLoopLagMilliseconds": 0}}


@rule(declared.get_authentication_about)
async def about(call: Call) -> Answer:
    return {"version": __version__, "description": "Authentication portal"}


@rule(declared.validate_token)
async def validate(call: Call) -> Answer:
    return {"status": "OK"}


@rule(users.get_own_user)
async def own_user(call: Call) -> Answer:
    return {"data": User.shown(call.user, "full")}
