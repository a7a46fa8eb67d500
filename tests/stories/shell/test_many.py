"""Marked records of each kind: edited in one form, undone as one; ranges of numbers; what marks copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.console.shell.app import Console
from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import account
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.voice.demo.lines import NEW
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story
from tests.support.process import serving, serving_demo

ADMIN, SUPERADMIN = "company_admin@demo.example", "superadmin@demo.example"


async def _marks_two(person: Story, place: str, title: str, first: str = "") -> None:
    await person.goes(place)
    await person.sees(f"▸ {title}")
    await person.is_ready()
    if first:
        await person.puts_cursor_on(first)
    await person.press("space", "space")
    await person.sees("2 marked")


async def _sends(person: Story, done: str, confirm: str = "") -> None:
    """Send the changes of the preview: the first one, then the rest."""
    if confirm:
        await person.type(confirm)
    await person.press("enter")
    await person.sees("1 done   0 failed   1 left")
    await person.press("enter")
    await person.sees("2 done   0 failed   0 left")
    await person.press("enter")
    await person.sees(f"{done}: 2 done")


@pytest.mark.parametrize(
    ("login", "place", "title", "what", "field", "value"),
    [
        (ADMIN, "users", "Users", "2 users", "Job title", "Guide"),
        (SUPERADMIN, "applications", "Applications", "2 applications", "Origin", "https://many.example"),
        (SUPERADMIN, "sites", "Sites", "2 sites", "Status", "h"),
        (ADMIN, "devices", "SIP devices", "2 SIP devices", "Description", "Desk phone"),
        (ADMIN, "subscribers", "Subscribers", "2 subscribers", "Custom SIP header 1", "X-Many: 1"),
    ],
    ids=["users", "applications", "sites", "devices", "subscribers"],
)
async def test_marked_records_of_a_kind_are_edited_together_and_undone_together(
    service: str, login: str, place: str, title: str, what: str, field: str, value: str
) -> None:
    async with story(profile(service, login)) as person:
        await person.is_ready()
        await _marks_two(person, place, title)
        await person.press("e")
        await person.sees(f"Edit {what}")
        await person.on_field(field)
        await person.type(value)
        await person.sees("1 changed")
        await person.press("ctrl+o")
        await person.sees(f"Edit {what}", f"{field} → ")
        await _sends(person, "Edit")
        await person.press("ctrl+z")
        await person.sees(f"Undo {what}")
        await _sends(person, "Undo")


async def test_subscriptions_show_what_they_cost_together_and_need_their_number(service: str) -> None:
    async with story(profile(service, SUPERADMIN), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes(f"companies/{id_of('company', 'northwind')}/subscriptions")
        await person.sees_line(r"Business +\S+ active\W+41/50")
        await person.is_ready()
        await person.puts_cursor_on("Business ")
        await person.press("space")
        await person.puts_cursor_on("Enterprise")
        await person.press("space")
        await person.sees("2 marked")
        await person.press("e")
        await person.sees("Edit 2 subscriptions")
        await person.on_field("Licences")
        await person.type("60")
        await person.press("ctrl+o")
        await person.sees("Licences → 60.", "Together per month", "EUR", "Next invoices")
        await person.sees_across_lines("This is a binding order.")
        await person.sees_line(r"Business +50 → 60  per month [\d.,]+ → [\d.,]+ EUR")
        await person.sees("Type 2, the number of records, to start")
        await _sends(person, "Edit", "2")


async def test_a_range_of_numbers_is_created_in_one_dialog_while_the_service_stops(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url)) as person:
            await person.is_ready()
            await person.goes("ddi")
            await person.sees("DDI numbers of")
            await person.is_ready()
            await person.press("N")
            await person.sees("New DDI numbers", "210996100-119")
            await person.type("210996119-100")
            await person.sees("the last number must follow the first one")
            await person.press(*["backspace"] * 7)
            await person.type("100-104")
            await person.sees("5 numbers: 21 099 6100 to 21 099 6104")
            await person.press("ctrl+o")
            await person.sees("New range 5 DDI numbers", "21 099 6104")
            await person.press("enter")
            await person.sees("1 done   0 failed   4 left")
            server.end()
            await person.press("enter")
            await person.sees("paused", "1 done   0 failed   4 left")
            with serving(tmp_path, port=port):
                await person.press("space")
                await person.sees("5 done   0 failed   0 left")
                await person.press("enter")
                await person.sees("New range: 5 done")
                await person.press("N")
                await person.type("210996104-5")
                await person.sees("1 number", "21 099 6104 exists already")


async def test_marks_are_copied_as_ids_names_or_rows(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    async def copied(app: object, text: str) -> str:
        texts.append(text)
        return "copied."

    monkeypatch.setattr(Console, "copied", copied)
    async with story(profile(service), size=(120, 40)) as person:
        await person.is_ready()
        await _marks_two(person, "users", "Users")
        await person.press("y")
        await person.until(lambda: texts, "nothing is copied")
        names = [line.removeprefix("*").strip()[:12].strip() for line in person.lines if line.startswith(("*", "│*"))]
        ids = texts.pop().split("\n")
        async with other_client(service) as other:
            found = [(await other.send(operation("get_user"), path={"userId": id})).body["data"] for id in ids]
        assert len(found) == 2
        await person.press("Y")
        await person.sees("Names", "Rows with titles")
        await person.type("names")
        await person.press("enter")
        await person.until(lambda: texts, "nothing is copied")
        assert texts.pop().split("\n") == [user["displayName"] for user in found], names


async def test_marked_users_get_licence_extension_number_and_device_in_one_table(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users")
        await person.sees("▸ Users")
        await person.is_ready()
        await person.press("space", "space", "space")
        await person.sees("3 marked")
        await person.press("E")
        await person.sees("Telephony for 3 users", "No licences, no further cost.")
        # Two have an extension, which they keep; the third one gets what is free.
        await person.sees_line(r"Anders Holm +2000 +21 099 20\d\d +02:")
        await person.press("down", "down", "enter", "enter")
        await person.sees("A free internal number: ")
        await person.press(*["backspace"] * 4)
        await person.type("2021")
        await person.sees("Row 3: Extension is in the table twice")
        await person.press(*["backspace"] * 4)
        await person.type("2000")
        await person.does_not_see("is in the table twice")
        # A part of a name is enough where only one free device has it.
        await person.press("enter", "enter")
        await person.sees("A free device: its MAC address, or a part of its name")
        await person.press(*["backspace"] * 17)
        await person.type("shelf")
        await person.sees("Row 3: Device names several: 02:")
        await person.press("enter", "ctrl+o")
        await person.sees_line(r"Anders Holm +Device names several: 02:")
        # Back to the table, with what was typed.
        await person.press("esc")
        await person.sees_line(r"Anders Holm +2000 +21 099 20\d\d +shelf")
        await person.press("down", "down", "enter", "enter", "enter", "enter")
        await person.sees("A free device: its MAC address, or a part of its name")
        await person.press(*["backspace"] * 5)
        await person.type("returned")
        await person.does_not_see("Row 3: ")
        await person.press("enter")
        await person.sees_line(r"Anders Holm +2000 +21 099 20\d\d +02:")
        await person.press("ctrl+o")
        await person.sees("Set up telephony 3 users", "Unchanged: 2 users")
        await person.sees_line(r"Agnes Jansen +has these values already")
        await person.sees_line(r"Anders Holm +2000 · 21 099 20")
        await person.press("enter")
        await person.sees("1 done   0 failed   0 left   2 unchanged")
        await person.press("enter")
        await person.sees("SIP passwords of 1 subscriber", "2000  Anders Holm")
        await person.press("esc", "esc")
        await person.sees("Set up telephony: 1 done, 0 failed, 0 not started, 2 unchanged. ctrl+z undoes")
        async with other_client(service) as other:
            user = (await other.send(operation("get_user"), path={"userId": account("app_admin").id})).body["data"]
            own = next(each for each in user["phoneNumbers"] if each.get("shortNumber") == "2000")
            path = {"systemId": own["systemId"], "phoneNumberId": own["phoneNumberId"]}
            devices = (await other.send(operation("list_subscriber_devices"), path=path)).body["data"]
            assert own["numberE164"].startswith("+3512109920")
            assert [each["description"] for each in devices] == ["Returned by reception"]
            await person.press("ctrl+z")
            await person.sees("Undo: Extension 2000 of Anders Holm.", "1 left")
            await person.press("enter")
            await person.sees("1 done   0 failed   0 left")
            await person.press("enter")
            await person.sees("Undo: 1 done")
            user = (await other.send(operation("get_user"), path={"userId": account("app_admin").id})).body["data"]
            path = {"systemId": own["systemId"], "deviceId": devices[0]["id"]}
            device = (await other.send(operation("get_sip_device"), path=path)).body["data"]
        assert all(each.get("shortNumber") != "2000" for each in user["phoneNumbers"])
        assert not device.get("phoneNumberId")


async def test_the_undo_of_telephony_keeps_an_extension_that_was_changed_since_and_its_licence(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as person, other_client(service) as other:
        await person.is_ready()
        await person.goes("users")
        await person.sees("▸ Users")
        await person.is_ready()
        for name in ("Anders Holm", "Dario Ferri"):
            await person.puts_cursor_on(name)
            await person.press("space")
        await person.press("E")
        await person.sees("Telephony for 2 users")
        await person.sees_line(r"Dario Ferri +Voice Line +20")
        await person.press("ctrl+o")
        await person.sees("Set up telephony 2 users")
        await person.press("enter")
        await person.sees("1 done   0 failed   1 left")
        await person.press("enter")
        await person.sees("2 done   0 failed   0 left")
        await person.press("enter")
        await person.sees("SIP passwords of 2 subscribers")
        await person.press("esc", "esc")
        await person.sees("Set up telephony: 2 done")

        async def lines(name: str) -> list[dict[str, str]]:
            listed = await other.send(operation("list_users"), query={"displayName": name, "format": "full"})
            (user,) = listed.body["data"]
            assert name != "Dario Ferri" or "Voice Line" in [each["offerName"] for each in user["profiles"]]
            return [each for each in user["phoneNumbers"] if each.get("systemId")]

        (own,) = await lines("Dario Ferri")
        path = {"systemId": own["systemId"], "phoneNumberId": own["phoneNumberId"]}
        await call(other, "update_subscriber_call_forward", {"externalCallForward": "not_authorized"}, **path)
        await person.press("ctrl+z")
        await person.sees("Undo: ", "Skipped: 2 changes")
        await person.sees_line(r"Extension 20\d\d of Dario Fer… +Changed again since then: External ca")
        await person.sees_line(r"Licence Voice Line of Dario… +Stays with this: Extension 20\d\d of")
        await person.press("enter")
        await person.sees("1 done   0 failed   0 left   2 skipped")
        await person.press("enter")
        await person.sees("Undo: 1 done")
        assert await lines("Dario Ferri") == [own]
        assert not await lines("Anders Holm")


async def test_a_job_for_new_employees_continues_after_the_service_stopped_and_one_undo_reverses_it(
    tmp_path: Path,
) -> None:
    with serving_demo(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        async with other_client(server.url) as other:
            read = [await other.send(operation("get_user"), path={"userId": each}) for each in NEW]
        names = sorted(str(each.body["data"]["displayName"]) for each in read)
        async with story(profile(server.url), size=(100, 40)) as person:
            await person.is_ready()
            await person.goes("users")
            await person.sees("▸ Users")
            await person.is_ready()
            for name in names:
                await person.puts_cursor_on(name)
                await person.press("space")
            await person.sees("2 marked")
            person.told.clear()
            await person.press("E")
            await person.sees("Telephony for 2 users")
            await person.press("ctrl+o")
            await person.sees("Set up telephony 2 users")
            await person.press("enter")
            await person.sees("1 done   0 failed   1 left")
            server.end()
            await person.press("enter")
            await person.sees("paused")
            with serving(tmp_path, port=port) as again:
                await person.press("space")
                await person.sees("2 done   0 failed   0 left")
                # Four keys, and one to continue: the guide for administrators has the number.
                assert len(person.told) == 5
                await person.press("enter")
                await person.sees("SIP passwords of 2 subscribers", *names)
                await person.press("esc", "esc")
                await person.sees("Set up telephony: 2 done")
                await person.press("ctrl+z")
                await person.sees("Undo 2 subscribers", "and 1 more.")
                await _sends(person, "Undo")
                async with other_client(again.url) as other:
                    read = [await other.send(operation("get_user"), path={"userId": each}) for each in NEW]
                assert not [each for user in read for each in user.body["data"]["phoneNumbers"] if each.get("systemId")]
