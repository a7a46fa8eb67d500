"""Keys that edit a line, run in the order in which they are typed."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


async def run_editing_key(line: Input, event: events.Key) -> bool:
    """Run an editing key; False for another key.

    Textual runs these only when the key has bubbled up, after characters that were typed later.
    """
    edits = line._bindings.key_to_bindings.get(event.key, ())
    if not edits or event.is_printable:
        return False
    event.stop()
    event.prevent_default()
    await line.run_action(edits[0].action)
    return True
