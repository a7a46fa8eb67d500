"""The demo data: accounts and records, the same at each start."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from typing import Any

import pyotp
import pytest

from svc_tui.interface.applications.records import Application
from svc_tui.interface.authentication.api_keys import ApiKey
from svc_tui.interface.authentication.client_versions import ClientVersion
from svc_tui.interface.authentication.mfa import MfaSetting
from svc_tui.interface.authentication.user_changes import meets_rule
from svc_tui.interface.authentication.users import User
from svc_tui.server.demo import Scale, seed
from svc_tui.server.demo.accounts import RECOVERY_CODE, accounts
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import DocumentCollection
from tests.support.world import World, granted, refused

TODAY = date(2026, 11, 20)
KINDS = (
    "companies",
    "users",
    "applications",
    "api_keys",
    "mfa_settings",
    "client_versions",
    "identity_providers",
    "login_guards",
)
ROLES = """superadmin support business_admin customer_success_admin sales_analytics bp_admin bp_finance
organization_admin company_admin site_admin directory_admin app_admin app_superadmin app_support telephony_cpaas user"""
APPLICATIONS = "/api/svc/applications/v1.0/applications"
Document = dict[str, Any]

KNOWN = accounts()
ACCOUNTS = {each["login"].split("@")[0]: each for each in KNOWN["accounts"]}


async def everything(database: Database) -> dict[str, list[Document]]:
    async with database.unit() as store:
        return {kind: (await getattr(store, kind).find()).documents for kind in KINDS}


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


async def log_in(world: World, name: str) -> Any:
    one = ACCOUNTS[name]
    return await world.login(one["login"], one["password"], app=KNOWN["appId"], secret=KNOWN["appSecret"])


async def logged_in(world: World, name: str) -> tuple[Document, dict[str, str]]:
    """The user of an account, and the header that authenticates requests."""
    body = granted(await log_in(world, name))
    return body["loggedInUser"], {"authorization": f"Bearer {body['token']}"}


def test_the_accounts_can_be_read_without_a_service() -> None:
    program = (
        "import sys; from svc_tui.server.demo.accounts import accounts; accounts();"
        "sys.exit(any(name in sys.modules for name in ('sqlalchemy', 'pydantic', 'starlette')))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_there_is_one_account_for_each_of_the_sixteen_roles_and_the_special_ones() -> None:
    assert {"appId", "appSecret", "accounts"} == set(KNOWN)
    for role in ROLES.split():
        assert role in ACCOUNTS[role]["roles"]
    assert set(ACCOUNTS) == {*ROLES.split(), "mfa", "sso", "voiceonly", "locked", "hostile", "demo"}
    for each in KNOWN["accounts"]:
        assert {"login", "password", "roles", "companyId", "note"} <= set(each)
        assert each["login"].endswith("@demo.example")
    assert [name for name, each in ACCOUNTS.items() if "totpSecret" in each] == ["mfa"]


async def test_every_account_logs_in_or_is_refused_as_its_note_states(demo: World) -> None:
    for name, one in ACCOUNTS.items():
        answer = await log_in(demo, name)
        if name == "locked":
            refused(answer, 401501)
        elif name == "voiceonly":
            refused(answer, 401223)
        else:
            body = granted(answer)
            assert body["mfaRequired"] is (name == "mfa")
            if name == "mfa":
                continue
            roles = [*body["loggedInUser"]["roles"], body["loggedInUser"]["adminType"]]
            assert set(one["roles"]) <= set(roles), name
            assert body["loggedInUser"]["companyId"] == one["companyId"]


async def test_the_lock_of_the_locked_account_does_not_end(demo: World) -> None:
    demo.clock.forward(days=365)
    refused(await log_in(demo, "locked"), 401501)


async def test_the_second_factor_opens_with_the_code_that_is_shown_or_the_recovery_code(demo: World) -> None:
    code = pyotp.TOTP(ACCOUNTS["mfa"]["totpSecret"]).at(demo.clock.now())
    for proof in (code, RECOVERY_CODE):
        body = granted(await log_in(demo, "mfa"))
        path = f"/api/svc/enduser/v1.0/users/{body['loggedInUser']['id']}/mfa/verify"
        headers = {"authorization": f"Bearer {body['token']}"}
        assert granted(await demo.post(path, headers=headers, json={"token": proof}))["data"]["token"]


async def test_the_demo_administrator_lists_applications_of_every_kind_and_creates_one(
    demo: World,
) -> None:
    clara, header = await logged_in(demo, "company_admin")
    states = "new,active,blocked,deleted,stopped"
    query = {"state": states, "format": "full", "limit": 1000}
    found = granted(await demo.get(APPLICATIONS, headers=header, params=query))["data"]
    assert 50 <= len(found) <= 70

    def all_of(field: str) -> set[str]:
        return {each[field] for each in found}

    assert all_of("state") == set(states.split(","))
    assert all_of("env") == {"not_deployed", "in_deployment", "deployed"}
    assert all_of("type") == {"web", "mobile", "desktop", "server", "bot", "iot", "admin"}
    assert all_of("activity") == set("ABCDEFGHIJKLMNOPQRSTU")
    assert all_of("kpi") == {"business", "payasyougo", "svcstore", "appconnect", "internal"}
    statuses = {paid["status"] for each in found for paid in each["subscriptions"] or ()}
    assert statuses == {"creating", "active", "alerting", "hold", "terminating", "terminated", "failed", "unknown"}
    assert len({each["name"] for each in found}) == len(found)
    mine = [each for each in found if each["ownerId"] == clara["id"]]
    assert 20 <= len(mine) < len(found)
    body = {"name": "My own", "type": "web", "activity": "J"}
    made = granted(await demo.post(APPLICATIONS, headers=header, json=body))["data"]
    granted(await demo.put(f"{APPLICATIONS}/{made['id']}", headers=header, json={"origin": "demo"}))


async def test_bp_finance_has_applications_to_list(demo: World) -> None:
    _, header = await logged_in(demo, "bp_finance")
    found = granted(await demo.get(APPLICATIONS, headers=header, params={"format": "full"}))["data"]
    assert found
    assert {(each["kpi"], each["env"]) for each in found} == {("appconnect", "deployed")}


async def test_at_the_scale_hostile_an_account_has_texts_of_every_dangerous_kind(demo: World) -> None:
    async with demo.service.database.unit() as store:
        await seed(store, "hostile", TODAY)
    _, header = await logged_in(demo, "hostile")
    found = granted(await demo.get(APPLICATIONS, headers=header, params={"limit": 1000}))["data"]
    names = [each["name"] for each in found]
    for part in (
        "\x1b]52;", "\x1b]8;;", "\x1b[2J", "\x1b]0;", "\x9b", "\x9d", "\x07", "\u202e", "\u2067", "\u200b", "[/x]",
        "[@click=app.quit]", "[bold", "\n", "\r", "\t", "日本", "👩", "\u0301", '=HYPERLINK("', "\u00ad", "<script>",
    ):  # fmt: skip
        assert any(part in name for name in names), repr(part)
    assert max(map(len, names)) == 255
    keys = granted(await demo.get("/api/svc/authentication/v1.0/apikeys", headers=header, params={"limit": 100}))[
        "data"
    ]
    assert any("\x1b" in each["description"] for each in keys)
    _, header = await logged_in(demo, "company_admin")
    found = granted(await demo.get(APPLICATIONS, headers=header, params={"limit": 1000}))["data"]
    assert len([each["name"] for each in found if not each["name"].isprintable() or "[" in each["name"]]) == 3


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in texts_of(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts_of(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("scale", ["small", "hostile"])
async def test_only_the_scale_hostile_has_control_characters_and_markup(scale: Scale, database: Database) -> None:
    async with database.unit() as store:
        await seed(store, scale, TODAY)
        collections = [each for each in vars(store).values() if isinstance(each, DocumentCollection)]
        found = [each for records in collections for each in (await records.find()).documents]
    texts = [text for document in found for text in texts_of(document)]
    dangerous = [text for text in texts if not text.isprintable() or "[/" in text or "[@" in text]
    assert bool(dangerous) is (scale == "hostile"), dangerous[:5]


async def test_keys_policies_and_client_versions_of_every_kind(demo: World) -> None:
    found = await everything(demo.service.database)
    today = f"{TODAY}"
    keys = found["api_keys"]
    assert {key["isActive"] for key in keys} == {True, False}
    ends = [key["expirationDate"] for key in keys]
    assert None in ends
    assert any(end and end < today for end in ends)
    assert any(end and end > today for end in ends)
    assert len({key["userId"] for key in keys}) >= 5
    assert {each["mfaPolicy"] for each in found["mfa_settings"]} == {"never", "untrusted_only", "always"}
    assert {each["mfaType"] for each in found["mfa_settings"]} == {"none", "totp"}
    assert len(found["client_versions"]) >= 5
    assert KNOWN["appId"] not in {each["id"] for each in found["client_versions"]}
    assert {"active", "hold", "terminated", "alerting", "initializing"} == {e["status"] for e in found["companies"]}


async def test_what_has_happened_is_never_of_the_future_however_early_a_demo_starts(database: Database) -> None:
    async with database.unit() as store:
        await seed(store, "small", TODAY)
        collections = {name: each for name, each in vars(store).items() if isinstance(each, DocumentCollection)}
        found = {name: (await records.find()).documents for name, records in collections.items()}
    happened = {
        "creationDate",
        "initializationDate",
        "firstLoginDate",
        "lastLoginDate",
        "lastUpdateDate",
        "updatedDate",
    }
    dates = [
        (name, field, document[field])
        for name, documents in found.items()
        for document in documents
        for field in happened & document.keys()
        if document[field] is not None
    ]
    assert {field for _, field, _ in dates} == happened
    assert [each for each in dates if each[2] >= f"{TODAY}T"] == []


async def test_every_record_matches_the_interface(demo: World) -> None:
    found = await everything(demo.service.database)
    models = {"applications": Application, "users": User, "api_keys": ApiKey, "mfa_settings": MfaSetting}
    for kind, model in {**models, "client_versions": ClientVersion}.items():
        for document in found[kind]:
            model.model_validate(document)
    companies = {each["id"] for each in found["companies"]}
    users = {each["id"]: each for each in found["users"]}
    assert {each["companyId"] for each in users.values()} <= companies
    for application in found["applications"]:
        assert "app_admin" in users[application["ownerId"]]["roles"], application["name"]
        assert application["dateOfCreation"] <= application.get("dateOfDeployment", "9")


async def test_a_start_on_another_day_differs_in_dates_only_and_seeding_again_resets_the_demo(
    database: Database,
) -> None:
    async with database.unit() as store:
        await seed(store, "small", TODAY)
    first = await everything(database)
    async with database.unit() as store:
        await store.users.remove_all(Is("isTerminated", False))
        await store.applications.put({"id": "f" * 24, "name": "Made by a user"})
        await seed(store, "small", TODAY)
    assert await everything(database) == first
    async with database.unit() as store:
        await seed(store, "small", TODAY + timedelta(days=40))
    later = await everything(database)

    def without_dates(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: without_dates(inner)
                for name, inner in value.items()
                if "Date" not in name and name[:6] != "dateOf"
            }
        return [without_dates(each) for each in value] if isinstance(value, list) else value

    for kind in set(KINDS) - {"login_guards"}:
        assert without_dates(later[kind]) == without_dates(first[kind]), kind
    assert later["applications"] != first["applications"]


async def test_users_are_in_every_state_and_passwords_meet_the_rule(demo: World) -> None:
    assert all(meets_rule(each["password"]) for each in KNOWN["accounts"])
    _, root = await logged_in(demo, "superadmin")
    users = "/api/svc/admin/v1.0/users?format=full&limit=1000"
    present = granted(await demo.get(users, headers=root))["data"]
    terminated = granted(await demo.get(f"{users}&isTerminated=true", headers=root))["data"]
    assert terminated and all(not each["isActive"] and not each["profiles"] for each in terminated)
    new = [each for each in present if each["firstLoginDate"] is None]
    assert new and all(each["lastLoginDate"] is None and not each["isInitialized"] for each in new)
    assert any(not each["isActive"] for each in present)
    assert any(not each["profiles"] for each in present)
    assert [each["loginEmail"] for each in present if each["lockedUntil"]] == ["locked@demo.example"]
    assert sorted(each["failedLogins"] for each in present if each["failedLogins"]) == [3, 5, 12]
