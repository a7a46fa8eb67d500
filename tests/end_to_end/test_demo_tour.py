"""`svc-tui demo --tour`: five jobs that type by themselves, at 80x24."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.support.pty import Emulator, Terminal


def test_the_tour_types_five_jobs_from_start_to_end_and_is_recorded(
    environment: dict[str, str], svc_tui: str, tmp_path: Path
) -> None:
    cast = tmp_path / "tour.cast"
    command = [svc_tui, "demo", "--tour", "--pace", "0", "--record", str(cast)]
    with Terminal(command, environment=environment) as terminal:
        terminal.wait_for(r"Tour 1 of 5: find a user and see why the login fails +any key stops")
        # The caption makes room for itself: the footer of the console stays above it.
        terminal.wait_for(r"\? Help *\n.*\n Tour \d of 5: ")
        terminal.wait_for(r"Tour 5 of 5: get around")
        assert terminal.wait_until_closed(60) == 0
        assert f"The recording is in {cast}" in terminal.text.replace("\n", "")
    header, *events = [json.loads(line) for line in cast.read_text(encoding="utf-8").splitlines()]
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert [event[0] for event in events] == sorted(event[0] for event in events)
    player, seen = Emulator(80, 24), set()
    for _, kind, text in events:
        assert kind == "o"
        # Neither the clipboard nor a question to the terminal of the one who plays it.
        assert "\x1b]" not in text and "\x1b[c" not in text
        player.feed(text.encode())
        seen.update(re.findall(r"Tour (\d) of 5", player.screen.text))
    assert seen == {"1", "2", "3", "4", "5"}


def test_the_tour_ends_where_columns_are_narrow(environment: dict[str, str], svc_tui: str) -> None:
    # Two panes with room for neither: their texts are cut or continue below.
    with Terminal(
        [svc_tui, "demo", "--tour", "--pace", "0"], columns=118, rows=40, environment=environment
    ) as terminal:
        assert terminal.wait_until_closed(60) == 0


def test_a_recording_replaces_no_file(environment: dict[str, str], svc_tui: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.cast"
    kept.write_text("kept")
    with Terminal([svc_tui, "demo", "--record", str(kept)], environment=environment) as terminal:
        assert terminal.wait_until_closed() == 2
        assert "already exists" in terminal.text
    assert kept.read_text() == "kept"


def test_a_key_stops_the_tour_and_the_user_continues_from_there(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo", "--tour", "--pace", "0.3"], environment=environment) as terminal:
        terminal.wait_for(r"Tour 2 of 5: see what more licences cost")
        terminal.wait_for(r"990\.00")
        # It stops the tour and does nothing else: the form is not changed.
        terminal.press("escape")
        terminal.wait_for(lambda screen: "any key stops" not in screen.text)
        terminal.wait_for(r"The tour has stopped\. .* shows the keys\.")
        assert "990.00" in terminal.text
        terminal.press("escape")
        terminal.wait_for("Discard unsaved changes")
        terminal.press("y")
        terminal.wait_for("11/200")
        terminal.press("2")
        terminal.wait_for(r"demo ▸ Companies")
        terminal.settle(0.5)
        assert "Tour" not in terminal.text
        terminal.press("q")
        assert terminal.wait_until_closed() == 0


def test_the_tour_needs_the_account_that_it_was_made_for(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo", "--tour", "--as", "support"], environment=environment) as terminal:
        assert terminal.wait_until_closed() == 2
        assert "The tour makes changes as demo@demo.example." in terminal.text


def test_a_revealed_secret_is_on_the_screen_and_not_in_the_recording(
    environment: dict[str, str], svc_tui: str, tmp_path: Path
) -> None:
    cast = tmp_path / "secret.cast"
    with Terminal([svc_tui, "demo", "--record", str(cast)], environment=environment) as terminal:
        terminal.wait_for(r"\? Help")
        terminal.press("1")
        terminal.wait_for(r"\d applications")
        terminal.press("enter")
        terminal.wait_for("v shows it")
        terminal.press("v")
        terminal.wait_for(r"Secret +[0-9a-f]{32}")
        found = re.search(r"Secret +([0-9a-f]{32})", terminal.text)
        terminal.type("\x03")
        assert terminal.wait_until_closed() == 0
    player, seen = Emulator(80, 24), ""
    for line in cast.read_text(encoding="utf-8").splitlines()[1:]:
        player.feed(json.loads(line)[2].encode())
        seen += player.screen.text
    assert found and found[1] not in seen
    assert re.search(r"Secret +•{8}(?! +v shows it)", seen)
