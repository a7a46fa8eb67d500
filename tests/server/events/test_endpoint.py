"""The endpoint at `/websocket` against clients that are wrong, greedy, slow or gone."""

from __future__ import annotations

import base64
import json
from xml.etree.ElementTree import Element

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Response

from svc_tui.interface.messaging import LONGEST, STREAM_ERRORS
from svc_tui.server.events.session import BATCH
from tests.server.events.support import (
    ADDRESS,
    DOMAIN,
    Raw,
    admin,
    listening,
    raw,
    session_registry,
    tell,
    until_empty,
    waiting,
)
from tests.support.world import World, granted

SASL = "{urn:ietf:params:xml:ns:xmpp-sasl}"
STANZAS = "{urn:ietf:params:xml:ns:xmpp-stanzas}"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'


async def last_words(client: Raw) -> str:
    """The stream error with which the server ends the stream; the connection is closed after it."""
    condition = ""
    try:
        while True:
            element = await client.hear()
            if element.tag.endswith("}error"):
                condition = element[0].tag.removeprefix(f"{{{STREAM_ERRORS}}}")
    except ConnectionClosed:
        return condition


async def test_a_client_without_the_subprotocol_is_refused(world: World) -> None:
    async with listening(world) as place:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://{place}/websocket")
        assert_error_body(refused.value.response, 400)
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://{place}/elsewhere")
        assert_error_body(refused.value.response, 404)


async def test_an_invalid_handshake_has_an_error_body(world: World) -> None:
    async with listening(world) as place, httpx.AsyncClient() as http:
        upgrade = {"connection": "upgrade", "upgrade": "websocket"}
        for headers in (upgrade, {**upgrade, "sec-websocket-version": "7", "sec-websocket-key": "x"}):
            answer = await http.get(f"http://{place}/websocket", headers=headers)
            assert answer.status_code == answer.json()["errorCode"] in (400, 426)
            assert answer.json()["errorDetails"]
            assert answer.headers["content-type"] == "application/json; charset=utf-8"


def assert_error_body(response: Response, status: int) -> None:
    body = json.loads(response.body or b"")
    assert (response.status_code, body["errorCode"]) == (status, status)
    assert body["errorDetails"]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (LAUGHS, "restricted-xml"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', "restricted-xml"),
        ("<!-- a comment --><x/>", "restricted-xml"),
        ("<?do something?><x/>", "restricted-xml"),
        ("<x>&unknown;</x>", "not-well-formed"),
        ("<x/><y/>", "not-well-formed"),
        ("<x>" * 13 + "</x>" * 13, "policy-violation"),
        ("<x>" + "a" * LONGEST + "</x>", "policy-violation"),
        ('<message xmlns="jabber:client"/>', "not-authorized"),
        ('<open xmlns="urn:ietf:params:xml:ns:xmpp-framing" version="1.0"/>', "host-unknown"),
    ],
)
async def test_a_forbidden_stanza_ends_the_stream(world: World, text: str, condition: str) -> None:
    async with listening(world) as place, raw(place) as client:
        await client.say(text)
        assert await last_words(client) == condition


async def test_a_message_beyond_the_limit_of_the_server_is_not_read(world: World) -> None:
    async with listening(world) as place, raw(place) as client:
        await client.say("x" * 70_000)
        with pytest.raises(ConnectionClosed) as closed:
            await client.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


async def test_binary_messages_end_the_stream(world: World) -> None:
    async with listening(world) as place, raw(place) as client:
        await client.connection.send(b"<x/>")
        assert await last_words(client) == "bad-format"


async def test_three_wrong_passwords_end_the_connection(world: World) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as client:
        features = await client.open()
        names = [each.text for each in features.iter(f"{SASL}mechanism")]
        assert names == ["SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"]
        for _ in range(3):
            failure = await client.authenticate(password="wrong")
            assert (failure.tag, failure[0].tag) == (f"{SASL}failure", f"{SASL}not-authorized")
        assert await last_words(client) == "policy-violation"


@pytest.mark.parametrize(
    "fields",
    [{"isActive": False}, {"isTerminated": True}, {"jid_password": ""}, {"jid_im": f"{'1a' * 16}@another.example"}],
)
async def test_a_user_without_access_cannot_connect(world: World, fields: dict[str, object]) -> None:
    await admin(world, **fields)
    async with listening(world) as place, raw(place) as client:
        await client.open()
        assert (await client.authenticate(password=str(fields.get("jid_password", "5e" * 16)))).tag == f"{SASL}failure"


@pytest.mark.parametrize("closed", ["00" * 12, "ff" * 12])
async def test_of_two_accounts_with_one_address_the_open_one_connects(world: World, closed: str) -> None:
    await admin(world, login="left@example.com", id=closed, isTerminated=True, jid_password="0f" * 16)
    await admin(world, id="77" * 12)
    async with listening(world) as place:
        async with raw(place) as client:
            await client.open()
            assert (await client.authenticate(password="0f" * 16)).tag == f"{SASL}failure"
        async with raw(place) as client:
            await client.log_in()


async def test_a_client_can_act_for_its_own_account_only(world: World) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as client:
        await client.open()
        data = base64.b64encode(f"boss@{DOMAIN}\0{'1a' * 16}\0{'5e' * 16}".encode()).decode()
        failure = await client.ask(f'<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">{data}</auth>')
        assert failure[0].tag == f"{SASL}invalid-authzid"


