"""Office hours, welcome services, trunks and numbering in a company's document: names instead of IDs, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.workspace.files import company_document, positioned_yaml
from svc_tui.workspace.files.positioned_yaml import FaultyDocument
from tests.commands.test_company_purchases import Seller, refusals, texts
from tests.commands.test_company_telephony import HEAD, USER, done
from tests.server.subscriptions.support import MONTHLY, change, furnished, offer_id
from tests.support.world import PARTNER, World

TRUNK = "7e" * 12
SERVICES = """\
officeHours:
- name: Office
  officehours:
    openhours: [[], [['08:30', '12:00'], ['13:00', '18:00']], [], [], [], [['09:00', '12:00']], []]
    exceptions: [{month: 12, mday: 25}]
welcomeServices:
- name: Reception
  companyCalendarId: office
  openHoursOverflow: {type: user, destinationId: u10@ringing.example}
  closedHoursOverflow: {type: number, number: 01 99 00 12 99}
  ddiNumbers: [01 99 00 12 01, 01 99 00 12 02]
- name: Sales
  companyCalendarId: Office
  openHoursOverflow: {type: user, destinationId: u11@ringing.example, toVoicemail: true}
"""
NUMBERING = """\
cloudpbx:
  name: Voice
  numberingPrefix: 2
  numberingDigits: 4
  numberingPrefixes: ['3']
  outgoingPrefix: 0
  externalTrunkId: Paris
  customDialingRules: [{regexpMatch: '^00', regexpReplace: '+'}]
