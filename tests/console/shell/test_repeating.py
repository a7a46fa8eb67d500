"""What repeats by itself in the console is known: every other view, form and dialog is silent while nothing happens."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from svc_tui import console

CONSOLE = Path(console.__file__).parent
#: Where something is looked at again and again. All but the first two end with the work that they show.
REPEATING = {
    "shell/connection.py": "the end of the session, in the top line",
    "areas/metrics/dashboard_view.py": "the numbers, which are drawn when they are others",
    "areas/invoices/invoice_file_view.py": "the progress of a file, paused while none is loaded",
    "dialogs/save.py": "the progress of a running download or other work",
}
#: What draws again without an event.
RESTLESS = frozenset({"auto_refresh", "animate", "LoadingIndicator", "ProgressBar", "RichLog", "Digits", "loading"})
EDITORS = frozenset({"Input", "TextArea"})


def modules() -> dict[str, ast.Module]:
    return {str(path.relative_to(CONSOLE)): ast.parse(path.read_text("utf-8")) for path in CONSOLE.rglob("*.py")}


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_only_what_is_known_repeats() -> None:
    found: Counter[str] = Counter()
    for place, module in modules().items():
        calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
        found[place] += sum(name_of(call.func) == "set_interval" for call in calls)
        restless = {name_of(call.func) for call in calls} & RESTLESS
        assert not restless, f"{place} uses {restless}, which draws while nothing changes"
    assert {place for place, count in found.items() if count} == set(REPEATING)


def test_no_text_cursor_blinks() -> None:
    for place, module in modules().items():
        made = 0
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                made += name_of(node.func) in EDITORS and isinstance(node.func, ast.Name)
            elif isinstance(node, ast.ClassDef):
                made += bool(EDITORS & {name_of(base) for base in node.bases})
        still = [
            node
            for node in ast.walk(module)
            if isinstance(node, ast.Assign) and name_of(node.targets[0]) == "cursor_blink"
        ]
        assert len(still) >= made, f"{place} makes {made} editors and keeps {len(still)} from blinking"
