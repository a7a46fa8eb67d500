"""Telephones of a company: a new employee, a broken phone, DDI numbers, settings and the end of a CloudPBX."""

from __future__ import annotations

from svc_tui.server.demo.licences import WITHOUT_VOICE
from tests.stories.driver import Story, profile, story

SUPERADMIN = "superadmin@demo.example"


async def _sees_subscribers(person: Story) -> None:
    await person.is_ready()
    await person.goes("subscribers")
    await person.sees("▸ Subscribers of Northwind voice", "NUMBER ▲")


async def _opens(person: Story, key: str, *seen: str) -> None:
    """Open a list of the only CloudPBX."""
    await person.is_ready()
    await person.goes("pbx")
    await person.until(lambda: "Northwind voice" in person.cursor, "the CloudPBX is not there")
    await person.press(key)
    await person.sees(*seen)


async def _finds(person: Story, text: str) -> None:
    await person.press("/")
    await person.type(text)
    await person.press("enter")


async def test_a_new_employee_gets_extension_device_number_and_recording(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_subscribers(person)
        await person.press("n")
        await person.sees("New subscriber")
        await person.sees_line(r"Short number \*\s+2000 ")
        await person.press("enter")
        await person.type("nils")
        await person.does_not_see("Agnes Jansen")
        await person.press("enter")
        await person.sees_line(r"User \*.*Nils Walsh")
        pressed = len(person.told)
        await person.press("ctrl+o")
        await person.sees("Creates 1 subscriber.")
        await person.press("enter")
        await person.sees("Password of “Nils Walsh”. Save it now: it is shown only once.")
        await person.press("esc")
        await person.until(lambda: "Nils Walsh" in person.cursor, "the cursor is not on the new subscriber")
        await person.press("A")
        await person.type("shelf 4")
        await person.does_not_see("Spare, Porto")
        await person.press("enter")
        await person.sees("Assign Spare, shelf 4 to Nils Walsh")
        await person.press("enter")
        await person.sees("Assigned Spare, shelf 4 to Nils Walsh.")
        await person.press("N")
        await person.sees("DDI number for Nils Walsh", "21 099 2090")
        await person.type("0992091")
        await person.does_not_see("21 099 2090")
        await person.press("enter")
        await person.sees("Assign 21 099 2091 to Nils Walsh")
        await person.press("enter")
        await person.sees_line(r"▌2000\s+Nils Walsh\s+21 099 2091\s+offline none")
        await person.press("P", "down", "enter")
        await person.sees("Recording profile: None → External calls only")
        await person.press("enter")
        await person.sees_line(r"▌2000\s+Nils Walsh\s+21 099 2091\s+offline external")
        assert _keys(person.told[pressed:]) < 30
        await person.press("D")
        await person.sees("SIP devices of Nils Walsh", "Spare, shelf 4", "1 device")


def _keys(told: list[str]) -> int:
    """How many keys were pressed."""
    return sum(len(each.partition(" ")[2]) - 2 if each.startswith("type ") else 1 for each in told)


async def test_a_broken_phone_is_replaced_by_its_mac_address_in_another_notation(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_subscribers(person)
        await _finds(person, "becker")
        await person.until(lambda: "Felix Becker" in person.cursor, "Felix Becker is not found")
        await person.press("D")
        await person.sees("SIP devices of Felix Becker", "B40 desk", "1 device")
        await person.press("R")
        await person.sees(
            "Unassign B40 desk of Felix Becker", "1 device and 1 subscriber: Felix Becker", "goes offline"
        )
        await person.press("enter")
        await person.sees("No SIP devices here.")
        await person.press("esc")
        await person.until(lambda: "Felix Becker" in person.cursor, "back on the subscriber")
        await person.press("A")
        await person.sees("Device for Felix Becker")
        spare = (await person.sees_line(r"Spare, Porto\s+(\S+)"))[1]
        await person.type(spare.replace(":", "-").upper())
        await person.until(lambda: "Spare, shelf 3" not in person.screen, "the address is not searched")
        await person.press("enter")
        await person.sees("Assign Spare, Porto to Felix Becker")
        await person.press("enter")
        await person.sees("Assigned Spare, Porto to Felix Becker.")
        await person.press("O")
        await person.sees("Registrations of Felix Becker")


async def test_subscribers_are_found_by_name_number_and_ddi(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_subscribers(person)
        for text, found in (("quist", "Vera Quist"), ("2009", "Ida Cardoso"), ("099 2002", "Oscar Lindqvist")):
            await _finds(person, text)
            await person.until(lambda found=found: found in person.cursor, f"{found} is not found")
            await person.sees("1 of ")
            await person.press("esc")
            await person.does_not_see("1 of ")


async def test_a_subscriber_links_to_user_and_number(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_subscribers(person)
        await person.puts_cursor_on("Clara Novak")
        await person.press("enter")
        await person.sees("User", "enter opens it")
        await person.on_field("User")
        await person.press("enter")
        await person.sees("▸ Clara Novak ▸ Clara Novak", "company_admin@demo.example")
        await person.press("esc")
        await person.on_field("External number ID")
        await person.press("enter")
        await person.sees("+351210992001", "DDI number of a CloudPBX")


async def test_a_subscriber_without_a_licence_is_refused_in_the_form(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_subscribers(person)
        await person.press("n")
        await person.sees("User is required")
        await person.type(WITHOUT_VOICE[0])
        await person.press("ctrl+o", "enter")
        await person.sees("has no licence for voice")
        await person.press("esc")
        await person.sees(WITHOUT_VOICE[0], "New subscriber")


async def test_who_has_an_extension_or_no_licence_for_voice_is_greyed_among_the_users(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="cloudpbxs") as person:
        await person.is_ready()
        await person.puts_cursor_on("Northwind voice")
        await person.press("S")
        await person.sees("Subscribers of Northwind voice", "Clara Novak")
        await person.press("n", "enter")
        # Of this company only, and first those who can be chosen.
        await person.sees_line(r"│ Anders Holm\s+app_admin@demo.example")
        await person.sees_line(r"Amir Castro\s+already has an extension")
        await person.type("bluebird")
        await person.sees("No results")
        await person.press("ctrl+u")
        await person.type("dario")
        await person.sees_line(r"Dario Ferri.*has no licence for voice")
        await person.press("enter")
        await person.sees_line(r"Dario Ferri.*has no licence for voice")
        await person.press("ctrl+u")
        await person.type("novak")
        await person.sees_line(r"Clara Novak.*already has an extension")
        await person.press("enter")
        await person.sees_line(r"Clara Novak.*already has an extension")
        await person.press("esc")
        await person.sees("no changes   User is required")


async def test_another_default_number_is_chosen_and_taken_back(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens(person, "N", "DDI numbers of Northwind voice", "21 099 0000")
        await person.until(lambda: "default Reception" in person.cursor, "the default number is not the first")
        await person.press("down", "D")
        await person.sees("Default DDI number +351210992001")
        await person.press("enter")
        await person.sees_line(r"▌21 099 2001\s+default Clara Novak")
        await person.sees_line(r" 21 099 0000\s+Reception")
        await person.press("up", "D")
        await person.sees("Default DDI number +351210990000")
        await person.press("enter")
        await person.sees_line(r"▌21 099 0000\s+default Reception")


async def test_a_ddi_number_is_created_as_it_is_written_given_and_released(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens(person, "N", "DDI numbers of Northwind voice", "Reception")
        await person.press("n")
        await person.sees("New DDI number", "Number *")
        await person.type("21 099 3456")
        await person.press("ctrl+o", "enter")
        await person.sees_line(r"▌21 099 3456\s+free")
        await person.press("A")
        await person.type("2006")
        await person.does_not_see("Clara Novak  2001")
        await person.sees("Vera Quist  2006  +351210992006")
        await person.press("enter")
        await person.sees("Assign 21 099 3456 to Vera Quist")
        await person.press("enter")
        await person.sees_line(r"▌21 099 3456\s+Vera Quist \(further 1\)")
        await person.press("A")
        await person.sees("Assign: already assigned")
        await person.press("R")
        await person.sees("Unassign 21 099 3456", "1 subscriber: Vera Quist")
        await person.press("enter")
        await person.sees_line(r"▌21 099 3456\s+free")
        await person.press("x")
        await person.type("+351210993456")
        await person.press("enter")
        await person.does_not_see("21 099 3456")


async def test_a_device_is_created_with_its_model_and_cannot_be_twice(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens(person, "D", "SIP devices of Northwind voice", "Door, entrance hall")
        await person.press("n")
        await person.sees("New device", "Device type ID *")
        await person.press("enter")
        await person.sees("M550 desk", "Meadow")
        await person.type("b80")
        await person.does_not_see("M550")
        await person.press("enter")
        await person.sees_line(r"Device type ID \*.*B80 desk")
        await person.on_field("Description")
        await person.type("Conference room")
        await person.on_field("MAC address")
        await person.type("02-AB-CD-00-11-22")
        await person.press("ctrl+o", "enter")
        await person.sees_line(r"▌Conference room\s+free\s+offline 02:ab:cd:00:11:22")
        await person.press("R")
        await person.sees("Unassign: not assigned")
        await person.press("n", "enter")
        await person.type("m110")
        await person.does_not_see("M550")
        await person.press("enter")
        await person.sees_line(r"Device type ID \*.*M110 desk")
        await person.on_field("MAC address")
        await person.type("02abcd001122")
        await person.press("ctrl+o", "enter")
        await person.sees("Another device already has this MAC address")


async def test_settings_are_changed_and_the_numbering_is_explained(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens(person, "e", "Edit Northwind voice", "Outgoing prefix")
        await person.on_field("Numbering digits")
        await person.press("backspace")
        await person.sees("requires the number of digits")
        await person.type("4")
        await person.on_field("Short code digits")
        await person.press("backspace")
        await person.type("5")
        await person.press("ctrl+o")
        await person.sees("Short code digits: 4 → 5", '"shortCodeDigits": 5')
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("ctrl+z")
        await person.sees("Short code digits: 5 → 4")
        await person.does_not_see("Changed again since then")
        await person.press("enter")
        await person.sees("Undone.")


async def test_a_cloudpbx_with_contents_lists_them_and_is_deleted_with_them(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees("Elm Street front de…")
        await person.puts_cursor_on("Elm Street front de…")
        await person.press("x")
        await person.sees("Elm Street front desks cannot be deleted yet", "s  the CloudPBX has subscribers: 4")
        await person.press("s")
        await person.sees("Subscribers of Elm Street front desks", "4 subscribers")
        await person.press("esc")
        await person.until(lambda: "Elm Street" in person.cursor, "back on the CloudPBX")
        await person.press("x")
        await person.sees("X  delete the CloudPBX with its contents")
        await person.press("X")
        await person.sees("with its contents", "Delete=true", "4 subscribers", "Type Elm Street front desks to confirm")
        await person.type("Elm Street front desks")
        await person.press("enter")
        await person.sees("Deleted Elm Street front desks.")
        await person.does_not_see("disconnected")


async def test_a_field_that_offers_nothing_names_where_its_records_are_created(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("companies willow")
        await person.sees_line(r"▌Willow Studio")
        await person.press("V")
        await person.sees("CloudPBXs of Willow Studio", "No CloudPBXs here. n creates the first one.")
        await person.press("n")
        await person.sees("New CloudPBX")
        await person.on_field("Site")
        await person.press("enter")
        await person.sees("There are no sites that fit the other fields of this form. :site lists")


async def test_an_empty_cloudpbx_is_created_and_deleted(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.sees("Cedar Insurance")
        await person.puts_cursor_on("Cedar Insurance")
        await person.press("V")
        await person.sees("CloudPBXs of Cedar Insurance", "No CloudPBXs here. n creates the first one.")
        await person.press("n")
        await person.sees("New CloudPBX")
        # The search starts on the chosen value, so enter twice keeps it; sites are those of the company.
        await person.on_field("Company")
        await person.press("enter")
        await person.sees_line(r"Cedar Insurance  chosen")
        await person.press("enter")
        await person.does_not_see("Type to search")
        await person.sees_line(r"Company \* +Cedar Insurance")
        await person.on_field("Name")
        await person.type("Cedar desks")
        await person.on_field("Site")
        await person.press("enter")
        await person.sees("Köln")
        await person.does_not_see("Braga")
        await person.press("esc")
        # A refusal is checked again with each change of the fields that it is about.
        await person.on_field("Outgoing prefix")
        await person.type("7")
        await person.on_field("Numbering prefix")
        await person.type("7")
        await person.sees("needs Numbering digits")
        await person.on_field("Numbering digits")
        await person.type("4")
        await person.sees("Numbering prefix: is the same as the outgoing prefix")
        await person.does_not_see("needs Outgoing prefix")
        await person.press("up", "up")
        await person.type("0")
        await person.does_not_see("is the same as the outgoing prefix")
        await person.press("ctrl+o")
        await person.sees("Creates 1 CloudPBX.")
        await person.press("enter")
        await person.sees_line(r"▌Cedar desks\s+● connected\s+DEU\s+7000 to 7999")
        await person.press("enter")
        await person.sees("▸ Cedar desks")
        await person.on_field("Numbering digits")
        await person.press("x")
        await person.sees("Delete CloudPBX Cedar desks", "Type Cedar desks to confirm")
        await person.type("Cedar desks")
        await person.press("enter")
        await person.sees("successfully deleted")


async def test_of_several_cloudpbxs_one_is_chosen_first(service: str) -> None:
    async with story(profile(service, "organization_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("Subscribers belong to a CloudPBX. Choose one: enter opens its subscribers.")
        await person.puts_cursor_on("Northwind Logistics")
        await person.press("S")
        await person.sees("Subscribers of Northwind Logistics voice", "Mina Park")


async def test_support_looks_at_all_and_changes_nothing(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees("Bluebird switchboard", "Northwind Logistics")
        await person.puts_cursor_on("Bluebird switchboard")
        await person.press("e")
        await person.sees("Edit: needs superadmin")
        await person.press("S")
        await person.sees("Subscribers of Bluebird switchboard", "0113 496 0001")
        await person.press("n")
        await person.sees("New: needs superadmin")


async def test_a_partner_sees_the_available_trunks(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("trunks")
        await person.sees("Harbour Lisbon", "Harbour hybrid North", "4 external trunks")
        await person.does_not_see("Meridian Atlantic")
        await person.puts_cursor_on("Harbour hybrid North")
        await person.press("enter")
        await person.sees("hybrid_trunk", "Domain name harbour-hybrid.voice.example")


async def test_beside_a_wide_list_the_settings_stand_as_fields(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees("Northwind voice", "Numbering digits", "Outgoing prefix")


async def test_hostile_names_are_drawn_as_marks(hostile_service: str) -> None:
    async with story(profile(hostile_service, "hostile@demo.example")) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("Subscribers of ␛]0;You are owned␇Window title", "⚠ ␛[2J␛[HCleared sc…")
        await person.goes("devices")
        await person.sees("SIP devices of ␛]0;You are owned␇Window title", "⚠ ␛[2J␛[HCleared screen")
        await person.goes("pbx")
        await person.press("enter")
        await person.sees("⚠ unsafe characters ")
