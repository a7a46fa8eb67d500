"""The catalogues of texts: current, complete, and what they give in a process of their language."""

from __future__ import annotations

import ast
import builtins
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from docs.making import texts
from svc_tui.commands.language_choice import chosen
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import ALL

GERMAN = texts.file_of("de")
#: Prints texts of each sort in German: a label, an action, a noun alone and with a number, a day.
PRINTS = """
from svc_tui.language import _, use
use("de")
from svc_tui.console.widgets.formatting import day, moment
from svc_tui.console.dialogs.messages import CLOSE
from svc_tui.interface.texts import counted
from svc_tui.interface.labels import label_of
from svc_tui.interface.voice.moments import moment_text, read_moment
from datetime import UTC, datetime
print(label_of("companyId"), CLOSE.label, _("application"), counted(12345, "row"), day("2026-11-20"), sep="|")
now = datetime(2026, 11, 26, 12, tzinfo=UTC)
typed = ("So 10:00", "morgen 9:30", "tomorrow 9:30")
print(*(moment_text(read_moment(text, now, UTC), UTC) for text in typed), sep="|")
from svc_tui.console.areas.metrics.chart_lines import _short_start
from svc_tui.console.areas.metrics.number_names import number_words
from svc_tui.console.areas.voice.call_flow_dialog import picture
print(*map(_short_start, ("2026-11-20", "2026-11-20 00:00", "2026-11-20 14:00", "2026-11")), sep="|")
print(number_words("users_dailyConnected"))
print(*picture({"name": "Empfang", "manualMode": {"mode": "closed"}}, None, now), sep="\\n")
from svc_tui.client.responses import refusal
from svc_tui.interface.authentication.users import list_users
from svc_tui.interface.errors import Code
from svc_tui.interface.voice.week import exception_text, read_exceptions
from svc_tui.console.areas.voice.summaries import by_hand
for reason in ("needs superadmin or bp_finance", "your role is limited to your site and demo offers", "needs a break"):
    body = {"errorCode": 403, "errorDetailsCode": Code.ROLE_MISSING, "errorDetails": reason}
    print(refusal(list_users, 403, body, "").sentence)
for text in ("12-25 closed", "12-25 Geschlossen", "12-24 offen 9-12"):
    print(exception_text(read_exceptions(text)))
print(by_hand({"mode": "closed", "startDate": "2026-11-24T10:05:00Z", "endDate": None}).partition(" 24.")[0])
"""
#: Prints the words of states that are cut in a German list on the narrowest terminals.
CUT = """
from svc_tui.language import use
use("de")
from svc_tui.console.shell.resources import ALL
from svc_tui.console.terminal.text import width
from svc_tui.console.widgets.list.columns import lay_out
for cells in range(76, 101):
    for resource in ALL:
        for place in lay_out(resource.display.columns, cells):
            for word, _style in place.column.state.values():
                if width(word) > place.width:
                    print(cells, resource.name, word)
"""
#: Labels that are names in every language.
NAMES = {"LDAP"}
#: Two words beside each other: what is read, and not a name.
WORDS = re.compile(r"[A-Za-z][a-z']+ +\(?[a-z]{2,}")
#: Calls whose texts are no texts of the console: errors for developers, patterns, modules, and processes.
UNREAD = {"lazy_import", "TypeVar", "compile", "match", "fullmatch", "sub", "search", "in_background", "_option"}
#: Names of values that are no texts of the console: styles, and the help of commands, which is English.
UNREAD_NAMES = {"DEFAULT_CSS", "CSS", "_STYLES", "STYLES", "help", "HELP", "EPILOGUE", "description"}
#: Files whose texts are not translated: what is generated from them is English, or they are data.
ENGLISH_FILES = {
    "cache/database.py",
    "client/masking.py",
    "commands/completion_table.py",
    "client/responses.py",
    "commands/manual.py",
    "commands/operation_details.py",
    "commands/options.py",
    "commands/databases.py",
    "commands/server.py",
    "commands/table.py",
    "console/shell/help_view.py",
    "console/shell/tour_tasks.py",
    "interface/companies/countries.py",
    "interface/directory/csv/columns.py",
    "interface/in_words.py",
    "interface/labels.py",
    "workspace/profiles/schema.py",
}
#: Other texts that are no texts of the console: names that are compared, typed or sent, and parts of commands.
ENGLISH_TEXTS = {
    # Parts of a text of the service, and the page around a text.
    "your role",
    " is limited to ",
    "<!doctype html><html lang={}><title>svc-tui</title><p>{}</p></html>",
    "Contacts of the spring fair",
    "failed login",
    "field larger",
    "jwt expired",
    "last week",
    "listening on ",
    "no login",
    "svc-tui login",
    "svc-tui login --profile {}",
    "svc-tui open {}",
    "this week",
    # Messages of the library of regular expressions, which have others in their place.
    "bad character range",
    "min repeat greater than max repeat",
    "missing )",
    "nothing to repeat",
    "unbalanced parenthesis",
    "unterminated character set",
    # Names in the output of `doctor`, as in its JSON.
    "details and filters",
    "round trip",
    "to the SSH client",
    "to the service",
    "to the terminal",
    "to tmux",
}


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


