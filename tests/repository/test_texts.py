"""The catalogues of texts: current, complete, and what they give in a process of their language."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from string import Formatter

from docs.making import texts
from svc_tui.commands.language_choice import chosen

GERMAN = texts.file_of("de")
#: Prints texts of each sort in German: a label, an action, a noun, a number, a day.
PRINTS = """
from svc_tui.language import use
use("de")
from svc_tui.console.widgets.formatting import day, moment
from svc_tui.console.dialogs.messages import CLOSE
from svc_tui.interface.counts import counted
from svc_tui.interface.labels import label_of
print(label_of("companyId"), CLOSE.label, counted(12345, "row"), day("2026-11-20"), sep="|")
"""


def placeholders(text: str) -> list[tuple[str, str, str]]:
    try:
        found = list(Formatter().parse(text))
    except ValueError:
        # No template: braces of another meaning.
        return []
    return sorted((name, form or "", kind or "") for _, name, form, kind in found if name is not None)


def test_the_german_catalogue_is_complete_and_its_placeholders_are_those_of_the_english_texts() -> None:
    with GERMAN.open("rb") as file:
        known = texts.read_po(file, locale="de")
    messages = [message for message in known if message.id]
    pairs = [
        (english, german)
        for message in messages
        for english, german in (
            zip(message.id, message.string, strict=True) if message.pluralizable else [(message.id, message.string)]
        )
    ]
    assert [english for english, german in pairs if not german] == []
    assert [message.id for message in messages if message.fuzzy] == []
    assert [pair for pair in pairs if placeholders(pair[0]) != placeholders(pair[1])] == []
    assert GERMAN.with_suffix(".mo").read_bytes() == texts.compiled(known)


def test_the_texts_of_the_source_are_in_the_catalogue() -> None:
    """A new text is English until it is translated, so a few may be missing."""
    current = texts.current("de")
    missing = [message.id for message in current if message.id and not any(message.string)]
    assert len(missing) < len(current) / 50, missing


def test_a_process_in_german_has_german_texts_numbers_and_days() -> None:
    done = subprocess.run([sys.executable, "-c", PRINTS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Firma|Schließen|12.345 Zeilen|20.11.2026"


def test_the_setting_and_then_the_environment_choose_the_language(tmp_path: Path) -> None:
    environ = {"SVC_TUI_CONFIG_DIR": str(tmp_path), "HOME": os.environ.get("HOME", "/")}
    assert chosen(environ) == ("en", "")
    assert chosen({**environ, "LANG": "de_AT.UTF-8"}) == ("de", "LANG")
    assert chosen({**environ, "LANG": "de_DE", "LC_ALL": "C.UTF-8"}) == ("en", "LC_ALL")
    assert chosen({**environ, "LANGUAGE": "xx:de", "LANG": "C"}) == ("de", "LANGUAGE")
    (tmp_path / "config.toml").write_text('language = "de"\n', encoding="utf-8")
    assert chosen({**environ, "LANGUAGE": "en"}) == ("de", "language")


def test_commands_for_programs_stay_english() -> None:
    environ = {**os.environ, "LANGUAGE": "de"}
    german, english = (
        subprocess.run(
            [sys.executable, "-m", "svc_tui", "doctor", *more], env=environ, capture_output=True, text=True, check=True
        ).stdout
        for more in ((), ("--json",))
    )
    assert "de (LANGUAGE" in german and "nein" in german
    assert '"language": "de (LANGUAGE' in english and "nein" not in english