async def test_a_session_ends_when_its_user_loses_access(world: World) -> None:
    jane = await admin(world)
    async with listening(world) as place, raw(place) as client:
        await client.log_in()
        await session_registry(world).check()
        assert len(session_registry(world)) == 1
        async with world.service.database.unit() as store:
            await store.users.put({**jane, "isActive": False})
        await session_registry(world).check()
        assert await last_words(client) == "not-authorized"


async def test_a_session_ends_at_the_next_look_when_its_user_is_deleted_or_gets_another_password(world: World) -> None:
    jane = await admin(world)
    boss = await world.user("boss@example.com", roles=("superadmin",))
    path = f"/api/svc/admin/v1.0/users/{jane['id']}"
    async with listening(world) as place:
        for change in (world.put(path, by=boss, json={"password": "Another-horse-2"}), world.delete(path, by=boss)):
            async with raw(place) as client:
                secret = (await world.stored("users", jane["id"]))["jid_password"]
                await client.log_in(password=secret)
                await session_registry(world).look()
                granted(await change)
                await session_registry(world).look()
                assert await last_words(client) == "not-authorized"


@pytest.mark.parametrize("world", [{"event_sessions": 2}], indirect=True)
async def test_a_user_has_a_limited_number_of_sessions(world: World) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as one, raw(place) as two, raw(place) as three:
        await one.log_in("one")
        await two.log_in("two")
        await three.open()
        await three.authenticate()
        refused = await three.bind("three")
        assert (refused.get("type"), refused[0][0].tag) == ("error", f"{STANZAS}resource-constraint")
        await two.say('<close xmlns="urn:ietf:params:xml:ns:xmpp-framing"/>')
        assert await last_words(two) == ""


async def test_requests_to_others_are_refused_and_the_server_answers_the_rest(world: World) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as client:
        await client.log_in()

        async def ask(content: str, to: str = DOMAIN) -> Element:
            return await client.ask(f'<iq xmlns="jabber:client" type="get" id="q" to="{to}">{content}</iq>')

        assert (await ask('<ping xmlns="urn:xmpp:ping"/>')).get("type") == "result"
        assert (await ask('<query xmlns="http://jabber.org/protocol/disco#info"/>')).get("type") == "result"
        assert (await ask('<query xmlns="jabber:iq:roster"/>', ADDRESS)).get("type") == "result"
        assert (await ask('<query xmlns="jabber:iq:version"/>')).get("type") == "error"
        assert (await ask('<ping xmlns="urn:xmpp:ping"/>', f"joe@{DOMAIN}")).get("type") == "error"


async def test_a_session_takes_events_only_while_it_is_available(world: World) -> None:
    jane = await admin(world)
    await tell(world, jane, "early")
    async with listening(world) as place, raw(place) as client:
        await client.open()
        await client.authenticate()
        bound = await client.bind()
        assert bound.get("type") == "result"
        assert await waiting(world, jane) == ["early"]
        await client.ask('<presence xmlns="jabber:client"/>')
        assert (await client.hear()).get("type") == "management"
        await client.confirm(await client.hear())
        await until_empty(world, jane)
        await client.say('<presence xmlns="jabber:client" type="unavailable"/>')
        # The answer to a ping follows the presence: the session takes no more events now.
        ping = '<iq xmlns="jabber:client" type="get" id="q"><ping xmlns="urn:xmpp:ping"/></iq>'
        assert (await client.ask(ping)).get("id") == "q"
        await tell(world, jane, "late")
        assert await waiting(world, jane) == ["late"]
        await client.ask('<presence xmlns="jabber:client"/>')
        assert (await client.hear())[0].get("commandId") == "late"


async def test_events_that_were_not_confirmed_are_sent_again_with_the_same_id(world: World) -> None:
    jane = await admin(world)
    await tell(world, jane, "one", "two")
    async with listening(world) as place:
        async with raw(place) as client:
            await client.log_in()
            first = [(await client.hear()).get("id") for _ in range(2)]
        async with raw(place) as client:
            await client.log_in("another")
            again = [(await client.hear()).get("id") for _ in range(2)]
            await client.confirm(await client.hear())
            await until_empty(world, jane)
    assert again == first


async def test_a_reader_gets_the_next_events_after_it_confirmed_these(world: World) -> None:
    jane = await admin(world)
    await tell(world, jane, *(str(number) for number in range(BATCH + 1)))
    await world.service.event_delivery.settled()
    async with listening(world) as place, raw(place) as client:
        await client.log_in()
        received = [(await client.hear())[0].get("commandId") for _ in range(BATCH)]
        assert received == [str(number) for number in range(BATCH)]
        ping = await client.hear()
        assert ping.tag == "{jabber:client}iq"
        own = '<iq xmlns="jabber:client" type="get" id="own"><ping xmlns="urn:xmpp:ping"/></iq>'
        for _ in range(10):
            assert (await client.ask(own)).get("id") == "own"
            assert len(await waiting(world, jane)) == BATCH + 1
        await client.confirm(ping)
        assert (await client.hear())[0].get("commandId") == str(BATCH)


async def test_closing_is_answered(world: World) -> None:
    async with listening(world) as place, raw(place) as client:
        await client.open()
        closed = await client.ask('<close xmlns="urn:ietf:params:xml:ns:xmpp-framing"/>')
        assert closed.tag == "{urn:ietf:params:xml:ns:xmpp-framing}close"
        assert await last_words(client) == ""
