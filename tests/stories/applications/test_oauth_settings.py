"""The OAuth settings of an application, explained, found wanting, and changed from there."""

from __future__ import annotations

from svc_tui.console.areas.applications.oauth_view import OAuthView
from svc_tui.console.views.form import FormView
from tests.stories.driver import Story, profile, story

DEMO = "demo@demo.example"


async def opens_settings(person: Story, name: str) -> None:
    await person.is_ready()
    await person.goes("apps")
    await person.is_ready()
    await person.puts_cursor_on(name)
    await person.press("O")
    await person.sees(f"OAuth of {name}", "What the settings mean")


async def on_setting(person: Story, field: str) -> None:
    """Move down to a sentence about this field."""
    view = person.app.frame.view
    assert isinstance(view, OAuthView)
    for _ in range(20):
        if view.field == field:
            return
        await person.press("down")
    raise AssertionError(f"no sentence about {field}\n{person.screen}")


async def test_settings_are_explained_changed_and_explained_again_while_they_are_edited(service: str) -> None:
    async with story(profile(service, DEMO)) as person:
        await opens_settings(person, "Inventory Planner")
        await person.sees("No findings.", "exchanges for tokens with its secret")
        await on_setting(person, "enableOAuthImplicitGrant")
        await person.sees("OAuth implicit grant: no   enter changes it")
        await person.press("enter")
        await person.sees("Edit Inventory Planner")
        form = person.app.frame.view
        assert isinstance(form, FormView)
        assert form.wire == "enableOAuthImplicitGrant"
        await person.press("y", "f3")
        await person.sees("OAuth", "Access tokens are in addresses", "(implicit")
        await person.press("enter")
        await person.sees("1 changed")
        assert form.wire == "enableOAuthImplicitGrant"
        await person.press("ctrl+o")
        await person.sees("OAuth implicit grant: no → yes")
        await person.press("enter")
        await person.sees("OAuth of Inventory Planner", "Access tokens are in addresses")
        await person.press("ctrl+z")
        await person.sees("Undo", "OAuth implicit grant: yes → no")
        await person.press("enter")
        await person.sees("No findings.")


async def test_a_stopped_application_is_restarted_from_the_finding(service: str) -> None:
    async with story(profile(service, DEMO)) as person:
        await opens_settings(person, "Maintenance Pocket")
        await person.sees("No user can authorize it or refresh tokens: it is stopped.")
        await on_setting(person, "state")
        await person.press("enter")
        await person.sees("Restart application Maintenance Pocket")


async def test_read_only_mode_gives_the_reason_beside_a_setting(service: str) -> None:
    async with story(profile(service, DEMO), read_only=True) as person:
        await opens_settings(person, "Dispatch Portal")
        await on_setting(person, "oauthRedirectUris")
        await person.press("enter")
        await person.sees("Change: read-only")
