"""`svc-tui leave` and `svc-tui due`: what users hold is kept, freed or handed over, now, on a day, and after a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from svc_tui.commands import leave
from svc_tui.commands.exits import UsageError
from svc_tui.workspace.changes.leaving import Holding, Leaving
from tests.commands.conftest import SUPERADMIN, Shell
from tests.support.process import ServerProcess, ended, serving_demo, start

AGNES, AMIR = "agnes.jansen15@northwind.example", "amir.castro25@northwind.example"
NILS = "nils.walsh18@northwind.example"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with serving_demo(tmp_path / "service") as running:
        yield running


def holding(kind: str, name: str, *choices: str) -> Holding:
    return Holding(kind=kind, id=f"id of {name}", name=name, choices=("keep", *choices), choice=choices[0])


def test_a_choice_is_of_a_kind_where_it_can_be_or_of_one_holding_which_counts_more() -> None:
    held = (
        holding("licence", "Business", "free", "hand-over"),
        holding("licence", "Essential", "free"),
        holding("number", "21 099 2021", "free", "hand-over"),
        holding("number", "21 099 2022", "free"),
    )
    plan = Leaving(user={"id": "u1"}, day="2030-01-01", holdings=held)
    choices = {"keep": ["Essential"], "free": [], "hand-over": ["licence", "210992022"]}
    (chosen,) = leave._chosen([plan], choices)
    assert [each.choice for each in chosen.holdings] == ["hand-over", "keep", "free", "hand-over"]
    assert "cannot be: hand over" in leave._objections(chosen)[held[3].key]
    with pytest.raises(UsageError, match="Nothing to choose for “phone”"):
        leave._chosen([plan], {"keep": ["phone"]})


def test_days_and_successors_that_cannot_be() -> None:
    today = date(2027, 1, 31)
    assert (leave._day("", today), leave._day("2027-02-01", today)) == (today, date(2027, 2, 1))
    for text, said in (("2027-01-30", "is past"), ("soon", "is no day"), ("31.12.2027", "is no day")):
        with pytest.raises(UsageError, match=said):
            leave._day(text, today)
    lee = {"id": "u1", "companyId": "c1", "displayName": "Lee"}
    for heir, said in ((lee, "the own successor"), ({**lee, "id": "u2", "companyId": "c2"}, "another company")):
        with pytest.raises(UsageError, match=said):
            leave._check_successor(lee, heir)


def test_a_plan_waits_for_its_day_and_is_continued_after_the_service_was_killed_in_its_middle(
    server: ServerProcess, shell: Shell, tmp_path: Path
) -> None:
    partner = shell.use(server.url).log_in(SUPERADMIN)
    users = (AGNES, AMIR, "astrid.romano31@northwind.example", "cecilia.sousa29@northwind.example")
    planned = partner.run("leave", *users, "--successor", NILS, "--free", "extension", "--free", "number",
                          "--free", "device", "--on", "2099-12-31")  # fmt: skip
    assert planned.returncode == 0, planned.stderr
    assert "Not included: OAuth tokens, because only the user can see and revoke these." in planned.stderr
    assert {row["user"] for row in json.loads(planned.stdout)} == {*users}
    (file,) = (partner.folder / "data").rglob("leaving.json")
    file.write_text(file.read_text().replace("2099-12-31", "2020-12-31"))
    due = partner.run("due")
    assert (due.returncode, due.stderr) == (10, "4 users due; --yes carries it out.\n")
    running = partner.start("due", "--yes")
    end = time.monotonic() + 60
    while file.read_text().count('"done"') < 3 and time.monotonic() < end:
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    server.process.kill()
    server.process.wait()
    _output, errors = running.communicate(timeout=60)
    assert running.returncode == 4 and "`svc-tui due` continues." in errors, errors
    folder, port = tmp_path / "service", int(server.url.rpartition(":")[2])
    with ended(start(folder / "again.log", data_dir=folder / "data", demo_data="small", port=port)):
        again = partner.run("due", "--yes")
        assert again.returncode == 0, again.stderr
        rows = [row for row in json.loads(partner.run("due", "--all").stdout) if row["choice"] != "keep"]
        assert {row["user"] for row in rows} == {*users}
        assert {row["outcome"] for row in rows} <= {"done", "unchanged"}
