"""`svc-tui drift` against a service: a company and its document, a pattern and many companies, two companies; and names
that a document mistypes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import SUPERADMIN, Shell, serving

RETAIL, TELECOM = "Northwind Retail", "Northwind Telecom"


@pytest.fixture(scope="module")
def changed_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("drift")) as address:
        yield address


@pytest.fixture
def partner(shell: Shell, changed_service: str) -> Shell:
    return shell.use(changed_service).log_in(SUPERADMIN)


@pytest.fixture
def pattern(tmp_path: Path) -> Path:
    path = tmp_path / "pattern.yaml"
    path.write_text("company: {name: Pattern, visibility: private, slogan: All alike}\nsites: [{name: Lisbon shop}]\n")
    return path


def drifted(shell: Shell, code: int, *words: str) -> list[dict[str, Any]]:
    done = shell.run("drift", *words, "--output", "json")
    assert done.returncode == code, done.stdout + done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def company_id(shell: Shell, name: str) -> str:
    return str(json.loads(shell.run("call", "list_companies", f"name={name}").stdout)["data"][0]["id"])


def test_a_company_differs_from_its_document_only_after_a_change(partner: Shell, tmp_path: Path) -> None:
    file = str(tmp_path / "retail.yaml")
    partner.run("export", "company", RETAIL, "--output", file)
    done = partner.run("drift", file)
    assert (done.returncode, done.stdout) == (0, f"{RETAIL}: no differences\n")

    partner.run("call", "update_company", f"companyId={company_id(partner, RETAIL)}", "--body", "size=1-10 employees")
    done = partner.run("drift", file)
    assert done.returncode == 10
    assert done.stdout.splitlines() == [
        f"{RETAIL}: 1 difference",
        f"  ~ company {RETAIL}",
        '      size: "1-10 employees" -> "51-200 employees"',
    ]
    assert drifted(partner, 0, file, "--only", "sites,telephony")[0]["differences"] == []


def test_a_pattern_is_compared_by_names_and_accepts_deviations(partner: Shell, pattern: Path) -> None:
    retail, telecom = drifted(partner, 10, str(pattern), RETAIL, TELECOM)
    assert [(each["component"], each["action"]) for each in retail["differences"]] == [("company", "update")]
    # The name of the pattern is not that of the customers.
    assert {change["field"] for change in retail["differences"][0]["changes"]} == {"visibility", "slogan"}
    assert [each["component"] for each in telecom["differences"]] == ["company", "sites"]

    pattern.write_text(
        pattern.read_text() + "accepted:\n"
        f"- {{component: sites, company: {TELECOM}, reason: It has its own}}\n"
        "- {component: company, field: slogan, reason: Free text}\n"
        "- {component: company, field: visibility, company: Elsewhere, reason: Of another}\n"
    )
    retail, telecom = drifted(partner, 10, str(pattern), RETAIL, TELECOM)
    for each in (retail, telecom):
        assert [one["component"] for one in each["differences"]] == ["company"]
        assert [change["field"] for change in each["differences"][0]["changes"]] == ["visibility"]


def test_what_is_accepted_is_not_planned_either(partner: Shell, tmp_path: Path) -> None:
    file = tmp_path / "telecom.yaml"
    file.write_text(f"company: {{name: {TELECOM}, slogan: Another}}\nsites: [{{name: Nowhere}}]\n")
    assert partner.run("plan", str(file)).returncode == 10
    file.write_text(
        file.read_text() + "accepted:\n- {component: company, field: slogan, reason: Theirs}\n"
        "- {component: sites, name: nowhere, reason: Closed}\n"
    )
    assert partner.run("plan", str(file)).stdout == "No changes.\n"


def test_an_accepted_deviation_needs_a_component_and_a_reason(partner: Shell, pattern: Path) -> None:
    pattern.write_text("company: {name: A}\naccepted:\n- {component: sitse, reson: Typo}\n")
    done = partner.run("drift", str(pattern))
    assert done.returncode == 2
    assert 'line 3, column 15: unknown name “sitse”. Did you mean "sites"?' in done.stderr
    assert 'unknown name “reson”. Did you mean "reason"?' in done.stderr
    assert "reason is missing" in done.stderr


def test_values_of_the_company_and_of_a_template_count_as_equal(partner: Shell, tmp_path: Path) -> None:
    id = company_id(partner, RETAIL)
    company = json.loads(partner.run("call", "get_company", f"companyId={id}", "format=full").stdout)["data"]
    user = json.loads(partner.run("call", "list_users", f"companyId={id}", "format=full", "limit=1").stdout)["data"][0]
    assert user["visibility"] == "same_than_company" and company["useGifCustomisation"] == "enabled"
    file = tmp_path / "retail.yaml"
    file.write_text(
        f"company: {{name: {RETAIL}, useGifCustomisation: disabled}}\n"
        f"users: [{{loginEmail: {user['loginEmail']}, visibility: {company['visibility']}}}]\n"
    )
    (found,) = drifted(partner, 10, str(file))
    assert [change["field"] for one in found["differences"] for change in one["changes"]] == ["useGifCustomisation"]
    partner.run("call", "apply_template", "--body", json.dumps({"name": "Quiet hours", "companyId": id}))
    (found,) = drifted(partner, 0, str(file))
    assert found["fromTemplate"] == ["useGifCustomisation"]


def test_two_companies_differ_in_both_directions_and_one_not_from_itself(partner: Shell) -> None:
    (found,) = drifted(partner, 10, RETAIL, TELECOM, "--only", "sites")
    by_action = {one["action"]: one["name"] for one in found["differences"]}
    assert by_action["create"].endswith("shop") and by_action["remove"] in ("Lisbon", "Porto", "Coimbra", "Braga")
    drifted(partner, 0, TELECOM, TELECOM)


def test_a_company_of_a_group_that_is_gone_is_named(partner: Shell, pattern: Path) -> None:
    assert "Unknown group “north”" in partner.run("drift", str(pattern), "--group", "north").stderr
    (file,) = (partner.folder / "data").rglob("preferences.json")
    companies = [company_id(partner, RETAIL), "0123456789abcdef01234567"]
    file.write_text(json.dumps({**json.loads(file.read_text()), "groups": {"north": {"companies": companies}}}))
    done = partner.run("drift", str(pattern), "--group", "north")
    assert done.returncode == 1 and RETAIL in done.stdout
    assert "Not compared: 1 company, not found." in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [((RETAIL, "--only", "sits"), 'Did you mean "sites"?'), ((RETAIL,), "Name a second company")],
)
def test_what_cannot_be_compared_is_wrong_usage(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    done = shell.run("drift", *words)
    assert done.returncode == 2 and sentence in done.stderr


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Northwind Telecon", ['There is no company “Northwind Telecon” yet. Did you mean "Northwind Telecom"?']),
        ("Quite another", []),
        ("northwind telecom", []),
    ],
)
def test_a_new_company_with_nearly_the_name_of_another_leads_to_a_question(
    partner: Shell, pattern: Path, name: str, asked: list[str]
) -> None:
    pattern.write_text(f"company:\n  name: {name}\n  country: PRT\n")
    assert json.loads(partner.run("plan", str(pattern), "--output", "json").stdout)["unchecked"] == asked


def test_a_name_that_is_nearly_that_of_a_site_of_the_document_is_suggested(partner: Shell, pattern: Path) -> None:
    user = "users: [{loginEmail: a@x.example, firstName: A, lastName: B, siteId: Prto}]\n"
    pattern.write_text(f"company: {{name: Near, country: PRT}}\nsites: [{{name: Porto}}]\n{user}")
    steps = json.loads(partner.run("plan", str(pattern), "--output", "json").stdout)["steps"]
    assert 'siteId: there is no “Prto”. Did you mean "Porto"?' in [step["refusal"] for step in steps]
