"""Errors: one message each, never a traceback, no lost input, and the console continues."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from svc_tui.console.shell.login import LoginBox
from svc_tui.server.demo.accounts import PASSWORD
from svc_tui.workspace.core import link
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles
from tests.stories.driver import Story, profile, send, story
from tests.stories.wire import wired
from tests.support.process import serving_demo


@pytest.fixture(autouse=True)
def quick_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses between attempts to reach a service."""
    monkeypatch.setattr(link, "PROBE_SECONDS", (0.2, 0.5))


def workspace(person: Story):  # type: ignore[no-untyped-def]
    return person.app.frame.workspace


async def test_the_service_is_away_at_the_start_and_comes_back(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        url = server.url
    async with story(profile(url)) as person:
        await person.sees("○ offline", "was refused", "demo ▸ Applications")
        assert not isinstance(person.app.screen, LoginBox)
        with serving_demo(tmp_path, port=int(url.rpartition(":")[2])):
            await person.is_ready()
            await person.sees("58 applications", "company_admin")
    async with story(profile(url)) as person:
        await person.sees("○ offline", "Campus Client")
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Applications ▸ Campus Client", "Identity")
        await person.press("esc")
        await person.sees("58 applications", "from cache")


async def test_a_login_by_hand_waits_for_the_service_too(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        url = server.url
    by_hand = replace(profile(url, password=""), login="user@demo.example")
    async with story(by_hand) as person:
        await person.sees("○ offline", "was refused")
        with serving_demo(tmp_path, port=int(url.rpartition(":")[2])):
            await person.sees("Log in to demo")
            await person.type(PASSWORD)
            await person.press("enter")
            await person.is_ready()


async def test_the_connection_is_lost_while_browsing_and_comes_back(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.sees("Campus Client")
        wire.away = True
        wire.cut()
        await person.press("r")
        await person.sees("○ offline", "Offline", "Campus Client")
        await person.press("/")
        await person.type("state:stopped meeting")
        await person.press("enter")
        await person.sees("2 of 58", "Meeting Room Concie")
        await person.does_not_see("Campus Client")
        await person.press("esc")
        await person.sees("Newsroom Admin", "58 applications")
        await person.press("n")
        await person.sees("New application")
        await person.type("Typed offline")
        wire.away = False
        await person.sees("●")
        await person.sees_line(r"Name \*\s+Typed offline")


async def test_a_change_without_a_response_is_verified_and_not_sent_again(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New application")
        await person.type("Answer lost")
        await person.press("down", "s", "down", "j", "ctrl+o")
        await person.sees("Name: — → Answer lost")
        wire.swallow = b"POST "
        await person.press("enter")
        await person.sees("its outcome is unknown", "Your input is kept")
        await person.does_not_see("enter Send")
        await person.press("enter", "enter", "esc")
        await person.sees_line(r"Name \*\s+Answer lost")
        await person.press("esc", "y")
        await person.is_ready()
        await person.press("/")
        await person.type("Answer lost")
        await person.press("enter")
        await person.sees("1 of 59")
        posts = [each for each in workspace(person).log.exchanges if each.operation_id == "create_application"]
        assert len(posts) == 1


async def test_an_undo_without_a_response_that_was_made_is_not_offered_again(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Origin")
        await person.type("typed")
        await person.press("ctrl+o", "enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("ctrl+z")
        await person.sees("Undo: Edit Campus Client")
        wire.swallow = b"PUT "
        await person.press("enter")
        await person.sees("its outcome is unknown")
        await person.press("esc", "ctrl+z")
        await person.sees("Already undone: the record has the values from before.")
        await person.press("ctrl+z")
        await person.sees("nothing to undo")


async def test_a_certificate_that_does_not_verify(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    pem = tmp_path / "server.pem"
    with serving_demo(tmp_path, tls_cert=pem, tls_key=pem) as server:
        async with story(profile(server.url)) as person:
            await person.sees("certificate", "○ offline")
            assert not isinstance(person.app.screen, LoginBox)
        async with story(profile(server.url), place="home") as person:
            await person.sees("certificate", "○ offline", "Offline: not known.")
        async with story(profile(server.url, ca_bundle=str(tmp_path / "authority.pem"))) as person:
            await person.is_ready()
            await person.sees("58 applications")
            await person.does_not_see("TLS not verified")
        async with story(profile(server.url, verify=False)) as person:
            await person.is_ready()
            await person.sees("TLS not verified")


async def test_a_full_disk_for_the_cache_is_reported_once_and_everything_works(service: str, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("a small disk needs the right to mount one")
    try:
        with (folder / "ballast").open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
            while ballast.write(b"x" * 4096):
                pass
        async with story(profile(service)) as person:
            await person.is_ready()
            await person.sees("The cache cannot be written (database or disk is full)")
            await person.puts_cursor_on("Campus Client")
            await person.press("enter")
            await person.sees("Applications ▸ Campus Client", "Identity")
            await person.press("esc")
            await person.sees("Campus Client")
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


async def test_an_unknown_place_is_reported_and_the_applications_open(service: str) -> None:
    async with story(profile(service), place="nonsense/1") as person:
        await person.sees("Unknown view “nonsense”", "demo ▸ Applications")
        await person.is_ready()
        await person.goes("alsonot")
        await person.sees("Unknown view “alsonot”")


async def test_read_only_refuses_and_greys(service: str) -> None:
    async with story(profile(service), read_only=True) as person:
        await person.is_ready()
        await person.sees("read-only")
        for key, label in (("n", "New"), ("e", "Edit"), ("x", "Delete"), ("S", "Stop")):
            await person.press(key)
            await person.sees(f"{label}: read-only")
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Applications ▸ Campus Client")


def test_a_broken_configuration_names_its_line() -> None:
    profiles = Profiles()
    profiles.config_file.parent.mkdir(parents=True)
    profiles.config_file.write_text('profile = "work"\n[profiles.work\nbase_url = 1\n')
    with pytest.raises(ConfigurationError, match=r"config\.toml, line 2"):
        profiles.load()


async def test_a_broken_configuration_is_not_written_over_by_a_new_profile() -> None:
    profiles = Profiles()
    profiles.config_file.parent.mkdir(parents=True)
    profiles.config_file.write_text("[broken\n")
    async with story(None) as person:
        await person.press("n")
        await person.sees("Service address")
        await person.type("https://svc.example")
        await person.press("enter", "enter", "enter", "enter", "enter", "enter")
        await person.sees_across_lines("config.toml, line 1: expected")
    assert profiles.config_file.read_text() == "[broken\n"


async def test_fast_refreshes_replace_each_other_and_leave_the_connections_usable(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for turn in range(120):
            send(person, "r")
            for _ in range(turn % 40):
                await asyncio.sleep(0)
        await person.is_ready()
        # Another story of this file may have added one.
        await person.sees_line(r"^ 5[89] applications")
        await person.sees("● 12 ms")
        await person.press("2")
        await person.is_ready()
        await person.sees("1 company")
