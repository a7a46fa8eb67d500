"""Keys that dialogs share, and those of the prompt and of the field under the cursor of a form."""

from __future__ import annotations

from svc_tui.console.core.keys import DialogKey

CLOSE = DialogKey("dialog.close", ("esc",), "Close", "Close the dialog, or go back one step in it")
ACCEPT = DialogKey("dialog.accept", ("enter",), "Accept", "Accept what is typed or selected")
SAVE = DialogKey("dialog.save", ("ctrl+o", "f2"), "Save", "Save what was edited and close the dialog")
COPY = DialogKey("dialog.copy", ("y",), "Copy", "Copy what the dialog shows")
UP = DialogKey("dialog.up", ("up",), "Move", "Previous line")
DOWN = DialogKey("dialog.down", ("down",), "Move", "Next line")
PAGE_UP = DialogKey("dialog.page_up", ("pgup",), "Page up", "Previous page", shown=False)
PAGE_DOWN = DialogKey("dialog.page_down", ("pgdn",), "Page down", "Next page", shown=False)
NEXT_FIELD = DialogKey("dialog.next_field", ("tab",), "Next field", "Next field of the dialog")
PREVIOUS_FIELD = DialogKey(
    "dialog.previous_field", ("shift+tab",), "Previous field", "Previous field of the dialog", shown=False
)
#: Moving through lines, also by the letters of a list; not for dialogs in which text is typed.
LINE_UP = DialogKey("dialog.line_up", ("up", "k"), "Move", "Previous line", shown=False)
LINE_DOWN = DialogKey("dialog.line_down", ("down", "j"), "Move", "Next line", shown=False)
MOVE_DOWN = DialogKey("dialog.move_down", ("J", "ctrl+down"), "Reorder", "Move the line down")
MOVE_UP = DialogKey("dialog.move_up", ("K", "ctrl+up"), "Reorder", "Move the line up")
REMOVE = DialogKey("dialog.remove", ("x", "delete"), "Remove", "Remove the line")

#: While a view waits for the service.
WAITING_KEYS = (DialogKey("waiting.cancel", ("esc",), "Cancel", "Stop waiting for the service"),)
#: The prompt in place of the status line.
PROMPT_KEYS = (
    DialogKey("prompt.accept", ("enter",), "Accept", "Go to the place, or set the filter"),
    DialogKey("prompt.complete", ("tab",), "Complete", "Complete with the next suggestion"),
    DialogKey("prompt.complete_back", ("shift+tab",), "Complete", "Complete with the suggestion before", shown=False),
    DialogKey("prompt.older", ("up",), "History", "The entry before in the history"),
    DialogKey("prompt.newer", ("down",), "History", "The entry after in the history"),
    DialogKey("prompt.cancel", ("esc",), "Cancel", "Close the prompt"),
)
