"""The styles of a list, for all themes. States are words, so colours are not needed.

A row has a hierarchy: the first column, which identifies the record, is bold; a state has its colour; the rest is
quiet. A cell that changed while it was shown is in reverse for a moment; in the selected row of a terminal without
colours, which is in reverse itself, it is not.
"""

LOOKS = (
    *("header", "row", "name", "cursor", "cursor-blurred", "mark"),
    *("ok", "warn", "bad", "dim", "accent", "flash", "flash-cursor"),
)
CSS = """
DrawnList { width: 1fr; height: 1fr; background: $background; color: $foreground; }
DrawnList > .record-list--header { text-style: bold; color: $primary; }
DrawnList > .record-list--row { color: $text-muted; }
DrawnList > .record-list--name { text-style: bold; color: $foreground; }
DrawnList > .record-list--cursor {
    background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
}
DrawnList > .record-list--cursor-blurred {
    background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
}
DrawnList > .record-list--mark { text-style: bold; color: $accent; }
DrawnList > .record-list--ok { color: $success; }
DrawnList > .record-list--warn { color: $warning; }
DrawnList > .record-list--bad { color: $error; }
DrawnList > .record-list--dim { color: $text-disabled; }
DrawnList:ansi > .record-list--dim { text-style: dim; }
DrawnList > .record-list--accent { color: $accent; }
DrawnList > .record-list--flash { color: $warning; text-style: bold reverse; }
DrawnList > .record-list--flash-cursor { color: $warning; text-style: bold reverse; }
DrawnList:ansi > .record-list--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
DrawnList:ansi > .record-list--cursor-blurred {
    background: ansi_default; color: ansi_default; text-style: bold;
}
DrawnList:nocolor > .record-list--cursor { text-style: reverse; }
DrawnList:nocolor > .record-list--cursor-blurred { text-style: bold; }
DrawnList:nocolor > .record-list--flash-cursor { text-style: bold; }
"""
