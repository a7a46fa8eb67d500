"""How a list looks: the names of its styles and what they are in any theme; states are words, colour only helps."""

LOOKS = ("header", "row", "cursor", "cursor-blurred", "mark", "ok", "warn", "bad", "dim", "accent")
CSS = """
RecordList { width: 1fr; height: 1fr; background: $background; color: $foreground; }
RecordList > .record-list--header { text-style: bold; color: $primary; }
RecordList > .record-list--cursor {
    background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
}
RecordList > .record-list--cursor-blurred {
    background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
}
RecordList > .record-list--mark { text-style: bold; color: $accent; }
RecordList > .record-list--ok { color: $success; }
RecordList > .record-list--warn { color: $warning; }
RecordList > .record-list--bad { color: $error; }
RecordList > .record-list--dim { color: $text-muted; text-style: dim; }
RecordList > .record-list--accent { color: $accent; }
RecordList:ansi > .record-list--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
RecordList:ansi > .record-list--cursor-blurred {
    background: ansi_default; color: ansi_default; text-style: bold;
}
RecordList:nocolor > .record-list--cursor { text-style: reverse; }
RecordList:nocolor > .record-list--cursor-blurred { text-style: bold; }
"""
