"""The images of a company: seen, uploaded after a look, refused before they are sent, chosen, deleted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from svc_tui.console.terminal.capabilities import capabilities
from svc_tui.interface.access import Caller, Role
from svc_tui.workspace.workspace import Workspace
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.pictures import bomb, picture

HALF_BLOCK = "▀"
COMPANY = "Northwind Telecom"
#: Its BP forces a splash screen.
FORCED = "Elm Street Hotels"


async def _images(person: Story, company: str = COMPANY) -> None:
    """The images of a company, from the list of companies."""
    await person.is_ready()
    await person.puts_cursor_on(company)
    await person.press("i")
    await person.sees(f"Images of {company}", "▸ Avatar", "Splash screen")


async def _chooses(person: Story, file: Path) -> None:
    await person.press("u")
    await person.sees("JPEG or PNG, at most 4 MiB")
    await person.type(str(file))
    await person.press("enter")


async def _requests(person: Story) -> list[str]:
    return [exchange.operation_id for exchange in person.app.frame.workspace.log.exchanges]


async def test_deletes_the_avatar_uploads_another_and_sees_it(service: str, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(picture("PNG", (120, 120)))
    async with story(profile(service), place="companies") as person:
        await _images(person)
        await person.sees(HALF_BLOCK, "PNG, ", "The uploaded splash screen is shown.")
        await person.press("x")
        await person.sees("Delete the avatar of", "This cannot be undone.")
        await person.type(COMPANY)
        await person.press("enter")
        await person.sees("Deleted.", "No avatar is uploaded.")
        await person.press("x")
        await person.sees("Delete: no avatar is uploaded")
        await person.press("u")
        await person.type(f"{tmp_path}/lo")
        await person.sees(" logo.png ")
        await person.press("tab", "enter")
        await person.sees("content-type: image/png", "/avatar", HALF_BLOCK, "Affects 1 company")
        await person.press("enter")
        await person.sees("Uploaded.", "PNG, ", "uploaded 20")
        await person.does_not_see("No avatar is uploaded.", "loading…")


async def test_images_stay_while_the_service_is_away_and_are_read_when_it_is_back(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), place="companies") as person:
        await _images(person)
        await person.sees(HALF_BLOCK, "PNG, ", "The uploaded splash screen is shown.")
        await person.is_ready()
        wire.away = True
        wire.cut()
        await person.press("r")
        await person.sees("offline", "showing cached data")
        log, image = person.app.frame.workspace.log, "get_splashscreen_image"
        await person.until(
            lambda: any(each.operation_id == image and each.error for each in log.exchanges),
            "the images were not read again",
        )
        await person.pilot.pause()
        await person.sees(HALF_BLOCK, "PNG, ", "JPEG, ")
        # Of another view, they are not known.
        await person.press("esc", "i")
        await person.sees("▸ Avatar", "The connection to")
        wire.away = False
        await person.sees("PNG, ")


async def test_a_text_named_png_is_refused_before_anything_is_sent(service: str, tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_text("not a picture at all")
    async with story(profile(service), place="companies") as person:
        await _images(person)
        await _chooses(person, tmp_path / "notes.png")
        await person.sees("is not a JPEG or PNG picture")
        await person.press("esc")
        await person.sees("Avatar selected")
        assert "upload_company_avatar" not in await _requests(person)


async def test_a_file_that_is_too_large_is_refused_before_anything_is_sent(service: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture("PNG").ljust(4_194_305, b"\0"))
    async with story(profile(service), place="companies") as person:
        await _images(person)
        await _chooses(person, tmp_path / "a.png")
        await person.until(lambda: "toolarge:thelimitis4MiB" in re.sub(r"[\s│▀]", "", person.screen), "not refused")
        assert "upload_company_avatar" not in await _requests(person)


async def test_an_image_with_too_many_pixels_is_refused_with_a_warning(service: str, tmp_path: Path) -> None:
    (tmp_path / "bomb.png").write_bytes(bomb())
    async with story(profile(service), place="companies") as person:
        await _images(person)
        await _chooses(person, tmp_path / "bomb.png")
        await person.sees("The picture is too large to be shown.")
        await person.press("enter")
        await person.sees("The service did not accept", "esc goes back")


async def test_chooses_the_default_splash_screen_and_the_uploaded_one_again(service: str) -> None:
    async with story(profile(service), place="companies") as person:
        await _images(person)
        await person.press("c")
        await person.sees("only a splash screen has a default")
        await person.press("tab")
        await person.sees("▸ Splash screen", "Splash screen selected")
        await person.press("c")
        await person.sees("Splash screen: uploaded → default", '"uploadedUsed": false')
        await person.press("enter")
        await person.sees("The default splash screen is shown.", "A splash screen is uploaded")
        await person.press("c", "enter")
        await person.sees("The uploaded splash screen is shown.")


async def test_forced_and_inherited_splash_screens_are_explained(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type("bluebird")
        await person.press("enter")
        await _images(person, "Bluebird")
        await person.sees("Inherited from the BP company")
        await person.press("tab", "x")
        await person.sees("Delete: the splash screen is inherited from the BP company")


async def test_a_terminated_company_gets_no_images(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type("quarry")
        await person.press("enter")
        await _images(person, "Quarry & Sons")
        for pane in ("Avatar", "Splash screen"):
            await person.sees(f"▸ {pane}")
            await person.press("u")
            await person.sees("Upload: the company is terminated")
            await person.press("tab")


async def test_what_a_bp_forces_cannot_be_changed_by_the_company(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type(FORCED)
        await person.press("enter")
        await _images(person, FORCED)
        await person.press("tab")
        await person.sees("Forced by the BP company")
        await person.press("u")
        await person.sees("Upload the splash screen of")
        await person.press("esc")
        assert person.app.frame.view is not None
        company = person.app.frame.view.record or {}
        admin = Caller("a", frozenset({Role.COMPANY_ADMIN}), company_id=str(company["id"]))
        monkeypatch.setattr(Workspace, "caller", property(lambda workspace: admin))
        for key, label in (("u", "Upload"), ("c", "Default/uploaded"), ("x", "Delete")):
            await person.press(key)
            await person.sees(f"{label}: forced by the BP company: only the BP can change it")
        bp = Caller("b", frozenset({Role.BP_ADMIN}), company_id=str(company["bpId"]))
        monkeypatch.setattr(Workspace, "caller", property(lambda workspace: bp))
        await person.press("u")
        await person.sees("JPEG or PNG, at most 10 MiB")


async def test_a_terminal_without_half_blocks_shows_type_and_size(service: str) -> None:
    bare = capabilities({"TERM": "linux", "LANG": "C"})
    async with story(profile(service), place="companies", terminal=bare) as person:
        await person.is_ready()
        await person.press("i")
        await person.sees_line(
            r"PNG, \d+ x \d+ pixels, \d+ (?:kB|bytes)\. Not +JPEG, .*\n shown: this terminal has no half .*\n blocks\. "
        )
        await person.does_not_see(HALF_BLOCK)


async def test_only_a_superadmin_changes_the_avatar_of_a_company_that_always_exists(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type("default")
        await person.press("enter")
        await _images(person, "Default")
        await person.press("u")
        await person.sees("Upload the avatar of Default")
        await person.press("esc")
        support = Caller("s", frozenset({Role.SUPPORT}))
        monkeypatch.setattr(Workspace, "caller", property(lambda workspace: support))
        await person.press("u")
        await person.sees("Upload: only a superadmin can change the avatar of this company")


async def test_who_may_not_read_the_splash_screen_still_sees_the_avatar(service: str) -> None:
    async with story(profile(service, "business_admin@demo.example"), place="companies") as person:
        await _images(person)
        await person.sees(HALF_BLOCK, "Your role does not allow this: ")
        await person.press("tab", "c")
        await person.sees("Default/uploaded: the splash screen could not be read")
        await person.press("u")
        await person.sees("Upload: needs superadmin, bp_admin")
