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
