"""The audit log: what changed on a record, who changed it, and a service without an audit log."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.stories.driver import Story, profile, story

COMPANY_ADMIN, SUPERADMIN = "company_admin@demo.example", "superadmin@demo.example"


async def opens_log(person: Story) -> None:
    await person.is_ready()
    await person.goes("audit")
    await person.sees("▸ Audit log")
    await person.is_ready()


async def test_a_change_is_in_the_audit_log_of_its_record_with_old_and_new_values(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("apps")
        await person.is_ready()
        await person.puts_cursor_on("Inventory Studio")
        await person.press("e")
        await person.on_field("Name")
        await person.press("end")
        await person.type("s")
        await person.press("ctrl+o")
        await person.sees("Inventory Studio → Inventory Studios")
        await person.press("enter")
        await person.sees("Inventory Studios")
        await person.press("J")
        await person.sees("Audit log of Inventory Studios", "1 change", "update")
        await person.press("enter")
        await person.sees("Inventory Studio → Inventory Studios", "update_application")


async def test_the_log_is_filtered_and_exported(service: str, tmp_path: Path) -> None:
    async with story(profile(service, COMPANY_ADMIN)) as person:
        await opens_log(person)
        await person.press("/")
        await person.type("action:failed")
        await person.press("enter")
        await person.sees("/action:failed", "failed login")
        await person.press("W")
        await person.sees("Export audit log")
        await person.press("ctrl+u")
        await person.type(str(tmp_path / "log.csv"))
        await person.press("enter")
        await person.sees("Exported ")
    head, row, *_ = csv.reader((tmp_path / "log.csv").read_text().splitlines())
    assert dict(zip(head, row, strict=True))["action"] == "failed login"


async def test_the_page_of_a_user_lists_what_the_user_did_with_names(service: str) -> None:
    async with story(profile(service, COMPANY_ADMIN), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes("users clara novak")
        await person.sees("Clara Novak")
        await person.press("H")
        await person.sees("Activity of Clara Novak")
        await person.is_ready()
        # The user's own login, and a change of another record, which has its name.
        await person.sees_line(r"company_admin@demo\S+ +login +Clara Novak")
        await person.sees_line(r"company_admin@demo\S+ +update +Northwind Telec")
        await person.sees_line(r"│ +Company +Northwind Telecom")


async def test_a_role_that_may_not_read_the_log_sees_why_it_is_empty(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.goes("audit")
        await person.sees("Your role does not allow this: needs superadmin")
        await person.goes("users clara novak")
        await person.sees("Clara Novak")
        await person.press("J")
        await person.sees("Audit log: needs superadmin")
