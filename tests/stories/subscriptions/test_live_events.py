"""Subscriptions on the screen follow what others do, by the events of the service and without a key press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from svc_tui.client.client import Client
from svc_tui.interface.catalogue import operation
from tests.stories.beside import call, other_client, own_server
from tests.stories.driver import Story, profile, story

SYNCHRONISED = "billing_sync_seconds = 3\n"
NAME = "Enterprise"


@dataclass
class Other:
    """Another administrator, and the subscription of Fabrikam that both work on."""

    client: Client
    company: str
    path: dict[str, str]

    async def has(self, licences: int) -> None:
        """The other administrator changes the number of licences."""
        await call(self.client, "update_company_subscription", {"maxNumberUsers": licences}, **self.path)

    async def assigns(self) -> None:
        """The other administrator assigns one more licence."""
        company, subscription = self.path["companyId"], self.path["subscriptionId"]
        query = {"companyId": company, "format": "full"}
        users = (await self.client.send(operation("list_users"), query=query)).body["data"]
        free = next(user for user in users if subscription not in str(user["profiles"]))
        await call(self.client, "assign_licence", userId=free["id"], subscriptionId=subscription)

    async def subscription(self) -> dict[str, Any]:
        found: dict[str, Any] = (await call(self.client, "get_company_subscription", **self.path))["data"]
        return found

    async def is_synchronised(self) -> None:
        """The billing systems know the change."""
        while (await self.subscription())["syncOngoing"]:
            pass

    async def deletes(self) -> None:
        await call(self.client, "delete_company_subscription", **self.path)


@asynccontextmanager
async def other_administrator(url: str) -> AsyncIterator[Other]:
    async with other_client(url) as client:
        found = (await call(client, "list_companies"))["data"]
        company = next(each for each in found if each["name"].startswith("Fabrikam"))
        held = (await call(client, "list_company_subscriptions", companyId=company["id"]))["data"]
        subscription = next(each["id"] for each in held if each["offerName"] == NAME)
        path = {"companyId": company["id"], "subscriptionId": subscription}
        yield Other(client, company["name"], path)


async def opens_the_list(person: Story) -> None:
    """The list of the subscriptions of Fabrikam, with the event channel open."""
    await person.is_ready()
    await person.goes("companies")
    await person.sees("▸ Companies", "NAME ▲")
    await person.press("/")
    await person.type("Fabrikam")
    await person.press("enter")
    await person.until(lambda: "Fabrikam" in person.cursor, "the company is not found")
    await person.press("B")
    await person.sees("Subscriptions of Fabrikam")
    await person.sees_line(rf"{NAME}\W+active\W+6/12")
    await is_live(person)


async def is_live(person: Story) -> None:
    await person.until(lambda: person.status.endswith(" live "), "no events arrive")


def demo(url: str, **changes: Any) -> Any:
    return profile(url, "demo@demo.example", **changes)


async def edits(person: Story, licences: int) -> None:
    await person.puts_cursor_on(NAME)
    await person.press("e")
    await person.sees(f"Edit {NAME}")
    await person.on_field("Licences")
    await person.press("ctrl+u")
    await person.type(str(licences))


async def test_licences_that_another_administrator_raises_are_seen_without_a_key_press(tmp_path: Path) -> None:
    with own_server(tmp_path / "service", SYNCHRONISED) as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await other.has(15)
            await person.sees_line(rf"{NAME}\W+syncing\W+6/15")
            expected = f"{NAME} of {other.company} was changed elsewhere, licences 12 → 15."
            await person.until(lambda: person.status.strip() == expected, "the change is not reported")
            await person.sees_line(rf"{NAME}\W+active\W+6/15")


async def test_events_continue_after_the_server_was_away(tmp_path: Path) -> None:
    port = 0
    with own_server(tmp_path / "service", SYNCHRONISED) as server:
        port = urlsplit(server.url).port or 0
        async with story(demo(server.url)) as person:
            await opens_the_list(person)
            server.end()
            await person.until(lambda: "live" not in person.status, "the lost channel is not noticed")
            with own_server(tmp_path / "service", SYNCHRONISED, port=port) as again:
                async with other_administrator(again.url) as other:
                    await is_live(person)
                    await other.has(15)
                    await person.sees_line(rf"{NAME}\W+syncing\W+6/15")


async def test_a_record_that_another_administrator_deletes_shows_it(tmp_path: Path) -> None:
    with own_server(tmp_path / "service", SYNCHRONISED) as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await person.puts_cursor_on(NAME)
            await person.press("enter")
            await person.sees_line(r"Status\s+Active")
            await is_live(person)
            await other.deletes()
            await person.until(
                lambda: person.status.strip() == f"{NAME} of {other.company} was deleted elsewhere.", "no word of it"
            )
            await person.sees_line(r"Status\s+Terminat")


async def test_an_unsaved_form_keeps_what_was_typed(tmp_path: Path) -> None:
    with own_server(tmp_path / "service", SYNCHRONISED) as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await edits(person, 20)
            await other.has(15)
            await person.sees("was changed elsewhere, licences 12 → 15.")
            await person.sees_line(r"Licences\s.*20")


async def test_an_edit_takes_over_the_licences_of_another_administrator_and_is_not_sent_over_newer_ones(
    tmp_path: Path,
) -> None:
    with own_server(tmp_path / "service", "billing_sync_seconds = 0\n") as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await edits(person, 20)
            await other.has(15)
            await person.sees("was changed elsewhere, licences 12 → 15.")
            await other.is_synchronised()
            await person.press("ctrl+o")
            await person.sees("Licences: 15 → 20")
            await person.sees_across_lines("Changed by another administrator since you opened the form: Licences.")
            await other.has(25)
            await other.is_synchronised()
            await person.type(NAME)
            await person.press("enter")
            await person.sees_across_lines("Not sent: another administrator has just changed Licences.")
            await person.press("esc")
            await person.press("ctrl+o")
            await person.sees("Licences: 25 → 20")
            assert (await other.subscription())["maxNumberUsers"] == 25


async def test_a_quotation_follows_the_licences_of_another_administrator_and_is_not_ordered_over_newer_ones(
    tmp_path: Path,
) -> None:
    with own_server(tmp_path / "service", "billing_sync_seconds = 0\n") as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await person.puts_cursor_on(NAME)
            await person.press("u")
            await person.sees_line(r"Licences\s+12\s+12")
            await person.press("ctrl+u")
            await person.type("20")
            await person.sees_line(r"change from today\s+\+")
            await other.has(25)
            await other.is_synchronised()
            await person.press("ctrl+o")
            await person.sees("Changed by another administrator: Licences. A new quotation is requested.")
            await person.does_not_see("to confirm")
            await person.sees_line(r"Licences\s+25\s+20")
            await person.sees_line(r"change from today\s+-")
            await person.press("ctrl+o")
            await person.sees("Licences: 25 → 20")
            await other.has(15)
            await other.is_synchronised()
            await person.type(NAME)
            await person.press("enter")
            await person.sees_across_lines("Not sent: another administrator has just changed Licences.")
            assert (await other.subscription())["maxNumberUsers"] == 15


async def test_fewer_licences_than_another_administrator_has_assigned_since_are_not_reviewed(tmp_path: Path) -> None:
    with own_server(tmp_path / "service") as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await edits(person, 6)
            await other.assigns()
            await person.press("ctrl+o")
            await person.sees("7 licences are assigned: unassign some first")
            await person.does_not_see("PUT /api")


async def test_an_edit_is_not_reviewed_while_the_change_of_another_administrator_is_synchronised(
    tmp_path: Path,
) -> None:
    with own_server(tmp_path / "service", "billing_sync_seconds = 600\n") as server:
        async with story(demo(server.url)) as person, other_administrator(server.url) as other:
            await opens_the_list(person)
            await edits(person, 20)
            await other.has(15)
            await person.sees("was changed elsewhere, licences 12 → 15.")
            await person.press("ctrl+o")
            await person.sees("Edit: its synchronisation with the billing systems is in progress")
            await person.does_not_see("PUT /api")
            await person.sees_line(r"Licences\s.*20")


async def test_a_console_that_continues_a_stored_session_receives_events_too(service: str) -> None:
    async with story(demo(service)) as person:
        await person.is_ready()
    async with story(demo(service, password="")) as person:
        await opens_the_list(person)
