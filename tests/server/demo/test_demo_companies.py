"""Companies, sites, templates and images of the demo: every kind of them, and all match the interface."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date
from typing import Any

import pytest

from svc_tui.interface.companies.access import is_reserved
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.offers import Catalog, Offer
from svc_tui.interface.companies.records import Company, CompanyCreation
from svc_tui.interface.companies.sites import Site
from svc_tui.interface.customisation.features import contradictions
from svc_tui.interface.customisation.records import Template
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.problems import problems_of
from svc_tui.server.demo import seed
from svc_tui.server.demo.accounts import accounts
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.images.validation import validated
from svc_tui.server.store.database import Database
from tests.support.world import World, granted, refused

TODAY = date(2026, 11, 20)
KINDS = ("companies", "users", "sites", "offers", "catalogs", "subscriptions", "templates", "splash_screens")
Document = dict[str, Any]
KNOWN = accounts()
ACCOUNTS = {each["login"].split("@")[0]: each for each in KNOWN["accounts"]}
TEMPLATES = "/api/svc/admin/v1.0/customisations/templates"


async def everything(database: Database) -> dict[str, list[Document]]:
    async with database.unit() as store:
        return {kind: (await getattr(store, kind).find()).documents for kind in KINDS}


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


async def header_of(world: World, name: str) -> dict[str, str]:
    one = ACCOUNTS[name]
    app, secret = KNOWN["appId"], KNOWN["appSecret"]
    body = granted(await world.login(one["login"], one["password"], app=app, secret=secret))
    return {"authorization": f"Bearer {body['token']}"}


async def test_companies_of_every_kind_state_and_relation(demo: World) -> None:
    companies = (await everything(demo.service.database))["companies"]
    by_id = {each["id"]: each for each in companies}

    def all_of(field: str) -> set[Any]:
        return {each.get(field) for each in companies}

    assert all_of("status") == {"initializing", "active", "alerting", "hold", "terminated"}
    assert all_of("bpType") == {None, "VAD", "IR", "DR"}
    assert all_of("visibility") >= {"public", "private", "organization", "closed", "isolated"}
    assert all_of("offerType") == {"freemium", "premium"}
    assert len(all_of("country")) >= 10
    assert {each["name"] for each in companies if is_reserved(each)} == {"Default", "Terminated"}
    linked = {(by_id[each["bpId"]]["bpType"], each.get("bpType")) for each in companies if each.get("bpId")}
    assert linked == {("VAD", "IR"), ("VAD", None), ("IR", None), ("DR", None)}
    assert any(not each.get("bpId") and not each["isBP"] and not is_reserved(each) for each in companies)
    organisations = Counter(each.get("organisationId") for each in companies)
    assert organisations[id_of("organisation", "northwind")] == 3


async def test_every_record_matches_the_interface(demo: World) -> None:
    found = await everything(demo.service.database)
    models = {"companies": Company, "sites": Site, "offers": Offer, "catalogs": Catalog, "templates": Template}
    for kind, model in models.items():
        for document in found[kind]:
            assert set(document) <= set(field_by_wire(model)), kind
            model.model_validate(document)
    settable = field_by_wire(CompanyCreation)
    for company in found["companies"]:
        values = {wire: value for wire, value in company.items() if wire in settable}
        assert problems_of(CompanyCreation, values) == [], company["name"]
        assert company["country"] in COUNTRIES
    companies = {each["id"] for each in found["companies"]}
    users = {each["id"] for each in found["users"]}
    for kind in ("sites", "subscriptions"):
        assert {each["companyId"] for each in found[kind]} <= companies
    offers = {each["id"] for each in found["offers"]}
    assert {each["offerId"] for each in found["subscriptions"]} <= offers
    assert {each for catalog in found["catalogs"] for each in catalog["offersList"]} == offers
    assert [each["name"] for each in found["offers"] if each["isDefault"]] == ["Essential"]
    for company in found["companies"]:
        assert company.get("companyContactId", next(iter(users))) in users
        assert company["catalogId"] in {each["id"] for each in found["catalogs"]}


async def test_sites_have_every_status_and_the_company_of_their_users(demo: World) -> None:
    found = await everything(demo.service.database)
    sites = {each["id"]: each for each in found["sites"]}
    assert {each["status"] for each in sites.values()} == {"active", "alerting", "hold", "terminated"}
    for user in found["users"]:
        if user.get("siteId"):
            assert sites[user["siteId"]]["companyId"] == user["companyId"]


async def test_one_company_can_be_deleted_and_each_reason_against_a_deletion_has_a_company(demo: World) -> None:
    found = await everything(demo.service.database)
    willow = id_of("company", "willow")
    for kind in ("users", "sites"):
        assert not [each for each in found[kind] if each["companyId"] == willow]
    assert [each["isDefault"] for each in found["subscriptions"] if each["companyId"] == willow] == [True]
    assert {each["companyId"] for each in found["subscriptions"] if each["isDefault"]} == {
        each["id"] for each in found["companies"]
    }


async def test_templates_of_all_four_types_are_consistent_and_in_use(demo: World) -> None:
    found = await everything(demo.service.database)
    templates = {each["id"]: each for each in found["templates"]}
    types = Counter(each["type"] for each in templates.values())
    assert types["default_company"] == types["default_user"] == 1
    standalone = [
        each["id"] for each in found["companies"] if not each.get("bpId") and not each["isBP"] and not is_reserved(each)
    ]
    owners = [each["ownedByCompany"] for each in templates.values() if each["type"] == "private_default_company"]
    assert sorted(owners) == sorted(standalone) and len(owners) >= 2
    assert types["other"] >= 5
    names = {each["type"]: each["name"] for each in templates.values()}
    assert (names["default_company"], names["default_user"]) == ("Full", "Same as company")
    for each in templates.values():
        assert contradictions(each) == []
        assert 1 <= len(each["name"]) <= 64
        assert (each["visibility"] == "private") is ("ownedByCompany" in each)
    companies = {each["id"]: each for each in found["companies"]}
    assert len({each["selectedAppCustomisationTemplate"] for each in companies.values()}) >= 4
    for company in companies.values():
        template = templates[company["selectedAppCustomisationTemplate"]]
        seen = (template.get("ownedByCompany"), *template["visibleBy"])
        assert template["visibility"] == "public" or company["id"] in seen


async def test_the_demo_administrator_applies_a_template_of_the_company(demo: World) -> None:
    header = await header_of(demo, "company_admin")
    names = [each["name"] for each in granted(await demo.get(TEMPLATES, headers=header))["data"]]
    assert {"Full", "Frontline staff", "For our customers"} <= set(names)
    company_id = ACCOUNTS["company_admin"]["companyId"]
    body = {"name": "Frontline staff", "companyId": company_id}
    granted(await demo.post(f"{TEMPLATES}/apply", headers=header, json=body))
    assert (await demo.stored("companies", company_id))["fileStorageCustomisation"] == "disabled"


async def test_images_are_drawn_and_served(demo: World) -> None:
    found = await everything(demo.service.database)
    dated = [each for kind in ("companies", "users") for each in found[kind] if each.get("lastAvatarUpdateDate")]
    assert len(dated) >= 12
    types = set()
    for each in dated:
        update = hashlib.md5(each["lastAvatarUpdateDate"].encode()).hexdigest()
        answer = await demo.get(f"/api/avatar/{each['id']}", params={"update": update, "size": 512})
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        types.add(validated(answer.content, answer.headers["content-type"]).media_type)
    assert types == {"image/png", "image/jpeg"}
    for key in ("harbour", "northwind", "elm", "fabrikam"):
        answer = await demo.get(f"/api/splashscreen/{id_of('company', key)}", params={"size": 512})
        assert answer.status_code == 200, key


async def test_one_partner_forces_its_splash_screen_on_its_customers(demo: World) -> None:
    header = await header_of(demo, "superadmin")
    path = f"/api/svc/admin/v1.0/companies/{id_of('company', 'elm')}/splashscreen"
    info = granted(await demo.get(path, headers=header))["data"]
    assert (info["forced"], info["companyId"]) == (True, id_of("company", "meridian"))
    refused(await demo.get(path, headers=await header_of(demo, "company_admin")), 403301)


async def test_seeding_again_resets_the_demo(database: Database) -> None:
    async with database.unit() as store:
        await seed(store, "small", TODAY)
    first = await everything(database)
    async with database.unit() as store:
        await store.templates.remove(id_of("template", "full"))
        await store.images.remove("avatar", id_of("company", "northwind"))
        await store.sites.put({"id": "f" * 24, "name": "Made by a user"})
        await seed(store, "small", TODAY)
    assert await everything(database) == first
    async with database.unit() as store:
        assert await store.images.get("avatar", id_of("company", "northwind"))


async def test_the_users_of_the_accounts_can_authorize_an_application_at_any_address(demo: World) -> None:
    companies = {each["companyId"] for each in KNOWN["accounts"]}
    found = await everything(demo.service.database)
    limited = {each["id"] for each in found["companies"] if each.get("allowedRedirectDomains")}
    assert limited and not limited & companies
