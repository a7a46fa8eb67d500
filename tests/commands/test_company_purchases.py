"""Subscriptions and licences of a company's document: prices in the plan, and nothing bought twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest

from svc_tui.client.client import Client
from svc_tui.client.errors import ServiceError
from svc_tui.client.profile import Profile
from svc_tui.client.retry import Retries
from svc_tui.client.session import Session
from svc_tui.commands.company import CompanyService
from svc_tui.interface.authentication.users import User
from svc_tui.workspace.files import (
    company_document,
    company_export,
    company_plan,
    company_purchases,
    company_steps,
    positioned_yaml,
)
from svc_tui.workspace.files.company_steps import Plan, Step
from tests.server.subscriptions.support import DEFAULT_OFFER, FLAT, furnished, subscribed, synchronised
from tests.support.world import APP, APP_SECRET, PARTNER, World

BUYING = """\
company: {{name: Buyer, country: FRA, offerType: premium}}
subscriptions:
- offerName: Business
  maxNumberUsers: {seats}
users:
- {{loginEmail: a@buyer.example, firstName: A, lastName: B, licences: [Business]}}
- {{loginEmail: b@buyer.example, firstName: B, lastName: B, licences: [business]}}
"""


class Lossy(httpx.AsyncBaseTransport):
    """The service; the response to a request whose path ends with `loses` is lost, before or after it was done."""

    def __init__(self, world: World) -> None:
        self._service = httpx.ASGITransport(app=world.app)
        self.loses, self.does = "", True
        self.purchases = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        lost = self.loses and request.method == "POST" and request.url.path.endswith(self.loses)
        buys = request.method == "POST" and request.url.path.endswith("/subscriptions")
        self.purchases += buys
        if not lost or self.does:
            answer = await self._service.handle_async_request(request)
        if lost:
            raise httpx.ReadError("lost")
        return answer


class Seller:
    """A seller's commands on documents, in this process."""

    def __init__(self, world: World, user: dict[str, object], folder: Path) -> None:
        profile = Profile("work", "http://svc.test", app_id=APP, app_secret=APP_SECRET)
        session = Session(profile, clock=lambda: world.clock.now().timestamp())
        session.accept({"token": world.token(user), "loggedInUser": user})
        self.line, self.world, self.folder = Lossy(world), world, folder
        self.client = Client(profile, session, transport=self.line, retries=Retries(attempts=1))
        self.service = CompanyService(self.client, User.model_validate(user))

    async def plan(self, text: str) -> Plan:
        document = company_document.checked(positioned_yaml.read(text), lambda name, known: "")
        return await company_plan.planned(self.service, document, lambda part: None, self.folder)

    async def apply(self, plan: Plan, *, prune: bool = False, stops: Callable[[Step], bool] = lambda _: False) -> None:
        async for step in company_steps.apply(self.service, plan, prune=prune, pause=self._pause):
            if stops(step):
                return

    async def _pause(self, seconds: float) -> None:
        await synchronised(self.world, seconds * 10)

    async def exported(self, name: str, *, telephony: bool = False) -> str:
        (company,) = await company_document.companies_named(self.service, "", name)
        return "\n".join([line async for line in company_export.exported(self.service, company, telephony=telephony)])


@pytest.fixture
async def seller(world: World, tmp_path: Path) -> Seller:
    await furnished(world)
    user = await world.user("seller@example.com", roles=("bp_finance", "bp_admin"), companyId=PARTNER)
    return Seller(world, user, tmp_path / "journals")


def refusals(plan: Plan) -> list[str]:
    return [step.refusal for step in plan.steps if step.refusal]


def texts(plan: Plan) -> list[str]:
    return [f"{step.effect} {step.component.name} {step.name}" for step in plan.steps]


async def test_a_purchase_has_its_price_and_licences_follow_when_it_is_synchronised(seller: Seller) -> None:
    assert refusals(await seller.plan(BUYING.format(seats=1))) == [
        "No licence is left: increase maxNumberUsers of the subscription."
    ]
    plan = await seller.plan(BUYING.format(seats=2))
    assert refusals(plan) == []
    (price,) = [step.price for step in plan.steps if step.price]
    assert price.currency == "EUR" and price.monthly and not price.once and not price.unknown
    await seller.apply(plan, stops=lambda step: step.component.name == "subscriptions")
    left = await seller.plan(BUYING.format(seats=2))
    assert "create subscriptions Business" not in texts(left)
    await seller.apply(left)
    assert {step.outcome for step in left.steps} == {"done"}
    assert not list(seller.folder.iterdir())
    assert (await seller.plan(BUYING.format(seats=2))).steps == []
    assert seller.line.purchases == 1

    text = await seller.exported("Buyer")
    assert "offerName: Business" in text and "licences:\n    - Business" in text
    assert (await seller.plan(text)).steps == []
    (more,) = (await seller.plan(BUYING.format(seats=5))).steps
    assert (more.effect, more.path["companyId"]) == ("update", (await seller.plan(text)).company)
    assert more.price and more.price.monthly and more.price.monthly > price.monthly


