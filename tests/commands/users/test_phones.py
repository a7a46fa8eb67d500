"""`svc-tui users phones FILE` while the service is killed in its middle, and continued by the same command."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from svc_tui.server.voice.demo.exchanges import EXCHANGES, NORTHWIND_EXCHANGE
from tests.commands.conftest import SUPERADMIN, Shell
from tests.support.process import ServerProcess, ended, serving_demo, start

COUNT = 40


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[ServerProcess]:
    with serving_demo(tmp_path / "service") as server:
        yield server


def test_telephones_of_a_file_are_given_once_over_a_service_that_was_killed_in_its_middle(
    killable: ServerProcess, shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "phones.csv"
    addresses = [f"02:dd:00:00:00:{place:02x}" for place in range(COUNT)]
    file.write_text("\n".join(["mac;model", *(f"{each};M110 desk" for each in addresses), ""]))
    admin = shell.use(killable.url).log_in(SUPERADMIN)
    words = ("users", "phones", str(file), "--company", NORTHWIND_EXCHANGE.company_id, "--output", "csv")
    folder = tmp_path / "service"

    def there() -> list[str]:
        with closing(sqlite3.connect(folder / "data" / "svc.db")) as database:
            found = database.execute("SELECT mac_address FROM devices WHERE mac_address LIKE '02:dd:%'")
            return [each for (each,) in found]

    running = admin.start(*words)
    end = time.monotonic() + 60
    while not there() and time.monotonic() < end:
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    killable.process.kill()
    killable.process.wait()
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 4 and "Run the same command again to continue." in errors, errors
    before = [row["outcome"] for row in csv.DictReader(io.StringIO(output))]
    assert 0 < before.count("done") < COUNT == len(before)
    port = int(killable.url.rpartition(":")[2])
    with ended(start(folder / "again.log", data_dir=folder / "data", demo_data="small", port=port)):
        again = admin.run(*words)
        assert again.returncode == 0, again.stderr
        after = [row["outcome"] for row in csv.DictReader(io.StringIO(again.stdout))]
        assert after.count("unchanged") >= before.count("done") and set(after) <= {"done", "unchanged"}
        assert sorted(there()) == addresses


def test_a_line_with_an_address_of_another_customer_names_who_has_it(
    shell: Shell, service: str, tmp_path: Path
) -> None:
    admin = shell.use(service).log_in(SUPERADMIN)
    other = next(each for each in EXCHANGES if each.company == "bluebird")
    listed = json.loads(admin.run("call", "list_sip_devices", f"systemId={other.id}", "limit=50").stdout)["data"]
    address = next(each["macAddress"] for each in listed if each.get("macAddress"))
    file = tmp_path / "phones.csv"
    file.write_text(f"mac;model\n{address};M110 desk\n")
    done = admin.run("users", "phones", str(file), "--company", NORTHWIND_EXCHANGE.company_id, "--output", "csv")
    assert done.returncode == 1, done.stderr
    assert "It is in Bluebird switchboard of Bluebird Clinics: " in done.stdout
    assert f"`:find {address}` leads there." in done.stdout
