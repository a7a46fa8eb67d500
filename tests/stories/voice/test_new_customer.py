"""A new customer, from an empty company to calls that ring for three users: every key is counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from svc_tui.interface.dates import stamp
from svc_tui.server.demo.accounts import PARTNER
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story
from tests.support.process import serving, serving_demo

MOST_KEYS = 150


class Counted:
    """The keys of an administrator, counted."""

    def __init__(self, person: Story) -> None:
        self.person, self.keys = person, 0

    async def press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.person.press(*keys)

    async def type(self, text: str) -> None:
        self.keys += len(text)
        await self.person.type(text)

    async def sees(self, *texts: str) -> None:
        await self.person.sees(*texts)

    async def returns(self, next_step: str) -> None:
        """Return to the overview, which names the next step."""
        await self.press("esc")
        await self.person.sees("Set-up", next_step)

    async def sends(self, preview: str) -> None:
        """Review a form and send it."""
        await self.press("ctrl+o")
        await self.person.sees(preview)
        await self.press("enter")
        await self.person.does_not_see(preview)


async def _soft_phones_register(folder: Path, company_id: str) -> None:
    """The soft phone of each extension of the company goes online, as the service would notice it."""
    database = Database(f"sqlite:///{folder / 'data' / 'svc.db'}")
    async with database.unit() as store:
        users = (await store.users.find(Is("companyId", company_id))).documents
        for user in users:
            for line in (await store.subscribers.find(Is("userId", user["id"]))).documents:
                await store.registrations.put(
                    {
                        "id": id_of("registration", line["id"]),
                        "systemId": line["systemId"],
                        "phoneNumberId": line["id"],
                        "expirationDate": stamp(datetime.now(UTC) + timedelta(hours=1)),
                        "user_agent": "Soft phone",
                    }
                )
    await database.close()


async def _site_and_subscription(admin: Counted) -> None:
    await admin.press("N")
    await admin.sees("New site")
    await admin.person.sees_line(r"Company \*.*Acme")
    await admin.type("H")
    await admin.press("ctrl+o")
    await admin.sees("Company: — → Acme", "Creates 1 site.")
    await admin.press("enter")
    await admin.person.sees_line(r"▌H +● active")
    await admin.returns("Subscribe to an offer with voice.")
    await admin.press("N")
    await admin.sees("Webinar Room")
    await admin.press("end", "up", "up", "n")
    await admin.sees("Subscribe Voice Line")
    await admin.type("3")
    await admin.press("ctrl+o")
    await admin.sees("Price: ", "per month", "Type Voice Line to confirm")
    await admin.type("Voice Line")
    await admin.press("enter")
    # Licences can be assigned when the billing systems have confirmed the subscription.
    await admin.person.sees_line(r"▌Voice Line.*● active")
    await admin.press("esc")
    await admin.person.is_ready()
    await admin.returns("Create the CloudPBX.")


async def _cloudpbx_and_numbers(admin: Counted) -> None:
    await admin.press("N")
    await admin.sees("New CloudPBX")
    await admin.press(*["down"] * 5)
    await admin.type("0")
    await admin.press("down")
    await admin.type("2")
    await admin.press("down")
    await admin.type("4")
    await admin.press("down", "down", "enter")
    await admin.sees("Harbour Lisbon")
    await admin.press("down", "down", "enter")
    await admin.person.sees_line(r"External trunk ID.*Harbour Lisbon")
    await admin.sends("External trunk ID: — → Harbour Lisbon")
    await admin.sees("Acme CloudPBX")
    await admin.returns("Create the DDI numbers.")
    await admin.press("N")
    await admin.sees("New DDI numbers")
    await admin.type("0199001001-3")
    await admin.sees("3 numbers")
    await admin.press("ctrl+o")
    await admin.sees("3 left")
    await admin.press("enter")
    await admin.sees("1 done")
    await admin.press("enter")
    await admin.sees("3 done")
    await admin.press("enter")
    await admin.person.sees_line(r"01 99 00 10 03 +free")
    await admin.returns("Create the first user.")


async def _users(admin: Counted) -> None:
    await admin.press("N")
    await admin.sees("New user")
    for letter in "ABC":
        if letter != "A":
            await admin.press("=")
            await admin.sees("New user")
            await admin.person.sees_line(r"Licences +Voice Line")
        await admin.type(f"{letter.lower()}@a.co")
        await admin.press("down")
        await admin.type(letter)
        await admin.press("down")
        await admin.type(letter)
        if letter == "A":
            await admin.press(*["down"] * 11, "enter")
            await admin.sees("Voice Line", "of 3 assigned")
            await admin.press("enter")
        await admin.sends("Licence: — → Voice Line")
        await admin.person.sees_line(rf"▌{letter} {letter}")
    await admin.returns("Create extensions for the users.")


async def _extensions(admin: Counted) -> None:
    await admin.press("N")
    for number, letter in enumerate("ABC"):
        if number:
            await admin.press("n")
        await admin.sees("New subscriber")
        await admin.press("enter")
        await admin.sees(f"{letter} {letter}  {letter.lower()}@a.co")
        await admin.press("enter")
        await admin.sends(f"User: — → {letter} {letter}")
        await admin.sees("Save it now")
        await admin.press("esc")
        await admin.person.sees_line(rf"▌200{number}")
    for number in range(3):
        await admin.press(*["up"] * bool(number), "N")
        await admin.sees("DDI number for")
        await admin.person.sees_line(rf"01 99 00 10 0{number + 1} *│")
        await admin.press("enter")
        await admin.sees("Affects 1 DDI number and 1 subscriber.")
        await admin.press("enter")
        await admin.person.sees_line(rf"▌200{2 - number}.*01 99 00 10 0{number + 1}")


async def test_a_company_like_another_one_has_its_settings_and_not_its_identity(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), size=(120, 60)) as person:
        await person.is_ready()
        await person.goes("companies northwind telecom")
        await person.sees("1 of 22")
        await person.press("=")
        await person.sees("New company", "Name is required")
        await person.sees_line(r"Country +PRT  Portugal")
        await person.sees_line(r"Time zone +Europe/Lisbon")
        await person.sees_line(r"External reference +—")
        await person.type("Acme")
        await person.press("ctrl+o")
        await person.sees("Creates 1 company.", "Country: — → Portugal (PRT)")


async def test_an_extension_like_another_one_has_its_options_and_not_its_user(service: str) -> None:
    async with story(profile(service), size=(80, 24)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees_line(r"NUMBER.*ONLINE")
        await person.sees_line(r"Una Byrne .*online +internal")
        await person.puts_cursor_on("Una Byrne")
        await person.press("=")
        await person.sees("New subscriber", "User is required")
        await person.does_not_see("f4")
        await person.press("enter")
        await person.sees("Nils Walsh", "already has an extension")
        await person.type("Nils")
        await person.does_not_see("Anders Holm")
        await person.press("enter")
        await person.sees_line(r"User \* +Nils Walsh")
        await person.press("ctrl+o")
        await person.sees(
            "User: — → Nils Walsh", "Short number: — → 2000", "Recording profile: — → Internal calls only"
        )
        await person.does_not_see("Una Byrne")


async def test_from_an_empty_company_to_calls_that_ring_for_three_users(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        async with other_client(server.url) as client:
            body = {"name": "Acme", "offerType": "premium", "bpId": id_of("company", PARTNER), "country": "FRA"}
            company_id = str((await call(client, "create_company", body))["data"]["id"])
        async with story(profile(server.url, "superadmin@demo.example"), size=(120, 40)) as person:
            await person.is_ready()
            await person.goes(f"companies/{company_id}")
            await person.sees("Set-up", "Create the first site.")
            admin = Counted(person)
            await _site_and_subscription(admin)
            server.end()
            await person.press("r")
            await person.sees("Create the CloudPBX.")
            with serving(tmp_path, port=port):
                await person.press("r")
                await person.until(lambda: "●" in person.top or "◐" in person.top, "the link is not live")
                await _cloudpbx_and_numbers(admin)
                await _users(admin)
                await _extensions(admin)
                await _soft_phones_register(tmp_path, company_id)
                await admin.press("T")
                await person.sees("Rings: Soft phone")
                assert admin.keys <= MOST_KEYS, admin.keys
