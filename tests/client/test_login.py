"""Logging in and out against the real service."""

from __future__ import annotations

from svc_tui.client import login as logins
from svc_tui.interface.authentication import get_own_user


async def test_a_password_opens_the_service(world, connect):
    await world.user(roles=("app_superadmin",))
    client = connect()
    answer = await logins.login(client, "jane@example.com", "Correct-horse-1")
    assert not answer.mfa_required
    assert client.session.state == "full"
    me = await client.call(get_own_user)
    assert me.data.login_email == "jane@example.com"
