"""Generated companies: exported, made again by another service, and exported again, a document stays the same."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.commands.test_company_purchases import Seller
from tests.commands.test_company_services import furnished_seller
from tests.commands.test_company_telephony import done
from tests.conftest import world_at
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.world import World

#: Texts that YAML reads as something else without quotes.
WORDS = st.sampled_from(
    ("Ana", "O'Neil", "yes", "0123", "null", "a: b", "# no", "Zoë", "12:30", "- a", "1e3", "~", "[x]")
)
NUMBERS = itertools.count(1)
DAY = st.sampled_from(([], [["08:30", "12:00"], ["13:00", "18:00"]], [["00:00", "24:00"]]))
ID = re.compile(r'( *(?:- )?)id: "[0-9a-f]+"\n *')


@st.composite
def companies(draw: st.DrawFn) -> dict[str, Any]:
    """A company as a document; `%` in its texts stands for what is unique in a service."""
    sites = draw(st.lists(st.sampled_from(("Paris", "no", "Île")), unique=True, max_size=3))
    users = [_user(draw, place, sites) for place in range(draw(st.integers(0, 3)))]
    voice = {
        "name": "Voice",
        "numberingPrefix": 2,
        "numberingDigits": 4,
        "telephonyLinePolicy": draw(st.sampled_from(("mono_line", "multi_lines"))),
        **draw(st.sampled_from(({}, {"numberingPrefixes": ["3"]}, {"outgoingPrefix": 0, "externalTrunkId": "Paris"}))),
    }
    hours = [{"name": draw(WORDS), "officehours": {"openhours": draw(st.lists(DAY, min_size=7, max_size=7))}}]
    phones = [user["loginEmail"] for user in users if "extension" in user]
    target = {"type": "user", "destinationId": draw(st.sampled_from(phones))} if phones else {"type": "closed_hours"}
    service = {"name": draw(WORDS), "companyCalendarId": hours[0]["name"], "openHoursOverflow": target}
    if draw(st.booleans()):
        service["ddiNumbers"] = ["0199%90", "0199%91"]
    slogan = draw(st.none() | WORDS)
    return {
        "company": {
            "name": "Generated %",
            "country": "FRA",
            "offerType": "premium",
            **({"slogan": slogan} if slogan else {}),
        },
        "sites": [{"name": name} for name in sites],
        "subscriptions": [{"offerName": "Business", "maxNumberUsers": 5}],
        "users": users,
        "cloudpbx": voice,
        "officeHours": hours if draw(st.booleans()) else {"exactly": hours},
        "welcomeServices": [service],
    }


def _user(draw: st.DrawFn, place: int, sites: list[str]) -> dict[str, Any]:
    user: dict[str, Any] = {"loginEmail": f"u{place}@g%.example", "firstName": draw(WORDS), "lastName": draw(WORDS)}
    user["tags"] = draw(st.lists(WORDS, unique=True, max_size=2))
    if sites:
        user["siteId"] = draw(st.sampled_from(sites))
    if draw(st.booleans()):
        user |= {"licences": ["Business"], "extension": str(2010 + place)}
        user["ddiNumbers"] = [f"0199%{place}{number}" for number in range(draw(st.integers(0, 2)))]
        if draw(st.booleans()):
            user["devices"] = [{"macAddress": f"02:00:5e:%:{place:02}", "model": "M320 desk", "description": "Desk"}]
    return user


def written(company: dict[str, Any], number: int) -> str:
    """The document of a company whose logins, numbers and addresses are those of one number."""
    # Without the aliases that shared lists would become.
    text = yaml.safe_dump(json.loads(json.dumps(company)), allow_unicode=True, sort_keys=False)
    return text.replace("5e:%:", f"5e:00:{number:02}:").replace("0199%", f"0199{number:04}").replace("%", str(number))


@pytest.fixture
async def sellers(world: World, database_folder: Path, tmp_path: Path, clock: SetClock) -> AsyncIterator[list[Seller]]:
    """A seller at each of two services."""
    async with world_at(RUNNING.copy(database_folder / "second.db"), tmp_path / "second", clock) as second:
        yield [await furnished_seller(each, tmp_path / each.__class__.__name__) for each in (world, second)]


@settings(
    max_examples=5,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(company=companies())
async def test_an_exported_company_is_made_by_a_second_service_and_exported_as_the_same_document(
    sellers: list[Seller], company: dict[str, Any]
) -> None:
    number = next(NUMBERS)
    first, second = sellers
    await done(first, written(company, number))
    exported = await first.exported(f"Generated {number}")
    assert (await first.plan(exported)).steps == []
    copy = ID.sub(r"\1", exported)
    assert 'id: "' not in copy
    await done(second, copy)
    assert ID.sub(r"\1", await second.exported(f"Generated {number}")) == copy
    # With the IDs of the first service, which the second one does not have, it is the same.
    assert (await second.plan(exported)).steps == []
