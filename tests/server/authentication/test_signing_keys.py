"""Signing keys: one for all machines, exchanged without logging any user out, encrypted on request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from svc_tui.interface.errors import Code
from svc_tui.server.demo import seed
from svc_tui.server.refusal import Refusal
from svc_tui.server.security import signing_keys
from svc_tui.server.security.key_replacement import replace_signing_keys
from svc_tui.server.security.signing_keys import LEAD, KeyRing, Tokens
from svc_tui.server.serve import ServerCommandError
from svc_tui.server.settings import Settings, SettingsError
from svc_tui.server.store.database import Database
from tests.support.clock import SetClock
from tests.support.keys import share_signing_key

HOUR = 3600
Document = dict[str, Any]


class Machine:
    """A machine with its own data folder, on a database that others use too."""

    def __init__(self, database: Database, clock: SetClock, folder: Path, lifetime: int = HOUR, **given: Any) -> None:
        settings = Settings(data_dir=folder, **given)
        self._clock = clock
        self.lifetime = lifetime
        self.keys = KeyRing(database, clock, settings, lifetime=lifetime)
        self._tokens = Tokens(self.keys)

    def sign(self, claims: Document) -> str:
        return self._tokens.sign(claims)

    def token(self) -> str:
        now = int(self._clock.now().timestamp())
        return self.sign({"iat": now, "exp": now + self.lifetime})

    @property
    def remembered(self) -> Iterable[str]:
        """The tokens whose signature is not checked again."""
        return self._tokens._checked

    def takes(self, token: str) -> bool:
        try:
            self._tokens.read(token, self._clock.now())
        except Refusal as refusal:
            assert refusal.code is Code.INVALID_TOKEN
            return False
        return True


async def stored(database: Database) -> list[Document]:
    async with database.unit() as store:
        return (await store.signing_keys.find()).documents


async def test_machines_that_start_together_agree_on_one_key(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    here, there = Machine(database, clock, tmp_path / "here"), Machine(database, clock, tmp_path / "there")
    await asyncio.gather(here.keys.refresh(), there.keys.refresh())
    assert len(await stored(database)) == 1
    assert there.takes(here.token())
    assert here.takes(there.token())
    clock.forward(days=89)
    await here.keys.refresh()
    assert len(await stored(database)) == 1


async def test_while_keys_are_exchanged_every_token_is_valid_until_it_expires(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    """One machine looks at the keys at every step, the other one an hour late: their tokens are valid at both."""
    prompt, late = (Machine(database, clock, tmp_path, signing_key_days=1) for _ in range(2))
    await prompt.keys.refresh()
    await late.keys.refresh()
    [first] = await stored(database)
    clock.forward(days=1, seconds=-HOUR)
    valid, signers = list[tuple[Any, str]](), set[str]()
    for step in range(26):
        await prompt.keys.refresh()
        if step % 6 == 5:
            await late.keys.refresh()
        now = clock.now()
        valid = [(ends, token) for ends, token in valid if ends > now]
        valid += [(now + timedelta(seconds=HOUR), machine.token()) for machine in (prompt, late)]
        for machine in (prompt, late):
            assert all(machine.takes(token) for _, token in valid)
        signers |= {str(machine.keys.signing().thumbprint()) for machine in (prompt, late)}
        clock.forward(minutes=10)
    [second] = await stored(database)
    assert second["id"] != first["id"]
    assert signers == {first["id"], second["id"]}


async def test_a_key_is_read_for_as_long_as_its_longest_token(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    """Also when the lifetime was changed while it signed."""
    long, short = Machine(database, clock, tmp_path, 48 * HOUR), Machine(database, clock, tmp_path)
    await long.keys.refresh()
    await short.keys.refresh()
    clock.forward(days=90)
    await short.keys.refresh()
    clock.forward(minutes=59)
    token = long.token()
    clock.forward(hours=47)
    await short.keys.refresh()
    assert short.takes(token)
    clock.forward(hours=3)
    await short.keys.refresh()
    assert not short.takes(token)
    assert len(await stored(database)) == 1


async def test_a_new_key_signs_when_every_machine_has_read_it(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    before = machine.keys.signing().thumbprint()
    clock.forward(days=90)
    await machine.keys.refresh()
    clock.set(clock.now() + LEAD - timedelta(seconds=1))
    assert machine.keys.signing().thumbprint() == before
    clock.forward(seconds=1)
    assert machine.keys.signing().thumbprint() != before


async def test_the_keys_of_earlier_versions_are_taken_from_the_data_folders(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    """The first machine brings its key, and the tokens of the others stay valid too."""
    share_signing_key(tmp_path / "here")
    here, there = Machine(database, clock, tmp_path / "here"), Machine(database, clock, tmp_path / "there")
    await here.keys.refresh()
    (tmp_path / "there").mkdir()
    from_file = KeyFile(tmp_path / "there" / "signing-key.pem")
    await there.keys.refresh()
    await here.keys.refresh()
    assert [each.name for each in tmp_path.rglob("*.pem")] == []
    for machine in (here, there):
        assert machine.takes(here.token())
        assert machine.takes(from_file.token(clock))
    assert there.keys.signing().thumbprint() == here.keys.signing().thumbprint()
    old = from_file.token(clock)
    clock.forward(seconds=HOUR - 1)
    await there.keys.refresh()
    assert there.takes(old)
    clock.forward(seconds=2)
    await there.keys.refresh()
    assert len(await stored(database)) == 1


class KeyFile:
    """A key as an earlier version left it in a data folder, and its tokens."""

    def __init__(self, path: Path) -> None:
        self._key = RSAKey.generate_key(2048, private=True)
        path.write_bytes(self._key.as_pem(private=True))

    def token(self, clock: SetClock) -> str:
        now = int(clock.now().timestamp())
        return jwt.encode({"alg": "RS256", "typ": "JWT"}, {"iat": now, "exp": now + HOUR}, self._key)


async def test_a_secret_encrypts_the_keys_and_machines_without_it_do_not_start(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    machine = Machine(database, clock, tmp_path, signing_key_secret="a long secret")
    await machine.keys.refresh()
    [key] = await stored(database)
    assert "BEGIN ENCRYPTED PRIVATE KEY" in key["pem"]
    same = Machine(database, clock, tmp_path, signing_key_secret="a long secret")
    await same.keys.refresh()
    assert same.takes(machine.token())
    for secret in ("", "another secret"):
        with pytest.raises(SettingsError, match="encrypted with another signing_key_secret"):
            await Machine(database, clock, tmp_path, signing_key_secret=secret).keys.refresh()


async def test_a_reset_of_the_demo_keeps_the_keys(database: Database, clock: SetClock, tmp_path: Path) -> None:
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    before = await stored(database)
    async with database.unit() as store:
        await seed(store, "small", clock.now().date())
    assert await stored(database) == before


async def test_a_token_that_was_read_before_is_refused_when_its_key_is_removed(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    token = machine.token()
    assert machine.takes(token) and machine.takes(token)
    async with database.unit() as store:
        await store.signing_keys.remove_all()
    await machine.keys.refresh()
    assert not machine.takes(token)


async def test_a_signed_token_without_an_expiry_is_refused(database: Database, clock: SetClock, tmp_path: Path) -> None:
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    now = int(clock.now().timestamp())
    for claims in ({"iat": now}, {"exp": None}, {"exp": str(now + HOUR)}):
        assert not machine.takes(machine.sign(claims)), claims
    assert machine.takes(machine.sign({"exp": now + HOUR}))


async def test_of_tokens_that_were_read_the_latest_are_remembered(
    database: Database, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory for them is bounded, and one that is forgotten is only checked again."""
    monkeypatch.setattr(signing_keys, "_MOST_CHECKED", 2)
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    now = int(clock.now().timestamp())
    sent = [machine.sign({"exp": now + HOUR, "jti": str(number)}) for number in range(3)]
    assert all(machine.takes(token) for token in sent)
    assert list(machine.remembered) == sent[1:]
    assert machine.takes(sent[0])
    assert list(machine.remembered) == [sent[2], sent[0]]