"""
FULL = HEAD.replace("cloudpbx: {name: Voice, numberingPrefix: 2, numberingDigits: 4}\n", NUMBERING)
FULL += USER.format(10) + USER.format(11) + SERVICES


async def furnished_seller(world: World, folder: Path) -> Seller:
    """A seller at a service with offers for voice and an external trunk."""
    await furnished(world)
    await change(world, "offers", offer_id(MONTHLY), hasVoice=True)
    trunk = {"id": TRUNK, "name": "Paris", "status": "active", "trunkType": "bp_trunk", "bpIds": [PARTNER]}
    async with world.service.database.unit() as store:
        await store.external_trunks.add(trunk)
    user = await world.user("seller@example.com", roles=("bp_finance", "bp_admin"), companyId=PARTNER)
    return Seller(world, user, folder / "journals")


@pytest.fixture
async def seller(world: World, tmp_path: Path) -> Seller:
    return await furnished_seller(world, tmp_path)


def entry(more: str) -> str:
    return f"company: {{name: Ringing}}\n{more}"


async def test_the_telephony_of_a_company_comes_from_one_document_and_is_exported_with_names(seller: Seller) -> None:
    steps = await done(seller, FULL)
    order = [steps.index(f"create {text}") for text in (
        *("cloudpbx Voice", "officeHours Office", "extensions u10@ringing.example", "ddiNumbers +33199001201"),
        "welcomeServices Reception",
    )]  # fmt: skip
    assert order == sorted(order)
    text = await seller.exported("Ringing")
    for phrase in (
        *("externalTrunkId: Paris", "numberingPrefixes:", "companyCalendarId: Office"),
        "      type: user\n      destinationId: u10@ringing.example",
        "      type: number\n      number: '+33199001299'",
        "    - '+33199001201'\n    - '+33199001202'",
        "toVoicemail: true",
    ):
        assert phrase in text, (phrase, text)
    # Each number has one place, and what is not covered is true.
    assert text.count("+33199001201") == 1
    for phrase in ("Trunks", "Welcome services, office hours", "externalNumberId", "secondaryDDIs"):
        assert phrase not in text
    assert (await seller.plan(text)).steps == []


async def test_a_rename_beside_an_id_creates_nothing_and_what_is_absent_stays(seller: Seller) -> None:
    await done(seller, FULL)
    text = await seller.exported("Ringing")
    renamed = text.replace("name: Office", "name: Opening", 1).replace("name: Reception", "name: Desk")
    assert await done(seller, renamed.replace("companyCalendarId: Office", "companyCalendarId: Opening")) == [
        "update officeHours Opening",
        "update welcomeServices Desk",
    ]
    (step,) = (await seller.plan(entry("welcomeServices: [{name: Desk, closedHoursOverflow: null}]\n"))).steps
    assert (step.effect, step.body) == ("update", {"closedHoursOverflow": None})
    await done(seller, entry("welcomeServices: [{name: Desk, closedHoursOverflow: null, companyCalendarId: null}]\n"))
    text = (await seller.exported("Ringing")).partition("welcomeServices:")[2]
    assert "closedHoursOverflow" not in text and text.count("companyCalendarId: Opening") == 1
    assert text.count("openHoursOverflow") == 2


async def test_a_number_moves_from_a_user_to_a_service_and_exactly_removes_services_before_their_hours(
    seller: Seller,
) -> None:
    await done(seller, FULL)
    moved = entry(
        "users: [{loginEmail: u10@ringing.example, ddiNumbers: {exactly: []}}]\n"
        "welcomeServices: [{name: Sales, ddiNumbers: ['0199001210']}]\n"
    )
    assert await done(seller, moved) == [
        "remove ddiNumbers u10@ringing.example: +33199001210",
        "update welcomeServices Sales",
    ]
    await done(
        seller, entry("welcomeServices: [{name: Reception, ddiNumbers: {exactly: ['0199001202', '0199001201']}}]\n")
    )
    text = await seller.exported("Ringing")
    assert text.index("+33199001202") < text.index("+33199001201")
    none = entry("officeHours: {exactly: []}\nwelcomeServices: {exactly: []}\n")
    steps = (await seller.plan(none)).steps
    assert [step.name for step in steps][-1] == "Office"
    assert sorted(await done(seller, none)) == [
        *("remove officeHours Office", "remove welcomeServices Reception", "remove welcomeServices Sales"),
    ]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("openHoursOverflow: {type: user, destinationId: n@x.example}", "there is no “n@x.example”."),
        ("openHoursOverflow: {type: user, destinationId: u12@ringing.example}", "has no extension."),
        ("openHoursOverflow: {type: user, destinationId: u10@ringing.example}", "Reception calls it already."),
        ("companyCalendarId: Nowhere", "companyCalendarId: there is no “Nowhere”."),
        ("ddiNumbers: ['0199001210']", "+33199001210: It belongs to U 10."),
        ("ddiNumbers: ['12']", "12 "),
        ("closedHoursOverflow: {type: number, number: '0199001203'}\n  ddiNumbers: ['0199001203']", "round in a loop"),
    ],
)
async def test_a_service_that_would_be_refused_is_refused_in_the_plan(seller: Seller, more: str, reason: str) -> None:
    await done(seller, FULL + "- name: Spare\n  openHoursOverflow: {type: closed_hours}\n")
    await done(seller, "company: {name: Ringing}\nusers:\n" + USER.format(12).partition("  licences")[0])
    assert reason in " ".join(refusals(await seller.plan(entry(f"welcomeServices:\n- name: Spare\n  {more}\n"))))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("cloudpbx: {externalTrunkId: Lyon}\n", "externalTrunkId: there is no “Lyon”."),
        ("cloudpbx: {numberingPrefix: 0}\n", "numberingPrefix: "),
        ("officeHours: [{name: X}]\n", ""),
    ],
)
async def test_numbering_and_trunks_are_refused_in_the_plan(seller: Seller, more: str, reason: str) -> None:
    await done(seller, FULL)
    found = refusals(await seller.plan(entry(more)))
    assert any(each.startswith(reason) for each in found) if reason else not found


async def test_services_without_a_cloudpbx_are_refused(seller: Seller) -> None:
    plan = await seller.plan("company: {name: New, country: FRA}\n" + SERVICES)
    assert "The company has no CloudPBX." in " ".join(refusals(plan))
    assert texts(plan)[0] == "create company New"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "officeHours: [{name: A, officehours: {openhours: [[]]}}]\n",
            "line 2, column 50: officehours.openhours: must",
        ),
        ("officeHours: [{name: A, offcehours: {}}]\n", "line 2, column 25: unknown name “offcehours”."),
        ("welcomeServices: [{name: A, openHoursOverflow: {type: usr}}]\n", "line 2, column 55: openHoursOverflow.type"),
        ("welcomeServices: [{name: A, secondaryDDIs: []}]\n", "line 2, column 29: unknown name “secondaryDDIs”."),
        ("welcomeServices: [{name: A, welcomeId: b}]\n", "line 2, column 29: welcomeId is not managed by documents"),
        ("welcomeServices: [{openHoursOverflow: {type: closed_hours}}]\n", "line 2, column 19: name is missing"),
        ("welcomeServices: [{name: A}, {name: a}]\n", "line 2, column 30: a already stands in line 2"),
    ],
)
def test_faulty_services_have_line_and_column(content: str, expected: str) -> None:
    with pytest.raises(FaultyDocument) as found:
        company_document.checked(positioned_yaml.read(entry(content)), lambda name, known: "")
    assert expected in str(found.value)