def test_labels_of_actions_and_titles_of_columns_are_in_the_catalogue() -> None:
    """Those that a function of an area hands over, too, and single words with a slash."""
    with GERMAN.open("rb") as file:
        known = {
            word
            for each in texts.read_po(file, locale="de")
            for word in ([each.id] if isinstance(each.id, str) else each.id)
        }
    labels = {action.label for action in registry()}
    titles = {column.title for resource in ALL for column in resource.display.columns if column.title}
    assert sorted((labels | titles) - known - NAMES) == []


def test_a_process_in_german_has_german_texts_numbers_and_days() -> None:
    done = subprocess.run([sys.executable, "-c", PRINTS], capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")
    assert lines[:4] == [
        "Firma|Schließen|Anwendung|12.345 Zeilen|20.11.2026",
        "Son 29.11.2026 10:00|Fre 27.11.2026 09:30|Fre 27.11.2026 09:30",
        "20.11.|20.11.|14:00|2026-11",
        "heute verbundene Benutzer",
    ]
    assert "Ihre Rolle erlaubt das nicht: benötigt superadmin oder bp_finance." in lines
    assert "Ihre Rolle erlaubt das nicht: Ihre Rolle ist beschränkt auf Ihren Standort und Demo-Angebote." in lines
    # What the service says in other words stays as it is.
    assert "Ihre Rolle erlaubt das nicht: needs a break." in lines
    assert lines.count("12-25 geschlossen") == 2 and "12-24 offen 09:00-12:00" in lines
    assert "von Hand geschlossen von" in lines
    assert "Empfang: Geschlossen durch Schaltung von Hand" in lines
    assert [word for line in lines for word in line.split() if word in ("open", "closed", "Open", "Closed")] == []


def test_no_state_is_cut_in_a_german_list() -> None:
    assert subprocess.run([sys.executable, "-c", CUT], capture_output=True, text=True, check=True).stdout == ""


def test_the_setting_and_then_the_environment_choose_the_language(tmp_path: Path) -> None:
    environ = {"SVC_TUI_CONFIG_DIR": str(tmp_path), "HOME": os.environ.get("HOME", "/")}
    assert chosen(environ) == ("en", "")
    assert chosen({**environ, "LANG": "de_AT.UTF-8"}) == ("de", "LANG")
    assert chosen({**environ, "LANG": "de_DE", "LC_ALL": "C.UTF-8"}) == ("en", "LC_ALL")
    assert chosen({**environ, "LANGUAGE": "xx:de", "LANG": "C.UTF-8"}) == ("de", "LANGUAGE")
    assert chosen({**environ, "LANGUAGE": "de", "LC_ALL": "C", "LANG": "de_DE"}) == ("en", "LC_ALL")
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


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The name and the content of each file whose texts are translated."""
    for part in ("cache", "client", "commands", "console", "interface", "workspace"):
        for path in sorted((texts.ROOT / part).rglob("*.py")):
            if (name := path.relative_to(texts.ROOT).as_posix()) not in ENGLISH_FILES:
                yield name, ast.parse(path.read_text("utf-8"))


def untranslated(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of the literals with words that are not translated; `{}` stands for values."""
    translated: set[int] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.keyword):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = {getattr(each, "id", "") for each in targets} | {getattr(node, "arg", "")}
            if names & UNREAD_NAMES:
                continue
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            # Errors of Python are for developers; those of this project are sentences for users.
            if name in UNREAD or (name.endswith("Error") and hasattr(builtins, name)):
                continue
            if name in {"_", "counted", "plural", *texts.DECLARATIONS}:
                translated |= {id(each) for part in (*node.args, *node.keywords) for each in ast.walk(part)}
        if isinstance(node, ast.JoinedStr):
            whole = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            if WORDS.search(whole):
                yield node.lineno, whole
            waiting.extend(part for part in node.values if not isinstance(part, ast.Constant))
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in translated:
            if WORDS.search(node.value):
                yield node.lineno, node.value
            continue
        waiting.extend(ast.iter_child_nodes(node))


def test_no_text_of_the_console_or_the_commands_stays_english_by_oversight() -> None:
    known = {part for text in texts.texts() for part in ([text] if isinstance(text, str) else text)}
    found = [
        f"{name}:{line}: {text!r}"
        for name, tree in sources()
        for line, text in untranslated(tree)
        if text not in known and text not in ENGLISH_TEXTS
    ]
    assert found == []


def words_beside_translated(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of single words that are drawn: where the other case is translated, and beside a choice.

    Elsewhere most are names in the source.
    """
    choices = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "Choice" in ast.unparse(node.func)]
    drawn = {id(each) for node in choices for each in node.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp):
            for one, other in ((node.body, node.orelse), (node.orelse, node.body)):
                word = one.value if isinstance(one, ast.Constant) else None
                is_translated = any(isinstance(each, ast.Name) and each.id == "_" for each in ast.walk(other))
                if isinstance(word, str) and re.search("[a-z]{2}", word) and (is_translated or id(node) in drawn):
                    yield one.lineno, word


def test_no_single_word_stays_english_beside_a_translated_text() -> None:
    found = [
        f"{name}:{line}: {word!r}"
        for name, tree in sources()
        for line, word in words_beside_translated(tree)
        if word not in {"curl", "OAuth"}
    ]
    assert found == []
