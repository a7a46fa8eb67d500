"""User commands that need the terminal: the console steps aside and comes back."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from svc_tui.server.demo.accounts import accounts
from tests.support.process import ServerProcess
from tests.support.pty import Terminal

_ASKS = "name = input('What is your name? '); print('Hello', name); input('Press enter')"


def test_a_program_has_the_terminal_and_the_console_comes_back(
    server_process: ServerProcess, environment: dict[str, str], svc_tui: str, tmp_path: Path
) -> None:
    known = accounts()
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(f"""
[profiles.work]
base_url = "{server_process.url}"
app_id = "{known["appId"]}"
login = "company_admin@demo.example"

[commands.ask]
key = "f10"
command = ["{sys.executable}", "-c", {json.dumps(_ASKS)}]
output = "terminal"

[commands.stops]
key = "f7"
command = ["sh", "-c", "echo It waits; exec sleep 600"]
output = "terminal"
""")
    password = next(one["password"] for one in known["accounts"] if one["login"] == "company_admin@demo.example")
    secrets = {"SVC_TUI_APP_SECRET": known["appSecret"], "SVC_TUI_PASSWORD": password}
    with Terminal([svc_tui, "open", "applications"], environment={**environment, **secrets}) as terminal:
        terminal.wait_for(r"\d+ applications")
        terminal.wait_for("●")
        terminal.type("\x1b[21~")
        terminal.wait_for("What is your name")
        assert "Branch Studio" not in terminal.text
        terminal.type("Ada Ω\r")
        terminal.wait_for("Hello Ada Ω")
        terminal.type("\r")
        terminal.wait_for("Ask: done.")
        # The screen arrives in pieces, the first rows first.
        terminal.wait_for(lambda screen: "Branch Studio" in screen.text and "Hello" not in screen.text)
        terminal.press("down")
        terminal.type("\x1b[18~")
        terminal.wait_for("It waits")
        terminal.type("\x03")
        terminal.wait_for("Stops: exit code -2.")
        terminal.press("q")
        assert terminal.wait_until_closed() == 0
