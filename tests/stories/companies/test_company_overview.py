"""The overview of a company: from a part of its name to what is near its limit, to where that is changed, and back."""

from __future__ import annotations

import pytest

from svc_tui.console.views.overview import OverviewView
from tests.stories.driver import Story, profile, story
from tests.stories.shell.test_find import finds, puts_cursor_on


def asked(person: Story) -> list[str]:
    """The operations that were called, in order."""
    return [call.operation_id for call in person.app.frame.workspace.log.exchanges]


async def opens(person: Story, part: str) -> None:
    """Open the company that a part of its name finds."""
    await person.is_ready()
    await person.goes(f"companies {part}")
    await person.sees(f"/{part}")
    await person.is_ready()
    await person.press("enter")
    await is_checked(person)


async def is_checked(person: Story) -> None:
    """Everything of the overview has arrived."""
    await person.sees("Findings")
    await person.does_not_see("Checking…", "Loading…")


async def selects(person: Story, about: str) -> None:
    """Move down to the first finding about something."""
    view = person.app.frame.view
    assert isinstance(view, OverviewView)
    await person.press("home")
    while view.finding is None or view.finding[0].about != about:
        before = view.sheet.cursor
        await person.press("down")
        assert view.sheet.cursor != before, f"no finding about {about}\n{person.screen}"


async def test_a_part_of_a_name_leads_to_the_company_to_what_runs_out_to_its_change_and_back(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), size=(80, 32)) as person:
        await person.is_ready()
        await finds(person, "sequoia")
        await puts_cursor_on(person, "companies")
        await person.press("enter")
        await is_checked(person)
        await person.sees_line(r"Licences +“Business”: 5 of 5 licences are assigned\. +Licences")
        await person.sees_line(r"Subscription +“Webinar Room”: ends in \d+ d, without renewal\.")
        await person.sees_line(r"Status +active   end customer   United States")
        await person.sees_line(r"Partner +Lighthouse Direct")
        await person.sees_line(r"Users +5 ")
        await person.sees_line(r"Next end +2026-12-\d\d   in \d+ days   Webinar Room")
        await person.sees("Last changes", "Subscribed to Webinar Room")
        await person.sees(" Subscription: Licences   enter opens it")
        await person.press("enter")
        await person.sees("Sequoia Media ▸ Business ▸ Edit")
        await person.sees_line(r"Licences +5 +0\.\.")
        await person.press("esc")
        await person.sees("Sequoia Media ▸ Business ", "5 of 5 licences assigned")
        await person.press("esc")
        await person.sees("“Business”: 5 of 5 licences are assigned")


async def test_a_company_is_gathered_with_few_requests_and_again_from_the_cache(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await opens(person, "northwind tel")
        await person.sees_line(r"Licences +━+ 10/10 +Voice Business")
        gathered = asked(person)[asked(person).index("get_company") :]
        # The company, also for its row, and its partner; an event of an earlier story can refresh it once more.
        assert gathered.count("get_company") in (2, 3, 4)
        assert sorted(each for each in gathered if each != "get_company") == [
            "get_company_import_status",
            "list_cloudpbxs",
            "list_company_subscriptions",
            "list_ddi_numbers",
            "list_directory_entries",
            "list_sip_devices",
            "list_sites",
            "list_system_phone_numbers",
        ]
        # Data that was read seconds ago is not read again; the record itself and a report that does not exist are.
        # What an event of the service makes outdated is read once more.
        for _ in range(3):
            await person.press("esc")
            before = asked(person)
            await person.press("enter")
            await person.sees("“Attendant”: on hold.", "“Voice Business”: 10 of 10 licences are assigned.")
            await is_checked(person)
            again = set(asked(person)[len(before) :])
            if again <= {"get_company", "get_company_import_status"}:
                break
        assert again <= {"get_company", "get_company_import_status"}


async def test_findings_about_a_cloudpbx_an_import_and_the_company_open_where_they_are_changed(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), place="companies") as person:
        await opens(person, "logistics")
        await selects(person, "CloudPBX")
        await person.sees(" CloudPBX: External trunk ID   enter opens it")
        await person.press("enter")
        await person.sees("Northwind Logistics voice ▸ Edit")
        # The field that the finding is about.
        await person.sees("Trunk to the public network", "externalTrunkId")
        await person.press("esc", "esc")
        await is_checked(person)
        await selects(person, "Directory")
        await person.sees("Last import: 20 of 40 rows failed.")
        await person.press("enter")
        await person.sees("Completed with failure", "Contacts of the spring fair")
        await person.press("esc")
        await is_checked(person)
        await opens(person, "cedar")
        await person.sees_line(r"Company +In alert since 202\d-\d\d-\d\d\. +Status")
        await person.sees("“Alert”: rejected by the billing systems.", "“Business”: in alert.")


@pytest.mark.parametrize("who", ["bp_finance", "company_admin"])
async def test_what_a_role_may_not_read_gives_the_reason(service: str, who: str) -> None:
    async with story(profile(service, f"{who}@demo.example"), place="companies") as person:
        await opens(person, "north")
        if who == "bp_finance":
            await person.sees("Not checked: CloudPBXs")
            await person.on_field("CloudPBX")
            await person.sees_line(r"CloudPBX +needs superadmin")
        else:
            await person.on_field("CloudPBX")
            await person.sees_line(r"CloudPBX +Northwind voice   connected   trunk Harbour Lisbon")
