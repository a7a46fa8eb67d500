"""Documents of companies that are large, and how they are read: counted requests and places, not seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.access import Caller, Decision, Role, Subject
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.workspace.files import company_document, company_plan, positioned_yaml
from svc_tui.workspace.files.positioned_yaml import FaultyDocument, Node

MANY = 5000
USER = """\
- loginEmail: u{0}@big.example
  firstName: U
  lastName: "{0}"
  jobTitle: Clerk
  siteId: Paris
  extension: {1}
  ddiNumbers: ['+331990{0:05}']
"""


class Service:
    """A service with one company of many users; each request is counted."""

    caller = Caller("u", frozenset({Role.SUPERADMIN}), "p", "", "")
    features: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.requests = Counter[str]()
        self.lists: dict[str, list[dict[str, Any]]] = {
            "list_companies": [{"id": "c", "name": "Big", "country": "FRA"}],
            "list_sites": [{"id": "s", "name": "Paris", "companyId": "c"}],
            "list_cloudpbxs": [{"id": "x", "name": "Voice", "companyId": "c", "cloudpbx": {}}],
            "list_users": [self.user(number) for number in range(MANY)],
            "list_subscribers": [
                {"id": f"e{n}", "userId": f"{n:024x}", "shortNumber": str(20000 + n)} for n in range(MANY)
            ],
            "list_ddi_numbers": [
                {"id": f"d{n}", "userId": f"{n:024x}", "numberE164": f"+331990{n:05}"} for n in range(MANY)
            ],
        }

    @staticmethod
    def user(n: int) -> dict[str, Any]:
        names = {"loginEmail": f"u{n}@big.example", "firstName": "U", "lastName": str(n), "jobTitle": "Clerk"}
        return {"id": f"{n:024x}", **names, "siteId": "s", "companyId": "c"}

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, Any]) -> Any:
        self.requests[operation_id] += 1
        rows, first = self.lists.get(operation_id, []), int(query.get("offset", 0))
        return {"data": rows[first : first + int(query.get("limit", 1000))], "total": len(rows)}

    async def perform(self, operation_id: str, **values: Any) -> dict[str, Any]:
        raise AssertionError(operation_id)

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        return Decision(True, "")

    def why_not_settable(self, spec: FieldSpec) -> str:
        return ""


async def test_a_document_of_5000_users_is_planned_with_a_request_for_each_thousand_records(tmp_path: Path) -> None:
    users = "".join(USER.format(number, 20000 + number) for number in range(MANY))
    text = f"company: {{name: Big, country: FRA}}\nusers:\n{users.replace('Clerk', 'Partner', 1)}"
    document = company_document.checked(positioned_yaml.read(text), lambda name, known: "")
    service, parts = Service(), list[str]()
    plan = await company_plan.planned(service, document, parts.append, tmp_path)
    assert [(step.name, step.effect) for step in plan.steps] == [("u0@big.example", "update")]
    pages = dict.fromkeys(("list_users", "list_subscribers", "list_ddi_numbers"), MANY // 1000)
    assert {name: count for name, count in service.requests.items() if count > 1} == pages
    assert service.requests.total() < sum(pages.values()) + 12
    assert len(parts) > 4 and not list(tmp_path.iterdir())


TEXTS = (
    "a: é\nb: ['ü', \"x\\ty\", no, 0123, 1, 1.5, ~, true]\nc:\n- {d: |-\n}",
    "company:\n  name: 'It''s'\n  slogan: >-\n    two\n    lines\nsites:\n- name: \"Zoë\"\n- {name: 東京, id: 12}\n",
    "# a comment\n---\nkey: value # more\nlist: []\nempty:\n",
    "a: {b: {c: [1, [2, {d: e}]]}}\n",
)


def places(node: Node) -> Any:
    """A document with all its places and texts."""
    value = node.value
    if isinstance(value, dict):
        value = {name: places(each) for name, each in value.items()}
    elif isinstance(value, list):
        value = [places(each) for each in value]
    return value, node.line, node.column, node.text, node.keys


@pytest.mark.parametrize("text", TEXTS)
def test_both_parsers_read_the_same_values_at_the_same_places(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    found = []
    for loader in ("CSafeLoader", "SafeLoader"):
        monkeypatch.setattr(positioned_yaml, "_LOADER", loader)
        try:
            found.append(places(positioned_yaml.read(text)))
        except FaultyDocument as faulty:
            found.append(str(faulty))
    assert found[0] == found[1]


#: A document in which one line is replaced, as it is edited by hand.
EDITED = "company:\n  name: A\n  LINE\nsites:\n- name: Lisbon\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (" slogan: x", "line 3, column 10: is no YAML: a second colon: put a text with a colon into quotes"),
        ("city: A\n   slogan: x", "line 4, column 10: is no YAML: a second colon"),
        ("city: 'A'\n slogan: x", "line 4, column 2: is no YAML: the indentation differs from that of the lines"),
        ("city:Lisboa\n  slogan: x", "line 3, column 3: is no YAML: a colon and a space are expected after a name"),
        ("city: Lisboa: north", "line 3, column 15: is no YAML: a second colon"),
        ("city: 'it's'", "line 3, column 13: is no YAML: text follows a closing quote or bracket"),
        ("city: [draft] A", "line 3, column 17: is no YAML: text follows a closing quote or bracket"),
        ("city: 'A", "line 3, column 9: is no YAML: the quotes that begin here have no end"),
        ("city: %A", "line 3, column 9: is no YAML: a text that begins with this character needs quotes"),
        ("city: *A*", "line 3, column 9: is no YAML: a text that begins with this character needs quotes"),
        ("city: | A", "line 3, column 9: is no YAML: a text that begins with this character needs quotes"),
        ('city: "C:\\d"', "line 3, column 13: is no YAML: a backslash in double quotes is special"),
        ("city: - A", "line 3, column 9: is no YAML: a list begins in the line below its name"),
        ("csEmailList: [a@b.example", "line 4, column 6: is no YAML: a comma or a closing bracket is expected"),
        ("\tcity: A", "line 3, column 3: is no YAML: a tab is used for indentation"),
        ("city:\u00a0A", "line 3, column 3: is no YAML: a colon and a space are expected after a name"),
        ("\u00a0city: A", "line 3, column 3: has a no-break space"),
        ("id: [a]", "line 3, column 7: id: a text is expected"),
    ],
)
def test_a_text_that_is_no_yaml_has_its_place_and_what_to_do(line: str, expected: str) -> None:
    with pytest.raises(FaultyDocument) as found:
        company_document.checked(positioned_yaml.read(EDITED.replace("LINE", line)), lambda name, known: "")
    assert str(found.value).startswith(expected)
    assert len(found.value.faults) == 1


def test_an_item_without_a_space_after_its_dash_is_no_name() -> None:
    with pytest.raises(FaultyDocument, match="line 5, column 1: a space is expected after the dash"):
        positioned_yaml.read(EDITED.replace("LINE", "city: A").replace("- name", "-name"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("adminCanSetCustomData: {}", {"on": "true or false", "'true'": "true or false", "1": "true or false"}),
        ("supervisionGroupMaxSize: {}", {"'20'": "without quotes", "020": "leading zeros", "1.000": "a whole number"}),
        ("supervisionGroupMaxSize: {}", {"20.0": "a whole number", "true": "a whole number", "ten": "a whole number"}),
    ],
)
def test_a_value_of_another_kind_is_refused_and_never_read_as_one(value: str, expected: dict[str, str]) -> None:
    for text, sentence in expected.items():
        with pytest.raises(FaultyDocument, match=rf"^line 3, column \d+: \w+: must be .*{sentence}[^\n]*$"):
            company_document.checked(
                positioned_yaml.read(EDITED.replace("LINE", value.format(text))), lambda name, known: ""
            )


def test_true_false_and_null_have_three_spellings() -> None:
    text = "a: [true, True, TRUE, false, False, FALSE, ~, null, Null, NULL]\nb: [no, On, YES, none, tRUE]\n"
    assert positioned_yaml.read(text).plain() == {
        "a": [True] * 3 + [False] * 3 + [None] * 4,
        "b": ["no", "On", "YES", "none", "tRUE"],
    }


USERS = "company: {name: A}\nusers:\n- loginEmail: a@b.example\n  "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            USERS + "phoneNumbers: [{number: 021, type: work, deviceType: landline, nummer: 1}]",
            "line 4, column 66: unknown name “nummer”.",
        ),
        (
            USERS + "phoneNumbers: {exactly: [{number: 021, type: work, deviceType: landline, nummer: 1}]}",
            "line 4, column 76: unknown name “nummer”.",
        ),
        (
            "company: {name: A}\nwelcomeServices:\n- name: B\n  openHoursOverflow: {type: closed_hours, toVoice: on}",
            "line 4, column 43: unknown name “toVoice”.",
        ),
        (
            "company: {name: A}\nwelcomeServices:\n- name: B\n  openHoursOverflow: {type: user, toVoicemail: on}",
            "line 4, column 48: toVoicemail: must be true or false",
        ),
        (USERS + "ddiNumbers: [3.5E+11]", "line 4, column 16: a telephone number is expected"),
        (
            USERS + "country: Portugal",
            "line 4, column 12: country: is no country: use a code of three letters, such as",
        ),
        (
            'company: {name: A}\nsites:\n- {id: "0a", name: B}\n- {id: "0a", name: C}\n',
            "line 4, column 3: 0a already stands in line 3",
        ),
        (
            "company: {name: A}\nofficeHours:\n- name: B\n  officehours: {openhours: [], exeptions: []}",
            "line 4, column 32: unknown name “exeptions”.",
        ),
    ],
)
def test_what_is_unknown_within_a_value_is_refused_too(text: str, expected: str) -> None:
    with pytest.raises(FaultyDocument) as found:
        company_document.checked(positioned_yaml.read(text), lambda name, known: "")
    assert expected in str(found.value)
