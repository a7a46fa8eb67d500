"""Users: from a file to users who log in, a locked account, a form with a licence, and what ends with a user."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from svc_tui.client.api import connect
from svc_tui.client.errors import LoginRefused
from svc_tui.client.login import login
from svc_tui.client.profile import Profile
from svc_tui.workspace.users.importing import read_passwords
from tests.stories.driver import Story, profile, story

HEADER = "__action__;loginEmail;password;title;firstName;lastName;businessPhone0;mobilePhone0;email0;country;language"


def staff(folder: Path, rows: list[str]) -> Path:
    path = folder / "staff.csv"
    path.write_text("\n".join([HEADER, "% the new office", *rows, ""]), encoding="utf-8")
    return path


def of_user(service: str, login_email: str, password: str) -> Profile:
    return replace(profile(service), login=login_email, password=password)


async def chooses(s: Story, path: Path) -> None:
    await s.goes("users")
    await s.sees("Agnes Jansen")
    await s.press("I")
    await s.sees("Users from a file")
    await s.type(str(path))
    await s.press("enter")


async def test_a_file_with_five_faults_is_corrected_and_its_users_log_in(service: str, tmp_path: Path) -> None:
    path = staff(
        tmp_path,
        [
            "creat;ana.neu@northwind.example;;;Ana;Neu;21 345 67 81;912345681;;PRT;pt",
            "create;bo.neu@northwind.example;;;Bo;Neu;21 345 67 82;912345682;;Portugl;pt",
            "create;cy.neu@northwind.example;;;Cy;Neu;213 456 privat;912345683;;PRT;pt",
            "create;di.neu@northwind.example;;;Di;;21 345 67 84;912345684;;PRT;pt",
            "create;carla.lopes6@northwind.example;;;Carla;Lopes;;;;;",
            "create;ed.neu@northwind.example;;;Ed;Neu;21 345 67 85;912345685;;PRT;pt",
        ],
    )
    passwords = tmp_path / "passwords.csv"
    async with story(profile(service), size=(120, 40)) as s:
        await s.is_ready()
        await chooses(s, path)
        await s.sees("To correct: 5 rows", "must be one of create", "is no country", "has this login already")
        await s.press("F")
        # The words of a number and a missing name have no suggestion.
        await s.sees("To correct: 2 rows", "contains the words: privat", "is required for a new user")
        await s.press("enter")
        await s.sees("Line 5, businessPhone0")
        await s.press(*["backspace"] * len("213 456 privat"))
        await s.type("213456783")
        await s.press("enter")
        await s.sees("To correct: 1 row")
        await s.press("enter")
        await s.sees("Line 6, lastName")
        await s.type("Neu")
        await s.press("enter")
        await s.does_not_see("To correct")
        await s.press("i")
        await s.sees("5 new users without a password")
        await s.press("enter")
        await s.sees("Save the passwords")
        await s.type(str(passwords))
        await s.press("enter")
        await s.sees("Try the first one")
        await s.press("enter")
        await s.sees("Continue with the rest")
        await s.press("enter")
        await s.sees("5 done", "1 skipped")
        await s.press("enter")
        await s.sees("Import: 5 done")
    made = read_passwords(passwords)
    assert len(made) == 5 and passwords.stat().st_mode & 0o777 == 0o600
    async with story(of_user(service, "cy.neu@northwind.example", made["cy.neu@northwind.example"])) as s:
        await s.is_ready()
        await s.goes("account")
        await s.sees("Cy Neu")


async def lock(service: str, login_email: str) -> None:
    """Fail to log in until the account is locked."""
    async with connect(profile(service)) as client:
        for attempt in range(5):
            with suppress(LoginRefused):
                await login(client, login_email, f"Wrong-pass-{attempt}")


async def test_a_locked_account_is_unlocked_in_ten_keys(service: str) -> None:
    await lock(service, "erik.berg14@northwind.example")
    async with story(profile(service)) as s:
        await s.is_ready()
        await s.goes("users erik berg")
        await s.sees("Erik Berg")
        s.told.clear()
        await s.press("enter")
        await s.sees("Locked until", "a new password unlocks")
        await s.press("enter")
        await s.sees("Make a password")
        await s.press("enter")
        await s.sees("Locked until", "PUT /api/svc/admin/v1.0/users/")
        await s.press("enter")
        await s.sees("Copy it now")
        await s.press("y", "esc")
        await s.sees("done")
        await s.sees_line(r"Locked until +—")
        assert len(s.told) <= 10


async def test_one_form_makes_a_user_with_role_and_licence_and_a_deletion_lists_what_ends(service: str) -> None:
    async with story(profile(service), size=(120, 45)) as s:
        await s.is_ready()
        await s.goes("users")
        await s.sees("Agnes Jansen")
        await s.press("n")
        await s.sees("First name")
        await s.type("kim.neu@northwind.example")
        await s.press("down")
        await s.type("Kim")
        await s.press("down")
        await s.type("Neu")
        await s.on_field("Roles")
        await s.press("enter")
        await s.sees("app_admin")
        await s.type("app_admin")
        await s.press("enter")
        await s.on_field("Licences")
        await s.press("enter")
        await s.sees("Voice Line")
        await s.type("voice line")
        await s.press("enter")
        await s.press("ctrl+o")
        await s.sees("Licence: — → Voice Line", "Without a password")
        await s.press("enter")
        await s.sees("Created.")
        await s.press("x")
        await s.sees("Licences: Essential, Voice Line → released", "stays taken", "Personal directory")
        await s.type("Kim Neu")
        await s.press("enter")
        await s.is_gone("Kim Neu")


async def test_your_own_password_is_changed_under_your_account(service: str) -> None:
    who = profile(service, "app_admin@demo.example")
    async with story(who) as s:
        await s.is_ready()
        await s.goes("account")
        await s.press("P")
        await s.sees("Current password")
        await s.type(who.password)
        await s.press("enter")
        await s.type("short")
        await s.press("enter")
        await s.sees("A password must have 12 to 64 characters")
        await s.press(*["backspace"] * 5)
        await s.type("Another-pass-1")
        await s.press("enter")
        await s.type("Another-pass-1")
        await s.press("enter")
        await s.sees("Password changed")
    async with story(replace(who, password="Another-pass-1")) as s:
        await s.is_ready()


async def test_what_a_user_holds_who_leaves_is_chosen_planned_and_carried_out_when_it_is_due(
    service: str, tmp_path: Path
) -> None:
    async with story(profile(service), size=(120, 40)) as s:
        await s.is_ready()
        await s.goes("users bela o")
        await s.sees("1 of 4", "Bela O")
        await s.press("Q")
        await s.sees("Successor", "No successor")
        await s.type("amir castro")
        await s.sees("amir.castro25@northwind.example")
        await s.press("enter")
        await s.sees("leaves   cannot be read: OAuth tokens", "Carry out now")
        await s.sees("hand over    DDI number", "free         Extension")
        await s.type("login")
        await s.sees("keep         Login bela.")
        await s.press("enter")
        await s.sees("free         Login bela.")
        await s.type("a day")
        await s.press("enter")
        await s.type("2099-12-31")
        await s.press("enter")
        await s.sees("Planned for 2099-12-31: `:due` carries it out on that day or later.")
        await s.goes("due")
        await s.sees("Nothing is due.")
        (file,) = tmp_path.rglob("leaving.json")
        file.write_text(file.read_text().replace("2099-12-31", "2020-12-31"))
        await s.goes("home")
        await s.sees("1 user leaves: `:due` carries it out")
        await s.goes("due")
        await s.sees("Carry out", "Extension", "Login bela.")
        await s.press("enter")
        await s.sees("Continue with the rest")
        await s.press("enter")
        await s.sees("Close")
        await s.press("enter")
        await s.sees("0 failed, 0 not started. ctrl+z undoes 3 of them.")
    assert '"ended": "2' in file.read_text()


async def test_a_list_of_users_has_more_columns_before_wider_ones(service: str) -> None:
    partner = profile(service, "bp_admin@demo.example")
    for size, columns in (
        ((120, 40), "NAME ▲ +LOGIN +COMPANY +STATE"),
        ((200, 60), "NAME ▲ +LOGIN +ROLES +COMPANY +STATE +LAST LOGIN"),
    ):
        async with story(partner, size=size) as person:
            await person.goes("users")
            await person.sees_line(rf"│ *{columns} +│")


async def test_a_long_login_is_whole_beside_the_pane_and_narrowed_on_a_narrow_terminal(service: str) -> None:
    login = "astrid.romano31@northwind.example"
    async with story(profile(service), place="users", size=(120, 40)) as person:
        await person.is_ready()
        assert any(line.startswith("│") and f" {login} " in line for line in person.lines), person.screen
        await person.pilot.resize_terminal(60, 24)
        await person.sees_line(r"Astrid Romano +astrid\.romano.*… ● active")


async def test_columns_are_chosen_and_ordered_kept_with_the_order_and_rule_what_is_exported(
    service: str, tmp_path: Path
) -> None:
    partner = profile(service, "bp_admin@demo.example")
    async with story(partner) as person:
        await person.goes("users")
        await person.is_ready()
        await person.press("|")
        # All are seen, also in 80 columns by 24 lines.
        await person.sees("Columns of users", "[x]       Name", "[x]       Company", "[x]       Last login")
        await person.press("down", "space", "down", "J", "enter")
        await person.sees_line(r"NAME ▲ +COMPANY +ROLES +STATE")
        await person.press(">")
        await person.does_not_see("NAME ▲")
    async with story(partner) as person:
        await person.goes("users")
        await person.is_ready()
        await person.sees_line(r"NAME +COMPANY ▲ +ROLES +STATE")
        await person.does_not_see("@", "NAME ▲")
        await person.press("W")
        await person.sees("Export users")
        await person.press("ctrl+u")
        await person.type(str(tmp_path / "users.csv"))
        await person.press("enter")
        await person.sees("Exported ")
    head = (tmp_path / "users.csv").read_text().splitlines()[0].split(",")
    assert head[:1] == ["displayName"] and "loginEmail" not in head
