"""The help of commands as plain text: entries that do not fit continue below their description."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from cyclopts.help.formatters.plain import PlainFormatter

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry
    from rich.console import Console


class WrappingFormatter(PlainFormatter):
    """The plain format with lines that end between words and, in entries, are indented."""

    def _print_plain(self, console: Console, text: str) -> None:
        for line in text.split("\n"):
            entry = line.startswith(self.indent)
            parts = wrap(
                line, console.width, break_on_hyphens=False, subsequent_indent=self.indent * 3 if entry else ""
            )
            for part in parts or [""]:
                super()._print_plain(console, part)

    def _format_parameter_entry(self, options: tuple[str, ...], desc: str, console: Console, entry: HelpEntry) -> None:
        if entry.default in ("False", False):
            # Every switch is off by default.
            entry = entry.copy(default=None)
        super()._format_parameter_entry(options, _one_line(desc), console, entry)

    def _format_command_entry(
        self, names: tuple[str, ...], shorts: tuple[str, ...], desc: str, console: Console
    ) -> None:
        super()._format_command_entry(names, shorts, _one_line(desc), console)


def _one_line(text: str) -> str:
    """A description without the line breaks of its first rendering, which does not know the name before it."""
    return " ".join(text.split())
