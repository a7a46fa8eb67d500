"""Generator of the table of completion in `svc_tui/commands`. A test fails if it is outdated."""

from __future__ import annotations

import json

from svc_tui.commands.candidates import TABLE
from svc_tui.commands.completion_table import table


def text() -> str:
    """The table as JSON, one line for each entry of a list."""
    lists = (f"{json.dumps(name)}: {{\n{_entries(entries)}\n}}" for name, entries in table().items())
    return "{\n" + ",\n".join(lists) + "\n}\n"


def _entries(entries: dict[str, object]) -> str:
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in entries.items())


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
    print(f"wrote {TABLE.name}")
