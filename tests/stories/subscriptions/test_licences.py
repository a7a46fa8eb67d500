"""Licences: who holds one, giving and taking them, one, many by marks, or those of a file; the rules come first."""

from __future__ import annotations

from pathlib import Path

from svc_tui.server.demo.repeatable import id_of
from tests.stories.driver import Story, profile, story

PLACE = f"companies/{id_of('company', 'northwind')}/subscriptions"


async def _licences(person: Story, offer: str) -> None:
    """The holders of a subscription's licences, from the list of subscriptions."""
    await person.is_ready()
    await person.puts_cursor_on(offer)
    await person.press("L")
    await person.sees(f"Licences of {offer}", "with a licence", "licences free")
    await person.is_ready()


async def _sees_of(person: Story, who: str, *names: str) -> None:
    await person.press("w")
    await person.sees(who, *names)
    await person.is_ready()


async def test_the_place_of_licence_holders_asks_for_a_subscription(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("holders")
        await person.sees("Licences belong to a subscription. Choose one: enter opens its licences.")
        await person.is_ready()
        await person.puts_cursor_on("Conference")
        await person.press("enter")
        await person.sees("Licences of Conference", "with a licence")


async def test_assigns_a_licence_sees_it_assigned_and_undoes_it(service: str) -> None:
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Trial")
        await person.sees("No user has a licence of this subscription.", "5 of 5 licences free")
        await _sees_of(person, "without a licence", "Agnes Jansen")
        await person.puts_cursor_on("Agnes Jansen")
        await person.press("a")
        await person.sees("Assign Trial to Agnes Jansen", "Assigned: 0 of 5 → 1 of 5", "Affects 1 user.")
        await person.press("enter")
        await person.sees("Assign Trial to Agnes Jansen: done. ctrl+z undoes it.")
        await person.does_not_see("agnes.jansen")
        await person.press("w", "w")
        await person.sees("with a licence", "Agnes Jansen", "4 of 5 licences free")
        await person.press("ctrl+z")
        await person.sees("Undo: Assign Trial to Agnes Jansen")
        await person.press("enter")
        await person.sees("Undone.", "No user has a licence")
        await person.press("g")
        await person.sees("5 of 5 licences free")


async def test_refused_changes_show_the_reason_before_a_request(service: str) -> None:
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Voice Business")
        await person.sees("10 users", "0 of 10 licences free")
        await person.press("a")
        await person.sees("Assign: the user already has this licence")
        await _sees_of(person, "without a licence", "Amir Castro")
        await person.puts_cursor_on("Amir Castro")
        await person.press("a")
        await person.sees("Assign: all 10 licences are assigned")
        await person.press("x")
        await person.sees("Unassign: the user has no licence of this subscription")
        await person.press("esc", "g")
        await _licences(person, "Voice Phone")
        await _sees_of(person, "without a licence", "Clara Novak")
        await person.puts_cursor_on("Clara Novak")
        await person.press("a")
        await person.sees("the user already has the exclusive licence", "Enterprise, three years")


async def test_assigns_the_remaining_licences_to_the_marked_users(service: str) -> None:
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Voice Phone")
        await person.sees("1 user", "4 of 5 licences free")
        await _sees_of(person, "without a licence", "Amir Castro")
        for name in ("Amir Castro", "Astrid Romano", "Bela O'Brien", "Cecilia Sousa", "Clara Novak", "Greta Zhang"):
            await person.puts_cursor_on(name)
            await person.press("space")
        await person.press("a")
        await person.sees("Assign 6 licences", "4 left   2 skipped", "no licence left", "exclusive")
        await person.press("enter")
        await person.sees("1 done", "enter Continue with the rest")
        await person.press("enter")
        await person.sees("4 done   0 failed   0 left", "enter Close")
        await person.press("enter")
        await person.sees("Assign: 4 done, 0 failed, 0 not started, 2 skipped.")
        await person.press("w", "w")
        await person.sees("0 of 5 licences free")
        await person.sees("5 users", "Astrid Romano", "Bela O'Brien")
        await person.press("*")
        await person.sees("5 marked")
        await person.press("x")
        await person.sees("Unassign 5 licences", "5 left   0 skipped")
        await person.press("enter")
        await person.sees("1 done")
        await person.press("enter")
        await person.sees("5 done")
        await person.press("enter")
        await person.sees("Unassign: 5 done", "No user has a licence")
        await person.press("g")
        await person.sees("5 of 5 licences free")


async def test_assigns_and_unassigns_the_licences_of_a_file_of_logins(service: str, tmp_path: Path) -> None:
    file = tmp_path / "team.csv"
    file.write_text(
        "Name;loginEmail\nDiego;Diego.Ziegler27@northwind.example\nStranger;stranger@else.example\nApp;app_admin@demo.example\n"
    )
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Enterprise, three")
        await person.sees("12 users", "8 of 20 licences free")
        await person.press("f")
        await person.sees("licences from file", "a Assign", "x Unassign")
        await person.press("a")
        await person.sees("CSV file with logins", "The column loginEmail is read, or the only column.")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Assign 3 licences", "no user of this company has this login", "already has this licence")
        await person.sees("0 done   0 failed   1 left   2 skipped")
        await person.press("enter")
        await person.sees("1 done")
        await person.press("enter")
        await person.sees("Assign: 1 done, 0 failed, 0 not started, 2 skipped.")
        await person.press("g")
        await person.sees("13 users", "7 of 20 licences free")
        await person.press("f", "x")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Unassign 3 licences", "2 left   1 skipped")
        await person.press("esc")
        await person.sees("0 done, 0 failed, 2 not started, 1 skipped")
        await person.press("g")
        await person.sees("13 users")


async def test_a_file_without_logins_is_refused_in_the_dialog(service: str, tmp_path: Path) -> None:
    file = tmp_path / "team.csv"
    file.write_text("Name;Site\nDiego;Lisbon\n")
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Trial")
        await person.press("f", "a")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("has several columns")


async def test_assigns_another_licence_from_the_list_of_a_user(service: str) -> None:
    async with story(profile(service), place="users") as person:
        await person.is_ready()
        await person.puts_cursor_on("Felix Becker")
        await person.press("L")
        await person.sees("Licences of Felix Becker", "Essential", "Enterprise")
        await person.is_ready()
        await person.puts_cursor_on("Essential")
        await person.press("x")
        await person.sees("Unassign: the licence of the default subscription cannot be unassigned")
        await person.press("a")
        await person.sees("Licence for Felix Becker", "0 of 5 assigned", "already has the exclusive licence")
        await person.type("trial")
        await person.press("enter")
        await person.sees("Assign Trial to Felix Becker")
        await person.press("enter")
        await person.sees("Assign Trial to Felix Becker: done.")
        await person.puts_cursor_on("Trial")
        await person.press("x")
        await person.sees("Unassign Trial from Felix Becker", "The user loses the features of this licence")
        await person.press("enter")
        await person.sees("Unassign Trial from Felix Becker: done.")
        await person.does_not_see("▌Trial ")


async def test_a_holder_opens_as_a_user(service: str) -> None:
    async with story(profile(service), place=PLACE) as person:
        await _licences(person, "Attendant")
        await person.puts_cursor_on("Clara Novak")
        await person.press("enter")
        await person.sees("▸ Clara Novak", "company_admin@demo.example", "Findings", "e Edit")
