"""SASL of event sessions: what a client must prove, and what is refused although the password is right."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from svc_tui.interface import messaging
from svc_tui.server.events.sasl import PlainExchange, SaslError, ScramExchange, Success, XmppUser, decoded

ADA = XmppUser("1", "ada@events.example", "secret")
NONCE = "client-nonce"


async def find(name: str) -> XmppUser | None:
    return ADA if name == "ada" else None


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def log_in(
    name: str = "ada",
    password: str = "secret",
    *,
    header: str = "n,,",
    bound: str | None = None,
    change: Callable[[str], str] = lambda nonce: nonce,
) -> bytes | Success:
    """A client with SCRAM-SHA-256. `bound` is the header that it repeats, `change` makes the nonce that it repeats.

    The proof is always about what was sent, as of a client that knows the password and does not keep to the rules.
    """
    exchange = ScramExchange("sha256", find)
    first = f"n={name},r={NONCE}"
    answer = await exchange.answer(f"{header}{first}".encode())
    assert isinstance(answer, bytes)
    given = messaging.fields(answer.decode())
    assert given["r"].startswith(NONCE)
    keys = messaging.keys("sha256", password, base64.b64decode(given["s"]), int(given["i"]))
    last = f"c={base64_of(header if bound is None else bound)},r={change(given['r'])}"
    proof = base64.b64encode(keys.proof(f"{first},{answer.decode()},{last}")).decode()
    return await exchange.answer(f"{last},p={proof}".encode())


async def condition(login: Callable[[], object]) -> str:
    with pytest.raises(SaslError) as caught:
        await login()  # type: ignore[misc]
    return caught.value.condition


async def test_a_right_password_logs_in_and_the_service_proves_that_it_knows_it_too() -> None:
    done = await log_in()
    assert isinstance(done, Success)
    assert done.account is ADA
    assert done.data.startswith(b"v=")
    assert isinstance(await log_in(header="n,a=ada@events.example,"), Success)


@pytest.mark.parametrize(
    ("login", "expected"),
    [
        (lambda: log_in(password="wrong"), "not-authorized"),
        (lambda: log_in(name="stranger"), "not-authorized"),
        (lambda: log_in(change=lambda nonce: nonce[:-1]), "not-authorized"),
        (lambda: log_in(change=lambda nonce: "another"), "not-authorized"),
        (lambda: log_in(bound="y,,"), "not-authorized"),
        (lambda: log_in(bound="n,a=boss@events.example,"), "not-authorized"),
        (lambda: log_in(header="n,a=boss@events.example,"), "invalid-authzid"),
        (lambda: log_in(header="p=tls-unique,,"), "malformed-request"),
        (lambda: log_in(header="n,boss,"), "malformed-request"),
        (lambda: log_in(name=""), "malformed-request"),
    ],
    ids=[
        "a wrong password",
        "an unknown name",
        "a cut nonce",
        "another nonce",
        "another binding",
        "another account in the repeated header",
        "another account",
        "channel binding, which is not offered",
        "an account without its sign",
        "no name",
    ],
)
async def test_a_login_by_scram_is_refused(login: Callable[[], object], expected: str) -> None:
    assert await condition(login) == expected


@pytest.mark.parametrize("message", [b"", b"n,,", b"n,,n=ada", b"n,,r=x", b"\xff", b"n,,n=\x00,r=x"])
async def test_a_message_that_is_no_scram_is_malformed(message: bytes) -> None:
    assert await condition(lambda: ScramExchange("sha1", find).answer(message)) == "malformed-request"


@pytest.mark.parametrize("message", [b"", b"c=biws,r=x", b"c=!,r=x,p=x", b"r=x,p=x", b"\xff"])
async def test_a_second_message_that_is_no_scram_is_refused(message: bytes) -> None:
    exchange = ScramExchange("sha1", find)
    await exchange.answer(b"n,,n=ada,r=x")
    assert await condition(lambda: exchange.answer(message)) in ("malformed-request", "not-authorized")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("\0ada\0wrong", "not-authorized"),
        ("\0stranger\0secret", "not-authorized"),
        ("boss@events.example\0ada\0secret", "invalid-authzid"),
        ("ada\0secret", "malformed-request"),
        ("\0ada\0secret\0more", "malformed-request"),
        ("\0\0secret", "malformed-request"),
    ],
)
async def test_a_login_by_plain_is_refused(message: str, expected: str) -> None:
    assert await condition(lambda: PlainExchange(find).answer(message.encode())) == expected
    done = await PlainExchange(find).answer(b"ADA@events.example\0ada\0secret")
    assert isinstance(done, Success)


def test_the_data_of_an_element_is_base64_or_a_sign_for_nothing() -> None:
    assert decoded("=") == decoded("") == decoded(None) == b""
    assert decoded("YWRh") == b"ada"
    for text in ("YWR", "YW Rh", "é"):
        with pytest.raises(SaslError, match="incorrect-encoding"):
            decoded(text)
