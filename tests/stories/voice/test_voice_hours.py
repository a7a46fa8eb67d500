"""Office hours changed at the keyboard: a day typed, half hours painted, days that are different."""

from __future__ import annotations

from svc_tui.console.areas.voice.week_grid import WeekGrid
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story


async def _opens_the_week(person: Story, name: str = "Office") -> None:
    await person.is_ready()
    await person.goes("officehours")
    await person.sees(" office hours   deprecated", name)
    await person.is_ready()
    await person.puts_cursor_on(f"▌{name}")
    await person.press("w")
    await person.sees(f"Hours of {name}", "Exceptions")


async def test_fridays_office_hours_are_changed(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_the_week(person)
        await person.press("down", "down", "down", "down", "enter")
        await person.sees("Friday: 09:00-12:30")
        await person.type("9-15:30")
        await person.press("enter")
        await person.sees_line(r">Fri ·{18}\+█{12}·{17} 09:00-15:30")
        await person.sees_line(r" Thu ·{18}█{8}··█{8}·{12} 9-13 14-18 +│")
        await person.press("ctrl+o")
        await person.sees("Friday: 09:00-13:00, 14:00-16:30 → 09:00-15:30", "PUT ")
        await person.does_not_see("Monday: ")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("enter")
        await person.sees_line(r"Thursday\s+09:00-13:00, 14:00-18:00")
        await person.sees_line(r"Friday\s+09:00-15:30")
        await person.sees_line(r"12-25\s+closed")
        await person.press("ctrl+z")
        await person.sees("Friday: 09:00-15:30 → 09:00-13:00, 14:00-16:30")


async def test_half_hours_are_painted_and_a_day_is_copied(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_the_week(person, "Mornings")
        await person.sees_line(r">Mon ·{18}\+█{6}·{23} 09:00-12:30")
        await person.press("x", "x", "space")
        await person.sees("Monday: 10:30-12:30   at 10:00")
        await person.press("end", "o")
        await person.sees("Monday: 10:30-12:30, 23:30-24:00")
        await person.press("y")
        await person.sees("Copied 10:30-12:30, 23:30-24:00")
        await person.press("up", "down", "p", "ctrl+o")
        await person.sees("Monday: 09:00-12:30 → 10:30-12:30, 23:30-24:00")
        await person.sees("Tuesday: 09:00-12:30 → 10:30-12:30, 23:30-24:00")
        await person.press("esc")


async def test_a_day_is_different_only_once(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_the_week(person)
        await person.press("n")
        await person.type("12-25 open 9-12")
        await person.sees("12-25 already has an exception: edit that one")
        await person.press("enter")
        await person.sees("enter Keep   esc Cancel", "already has an exception")
        await person.press("backspace", "esc")
        await person.press("tab", "down", "down", "enter")
        await person.type("12-25 open 9-12")
        await person.does_not_see("already has an exception")
        await person.press("enter")
        await person.sees("12-25 open 09:00-12:00")


async def test_a_day_that_is_different_is_added_changed_and_taken_out(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_the_week(person)
        await person.press("n")
        await person.type("12-31 open 9-12:60")
        await person.sees("a minute above 59")
        await person.press("enter")
        await person.sees("enter Keep   esc Cancel", "a minute above 59")
        await person.press("backspace", "backspace")
        await person.type("30")
        await person.does_not_see("above 59")
        await person.press("enter")
        await person.sees_line(r"> 12-31 open 09:00-12:30")
        await person.press("up", "x")
        await person.does_not_see("12-25 closed")
        await person.press("esc")
        await person.sees("Unsaved changes")
        await person.press("ctrl+o")
        await person.sees("12-25: closed → —", "12-31: — → open 09:00-12:30")
        await person.press("esc")


async def test_hours_in_a_form_are_edited_in_the_same_grid(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("officehours")
        await person.sees("▸ Office hours of Northwind voice")
        await person.is_ready()
        await person.press("n")
        await person.sees("New office hours")
        await person.type("Saturdays")
        await person.on_field("Office hours")
        await person.press("enter")
        await person.sees("Exceptions")
        await person.sees_line(r">Mon █{18}\+█{29} all day")
        await person.press("enter")
        await person.type("closed")
        await person.press("enter", "ctrl+o")
        await person.sees_line(r"Office hours\s+Monday closed, Tuesday all day")
        await person.press("ctrl+o")
        await person.sees("Monday: — → closed", "Sunday: — → all day")
        await person.press("enter")
        await person.sees_line(r"▌Saturdays\s+6 days a week")


async def _closes_on_sundays(service: str, name: str) -> None:
    """Another administrator changes the week of these office hours."""
    async with other_client(service, "company_admin@demo.example") as client:
        systems = (await call(client, "list_cloudpbxs"))["data"]
        system = next(each["id"] for each in systems if each["name"] == "Northwind voice")
        listed = (await call(client, "list_office_hours", systemId=system))["data"]
        found = next(each for each in listed if each["name"] == name)
        hours = {**found["officehours"], "openhours": [[], *found["officehours"]["openhours"][1:]]}
        await call(client, "update_office_hours", {"officehours": hours}, systemId=system, officeHoursId=found["id"])


async def test_the_holidays_of_one_calendar_are_taken_over_by_two_others_and_given_back(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes("officehours")
        await person.sees("▸ Office hours of Northwind voice", "Around the clock")
        await person.is_ready()
        await person.puts_cursor_on("▌Mornings")
        await person.press("space")
        await person.puts_cursor_on("▌Shops")
        await person.press("space", "E")
        await person.sees("Exceptions of which office hours?")
        await person.sees_line(r"Office +01-01 closed, 12-24 open 09:00-12:00, 12-25 closed")
        await person.press("enter")
        await person.sees("Add exceptions 2 office hours", "12-25 closed")
        await _closes_on_sundays(service, "Shops")
        await person.press("enter")
        await person.sees("Continue with the rest")
        await person.press("enter")
        await person.sees("2 done")
        await person.press("enter")
        await person.sees("Add exceptions: 2 done, 0 failed, 0 not started. ctrl+z undoes it.")
        await person.sees_line(r"Mornings +5 days a week, 4 exceptions")
        await person.sees_line(r"Shops +6 days a week, 4 exceptions")
        await person.does_not_see("*Shops")
        await person.press("ctrl+z")
        await person.sees("Undo 2 office hours")
        await person.press("enter")
        await person.sees("Continue with the rest")
        await person.press("enter")
        await person.sees("2 done")
        await person.press("enter")
        await person.sees_line(r"Shops +6 days a week +│")
        await person.sees_line(r"Mornings +5 days a week +│")


async def test_deprecated_welcomes_and_hours_work_and_are_marked(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.is_ready()
        await person.puts_cursor_on("Northwind voice")
        await person.press("E")
        await person.sees("▸ Welcomes of Northwind voice", "2 welcomes   deprecated")
        await person.press("n")
        await person.sees("New welcome")
        await person.type("Winter greetings")
        await person.press("ctrl+o")
        await person.sees("Deprecated: replaced by", "POST ")
        await person.press("enter")
        await person.sees_line(r"▌Winter greetings")
        await person.press("x")
        await person.sees("Delete welcome Winter greetings", "This cannot be undone.")
        await person.type("Winter greetings")
        await person.press("enter")
        await person.sees("successfully deleted")
        await person.is_gone("Winter greetings")


async def test_office_hours_in_use_are_not_deleted_and_their_services_are_named(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("officehours")
        await person.sees("▸ Office hours of Northwind voice")
        await person.is_ready()
        await person.puts_cursor_on("▌Shops")
        await person.press("x")
        await person.sees("Shops cannot be deleted yet", "1  welcome service Faults line opens and closes by it")
        await person.sees("2  welcome service Shop enquiries opens and closes by it")
        await person.press("esc", "S")
        await person.sees("▸ Welcome services of Shops", "Faults line", "Shop enquiries", "2 of 6")
        await person.does_not_see("Reception")


async def test_the_week_is_changed_in_forty_columns_and_with_the_mouse(service: str) -> None:
    async with story(profile(service), size=(40, 24)) as person:
        await _opens_the_week(person, "Mornings")
        await person.press("down", "enter")
        await person.type("8-9")
        await person.press("enter")
        await person.sees("Tuesday: 08:00-09:00")
        await person.press("esc", "esc")
        await person.does_not_see("Exceptions")
    async with story(profile(service)) as person:
        await _opens_the_week(person)
        await person.pilot.click(WeekGrid, offset=(5 + 20, 3))
        await person.sees("Wednesday: 09:00-13:00, 14:00-18:00   at 10:00")
        await person.pilot.click(WeekGrid, offset=(6, 9))
        await person.sees_line(r"> 01-01 closed")
