"""Extensions, DDI numbers and devices in a company's document: from nothing to ringing phones in one plan."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from svc_tui.workspace.files import company_document, company_known, company_telephony, positioned_yaml
from svc_tui.workspace.files.company_steps import Step
from svc_tui.workspace.files.positioned_yaml import FaultyDocument
from tests.commands.test_company_purchases import Seller, refusals, texts
from tests.server.subscriptions.support import MONTHLY, change, furnished, offer_id
from tests.support.world import PARTNER, World

HEAD = """\
company: {name: Ringing, country: FRA, offerType: premium}
subscriptions: [{offerName: Business, maxNumberUsers: 30}]
cloudpbx: {name: Voice, numberingPrefix: 2, numberingDigits: 4}
users:
"""
#: The number is written as in France, the address as on a label.
USER = """\
- loginEmail: u{0}@ringing.example
  firstName: U
  lastName: "{0}"
  licences: ["Business"]
  extension: 20{0}
  ddiNumbers: [01 99 00 12 {0}]
  devices: [{{macAddress: 02-00-5E-00-00-{0}, model: M320 desk, description: Desk {0}}}]
"""


REFUSED = (
    ("  extension: 2055\n", "An extension cannot be changed: the user has 2010. Remove it first"),
    ("  ddiNumbers: ['0199001211']\n", "It belongs to U 11."),
    ("  ddiNumbers: [12]\n", "12 "),
    ("  devices: [{macAddress: 02:00:5E:00:00:11}]\n", "It belongs to U 11."),
    ("  devices: [{macAddress: 02:00:5E:00:00:77}]\n", "model is required."),
    ("  devices: [{macAddress: 02:00:5E:00:00:77, model: M999}]\n", "There is no device model “M999”. Use one of "),
    ("  devices: [{macAddress: 02:00:5E:00:00:10, model: M110 desk}]\n", "The model of a device"),
    ("- {loginEmail: n@ringing.example, firstName: N, lastName: N, extension: 2077}\n", "The user has no licence"),
    (
        "- {loginEmail: n@ringing.example, firstName: N, lastName: N, licences: [Business], extension: 2011}\n",
        "The internal number 2011 is not free",
    ),
    (
        "- {loginEmail: n@ringing.example, firstName: N, lastName: N, ddiNumbers: ['0199001280']}\n",
        "The user has no extension: name one in `extension`.",
    ),
)


def entry(login: str, more: str) -> str:
    return f"company: {{name: Ringing}}\nusers:\n- loginEmail: {login}@ringing.example\n{more}"


@pytest.fixture
async def seller(world: World, tmp_path: Path) -> Seller:
    await furnished(world)
    await change(world, "offers", offer_id(MONTHLY), hasVoice=True)
    user = await world.user("seller@example.com", roles=("bp_finance", "bp_admin"), companyId=PARTNER)
    return Seller(world, user, tmp_path / "journals")


@pytest.fixture
async def ringing(seller: Seller) -> Seller:
    """Two users of a new company, each with an extension, a number and a device."""
    await done(seller, HEAD + USER.format(10) + USER.format(11))
    return seller


async def done(seller: Seller, text: str, *, prune: bool = True) -> list[str]:
    plan = await seller.plan(text)
    assert refusals(plan) == []
    await seller.apply(plan, prune=prune)
    assert {step.outcome for step in plan.steps} <= {"done"}, [step.sentence for step in plan.steps]
    assert (await seller.plan(text)).steps == []
    return texts(plan)


def _is(place: str, step: Step) -> bool:
    return step.place == place


async def test_a_customer_of_25_users_to_ringing_phones_in_one_apply_killed_twice(seller: Seller) -> None:
    text = HEAD + "".join(USER.format(number) for number in range(10, 35))
    for last in ("extensions u12@ringing.example", "devices 02:00:5e:00:00:20"):
        plan = await seller.plan(text)
        assert refusals(plan) == []
        await seller.apply(plan, stops=functools.partial(_is, last))
    await done(seller, text)
    assert seller.line.purchases == 1
    for phrase in ("extension: '2010'", "- '+33199001234'", "macAddress: 02:00:5e:00:00:34", "model: M320 desk"):
        assert phrase in await seller.exported("Ringing")
    assert (await seller.plan(await seller.exported("Ringing"))).steps == []
    assert (await seller.plan(text.replace("01 99 00 12 ", "+33 1990012"))).steps == []


async def test_numbers_and_devices_change_their_user_in_one_plan_but_only_with_prune(ringing: Seller) -> None:
    swapped = (
        "company: {name: Ringing}\nusers:\n"
        "- loginEmail: u10@ringing.example\n  ddiNumbers: {exactly: ['+33199001211', '0199001299']}\n"
        "  devices: {exactly: [{macAddress: 0200.5e00.0011}]}\n"
        "- loginEmail: u11@ringing.example\n  ddiNumbers: {exactly: ['0199001210']}\n"
        "  devices: {exactly: [{macAddress: 02005e000010, description: Moved}]}\n"
    )
    plan = await ringing.plan(swapped)
    await ringing.apply(plan)
    moved = next(step for step in plan.steps if step.name == "u10@ringing.example: +33199001211")
    assert (moved.outcome, moved.sentence.split()[0]) == ("skipped", "Needs")
    await done(ringing, swapped)
    text = await ringing.exported("Ringing")
    assert text.index("- '+33199001211'") < text.index("- '+33199001299'") < text.index("- '+33199001210'")
    assert text.index("02:00:5e:00:00:11") < text.index("description: Moved")
    # The main number is the first one.
    await done(ringing, entry("u10", "  ddiNumbers: {exactly: ['0199001299', '0199001211']}\n"))
    text = await ringing.exported("Ringing")
    assert text.index("- '+33199001299'") < text.index("- '+33199001211'")


async def test_null_removes_an_extension_and_frees_what_it_had(ringing: Seller) -> None:
    steps = await done(ringing, entry("u10", "  extension: null\n"))
    assert steps == ["remove extensions u10@ringing.example: 2010"]
    text = await ringing.exported("Ringing")
    assert "'2010'" not in text and text.index("cloudpbx:") < text.index("'+33199001210'")
    # Another user gets what is free again, and the pool of free numbers is managed with the CloudPBX.
    await done(ringing, entry("u11", "  ddiNumbers: ['0199001210']\n"))
    pool = "company: {name: Ringing}\ncloudpbx: {ddiNumbers: {exactly: ['0199001250', '0199001251']}}\n"
    await done(ringing, pool)
    assert await done(ringing, pool.replace("'0199001250', ", "")) == ["remove ddiNumbers +33199001250"]


async def test_what_the_service_would_refuse_is_refused_in_the_plan(ringing: Seller) -> None:
    for more, reason in REFUSED:
        found = refusals(await ringing.plan(entry("u10", more)))
        assert any(each.startswith(reason) for each in found), (more, found)


async def test_a_snapshot_of_telephony_shows_what_differs_and_is_restored_after_a_stop_in_its_middle(
    ringing: Seller,
) -> None:
    await done(ringing, HEAD + USER.format(12).split("  extension")[0])
    snapshot = await ringing.exported("Ringing", telephony=True)
    assert (await ringing.plan(snapshot)).steps == []
    # Only who has what: no settings, no licences.
    for other in ("firstName", "licences", "numberingDigits", "subscriptions", "Not in this document"):
        assert other not in snapshot
    await done(
        ringing,
        "company: {name: Ringing}\nusers:\n"
        "- {loginEmail: u10@ringing.example, ddiNumbers: {exactly: []}, devices: {exactly: []}}\n"
        "- loginEmail: u11@ringing.example\n  ddiNumbers: ['0199001210', '0199001250']\n"
        "  devices: [{macAddress: 02-00-5E-00-00-10}]\n"
        "- {loginEmail: u12@ringing.example, extension: 2012, ddiNumbers: ['0199001251']}\n",
    )
    differs = texts(await ringing.plan(snapshot))
    assert "remove extensions u12@ringing.example: 2012" in differs
    for freed in ("ddiNumbers u11@ringing.example: +33199001210", "devices u11@ringing.example: 02:00:5e:00:00:10"):
        assert f"remove {freed}" in differs and f"create {freed.replace('u11', 'u10')}" in differs
    assert "remove ddiNumbers u11@ringing.example: +33199001250" in differs
    # What was made since stays, and has no user.
    assert not [each for each in differs if each.startswith("remove ddiNumbers +")]
    stopped = await ringing.plan(snapshot)
    await ringing.apply(stopped, prune=True, stops=functools.partial(_is, stopped.steps[2].place))
    assert 0 < len((await ringing.plan(snapshot)).steps) < len(stopped.steps)
    await done(ringing, snapshot)
    # A part that is chosen is restored alone: the entries of the others are left out.
    await done(
        ringing,
        entry("u10", "  ddiNumbers: {exactly: []}\n") + "- {loginEmail: u11@ringing.example, extension: null}\n",
    )
    head, first, *_others = snapshot.partition("users:")[2].split("  - id: ")
    chosen = f"company: {{name: Ringing}}\nusers:{head}  - id: {first}"
    assert {each.split(" ")[2].rstrip(":") for each in await done(ringing, chosen)} == {"u10@ringing.example"}


async def test_phones_without_a_cloudpbx_are_refused(seller: Seller) -> None:
    text = HEAD.replace("cloudpbx: {name: Voice, numberingPrefix: 2, numberingDigits: 4}\n", "") + USER.format(10)
    assert "The company has no CloudPBX." in refusals(await seller.plan(text))


async def test_an_unknown_model_is_refused_when_the_cloudpbx_is_new(seller: Seller) -> None:
    plan = await seller.plan(HEAD + USER.format(10).replace("M320 desk", "M999"))
    assert refusals(plan) == []
    await seller.apply(plan)
    (create, assign) = (step for step in plan.steps if step.component.name == "devices")
    assert (create.outcome, assign.outcome) == ("refused", "skipped")
    assert create.sentence.startswith("There is no device model “M999”.")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("  extension: 20x\n", "line 4, column 14: extension: "),
        ("  ddiNumbers: 5\n", "line 4, column 15: ddiNumbers: a list is expected"),
        ("  devices: [{mac: 1}]\n", "line 4, column 14: unknown name “mac”."),
        ("  devices: [{model: M320 desk}]\n", "line 4, column 13: a device has its macAddress"),
        ("  devices: [{macAddress: 02-00}]\n", "line 4, column 26: macAddress: needs 12"),
        ("  extension: 1\n- {loginEmail: b@c.example, extension: 1}\n", "line 5, column 3: 1 already stands in line 3"),
    ],
)
def test_faulty_phones_have_line_and_column(content: str, expected: str) -> None:
    with pytest.raises(FaultyDocument) as found:
        company_document.checked(positioned_yaml.read(entry("u10", content)), lambda name, known: "")
    assert expected in str(found.value)


async def test_what_another_company_has_is_refused_in_the_plan_of_another_one_like_it(ringing: Seller) -> None:
    other = (HEAD + USER.format(10)).replace("name: Ringing", "name: Other")
    assert refusals(await ringing.plan(other)) == [
        "It is taken: Ringing has it.",
        "Needs users/u10@ringing.example, which is refused.",
        "Needs users/u10@ringing.example, which is refused.",
        "It is taken: Voice has it.",
        "Needs ddiNumbers/+33199001210, which is refused.",
        "It is taken: Voice has it.",
        "Needs devices/02:00:5e:00:00:10, which is refused.",
    ]
    # The plan names what a partner cannot read; a company that has everything needs no check.
    assert (await ringing.plan(other)).unchecked == ["What companies have that you cannot read was not checked."]
    assert (await ringing.plan(HEAD + USER.format(10))).unchecked == []
    fresh = other.replace("u10@ringing", "u10@other").replace("12 10", "12 90").replace("00-10", "00-90")
    assert refusals(await ringing.plan(fresh)) == []


async def test_what_cannot_be_checked_is_shown_and_an_extension_of_another_user_is_refused(
    ringing: Seller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company_known, "_MOST_LOGINS", 0)
    monkeypatch.setattr(company_telephony, "_MOST_FREE", 1)
    plan = await ringing.plan(HEAD + USER.format(11).replace("u11@", "u12@").replace("00 12 11", "00 12 91"))
    assert plan.unchecked[0] == "Not looked up in other companies: 1 login."
    (extension,) = [step for step in plan.steps if step.component.name == "extensions"]
    assert extension.refusal == "It belongs to U 11."
