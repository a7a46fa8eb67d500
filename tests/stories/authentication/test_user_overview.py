"""The overview of a user: from what a caller says to the finding, to where it is changed, and back."""

from __future__ import annotations

from tests.stories.driver import profile, story


async def test_a_single_sign_on_user_is_found_with_its_account(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="users") as s:
        await s.is_ready()
        await s.goes("find sso@demo.example")
        await s.press("enter")
        await s.sees("Findings", "With single sign-on (OIDC), not a password.  4.1")
        await s.sees("User: Authentication type   specification 4.1   no operation changes it")
        await s.sees_line(r"^  Login +sso@demo.example   OIDC")