async def test_exactly_takes_other_licences_first_and_an_unknown_one_is_refused(seller: Seller) -> None:
    await seller.apply(await seller.plan(BUYING.format(seats=2)))
    plan = await seller.plan(
        "company: {name: Buyer}\nusers:\n- loginEmail: a@buyer.example\n  licences: {exactly: [Nothing]}\n"
        "- loginEmail: b@buyer.example\n  licences: []\n"
    )
    assert texts(plan) == [
        "remove licences a@buyer.example: Business",
        "create licences a@buyer.example: Nothing",
    ]
    assert refusals(plan) == ["The company has no subscription to “Nothing”."]
    await seller.apply(plan)
    assert [step.outcome for step in plan.steps] == ["skipped", "refused"]
    await seller.apply(plan, prune=True)
    assert [step.outcome for step in plan.steps] == ["done", "refused"]


@pytest.mark.parametrize("does", [True, False])
async def test_a_purchase_without_a_response_is_looked_up_and_never_sent_twice(
    seller: Seller, monkeypatch: pytest.MonkeyPatch, does: bool
) -> None:
    await seller.apply(await seller.plan("company: {name: Buyer, country: FRA, offerType: premium}\n"))
    seller.line.loses, seller.line.does = "/subscriptions", does
    plan = await seller.plan(BUYING.format(seats=2))
    await seller.apply(plan)
    assert plan.steps[0].outcome == "unknown"
    assert {step.outcome for step in plan.steps if step.component.name == "licences"} == {"skipped"}
    seller.line.loses = ""
    again = await seller.plan(BUYING.format(seats=2))
    if not does:
        # It can still arrive, also while another change of the same document is planned.
        assert again.steps[0].refusal.startswith("Sent before without a response")
        monkeypatch.setattr(company_purchases, "ON_ITS_WAY", 0)
        again = await seller.plan(BUYING.format(seats=2))
    await seller.apply(again)
    assert {step.outcome for step in again.steps} == {"done"}
    assert seller.line.purchases == (1 if does else 2)
    assert (await seller.plan(BUYING.format(seats=2))).steps == []


async def test_an_offer_that_cannot_be_bought_is_refused_in_the_plan(seller: Seller) -> None:
    new = (
        "company: {{name: {}, country: FRA, offerType: premium}}\n"
        "subscriptions: [{{offerName: {}, maxNumberUsers: 1}}]\n"
    )
    assert refusals(await seller.plan(new.format("Buyer", "Nowhere")))[0].startswith(
        "There is no offer “Nowhere” in the catalog."
    )
    free = new.replace("premium", "freemium").format("Buyer", "Business")
    assert refusals(await seller.plan(free)) == ["a freemium company cannot take paid offers."]
    await seller.apply(await seller.plan("company: {name: Buyer, country: FRA, offerType: premium}\n"))
    assert refusals(await seller.plan(new.format("Buyer", "Old"))) == ["the offer cannot be sold."]


async def test_a_role_that_only_buys_needs_no_right_to_read_sites(seller: Seller) -> None:
    await seller.apply(await seller.plan("company: {name: Buyer, country: FRA, offerType: premium}\n"))
    finance = await seller.world.user("finance@example.com", roles=("bp_finance",), companyId=PARTNER)
    buying = "company: {name: Buyer}\nsubscriptions: [{offerName: Business, maxNumberUsers: 2}]\n"
    plan = await Seller(seller.world, finance, seller.folder).plan(buying)
    assert (texts(plan), refusals(plan)) == (["create subscriptions Business"], [])


async def test_a_journal_that_cannot_be_written_stops_before_anything_is_sent(seller: Seller) -> None:
    await seller.apply(await seller.plan("company: {name: Buyer, country: FRA, offerType: premium}\n"))
    if seller.folder.exists():
        seller.folder.rmdir()
    seller.folder.touch()
    plan = await seller.plan(BUYING.format(seats=2))
    with pytest.raises(ServiceError, match=r"Not sent: .* cannot be written"):
        await seller.apply(plan)
    assert seller.line.purchases == 0


async def test_what_the_role_reaches_elsewhere_only_is_refused_in_the_plan(seller: Seller) -> None:
    await seller.apply(await seller.plan("company: {name: Buyer, country: FRA, offerType: premium}\n"))
    document = "company: {name: Buyer, slogan: Buy}\ntemplates: [{name: Welcome}]\nsites: [{name: Paris}]\n"
    reasons = {step.component.name: step.refusal for step in (await seller.plan(document)).steps}
    assert reasons["company"].startswith("slogan: your role is limited to your own company")
    assert reasons["templates"].startswith("your role is limited to your own company")
    assert not reasons["sites"]


