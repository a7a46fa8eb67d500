"""Keys that edit a line do so when they are typed, and not after what is typed behind them."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


async def edited_at_once(line: Input, event: events.Key) -> bool:
    """Do what an editing key is for; False for every other key.

    Textual runs these when the key has bubbled up: above the line the frame takes keys, and what is typed behind them
    would overtake them.
    """
    edits = line._bindings.key_to_bindings.get(event.key, ())
    if not edits or event.is_printable:
        return False
    event.stop()
    event.prevent_default()
    await line.run_action(edits[0].action)
    return True
