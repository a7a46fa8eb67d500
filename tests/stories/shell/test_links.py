"""Links to places, and going back and forward among them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pytest

from svc_tui.console.views.list import ListView
from tests.stories.driver import Story, profile, story


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were copied."""
    texts: list[str] = []

    async def copied(app: object, text: str) -> str:
        texts.append(text)
        return "copied"

    monkeypatch.setattr("svc_tui.console.shell.app.Console.copied", copied)
    return texts


def shown(person: Story) -> tuple[Sequence[object], ListView]:
    view = person.app.frame.view
    assert isinstance(view, ListView)
    return [view.listing.row(index) for index in range(view.listing.total or 0)], view


async def test_a_copied_link_opens_the_same_list_with_filter_order_and_marks(service: str, copied: list[str]) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("s", "s", "s", "s")
        await person.sees("STATE ▼")
        await person.press("/")
        await person.type("campus & co")
        await person.press("enter")
        await person.sees("No matches.")
        await person.press("/")
        await person.type("type:bot")
        await person.press("enter")
        await person.sees("/type:bot")
        await person.is_ready()
        await person.press("space")
        await person.sees("1 marked")
        await person.press("Y")
        # As much of each text as fits.
        await person.sees_line(r"List as shown  svc-tui open 'applications\?.{25,}…")
        await person.press("up", "enter")
        await person.sees("List as shown: copied")
        rows, view = shown(person)
        marked = view.marked
    command, name, link = shlex.split(copied[0])
    assert (command, name) == ("svc-tui", "open")
    assert link == f"applications?filter=type:bot&sort=-state&marks={marked[0]}"
    async with story(profile(service, name="other"), place=link) as person:
        await person.sees("/type:bot", "STATE ▼", "1 marked")
        await person.is_ready()
        again, view = shown(person)
        assert (again, view.marked) == (rows, marked)


async def test_colon_accepts_a_link_and_reports_unreadable_parts(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("apps?sort=-created&filter=type:bot")
        await person.sees("/type:bot", "CREATED ▼")
        await person.goes("users?colour=red")
        await person.sees("Unknown part “colour” in the link. Use filter, sort, where or marks.")
        await person.goes("users?where=red")
        await person.sees("The “where” part of the link is not a JSON object.")
        await person.goes("users?sort=colour")
        await person.sees("demo ▸ Users", "No column “colour” to sort by.")


async def test_a_start_accepts_the_same_places_as_colon(service: str) -> None:
    async with story(profile(service), place="nobodies clara") as person:
        await person.sees("Unknown view “nobodies”.", "Branch Planner")
    async with story(profile(service), place="use clara") as person:
        await person.sees("demo ▸ Users", "/clara", "Clara Novak")


async def test_back_and_forward_through_places_with_their_filters(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("-")
        await person.sees("Previous place: there is no previous place")
        await person.press("/")
        await person.type("campus")
        await person.press("enter")
        await person.sees("/campus", "Campus Client")
        await person.is_ready()
        await person.press("enter")
        await person.sees("▸ Campus Client")
        await person.press("3")
        await person.sees("demo ▸ Users", "Clara Novak")
        await person.press("-")
        await person.sees("▸ Campus Client", "Identity")
        await person.press("-")
        await person.sees("/campus", "Campus Client")
        await person.press("-")
        await person.sees("Previous place: there is no previous place")
        await person.press("+")
        await person.sees("▸ Campus Client", "Identity")
        await person.press("+")
        await person.sees("demo ▸ Users", "Clara Novak")
        await person.press("+")
        await person.sees("Next place: there is no next place")
        await person.press("-", "2")
        await person.sees("demo ▸ Companies")
        await person.press("+")
        await person.sees("Next place: there is no next place")


async def test_a_list_opened_by_its_address_names_the_record_it_belongs_to(service: str) -> None:
    login = "superadmin@demo.example"
    async with story(profile(service, login), place="companies?filter=bluebird clinics") as person:
        await person.sees("1 of ")
        company = person.app.frame.view.record
        assert company is not None
        # The name is in the cache.
        await person.goes(f"companies/{company['id']}/users")
        await person.sees("▸ Users of Bluebird Clinics")
    async with story(profile(service, login, name="other"), place=f"companies/{company['id']}/users") as person:
        # The name is read from the service.
        await person.sees("▸ Users of Bluebird Clinics")