async def test_a_token_that_was_read_before_expires(database: Database, clock: SetClock, tmp_path: Path) -> None:
    machine = Machine(database, clock, tmp_path)
    await machine.keys.refresh()
    token = machine.token()
    assert machine.takes(token)
    clock.forward(seconds=HOUR)
    assert not machine.takes(token)


async def test_replaced_keys_end_all_tokens_at_every_machine(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    here, there = Machine(database, clock, tmp_path / "here"), Machine(database, clock, tmp_path / "there")
    await here.keys.refresh()
    await there.keys.refresh()
    old = there.token()
    # Its secret is another one: keys that it cannot read are replaced too.
    await Machine(database, clock, tmp_path / "third", signing_key_secret="another").keys.replace()
    clock.forward(minutes=1)
    secret = {"signing_key_secret": "another"}
    here, there = (Machine(database, clock, tmp_path / name, **secret) for name in ("here", "there"))
    await here.keys.refresh()
    await there.keys.refresh()
    assert not here.takes(old) and not there.takes(old)
    assert there.takes(here.token())
    assert len(await stored(database)) == 1


async def test_replaced_keys_end_tokens_also_where_the_new_key_cannot_be_read(
    database: Database, clock: SetClock, tmp_path: Path
) -> None:
    here = Machine(database, clock, tmp_path / "here", signing_key_secret="one")
    await here.keys.refresh()
    old = here.token()
    await Machine(database, clock, tmp_path / "there", signing_key_secret="another").keys.replace()
    with pytest.raises(SettingsError, match="another signing_key_secret"):
        await here.keys.refresh()
    assert not here.takes(old)
    with pytest.raises(SettingsError, match="another signing_key_secret"):
        here.token()


def test_keys_of_a_missing_database_are_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ServerCommandError, match="there is no database"):
        replace_signing_keys(Settings(data_dir=tmp_path))
    assert not list(tmp_path.iterdir())
