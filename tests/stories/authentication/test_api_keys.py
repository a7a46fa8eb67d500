"""API keys: made, shown once, copied, switched off, deleted."""

from __future__ import annotations

from svc_tui.client.client import Client
from svc_tui.client.errors import ServiceError
from svc_tui.client.login import with_api_key
from svc_tui.client.session import Session
from svc_tui.console.dialogs.messages import Secret
from svc_tui.console.terminal.capabilities import capabilities
from tests.stories.driver import Story, profile, story

ADMIN = "app_admin@demo.example"
OVER_SSH = capabilities({"TERM": "xterm-256color", "LANG": "C.UTF-8", "SSH_TTY": "/dev/pts/1"})
NO_CLIPBOARD = capabilities({"TERM": "linux", "LANG": "C.UTF-8"})


async def opens_keys(person: Story) -> None:
    await person.is_ready()
    await person.goes("keys")
    await person.sees("demo ▸ API keys")
    await person.is_ready()


async def makes_key(person: Story, description: str) -> str:
    """Make a key; the key as the box shows it."""
    await person.press("n")
    await person.sees("New API key", "Description *")
    await person.type(description)
    await person.press("ctrl+o")
    await person.sees("Create API key", f"Description: — → {description}", "POST ")
    await person.press("enter")
    await person.sees("it is shown only once", "this cannot be shown again")
    box = person.app.screen
    assert isinstance(box, Secret)
    await person.sees(box.secret)
    return box.secret


async def opens_something(url: str, key: str) -> bool:
    """Whether the service lets a program in with this key."""
    known = profile(url, ADMIN, password="", method="api_key", api_key=key)
    client = Client(known, Session(known))
    try:
        await with_api_key(client)
    except ServiceError:
        return False
    finally:
        await client.aclose()
    return True


async def test_a_new_key_is_shown_once_and_copied(service: str) -> None:
    async with story(profile(service, ADMIN), terminal=OVER_SSH) as person:
        await opens_keys(person)
        key = await makes_key(person, "Nightly report")
        assert await opens_something(service, key)
        await person.press("y")
        await person.sees("OSC 52", key)
        await person.press("esc")
        await person.sees_line(r"▌Nightly report\s+● active\s+never")
        await person.press("enter")
        await person.sees("API keys ▸ Nightly report", "Description", "Owner")
        await person.press("v")
        await person.does_not_see(key)
        await person.press("esc", "!")
        await person.sees("POST")
        await person.does_not_see(key)


async def test_where_there_is_no_clipboard_the_key_goes_into_a_file_of_its_owner(service: str) -> None:
    async with story(profile(service, ADMIN), terminal=NO_CLIPBOARD) as person:
        await opens_keys(person)
        key = await makes_key(person, "For a file")
        await person.press("y")
        await person.sees("which only you can read")
        copied = person.app.frame.workspace.folders.data / "copied.txt"
        assert copied.read_text() == key
        assert copied.stat().st_mode & 0o777 == 0o600


async def test_a_key_that_is_switched_off_opens_nothing_and_can_be_deleted(service: str) -> None:
    async with story(profile(service, ADMIN)) as person:
        await opens_keys(person)
        key = await makes_key(person, "Switched off")
        await person.press("esc")
        await person.sees_line(r"▌Switched off\s+● active")
        await person.press("e")
        await person.sees("▸ Edit")
        await person.on_field("Active")
        await person.press("n", "ctrl+o")
        await person.sees("Active: yes → no")
        await person.press("enter")
        await person.sees("Changed.")
        await person.sees_line(r"▌Switched off\s+× inactive")
        assert not await opens_something(service, key)
        await person.press("x")
        await person.sees("Delete API key Switched off", "Type Switched off to confirm")
        await person.type("Switched off")
        await person.press("enter")
        await person.sees("deleted")
        await person.until(lambda: "Switched off" not in "\n".join(person.lines[:-2]), "the key is still listed")


async def test_read_only_greys_what_would_change_keys(service: str) -> None:
    async with story(profile(service, ADMIN), read_only=True) as person:
        await opens_keys(person)
        await person.sees("read-only")
        await person.press("n")
        await person.sees("New: read-only")


async def test_a_wide_terminal_shows_where_a_key_was_created(service: str) -> None:
    async with story(profile(service, ADMIN), size=(240, 40)) as person:
        await opens_keys(person)
        await person.sees("ADDRESS", "192.0.2.7")
