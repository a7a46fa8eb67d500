"""Generator of the table of outlines in `svc_tui/interface`. A test fails if it is outdated."""

from __future__ import annotations

import json

from svc_tui.interface.catalogue import outline_table
from svc_tui.interface.outlines import TABLE


def text() -> str:
    """The table as JSON, one line for each operation."""
    lines = [f"{json.dumps(name)}: {json.dumps(outline)}" for name, outline in outline_table().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
    print(f"wrote {TABLE.name}")
