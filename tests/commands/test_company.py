"""A company as a document: `svc-tui export company`, `svc-tui plan` and `svc-tui apply` against a service."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_tui.commands import company
from svc_tui.commands.exits import UsageError
from tests.commands.conftest import PASSWORDS, SUPERADMIN, Shell, serving
from tests.commands.terminal import Terminal
from tests.stories.wire import wired
from tests.support import pty
from tests.workspace.users.test_workbooks import book

NEW = """\
company:
  name: Southwind
  country: PRT
  city: Lisboa
sites:
- name: Lisbon
- name: Porto
users:
"""
CLERK = """\
- loginEmail: clerk{0}@southwind.example
  firstName: Clerk
  lastName: "{0}"
  jobTitle: Clerk
  siteId: Porto
"""
VOICE = """\
cloudpbx:
  name: Southwind voice
  numberingPrefix: 2
  numberingDigits: 4
  telephonyLinePolicy: multi_lines
"""


@pytest.fixture(scope="module")
def changed_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("company")) as address:
        yield address


@pytest.fixture
def partner(shell: Shell, changed_service: str) -> Shell:
    return shell.use(changed_service).log_in(SUPERADMIN)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "company.yaml"
    path.write_text(NEW + "".join(CLERK.format(number) for number in range(25)) + VOICE)
    return path


def planned(shell: Shell, file: Path, code: int) -> dict[str, Any]:
    done = shell.run("plan", str(file), "--output", "json")
    assert done.returncode == code, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def users_of_workbook(jobs: dict[int, str]) -> bytes:
    """The clerks of a document as a workbook; some have another job."""
    rows: list[list[object]] = [["loginEmail", "firstName", "lastName", "jobTitle", "siteId"]]
    rows += [[f"clerk{n}@southwind.example", "Clerk", str(n), jobs.get(n, "Clerk"), "Porto"] for n in range(25)]
    return book(rows)


def test_a_company_of_25_users_from_a_document_and_a_workbook_killed_twice(partner: Shell, file: Path) -> None:
    workbook = file.with_name("users.xlsx")
    file.write_text(NEW.replace("users:\n", "users: users.xlsx\n") + VOICE)
    workbook.write_bytes(users_of_workbook({}))
    for lines in (3, 9):
        plan = planned(partner, file, 10)
        process = partner.start("apply", str(file), "--yes", "--plan", str(plan["id"]))
        assert process.stderr is not None
        for _line in range(lines):
            assert process.stderr.readline().startswith("created ")
        process.kill()
        process.communicate()
    left = planned(partner, file, 10)
    done = partner.run("apply", str(file), "--yes", "--plan", str(left["id"]))
    assert done.returncode == 0, done.stderr
    assert "Nothing" not in done.stderr and "created users clerk24@southwind.example" in done.stderr
    users = json.loads(partner.run("call", "list_users", "searchEmail=southwind.example", "limit=100").stdout)["data"]
    assert sorted(user["loginEmail"] for user in users) == sorted(f"clerk{n}@southwind.example" for n in range(25))

    again = partner.run("plan", str(file))
    assert (again.returncode, again.stdout) == (0, "No changes.\n")
    workbook.write_bytes(users_of_workbook({0: "Partner"}))
    one = partner.run("plan", str(file))
    assert one.returncode == 10
    assert one.stdout.splitlines()[:2] == ["~ users clerk0@southwind.example", '    jobTitle: "Clerk" -> "Partner"']
    assert "0 to create, 1 to update, 0 to remove, 0 refused" in one.stdout


SELLER = "demo@demo.example"
BOUGHT = """\
company: {name: Killed, country: PRT, offerType: premium}
sites: [{name: Lisbon}, {name: Porto}]
subscriptions: [{offerName: OFFER, maxNumberUsers: 3}]
users:
- {loginEmail: a@killed.example, firstName: A, lastName: K, siteId: Porto, licences: [OFFER]}
- {loginEmail: b@killed.example, firstName: B, lastName: K, siteId: Porto, licences: [OFFER]}
"""


async def test_a_console_that_is_killed_while_it_applies_buys_once_and_ends_what_was_begun(
    partner: Shell, changed_service: str, file: Path
) -> None:
    file.write_text(BOUGHT.replace("OFFER", '"Business, one year"'))
    created, there = "POST /api/svc/admin/v1.0/sites", (["Lisbon"], 0)
    async with wired(changed_service) as (wire, url):
        own = Shell(file.parent / "console").use(url, SELLER)
        for _time in range(2):
            # The request is done, and the console is killed before the answer comes.
            wire.hold = created.encode()
            wire.held.clear()
            wire.released.clear()
            with console(own) as terminal:
                await asyncio.to_thread(applies, terminal, file)
                await wire.held.wait()
                while await asyncio.to_thread(records, partner) != there:
                    assert terminal.running
                terminal.signal(signal.SIGKILL)
            wire.released.set()
            (company,) = await asyncio.to_thread(listed, partner, "list_companies", "name=Killed")
            created = f"POST /api/svc/subscription/v1.0/companies/{company['id']}/subscriptions"
            there = (["Lisbon", "Porto"], 1)
        with console(own) as terminal:
            await asyncio.to_thread(applies, terminal, file)
            await asyncio.to_thread(terminal.wait_for, r"(\d) of \1 done")
            await asyncio.to_thread(terminal.press, "r")
            await asyncio.to_thread(terminal.wait_for, "No changes")
    assert records(partner) == there
    users = listed(partner, "list_users", "searchEmail=killed.example", "format=full")
    offers = [sorted(each["offerName"] for each in user["profiles"] if not each["isDefault"]) for user in users]
    assert offers == [["Business, one year"]] * 2


def records(shell: Shell) -> tuple[list[str], int]:
    """The sites of the company, and how often it has the offer."""
    (company,) = listed(shell, "list_companies", "name=Killed")
    company_id = company["id"]
    sites = sorted(each["name"] for each in listed(shell, "list_sites", f"companyId={company_id}"))
    bought = listed(shell, "list_company_subscriptions", f"companyId={company_id}", "format=full")
    return sites, sum(each["offerName"] == "Business, one year" for each in bought)


def console(shell: Shell) -> pty.Terminal:
    environment = shell.environment({"SVC_TUI_PASSWORD": PASSWORDS[SELLER]})
    return pty.Terminal([sys.executable, "-m", "svc_tui"], columns=120, rows=40, environment=environment)


def applies(terminal: pty.Terminal, file: Path) -> None:
    """Plan a document in the console, and begin to apply it."""
    terminal.wait_for("Needs attention")
    terminal.type(f":plan {file}\r")
    terminal.wait_for("Licences  2")
    terminal.press("A")
    terminal.wait_for(r"Apply \d+ changes?")
    terminal.press("enter")


def listed(shell: Shell, *words: str) -> list[dict[str, Any]]:
    done = shell.run("call", *words)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["data"]
    return found


def test_an_exported_company_is_made_again_under_another_name(partner: Shell, file: Path) -> None:
    file.write_text((NEW + CLERK.format(0) + VOICE).replace("Southwind", "Seawind").replace("southwind", "seawind"))
    plan = planned(partner, file, 10)
    made = partner.run("apply", str(file), "--yes", "--plan", str(plan["id"]))
    assert made.returncode == 0, made.stderr
    exported = partner.run("export", "company", "Seawind")
    assert exported.returncode == 0, exported.stderr
    assert "siteId: Porto" in exported.stdout and "telephonyLinePolicy: multi_lines" in exported.stdout
    copy = re.sub(r'( *(?:- )?)id: "[0-9a-f]+"\n *', r"\1", exported.stdout)
    assert 'id: "' not in copy
    file.write_text(copy)
    assert planned(partner, file, 0)["steps"] == []
    file.write_text(copy.replace("Seawind", "Eastwind").replace("seawind", "eastwind"))
    plan = planned(partner, file, 10)
    made = partner.run("apply", str(file), "--yes", "--plan", str(plan["id"]))
    assert made.returncode == 0, made.stderr
    second = re.sub(r'( *(?:- )?)id: "[0-9a-f]+"\n *', r"\1", partner.run("export", "company", "Eastwind").stdout)
    assert second == file.read_text()


def test_a_line_of_progress_is_gone_before_a_step_is_named(partner: Shell, file: Path) -> None:
    file.write_text(NEW.replace("Southwind", "Westwind").removesuffix("users:\n"))
    with Terminal(partner, "apply", str(file)) as terminal:
        terminal.see("Apply? [y/N] ")
        terminal.type("y")
        assert terminal.end() == 0, terminal.text
    # Every line of a step begins after the end of a line, or after the progress was overwritten.
    assert re.findall(r"[^\r\n]created \w+", terminal.text) == []
    assert "created company Westwind" in terminal.text and "0 of 3 steps" in terminal.text


def test_what_is_absent_stays_null_clears_and_exactly_removes_only_with_prune(partner: Shell, file: Path) -> None:
    id = json.loads(partner.run("call", "list_companies", "name=Northwind Telecom").stdout)["data"][0]["id"]
    before = json.loads(partner.run("call", "get_company", f"companyId={id}", "format=full").stdout)["data"]
    assert before["slogan"] and before["csEmailList"]
    file.write_text(
        f"company:\n  id: {id}\n  slogan: null\n  csEmailList: [new@northwind.example]\n"
        "sites: {exactly: [{name: Lisbon}, {name: Porto}, {name: Faro}, {name: Braga}]}\n"
    )
    steps = planned(partner, file, 10)
    assert [(step["action"], step["name"]) for step in steps["steps"]] == [
        ("update", "Northwind Telecom"),
        ("remove", "Coimbra"),
    ]
    done = partner.run("apply", str(file), "--yes", "--plan", str(steps["id"]))
    assert done.returncode == 1 and "sites Coimbra: skipped. Removals need --prune." in done.stderr
    after = json.loads(partner.run("call", "get_company", f"companyId={id}", "format=full").stdout)["data"]
    assert not after["slogan"] and after["csEmailList"] == [*before["csEmailList"], "new@northwind.example"]
    # The service itself clears what is only for partners (BP), which was false.
    stay = {name: value for name, value in before.items() if value and name not in ("slogan", "csEmailList")}
    assert {name: after[name] for name in stay} == stay
    old = partner.run("apply", str(file), "--prune", "--yes", "--plan", str(steps["id"]))
    assert old.returncode == 1 and "Nothing was sent: the plan is no longer" in old.stderr
    now = planned(partner, file, 10)
    pruned = partner.run("apply", str(file), "--prune", "--yes", "--plan", str(now["id"]))
    assert pruned.returncode == 0, pruned.stderr
    assert planned(partner, file, 0)["steps"] == []


def test_users_of_a_file_beside_the_document_are_created_once(partner: Shell, file: Path) -> None:
    users = file.with_name("users.csv")
    users.write_text(
        "loginEmail;firstName;lastName;businessPhone0;tag0;Licences\n"
        "ana@westwind.example;Ana;Alves;21 200 00 11;Sales;\n"
        "rui@westwind.example;Rui;Reis;;;\n"
    )
    file.write_text("company: {name: Westwind files, country: PRT}\nusers: users.csv\n")
    plan = planned(partner, file, 10)
    assert [step["name"] for step in plan["steps"]] == [
        "Westwind files",
        "ana@westwind.example",
        "rui@westwind.example",
    ]
    done = partner.run("apply", str(file), "--yes", "--plan", str(plan["id"]))
    assert done.returncode == 0, done.stderr
    assert planned(partner, file, 0)["steps"] == []
    assert "+351212000011" in partner.run("export", "company", "Westwind files").stdout
    # The same number in the notation of the country, and with spaces.
    file.write_text(
        "company: {name: Westwind files}\nusers:\n- loginEmail: ana@westwind.example\n"
        "  phoneNumbers: [{number: 21 200 00 11, type: work, deviceType: landline}]\n"
    )
    assert planned(partner, file, 0)["steps"] == []
    file.write_text("company: {name: Westwind files, country: PRT}\nusers: users.csv\n")
    users.write_text(users.read_text().replace("Reis", "Ramos"))
    assert [step["changes"][0]["after"] for step in planned(partner, file, 10)["steps"]] == ["Ramos"]


def test_users_can_be_in_a_workbook_beside_the_document(tmp_path: Path) -> None:
    file = tmp_path / "company.yaml"
    file.write_text("company: {name: A}\nusers: users.xlsx\n")
    rows: list[list[object]] = [
        ["loginEmail", "firstName", "licences", "extension"],
        ["a@b.example", "A", "Business; Voice", 2010],
        [],
        ["c@b.example", "C", "Business", "20x"],
    ]
    file.with_name("users.xlsx").write_bytes(book(rows))
    with pytest.raises(UsageError, match=r"users.xlsx, line 4, column 4: extension: "):
        company.document_of(file)
    file.with_name("users.xlsx").write_bytes(book(rows[:-1]))
    (_company, user) = company.document_of(file).entries
    assert user.values["licences"] == ["Business", "Voice"] and user.values["extension"] == "2010"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("loginEmail;jobTitel\na@b.example;A\n", "users.csv, line 1, column 1: jobTitel is not a column"),
        ("loginEmail;licenses\na@b.example;A\n", "users.csv, line 1, column 2: unknown name “licenses”. Did you mean"),
        ("loginEmail;lastName\na@b.example;A\nno login;B\n", "users.csv, line 3, column 1: loginEmail: "),
        ("loginEmail;password\na@b.example;Secret-123456\n", "users.csv, line 2, column 1: password is not managed"),
        ("loginEmail;__action__\na@b.example;delete\n", "users.csv, line 2, column 1: a document deletes no user"),
        ("loginEmail;macAddress\na@b.example;02-00\n", "users.csv, line 2, column 2: macAddress: needs 12"),
        ("loginEmail;ddiNumbers\na@b.example;3,5121E+11\n", "users.csv, line 2, column 2: a telephone number is"),
        ("loginEmail;jobTitle\na@b.example;#N/A\n", "users.csv, line 2, column 2: jobTitle: is the error of a"),
        ("loginEmail;Extension\na@b.example;1\nc@b.example;1\n", "users.csv, line 3, column 1: 1 already stands in"),
        ("PK\x03\x04", "users.csv, line 1, column 1: the file is a damaged or protected workbook"),
        ("", "line 2, column 8: users.csv cannot be read"),
    ],
)
def test_a_faulty_row_of_users_has_its_line(tmp_path: Path, content: str, expected: str) -> None:
    file = tmp_path / "company.yaml"
    file.write_text("company: {name: A}\nusers: users.csv\n")
    if content:
        file.with_name("users.csv").write_text(content)
    with pytest.raises(UsageError) as found:
        company.document_of(file)
    assert expected in str(found.value) and "Secret" not in str(found.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("company:\n  name: A\n  citty: B\n", 'line 3, column 3: unknown name “citty”. Did you mean "city"?'),
        ("company:\n  name: A\n  name: B\n", "line 3, column 3: name stands here a second time"),
        ("company: {name: A}\nusers:\n- firstName: A\n", "line 3, column 3: loginEmail is missing"),
        (
            "company: {name: A}\nusers:\n- loginEmail: a@b.example\n  password: x\n",
            "line 4, column 3: password is not managed",
        ),
        ("company: {name: A}\nusers:\n- loginEmail: a@b.example\n  tags: [1, [2]]\n", "line 4, column "),
        ("company: {name: A, country: NO}\n", "line 1, column 29: country: is no country: use a code of three letters"),
        ("company: {name: A}\nsites: 5\n", "line 2, column 8: sites: a list is expected"),
        ("company: &a {name: A}\nsites: [*a]\n", "line 1, column 10: anchors and aliases are not supported"),
        ("company:\n\tname: A\n", "line 2, column 1: is no YAML"),
        ("sites: []\n", "line 1, column 1: the company is missing"),
        ("- 1\n", "line 1, column 1: a mapping is expected"),
        ("", "line 1, column 1: a mapping is expected"),
    ],
)
def test_a_faulty_document_is_refused_with_line_and_column(
    shell: Shell, tmp_path: Path, content: str, expected: str
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(content)
    done = shell.run("plan", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert expected in done.stderr, done.stderr


def test_a_refusal_is_planned_with_its_reason(partner: Shell, file: Path) -> None:
    file.write_text("company: {name: Refused}\nusers:\n- loginEmail: a@refused.example\n  siteId: Nowhere\n")
    done = partner.run("plan", str(file))
    assert done.returncode == 1
    assert "+ company Refused\n" in done.stdout
    assert "! siteId: there is no “Nowhere”. firstName is required. lastName is required." in done.stdout


def test_the_schema_knows_the_fields_and_no_secret(shell: Shell) -> None:
    schema = json.loads(shell.run("export", "schema").stdout)
    users = schema["properties"]["users"]["anyOf"][0]["items"]
    assert "loginEmail" in users["properties"] and "password" not in users["properties"]
    assert not users["additionalProperties"]


def test_several_documents_are_planned_together_and_applied_after_one_question(partner: Shell, tmp_path: Path) -> None:
    names = ("Docks one", "Docks two", "Docks three")
    files = [tmp_path / f"{number}.yaml" for number in range(3)]
    for path, name in zip(files, names, strict=True):
        path.write_text(f"company: {{name: {name}, country: PRT}}\nsites: [{{name: Porto}}]\n")
    words = [str(path) for path in files]
    plan = planned(partner, files[0], 10)
    together = partner.run("plan", *words, "--output", "json")
    found = json.loads(together.stdout)
    assert together.returncode == 10 and [each["file"] for each in found["plans"]] == words
    assert found["plans"][0]["id"] == plan["id"] != found["id"]
    assert f"3 documents together: plan {found['id']}\n" in partner.run("plan", *words).stdout

    # The ID stands for these plans in this order, and without it nothing is sent.
    for other in (["--plan", str(found["id"])], ["--plan", str(plan["id"]), "--yes"]):
        assert partner.run("apply", *words[:2] if "--yes" not in other else words, *other).returncode in (1, 2)
    assert planned(partner, files[0], 10) == plan
    done = partner.run("apply", *words, "--yes", "--plan", str(found["id"]))
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if " of 3: " in line] == [
        f"{number} of 3: {word}" for number, word in enumerate(words, 1)
    ]
    again = partner.run("apply", *words)
    assert again.returncode == 0 and again.stdout.count("No changes.\n") == 3

    # What one document changes can change the plan of the next one: that one is not sent.
    for path in files[:2]:
        path.write_text("company: {name: Docks one}\nsites: [{name: Faro}]\n")
    id = json.loads(partner.run("plan", *words[:2], "--output", "json").stdout)["id"]
    half = partner.run("apply", *words[:2], "--yes", "--plan", id)
    assert half.returncode == 1 and f"{words[1]}: not sent, its plan has changed." in half.stderr
    assert partner.run("export", "company", "Docks one").stdout.count("name: Faro") == 1


def test_the_plan_of_several_documents_is_refused_by_one_and_changed_by_another(partner: Shell, tmp_path: Path) -> None:
    good, same, refused, faulty = (tmp_path / f"{name}.yaml" for name in ("good", "same", "refused", "faulty"))
    good.write_text("company: {name: Docks four, country: PRT}\n")
    same.write_text("company: {name: Northwind Logistics}\n")
    refused.write_text(
        "company: {name: Northwind Logistics}\nusers: [{loginEmail: a@docks.example, siteId: Nowhere}]\n"
    )
    faulty.write_text("company: {name: Docks five, country: NO}\n")
    ends = {same: 0, good: 10, refused: 1}
    for first, code in ends.items():
        for second, other in ends.items():
            both = partner.run("plan", str(first), str(second))
            assert both.returncode == (1 if 1 in (code, other) else max(code, other)), both.stdout
    wrong = partner.run("plan", str(good), str(faulty), str(same))
    assert (wrong.returncode, wrong.stdout) == (2, "") and f"{faulty}: line 1, column" in wrong.stderr


def test_a_document_that_may_not_be_read_is_reported_and_the_others_are_applied(partner: Shell, tmp_path: Path) -> None:
    good, unread, same = (tmp_path / f"{name}.yaml" for name in ("good", "unread", "same"))
    site_admin = "site_admin@demo.example"
    (own,) = listed(partner, "list_users", f"loginEmail={site_admin}", "format=full")
    user = listed(partner, "list_users", f"siteId={own['siteId']}", "format=full")[0]
    company = f"company: {{id: {user['companyId']}}}\n"
    good.write_text(f"{company}users: [{{loginEmail: {user['loginEmail']}, jobTitle: Captain}}]\n")
    unread.write_text(f"{company}templates: [{{name: Loud}}]\n")
    same.write_text(company)
    admin = partner.log_in(site_admin)
    words = [str(unread), str(good), str(same)]
    planned = admin.run("plan", *words)
    assert planned.returncode == 1 and 'jobTitle: "' in planned.stdout, planned.stderr
    assert "2 documents together" in planned.stdout
    assert f"{unread}: not planned. Templates: Your role does not allow this" in planned.stderr
    found = json.loads(admin.run("plan", *words, "--output", "json").stdout)
    assert [each["file"] for each in found["plans"]] == words[1:]
    done = admin.run("apply", *words, "--yes", "--plan", found["id"])
    assert done.returncode == 1 and "updated users" in done.stderr and "1 of 1 step done" in done.stderr
    again = admin.run("apply", *words)
    assert again.returncode == 1 and again.stdout.count("No changes.") == 2 and again.stderr.count("not planned") == 1
    alone = admin.run("plan", str(unread))
    assert (alone.returncode, alone.stdout) == (1, "")


def test_a_document_comes_from_standard_input(partner: Shell, tmp_path: Path) -> None:
    text = "company: {name: Piped, country: PRT}\r\nsites: [{name: Porto}]\r\n"
    plan = partner.run("plan", "-", "--output", "json", input=text)
    assert plan.returncode == 10, plan.stderr
    unasked = partner.run("apply", "-", input=text)
    assert unasked.returncode == 2 and "Nothing was sent. Use --yes --plan" in unasked.stderr
    done = partner.run("apply", "-", "--yes", "--plan", json.loads(plan.stdout)["id"], input=text)
    assert done.returncode == 0 and "created sites Porto" in done.stderr
    exported = partner.run("export", "company", "Piped").stdout
    assert partner.run("plan", "-", input=exported).stdout == "No changes.\n"
    assert partner.run("drift", "-", input=exported).returncode == 0
    faulty = partner.run("plan", "-", input="company: {name: Piped}\nsitse: []\n")
    assert faulty.returncode == 2 and "Standard input: line 2, column 1: unknown name “sitse”." in faulty.stderr
