"""Opening a stream of events: the password is proved and not sent, and the service must prove that it knows it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import pytest

from svc_tui.client.messaging_login import ChannelRefused, MessagingAccount, XmppStream, log_in
from svc_tui.interface import messaging
from svc_tui.interface.messaging import BIND, CLIENT, FRAMING, SASL, STREAM, node, parse, split_tag, written

ACCOUNT = MessagingAccount("ann@svc.example", "secret-1")
ADDRESS = "ann@svc.example/console"


def packed(text: str | bytes) -> str:
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()


def unpacked(element: Element) -> str:
    return base64.b64decode(element.text or "").decode()


@dataclass
class Service:
    """An XMPP service in memory. Tests change what it offers and what it answers."""

    mechanisms: tuple[str, ...] = ("SCRAM-SHA-1", "SCRAM-SHA-256", "PLAIN")
    password: str = ACCOUNT.password
    iterations: str = str(messaging.ITERATIONS)
    #: What it makes of the nonce of the client, and of its own signature.
    nonce: Callable[[str], str] = lambda nonce: f"{nonce}more"
    signature: Callable[[str], str] = lambda signature: signature
    opened: str = "open"
    bound: bool = True
    #: The messages that it got, and those that it will send.
    got: list[str] = field(default_factory=list)
    _answers: list[Element] = field(default_factory=list)
    _mechanism: str = ""
    _spoken: str = ""

    async def send(self, text: str) -> None:
        self.got.append(text)
        element = parse(text)
        self._answers += getattr(self, f"on_{split_tag(element)[1]}")(element)

    async def receive(self) -> str:
        return written(self._answers.pop(0))

    def on_open(self, element: Element) -> list[Element]:
        offered = [node("mechanism", text=each) for each in self.mechanisms]
        features = node("features", STREAM, children=[node("mechanisms", SASL, children=offered)])
        return [node(self.opened, FRAMING), features]

    def on_auth(self, element: Element) -> list[Element]:
        self._mechanism = element.attrib["mechanism"]
        if self._mechanism == "PLAIN":
            return [node("success", SASL)]
        first = unpacked(element).removeprefix("n,,")
        nonce = self.nonce(messaging.fields(first)["r"])
        challenge = f"r={nonce},s={packed(b'salt')},i={self.iterations}"
        self._spoken = f"{first},{challenge}"
        return [node("challenge", SASL, text=packed(challenge))]

    def on_response(self, element: Element) -> list[Element]:
        iterations, last = int(self.iterations), unpacked(element)
        keys = messaging.keys(messaging.HASHES[self._mechanism], self.password, b"salt", iterations)
        before, _, proof = last.rpartition(",p=")
        spoken = f"{self._spoken},{before}"
        if base64.b64decode(proof) != keys.proof(spoken):
            return [node("failure", SASL, children=[node("not-authorized")])]
        return [node("success", SASL, text=packed(f"v={self.signature(packed(keys.signature(spoken)))}"))]

    def on_iq(self, element: Element) -> list[Element]:
        if not self.bound:
            conflict = node("error", children=[node("conflict")])
            return [node("iq", CLIENT, {"type": "error", "id": "bind"}, [conflict])]
        bind = node("bind", BIND, children=[node("jid", text=ADDRESS)])
        return [node("iq", CLIENT, {"type": "result", "id": "bind"}, [bind])]


async def logged_in(service: Service, *, may_be_read: bool = False) -> str:
    stream = XmppStream(service.send, service.receive, may_be_read)
    return await log_in(stream, ACCOUNT, "console")


@pytest.mark.parametrize("may_be_read", [True, False], ids=["readable", "private"])
async def test_the_strongest_mechanism_proves_the_password_and_never_sends_it(may_be_read: bool) -> None:
    service = Service()
    assert await logged_in(service, may_be_read=may_be_read) == ADDRESS
    assert "SCRAM-SHA-256" in service.got[1]
    assert not [text for text in service.got if ACCOUNT.password in text or packed(ACCOUNT.password)[:8] in text]


async def test_the_password_itself_is_sent_only_where_no_other_machine_reads_it() -> None:
    service = Service(mechanisms=("PLAIN",))
    assert await logged_in(service) == ADDRESS
    assert packed(f"\0ann\0{ACCOUNT.password}") in service.got[1]
    readable = Service(mechanisms=("PLAIN",))
    with pytest.raises(ChannelRefused, match="no-safe-mechanism"):
        await logged_in(readable, may_be_read=True)
    assert len(readable.got) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"nonce": lambda nonce: "another"},
        {"iterations": str(messaging.ITERATIONS - 1)},
        {"iterations": "1000001"},
        {"iterations": "many"},
        {"iterations": "4096,i=4096"},
    ],
    ids=["another nonce", "few iterations", "too many iterations", "no number", "a field twice"],
)
async def test_a_challenge_that_is_not_safe_gets_no_proof(changes: dict[str, object]) -> None:
    service = Service(**changes)  # type: ignore[arg-type]
    with pytest.raises(ChannelRefused, match="malformed challenge"):
        await logged_in(service)
    assert len(service.got) == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"signature": lambda signature: packed(b"invented")}, "did not prove"),
        ({"signature": lambda signature: ""}, "did not prove"),
        ({"password": "another"}, "not-authorized"),
        ({"mechanisms": ()}, "no-safe-mechanism"),
        ({"opened": "page"}, "not an XMPP service"),
        ({"opened": "close"}, "closed"),
        ({"bound": False}, "conflict"),
    ],
    ids=["another signature", "no signature", "wrong password", "no mechanism", "no stream", "closed", "not bound"],
)
async def test_a_service_that_refuses_or_proves_nothing_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ChannelRefused, match=reason):
        await logged_in(Service(**changes))  # type: ignore[arg-type]
