"""OAuth tokens of the user: found, understood, revoked one by one and several at once."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story

USER = "user@demo.example"


async def opens_tokens(person: Story) -> None:
    await person.is_ready()
    await person.goes("token")
    await person.sees("demo ▸ OAuth tokens", "4 OAuth tokens")
    await person.is_ready()


async def test_tokens_are_read_revoked_and_no_longer_listed(service: str) -> None:
    async with story(profile(service, USER)) as person:
        await opens_tokens(person)
        name = person.cursor.removeprefix("▌").split("  ")[0].strip()
        await person.press("enter")
        await person.sees("What it means", f"{name} can do everything that you can do", "Refresh token expires at")
        await person.press("x")
        await person.sees(f"Revoke OAuth token {name}", "→ refused at once", f"Type {name} to confirm", "DELETE")
        await person.type(name)
        await person.press("enter")
        await person.sees(f"OAuth token {name} successfully deleted")
        await person.is_gone(name)
        await person.press("space", "space", "x")
        await person.sees("Revoke 2 OAuth tokens", "These applications can no longer act for you.")
        await person.sees_line(r"Visitor Go +access until \d{4}-\d\d-\d\d")
        await person.type("2")
        await person.press("enter")
        await person.sees("1 done", "Continue with the rest")
        await person.press("enter")
        await person.sees("2 done")
        await person.press("enter")
        await person.sees("Revoke: 2 done")
        await person.is_gone("Visitor Go")


async def test_tokens_are_found_from_an_application_from_a_user_and_by_their_id(service: str) -> None:
    async with story(profile(service)) as person:
        await opens_tokens(person)
        name = person.cursor.removeprefix("▌").split("  ")[0].strip()
        await person.press("enter")
        id = (await person.sees_line(r"ID +([0-9a-f]{24})"))[1]
        await person.on_field("Application")
        await person.press("enter")
        await person.sees("Allow sending SMS")
        await person.is_ready()
        await person.press("t")
        await person.sees(f"{name} ▸ OAuth tokens", "1 of 4")
        await person.goes(f"find {id}")
        await person.sees("OAuth tokens (1)", name)
        await person.goes("users")
        await person.is_ready()
        await person.press("O")
        await person.sees("OAuth tokens: only the user can see and revoke these")
        await person.goes("me")
        await person.is_ready()
        await person.press("O")
        await person.sees("4 OAuth tokens")
