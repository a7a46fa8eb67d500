"""Subscribers in depth: their own options beside the company's, modules of their phones, many at once from a file."""

from __future__ import annotations

from pathlib import Path

from svc_tui.server.voice.demo.lines import NEW
from tests.stories.driver import Story, profile, send, story


async def _opens_options(person: Story, name: str) -> None:
    await person.is_ready()
    await person.goes("subscribers")
    await person.sees("▸ Subscribers of Northwind voice", "NUMBER ▲")
    await person.puts_cursor_on(name)
    await person.press("e")
    await person.sees(f"Options of {name}")


async def test_options_stand_beside_what_the_company_has_and_are_changed_in_one_review(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_options(person, "Clara Novak")
        await person.sees_line(r"Recording profile \*\s+None\s+company: External")
        await person.sees_line(r"Barring permissions\s+The company's setting\s+company: Internal, ")
        await person.sees_line(r"External call forward \*\s+As the company\s+company: Allowed")
        await person.sees_line(r"Custom SIP header 1\s+—\s+company: X-Tenant: northwind")
        await person.on_field("Unanswered calls")
        await person.press("c")
        await person.on_field("Ringing time")
        await person.type("5")
        await person.sees("must be 10 or more")
        await person.press("backspace")
        await person.type("25")
        await person.on_field("Barring permissions")
        await person.sees("company: Internal, national and international calls")
        await person.press("n", "ctrl+o")
        await person.sees_across_lines("Unanswered calls: The company's setting → To voicemail, after its own delay")
        await person.sees("Ringing time: 20 → 25", "with 2 requests")
        await person.sees(
            "Barring permissions: The company's setting → Internal and national calls",
            "/barring-options",
            '"permissions": "nat_local"',
        )
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it. Undo applies to each of the 2 requests separately.")
        await person.press("e")
        await person.sees_line(r"Barring permissions\s+Internal and nationa\S*\s+company: Int")
        await person.sees_line(r"Ringing time\s+25")
        await person.press("esc", "ctrl+z")
        await person.sees_across_lines("Unanswered calls: To voicemail, after its own delay → The company's setting")
        await person.sees("Ringing time: 25 → 20", "Affects 1 subscriber.")
        await person.does_not_see("Changed again since then")
        await person.press("enter")
        await person.sees("Undone.")
        await person.press("ctrl+z")
        await person.sees("Permissions: Internal and national calls → The company's setting")
        await person.does_not_see("Changed again since then")


async def test_a_subscriber_is_found_by_the_name_of_a_device(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("▸ Subscribers of Northwind voice", "38 subscribers")
        await person.press("/")
        await person.type("device:b40")
        await person.press("enter")
        await person.until(lambda: "Felix Becker" in person.screen, "Felix Becker is not found")
        await person.does_not_see("38 subscribers", "Clara Novak")


async def test_numbers_are_found_as_their_country_writes_them(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.puts_cursor_on("Bluebird switchboard")
        for key, title in (("N", "DDI numbers of Bluebird"), ("S", "Subscribers of Bluebird")):
            await person.press(key)
            await person.sees(title, "0113 496 0001")
            await person.press("/")
            await person.type("0113 496 0001")
            await person.press("enter")
            await person.sees_line(r"^ 1 of ")
            assert "0113 496 0001" in person.cursor
            await person.press("esc", "esc")
            await person.sees("CloudPBXs", "Bluebird switchboard")


async def test_requests_that_succeeded_before_a_refusal_are_not_sent_again(service: str) -> None:
    async with story(profile(service)) as person:
        # A subscriber without a DDI number.
        await _opens_options(person, "Tomas Ruiz")
        await person.on_field("External call forward")
        await person.press("n")
        await person.on_field("Public network policy")
        await person.press("s", "ctrl+o", "enter")
        await person.sees("1 of 2 requests were successful and are not sent again.")
        await person.press("esc")
        await person.sees_line(r"\* Public network policy \*\s+\S+")
        await person.sees_line(r"  External call forward \*\s+Not allowed")
        await person.on_field("Public network policy")
        await person.press("c", "c")
        await person.sees("needs Public network number")
        await person.on_field("Public network number E.164")
        await person.type("12")
        await person.press("ctrl+o")
        await person.sees_line(r"Public network number E.164 is an internal or short number, not on")
        await person.press("backspace", "backspace")
        await person.type("21 099 2077")
        await person.press("ctrl+o")
        # As it will be stored.
        await person.sees("Public network number E.164: — → +351210992077", "Affects 1 subscriber.")
        await person.does_not_see("externalCallForward")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")


async def test_two_administrators_of_one_subscriber_both_keep_what_they_typed(service: str) -> None:
    boss = profile(service, "superadmin@demo.example")
    async with story(profile(service)) as first, story(boss, place="cloudpbxs") as second:
        await _opens_options(first, "Teo Martins")
        await second.is_ready()
        await second.puts_cursor_on("Northwind voice")
        await second.press("S")
        await second.sees("Subscribers of Northwind voice", "Teo Martins")
        await second.puts_cursor_on("Teo Martins")
        await second.press("e")
        await second.sees("Options of Teo Martins")
        await first.on_field("Barring permissions")
        await first.press("n")
        await first.on_field("Custom SIP header 2")
        await first.type("X-First: yes")
        await second.on_field("Barring permissions")
        await second.press("l")
        await second.on_field("Custom SIP header 1")
        await second.type("X-Second: yes")
        await second.press("ctrl+o", "enter")
        await second.sees("Changed. ctrl+z undoes it.")
        await first.press("ctrl+o")
        await first.sees("Another administrator changed: Barring permissions, Custom SIP header")
        await first.sees(
            "Internal calls only → Internal and national calls",
            "(also changed by another",
            "from The company's setting)",
        )
        await second.press("e")
        await second.sees("Options of Teo Martins")
        await second.on_field("External call forward")
        await second.press("n", "ctrl+o", "enter")
        await second.sees("Changed. ctrl+z undoes it.")
        await first.press("enter")
        await first.sees("Not sent: another administrator has just changed the record.")
        await first.press("esc")
        await first.sees_line(r"Barring permissions\s+Internal and nationa\S*\s.*conflict: Int")
        await first.press(*["up"] * 20)
        await first.on_field("Barring permissions")
        await first.sees("Another administrator set Internal calls only", "ctrl+g uses it")
        await first.press("ctrl+g")
        await first.sees_line(r" Barring permissions\s+Internal calls only")
        await first.press("ctrl+o")
        await first.sees("Custom SIP header 2: — → X-First: yes", "Affects 1 subscriber.")
        await first.press("enter")
        await first.sees("Changed. ctrl+z undoes it.")
        await first.press("e")
        await first.sees("Options of Teo Martins")
        await first.sees_line(r"External call forward \*\s+Not allowed\s+")
        await first.sees_line(r"Custom SIP header 1\s+X-Second: yes")
        await first.sees_line(r"Custom SIP header 2\s+X-First: yes")


async def test_read_only_roles_see_the_options_and_the_reason(service: str) -> None:
    async with story(profile(service, "support@demo.example"), place="cloudpbxs") as person:
        await person.is_ready()
        await person.puts_cursor_on("Northwind voice")
        await person.press("S")
        await person.sees("Subscribers of Northwind voice", "Clara Novak")
        await person.puts_cursor_on("Clara Novak")
        await person.press("e")
        await person.sees_line(r"Barring permissions\s+\S.*\s+company: Int")
        await person.on_field("Barring permissions")
        await person.press("n")
        await person.sees("no changes", "company: Internal, national and international calls")
        await person.sees("needs superadmin, bp_admin, organization_admin or company_admin")
        await person.on_field("Users can choose their CLI")
        await person.sees("only for the whole CloudPBX")


async def test_a_desk_phone_gets_a_module_with_keys(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices of Northwind voice")
        await person.press("/")
        await person.type("M320")
        await person.press("enter")
        await person.until(lambda: "M320" in person.cursor, "no M320")
        await person.press("M")
        await person.sees("Module 1 of", "EM_20")
        await person.on_field("Type")
        await person.press("space")
        await person.sees("does not fit: M320 desk supports only EM_20")
        await person.press("space")
        await person.does_not_see("does not fit")
        await person.on_field("Keys")
        await person.press("enter")
        await person.sees("0 of 200")
        for position, label, number in (("21", "Ana", "2001"), ("21", "Bo", "2002")):
            await person.press("n")
            for text in (position, label, number):
                await person.type(text)
                await person.press("enter")
            await person.sees_line(rf"{position}\s+{label}\s+{number}")
        await person.sees("Row 2: Position is already in row 1")
        await person.press("enter", "backspace")
        await person.type("20")
        await person.press("down", "ctrl+o")
        await person.sees("has key 21, but EM_20 has only 20")
        await person.press("enter")
        await person.sees("2 of 200")
        await person.press("enter")
        await person.type("1")
        await person.press("ctrl+o", "ctrl+o")
        await person.sees("Add EM_20 to", "A module cannot be changed or removed later")
        await person.press("enter")
        await person.sees("Added EM_20 to ")
        await person.press("enter")
        await person.sees("1. EM_20", "2 of 20 keys: 1 Ana 2001, 20 Bo 2002")


async def test_a_phone_without_modules_shows_the_reason(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices of Northwind voice")
        await person.press("/")
        await person.type("B40")
        await person.press("enter")
        await person.until(lambda: "B40" in person.cursor, "no B40")
        await person.press("M")
        await person.sees("B40 desk has no expansion modules.")


async def test_a_new_subscriber_gets_the_options_of_the_one_it_is_like(service: str) -> None:
    async with story(profile(service), size=(120, 45)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("▸ Subscribers of Northwind voice", "NUMBER ▲")
        await person.is_ready()
        await person.puts_cursor_on("Una Byrne")
        # Keys behind it are for its form, where the user is searched.
        send(person, "=", "enter")
        await person.sees("New subscriber", "Anders Holm")
        await person.type("anders")
        await person.press("enter")
        await person.sees_line(r"User \* +Anders Holm")
        await person.sees_line(r"Short number \* +2\d\d\d")
        await person.press("ctrl+o")
        await person.sees("User: — → Anders Holm", "Recording profile: — → Internal calls only", "/recordings")
        await person.press("enter")
        await person.sees("Save it now")
        await person.press("esc")
        await person.sees_line(r"▌2\d\d\d +Anders Holm.*internal")
        await person.press("x")
        await person.sees("Type Anders Holm to confirm")
        await person.type("Anders Holm")
        await person.press("enter")
        await person.is_gone("Anders Holm")


async def test_many_subscribers_are_created_from_a_file(service: str, tmp_path: Path) -> None:
    folder = tmp_path / "staff"
    folder.mkdir()
    (folder / "new.csv").write_text(
        "user;number;password\n"
        f"{NEW[0]};;\n"
        "unknown@demo.example;;\n"
        "company_admin@demo.example;;\n"
        "app_admin@demo.example;2900;abcd1234\n"
        "app_admin@demo.example;2901;\n",
        "utf-8",
    )
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("38 subscribers")
        await person.press("I")
        await person.sees("Telephony from a file", "CSV or XLSX with a header")
        await person.type(f"{folder}/missing.csv")
        await person.press("enter")
        await person.sees("This file does not exist.")
        for _ in "missing.csv":
            await person.press("backspace")
        await person.press("tab", "enter")
        await person.sees(
            "Import 5 subscribers", "2: 2000 Nils Walsh", "3: unknown@demo.example", "5: 2900 Anders Holm"
        )
        await person.sees("the company has no user unknown@demo.example", "already has an extension")
        await person.sees("the user is also in an earlier line", "2 left   3 skipped")
        await person.press("enter")
        await person.sees("1 done", "enter Continue with the rest")
        await person.press("enter")
        await person.sees("2 done   0 failed   0 left")
        await person.press("enter")
        await person.sees("SIP passwords of 1 subscriber", "Save these passwords now")
        await person.sees_line(r"2000  Nils Walsh\s+\S{12}\s")
        await person.press("esc")
        await person.sees("Not copied yet")
        await person.press("esc")
        await person.sees("Import: 2 done, 0 failed, 0 not started, 3 skipped.")
        await person.press("g")
        await person.sees_line(r"2000\s+Nils Walsh")


async def test_a_file_without_users_is_refused_in_the_dialog(service: str, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("number\n2000\n", "utf-8")
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("▸ Subscribers of Northwind voice")
        await person.press("I")
        await person.type(str(tmp_path / "odd.csv"))
        await person.press("enter")
        await person.sees("The header has no column loginEmail or userId.")


async def test_another_number_becomes_the_main_one(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.puts_cursor_on("Oscar Lindqvist")
        for number in ("21 099 2091", "21 099 2090"):
            await person.press("N")
            await person.sees("DDI number for Oscar Lindqvist", number)
            await person.type(number.replace(" ", ""))
            await person.press("enter")
            await person.sees(f"Assign {number} to Oscar Lindqvist")
            await person.press("enter")
            await person.sees(f"Assigned {number} to Oscar Lindqvist.")
        await person.press("M")
        for place, number in (("main", "2002"), ("further 1", "2091"), ("further 2", "2090")):
            await person.sees_line(rf"{place}\s+21 099 {number}")
        await person.press("down", "down", "K", "K")
        await person.sees_line(r"main\s+21 099 2090")
        await person.press("ctrl+o")
        await person.sees("Main: 21 099 2002 → 21 099 2090", "Further 1: 21 099 2091 → 21 099 2002")
        await person.sees("Affects 1 subscriber and 2 DDI numbers.")
        await person.sees("Briefly unreachable: 21 099 2002, 21 099 2091.")
        await person.press("enter")
        await person.sees("Oscar Lindqvist has 21 099 2090, 21 099 2002, 21 099 2091.")
        await person.sees_line(r"▌2002\s+Oscar Lindqvist\s+21 099 2090")
        await person.press("M")
        await person.sees_line(r"further 1\s+21 099 2002")
        await person.press("down", "x", "ctrl+o")
        await person.sees("Affects 1 subscriber and 1 DDI number.")
        await person.does_not_see("For a moment")
        await person.press("enter")
        await person.sees("Oscar Lindqvist has 21 099 2090, 21 099 2091.")
        await person.press("M")
        await person.sees_line(r"further 1\s+21 099 2091")


async def test_a_device_shows_its_registrations(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices of Northwind voice")
        await person.press("/")
        await person.type("becker")
        await person.press("enter")
        await person.until(lambda: "Felix Becker" in person.cursor, "the phone is not found")
        await person.press("O")
        await person.sees("Device registrations of B40 desk of Felix Becker", "FROM", "UNTIL")
        await person.sees_line(r"▌\S+.*\d+\.\d+\.\d+\.\d+ +20\d\d-")


async def test_a_broken_phone_is_exchanged_in_its_place_by_the_address_of_the_new_one(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices of Northwind voice")
        await person.press("/")
        await person.type("lindqvist")
        await person.press("enter")
        await person.until(lambda: "Oscar Lindqvist" in person.cursor, "the phone is not found")
        old = person.cursor
        await person.press("e")
        await person.on_field("MAC address")
        for _ in range(17):
            await person.press("backspace")
        await person.type("02AB.CD99.88")
        await person.sees_line(r"MAC address\s+02AB\.CD99\.88\s+needs 12 hexadecimal digits")
        await person.type("77")
        await person.press("ctrl+o")
        await person.sees("MAC address: 02:", "→ 02:ab:cd:99:88:77", '"macAddress": "02:ab:cd:99:88:77"')
        await person.press("enter")
        await person.sees_line(r"▌.*2002 Oscar Lindqvist\s+online  02:ab:cd:99:88:77")
        assert old != person.cursor
        await person.press("O")
        await person.sees("No device registrations here.")


async def test_a_free_device_is_assigned_to_a_subscriber_found_by_number(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices of Northwind voice")
        await person.press("/")
        await person.type('"shelf 3"')
        await person.press("enter")
        await person.until(lambda: "Spare, shelf 3" in person.cursor, "it is not found")
        await person.press("A")
        await person.sees("Subscriber for Spare, shelf 3")
        await person.type("2006")
        await person.does_not_see("Clara Novak")
        await person.press("enter")
        await person.sees("Assign Spare, shelf 3 to Vera Quist", '"deviceId"')
        await person.press("enter")
        await person.sees_line(r"▌Spare, shelf 3\s+2006 Vera Quist")
        await person.press("A")
        await person.sees("Assign: already assigned")
