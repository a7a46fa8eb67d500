"""Refusals about users with their reasons, and several users who are switched off and on again."""

from __future__ import annotations

from svc_tui.interface.catalogue import operation
from tests.stories.beside import call, other_client
from tests.stories.driver import profile, story


async def test_an_owner_of_applications_is_not_deleted_and_the_list_opens_them(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as s:
        await s.is_ready()
        await s.goes("users felix becker")
        await s.sees("Felix Becker")
        await s.press("x")
        await s.sees("Felix Becker cannot be deleted yet", "Change these first:")
        name = (await s.sees_line(r"1  application (.+) belongs to this user: give it another"))[1]
        await s.press("1")
        await s.sees(f"▸ {name}", "Owner")


async def test_users_who_are_deactivated_together_are_activated_by_one_undo(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as s:
        await s.is_ready()
        await s.goes("users gabriel")
        await s.sees("Gabriel Dahl")
        await s.is_ready()
        await s.press("space", "space", "S")
        await s.sees("Deactivate 2 users")
        await s.press("enter")
        await s.sees("Continue with the rest", "1 done")
        await s.press("enter")
        await s.sees("2 done")
        await s.press("enter")
        await s.sees("Deactivate: 2 done", "ctrl+z undoes it.")
        await s.sees_line(r"Gabriel Dahl .*× inactive")
        await s.sees_line(r"Gabriel Patel .*× inactive")
        async with other_client(service) as other:
            listed = await other.send(operation("list_users"), query={"displayName": "Gabriel", "format": "full"})
            (first,) = [row for row in listed.body["data"] if row["displayName"] == "Gabriel Dahl"]
            await call(other, "update_user", {"isActive": True}, userId=first["id"])
            await call(other, "update_user", {"jobTitle": "Guide"}, userId=first["id"])
        await s.press("ctrl+z")
        # One of them has its old value again: nothing is sent for it.
        await s.sees("Undo 2 users", "Undo: Deactivate Gabriel Dahl and 1 more.", "Unchanged: 1 user")
        await s.press("enter")
        await s.sees("1 done   0 failed   0 left   1 unchanged")
        await s.press("enter")
        await s.sees_line(r"Gabriel Patel .*● active")
        await s.press("ctrl+z")
        await s.sees("nothing to undo")


async def test_only_the_types_of_administrators_that_may_be_given_are_offered(service: str) -> None:
    async with story(profile(service), size=(120, 45)) as s:
        await s.is_ready()
        await s.goes("users")
        await s.sees("Agnes Jansen")
        await s.press("n")
        await s.sees("First name")
        await s.on_field("Roles")
        await s.press("enter")
        await s.sees("app_admin")
        await s.sees("any of user, admin, app_admin")
        await s.press("esc")
        await s.on_field("Administrator type")
        await s.press("enter")
        await s.sees_line(r"(?i)│ +company.admin")
        await s.sees_line(r"(?i)│ +site.admin")
        assert "organization" not in s.screen.lower()


async def test_support_sees_why_a_login_fails_and_who_can_unlock(service: str) -> None:
    async with story(profile(service, "support@demo.example"), size=(120, 40)) as s:
        await s.is_ready()
        await s.goes("users lukas baum")
        await s.sees("Lukas Baum")
        await s.press("enter")
        await s.sees("Locked until", "; a new", "failed logins")
        await s.sees_line(r"Can unlock +superadmin, bp_admin")
        await s.press("P")
        await s.sees("Set password: needs ")
        await s.press("H")
        await s.sees("Activity: needs ")
