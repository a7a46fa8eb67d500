"""Read-only mode: operations that are not known to read are refused before anything is sent."""

from __future__ import annotations

import pytest

from svc_tui.client import login as logins
from svc_tui.client.errors import ReadOnlyError
from svc_tui.interface.authentication.sessions import validate_token
from svc_tui.interface.authentication.users import get_own_user
from svc_tui.interface.catalogue import operations
from svc_tui.interface.operations import Credentials
from tests.client.support import jwt
from tests.support.world import PASSWORD

#: Staying logged in is possible; everything else that changes is not.
STAYING = {Credentials.LOGIN, Credentials.TOKEN, Credentials.BACKCHANNEL}
CHANGES = [operation for operation in operations() if not operation.reads and operation.credentials not in STAYING]


@pytest.mark.parametrize("operation", CHANGES, ids=lambda operation: operation.id)
async def test_a_read_only_console_sends_no_change(serve, operation):
    client = serve(lambda request: pytest.fail("sent"), token=jwt(), read_only=True)
    with pytest.raises(ReadOnlyError, match=f"Read-only mode: {operation.id} "):
        await client.send(operation, path=dict.fromkeys(operation.parameters, "a"))
    assert client.log.exchanges == ()


def test_the_tried_operations_have_every_method():
    assert {operation.method for operation in CHANGES} == {"GET", "POST", "PUT", "DELETE"}


async def test_login_renewal_reading_and_logout_stay_possible(world, connect):
    await world.user()
    client = connect(read_only=True)
    await logins.login(client, "jane@example.com", PASSWORD)
    world.clock.forward(seconds=4100)
    await client.call(get_own_user)
    assert client.session.claims.renewed == 1
    await logins.logout(client)
    assert client.log.exchanges[-1].status == 200


async def test_the_code_of_a_login_in_progress_may_be_sent(serve):
    import httpx

    def answer(request):
        return httpx.Response(200, json={"data": {"mfaType": "totp", "token": jwt(), "loggedInUser": {"id": "u1"}}})

    client = serve(answer, token=jwt(mfaType="totp"), read_only=True)
    await logins.verify(client, "123456")
    assert client.session.state == "full"


async def test_read_only_can_be_switched_while_working(world, connect):
    await world.user()
    client = connect()
    await logins.login(client, "jane@example.com", PASSWORD)
    client.read_only = True
    await client.call(validate_token)
    from svc_tui.interface.applications.operations import delete_application

    with pytest.raises(ReadOnlyError):
        await client.send(delete_application, path={"appId": "a"})