async def test_what_the_service_made_with_the_company_is_no_part_of_its_document(seller: Seller) -> None:
    await seller.apply(await seller.plan(BUYING.format(seats=2)))
    (row,) = await company_document.companies_named(seller.service, "", "Buyer")
    await subscribed(seller.world, DEFAULT_OFFER, row["id"], isDefault=True)
    await subscribed(seller.world, FLAT, row["id"], status="terminated")
    text = await seller.exported("Buyer")
    assert "offerName: Business" in text and "Essential" not in text and "Edge" not in text
    # A list that is whole removes neither of them.
    whole = "company: {name: Buyer}\nsubscriptions: {exactly: [{offerName: Business}]}\n"
    assert (await seller.plan(whole)).steps == []


async def test_the_default_template_of_a_company_is_not_its_own() -> None:
    class Templates:
        async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> object:
            rows = [{"id": kind, "type": kind, "ownedByCompany": "c"} for kind in ("default", "other")]
            return {"data": rows, "total": len(rows)}

    templates = company_document.BY_NAME["templates"]
    assert [row["id"] async for row in company_document.records_of(Templates(), templates, "c")] == ["other"]


async def test_a_template_of_a_document_is_created_once_and_one_line_changes_it(world: World, tmp_path: Path) -> None:
    admin = Seller(world, await world.user("head@example.com", roles=("superadmin",)), tmp_path / "journals")
    document = (
        "company: {name: Patterns, country: FRA}\n"
        "templates:\n"
        "- name: Quiet hours\n"
        "  useGifCustomisation: disabled\n"
        "  imPopupDuration: 5\n"
        "- name: Loud\n"
    )
    plan = await admin.plan(document)
    assert (texts(plan)[1:], refusals(plan)) == (["create templates Quiet hours", "create templates Loud"], [])
    await admin.apply(plan)
    assert {step.outcome for step in plan.steps} == {"done"}
    assert (await admin.plan(document)).steps == []

    exported = await admin.exported("Patterns")
    assert exported.count("name: Quiet hours") == 1 and "useGifCustomisation: disabled" in exported
    assert (await admin.plan(exported)).steps == []
    (line,) = (
        await admin.plan(exported.replace("useGifCustomisation: disabled", "useGifCustomisation: enabled"))
    ).steps
    assert [(each.field, each.before, each.after) for each in line.changes] == [
        ("useGifCustomisation", "disabled", "enabled")
    ]
    (renamed,) = (await admin.plan(exported.replace("name: Loud", "name: Noisy"))).steps
    assert (renamed.effect, renamed.body) == ("update", {"name": "Noisy"})

    # A list that is exact removes what it does not name.
    left = await admin.plan("company: {name: Patterns}\ntemplates: {exactly: [{name: Quiet hours}]}\n")
    assert texts(left) == ["remove templates Loud"]
    await admin.apply(left, prune=True)
    assert "Loud" not in await admin.exported("Patterns")
    assert (await admin.plan(document)).steps[0].name == "Loud"


async def test_what_is_written_in_another_way_is_no_change(world: World, tmp_path: Path) -> None:
    admin = Seller(world, await world.user("head@example.com", roles=("superadmin",)), tmp_path / "journals")
    user = "users: [{loginEmail: a@same.example, firstName: A, lastName: B, "
    user += "emails: [{email: X@same.example, type: work}]}]"
    await admin.apply(
        await admin.plan(f"company: {{name: Same again, country: FRA}}\nsites: [{{name: Paris}}]\n{user}\n")
    )
    # Spaces of a web page or within quotes make no other company, and no other name.
    other = "company: {name: 'Same\u00a0again '}\nsites: {exactly: [{name: ' Paris'}]}\n"
    plan = await admin.plan(other + user.replace("X@", "x@"))
    assert plan.steps == []
    (step,) = (await admin.plan("company: {name: Same again}\nsites: [{name: ' Lyon '}]\n")).steps
    assert step.body and step.body["name"] == "Lyon"


async def test_a_day_with_its_time_is_the_same_day(seller: Seller) -> None:
    document = BUYING.format(seats=2).replace("maxNumberUsers: 2", "maxNumberUsers: 2\n  expirationDate: 2027-03-01")
    await seller.apply(await seller.plan(document))
    assert (await seller.plan(document)).steps == []
    assert (await seller.plan(document.replace("2027-03-01", "2027-03-01T00:00:00Z"))).steps == []
    assert len((await seller.plan(document.replace("2027-03-01", "2027-03-02"))).steps) == 1


async def test_what_belongs_to_a_company_that_is_not_found_is_refused_with_it(seller: Seller) -> None:
    plan = await seller.plan(f"company: {{id: {'0' * 24}}}\nsites: [{{name: Paris}}]\n")
    assert refusals(plan) == [
        "No record has this ID; a new one needs name. name is required.",
        f"Needs company/{'0' * 24}, which is refused.",
    ]
