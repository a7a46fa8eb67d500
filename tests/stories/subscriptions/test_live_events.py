"""A list of subscriptions follows what others do, by the events of the service and without a key press."""

from __future__ import annotations

from pathlib import Path

from tests.stories.beside import call, other_client, own_server
from tests.stories.driver import profile, story


async def test_licences_that_another_administrator_raises_are_seen_without_a_key_press(tmp_path: Path) -> None:
    with own_server(tmp_path / "service", "billing_sync_seconds = 3\n") as server:
        async with (
            story(profile(server.url, "demo@demo.example")) as person,
            other_client(server.url) as other,
        ):
            await person.is_ready()
            await person.goes("companies")
            await person.sees("▸ Companies", "NAME ▲")
            await person.press("/")
            await person.type("Fabrikam")
            await person.press("enter")
            await person.until(lambda: "Fabrikam" in person.cursor, "the company is not found")
            await person.press("B")
            await person.sees("Subscriptions of Fabrikam")
            await person.sees_line(r"Enterprise\s+active\s+6/12")
            live = person.app.frame.workspace.live
            await person.until(lambda: live.channel.state == "live", "no events arrive")
            found = (await call(other, "list_companies"))["data"]
            company, name = next((each["id"], each["name"]) for each in found if each["name"].startswith("Fabrikam"))
            held = (await call(other, "list_company_subscriptions", companyId=company))["data"]
            found = next(each for each in held if each["offerName"] == "Enterprise")
            await call(
                other,
                "update_company_subscription",
                {"maxNumberUsers": 15},
                companyId=company,
                subscriptionId=found["id"],
            )
            await person.sees_line(r"Enterprise\s+syncing\s+6/15")
            assert person.status.strip() == f"Enterprise of {name} was changed elsewhere, licences 12 → 15."
            await person.sees_line(r"Enterprise\s+active\s+6/15")
