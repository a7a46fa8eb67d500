"""Mistakes in programs that use the Python API: each line with a comment must be an error of the type checkers."""

# pyright: standard
# In its strict mode, a line that uses the result of a mistake is an error too.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from svc_tui.client.api import Client, Profile, connect

if TYPE_CHECKING:
    from svc_tui.client.resources import SmallUser, User


async def mistakes(client: Client) -> None:
    """Never runs."""
    await client.applications.get()  # no ID
    await client.applications.get(7)  # a number for an ID
    await client.applications.get("1", "small")  # a query that is no keyword
    await client.applications.get("1", format="tiny")  # no such format
    await client.applications.get("1", fromat="small")  # a misspelt query
    await client.applications.create(type="web", activity="J")  # no name
    await client.applications.create(name="CRM", type="car", activity="J")  # no such type
    await client.applications.create(name="CRM", type="web", activity="J", descripton="x")  # a misspelt field
    await client.applications.create(name=7, type="web", activity="J")  # a number for a text
    await client.applications.update("1", oauth_redirect_uris="https://a.example")  # a text for a list
    await client.applications.update("1", is_allowed_to_embed="yes")  # a text for yes or no
    await client.applications.list()  # a list is read in a loop
    client.applications.list(env="gone")  # no such environment
    client.applications.list(types="car")  # no such type
    client.applications.list(state=["active", "gone"])  # no such state
    client.applications.list(limit="10")  # a text for a number
    client.users.list(roles="user,admin")  # a text with commas for a list
    await client.companies.list_administrators()  # no company
    await client.aplications.get("1")  # a misspelt resource
    await client.applications.stopp("1")  # a misspelt operation
    application = await client.applications.get("1")
    print(application.nme)  # a misspelt field of a result
    number: int = application.id  # an ID is a text
    number = (await client.applications.delete("1")).id  # a deletion has no result
    await client.images.upload_company_avatar("1", "logo.png")  # a text for a file
    async for each in client.applications.get("1"):  # a record is no list
        print(each, number)
    print((await client.users.get("1")).last_name.upper())  # not every user has a last name
    print((await client.companies.get("1")).status)  # no field of the small format, which is that of this operation
    print((await client.companies.get("1", format="medium")).visible_by)  # no field of the medium format
    print((await client.applications.list(format="small").all())[0].env)  # no field of the small format
    users: list[User] = await client.users.list(format="medium").all()  # not the type of the full format
    client.sip_devices.list("1", phone_number_id="1 2")  # a text with spaces for a list
    print(users)
    async with connect(Profile("test", "https://svc.test"), timeout=5):  # a misspelt option
        pass
    client.with_options(retries="3")  # a text for a number


def name_of(user: SmallUser) -> str:
    return user.display_name


async def no_mistakes(client: Client, format: Literal["small", "medium", "full"]) -> str:
    """What must stay allowed."""
    company = await client.companies.get("1", format="full")
    print(company.status, [each.upper() for each in company.visible_by])
    print((await client.applications.get("1")).env, (await client.applications.get("1", format=format)).owner_id)
    print([name_of(user) for user in await client.users.list(format="full").all()])
    async for each in client.companies.list(format=format):
        print(each.name.upper())
    client.sip_devices.list("1", phone_number_id=["1", "2"])
    application = await client.applications.create(name="CRM", type="web", activity="J", description=None)
    await client.applications.update(application.id, oauth_redirect_uris=["https://a.example"])
    async for user in client.users.list(roles=["user", "admin"], format="full"):
        print(user.id.upper(), user.display_name.upper(), user.model_extra)
    applications = [each.name.upper() async for each in client.applications.list(state="active", types=["web", "bot"])]
    owner: str = application.owner_id
    return applications[0] + owner
