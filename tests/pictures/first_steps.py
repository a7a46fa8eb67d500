"""`python -m tests.pictures.first_steps`: writes docs/first-steps.md, the first steps of a new user in the console.

The steps are those of a real `svc-tui` in a terminal of 80x24, without any file of the user. A test takes the same way.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.pty import Terminal

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-steps.md"
COLUMNS, ROWS = 80, 24
#: The end of the top line, role and round trip, which depends on the machine.
_ROUND_TRIP = re.compile(r" +(\S+(?: \+\d+)?) +\S (?:slow )?\d+ ms *$", re.MULTILINE)
INTRODUCTION = """# First steps

Start `svc-tui` for the first time, change a record and undo the change, in two minutes and without your own service.
Each screen shows the keys of the next step.

Before you begin: [install](../README.md#try-it) the console, activate it in this shell (`. .venv/bin/activate`), and
use a terminal of at least 80 columns and 24 lines. Dates follow the calendar, so some values differ from these."""
END = """## What next

`svc-tui demo --tour` shows five tasks automatically. The guides for [support staff](guides/support.md),
[administrators](guides/administrator.md) and [demonstrations](guides/demonstration.md) continue from here."""

#: What a busy machine shows on the start page, and a quiet one.
_SLOW, _QUIET = " The service responds slowly: fewer requests and previews.", " : lists all places   q quits"


@dataclass(frozen=True)
class Step:
    """A step: what the user does, the keys (a text that begins with = is typed), and patterns that are then seen."""

    title: str
    text: str
    keys: tuple[str, ...]
    sees: tuple[str, ...]
    #: Seen before the keys are pressed: where the screen shows them.
    before: str = ""


STEPS = (
    Step(
        "Start",
        "There is no connection profile yet, so the console offers to start a demo or to add one.",
        (),
        ("starts a demo", "d Demo", "n New profile", "esc Quit"),
    ),
    Step(
        "Connect to a demo service",
        "`d` starts a private service with sample data on this machine, and opens the start page. "
        "The first time, its numbers appear after some ten seconds.",
        ("d",),
        (r"8  Invoices +\d+", r"Needs attention *\n", r"\? Help"),
        r"d +starts a demo",
    ),
    Step(
        "Open the applications",
        "`1` opens the applications: the digits open the most used places.",
        ("1",),
        ("Branch Go", r"/ Filter"),
        "1  Applications",
    ),
    Step(
        "Find an application by a part of its name",
        "`/` filters the list while you type: here `room`.",
        ("/", "=room"),
        ("▌Meeting Room Button", "^ /room", "enter Accept"),
        "/ Filter",
    ),
    Step(
        "Open it",
        "`enter` accepts the filter. Press it again to open the selected application.",
        ("enter", "enter"),
        ("Applications ▸ Meeting Room Button", "e Edit"),
        "enter Accept",
    ),
    Step("Edit it", "`e` opens the form.", ("e",), ("Unique per owner", r"ctrl\+o Review"), "e Edit"),
    Step(
        "Change a setting",
        "Go to the field *Origin* with the arrow keys. Typed text replaces its value; `end` or an arrow edits it.",
        ("down", "down", "=store"),
        (r"\* Origin +store", "Where the application comes from"),
        "Origin",
    ),
    Step(
        "Review it",
        "`ctrl+o` shows the exact request. Nothing is changed yet.",
        ("ctrl+o",),
        ("Origin: — → store", "enter Send", "esc Back"),
        r"ctrl\+o Review",
    ),
    Step("Send it", "`enter` sends it.", ("enter",), (r"Changed\. ctrl\+z undoes it\.", "Origin +store"), "enter Send"),
    Step(
        "Undo it",
        "`ctrl+z` undoes the last change, after another review.",
        ("ctrl+z",),
        ("Undo: Edit Meeting Room Button", "Origin: store → —", "enter Send"),
        r"ctrl\+z undoes it",
    ),
    Step(
        "Confirm",
        "`enter` sends this request too. Fields without a value, such as the origin, are folded: `z` shows them.",
        ("enter",),
        (r"Undone\.", r"business software\. *\n +Activity"),
        "enter Send",
    ),
    Step(
        "Leave",
        "`q` goes back to the list; press it again to quit. The demo data is deleted.",
        ("q", "q"),
        (r"The\s+demo has ended\. Its data and your changes are deleted\.",),
    ),
)


def walk(terminal: Terminal) -> list[str]:
    """Take all steps; the screen after each. AssertionError when something is not seen."""
    screens = []
    for step in STEPS:
        if step.before:
            assert re.search(step.before, screens[-1]), f"{step.before!r} is not on this screen:\n{screens[-1]}"
        for key in step.keys:
            if key.startswith("="):
                terminal.type(key[1:])
            else:
                terminal.press(key)
        for pattern in step.sees:
            terminal.wait_for(pattern, timeout=60)
        terminal.settle(0.2)
        screens.append(terminal.text)
    return screens


def page(screens: list[str]) -> str:
    """The page with these screens."""
    parts = [INTRODUCTION]
    for number, (step, screen) in enumerate(zip(STEPS, screens, strict=True), 1):
        screen = re.sub(rf"^{_SLOW} *$", _QUIET, screen, flags=re.MULTILINE)
        lines = [usual(line).rstrip() for line in screen.splitlines() if line.strip()]
        # The shell's screen: its message begins where the cursor was.
        shown = "\n".join(lines) if len(lines) > 2 else " ".join(map(str.strip, lines))
        parts += [f"## {number}. {step.title}", step.text, f"```text\n{shown}\n```"]
    return "\n\n".join([*parts, END]) + "\n"


def usual(text: str) -> str:
    """A screen with the round trip of a quiet machine."""
    return _ROUND_TRIP.sub(lambda found: f"{found[1]}  ● 12 ms".rjust(len(found[0].rstrip())), text)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        command = str(Path(sys.executable).with_name("svc-tui"))
        with Terminal([command], columns=COLUMNS, rows=ROWS, environment={"HOME": home, "TZ": "UTC"}) as terminal:
            PAGE.write_text(page(walk(terminal)), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
