"""The styles of a list, for all themes. States are words, so colours are not needed.

A row has a hierarchy: the first column, which identifies the record, is bold; a state has its colour; the rest is
quiet. A cell that changed while it was shown is in reverse for a moment; in the selected row of a terminal without
colours, which is in reverse itself, it is not.
"""

LOOKS = (
    *("header", "row", "name", "cursor", "cursor-blurred", "mark"),
    *("ok", "warn", "bad", "accent", "flash", "flash-cursor"),
)
CSS = """
DrawnList { width: 1fr; height: 1fr; background: $background; color: $foreground; }
DrawnList > .styled--header { text-style: bold; color: $primary; }
DrawnList > .styled--row { color: $text-muted; }
DrawnList > .styled--name { text-style: bold; color: $foreground; }
DrawnList > .styled--cursor {
    background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
}
DrawnList > .styled--cursor-blurred {
    background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
    text-style: $block-cursor-blurred-text-style;
}
DrawnList > .styled--mark { text-style: bold; color: $accent; }
DrawnList > .styled--ok { color: $success; }
DrawnList > .styled--warn { color: $warning; }
DrawnList > .styled--bad { color: $error; }
DrawnList > .styled--accent { color: $accent; }
DrawnList > .styled--flash { color: $warning; text-style: bold reverse; }
DrawnList > .styled--flash-cursor { color: $warning; text-style: bold reverse; }
DrawnList:nocolor > .styled--cursor { text-style: reverse; }
DrawnList:nocolor > .styled--cursor-blurred { text-style: bold; }
DrawnList:nocolor > .styled--flash-cursor { text-style: bold; }
"""
