"""The parser for the commands. A command's module is imported when the command is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cyclopts import App, CycloptsError, Group, UnusedCliTokensError
from cyclopts.help.formatters.plain import PlainFormatter
from rich.text import Text

from svc_tui import __version__
from svc_tui.commands.exits import Exit, UsageError, print_message
from svc_tui.commands.open import open_console
from svc_tui.commands.styles import wrapped
from svc_tui.commands.table import COMMANDS, DESCRIPTION, EPILOGUE, GENERAL_OPTIONS
from svc_tui.language import _
from svc_tui.workspace.core.suggestions import suggestion

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry
    from rich.console import Console


class WrappingFormatter(PlainFormatter):
    """The plain format with lines that end between words and, in entries, are indented."""

    def _print_plain(self, console: Console, text: str) -> None:
        for line in text.split("\n"):
            entry = line.startswith(self.indent)
            parts = wrapped(line, console.width, further=self.indent * 3 if entry else "")
            for place, part in enumerate(parts or [""]):
                name = part.partition(": ")[0] if entry and not place else part if part.endswith(":") else ""
                # Rich leaves colours out in pipes and with NO_COLOR.
                console.print(
                    Text.assemble((name, "cyan" if entry else "bold"), part[len(name) :]),
                    highlight=False,
                    soft_wrap=True,
                )

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


#: Options of the console and of most commands, which may also precede the command.
_BEFORE = ("--profile", "--read-only", "--linear")


def build_parser() -> App:
    """The parser with all commands; none of their modules is imported yet."""
    app = App(
        name="svc-tui",
        help=DESCRIPTION,
        help_epilogue=EPILOGUE,
        help_format="plaintext",
        version=__version__,
        help_formatter=WrappingFormatter(),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
    )
    app["--help"].help = GENERAL_OPTIONS["--help, -h"]
    app["--version"].help = GENERAL_OPTIONS["--version"]
    app.default(open_console)
    groups = {name: Group(name, sort_key=place) for place, name in enumerate(dict.fromkeys(c.group for c in COMMANDS))}
    for place, command in enumerate(COMMANDS):
        # A group of commands sets these itself; the parser does not accept them twice.
        own: dict[str, Any] = {} if command.target.endswith(":app") else {"help_epilogue": "", "version_flags": []}
        app.command(
            f"svc_tui.commands.{command.target}",
            name=command.name,
            help=command.help,
            group=groups[command.group],
            sort_key=place,
            **own,
        )
    return app


def parse_and_run(arguments: list[str]) -> int:
    """Run the command that the arguments name; exit code 2 and one message for arguments that cannot be parsed."""
    arguments = _with_command_first(arguments)
    _check_command(arguments[0])
    try:
        result: Any = build_parser()(_with_input(_with_scale(arguments)))
    except CycloptsError as error:
        print_message(f"svc-tui: {_parser_message(error)}")
        return Exit.USAGE
    return result if isinstance(result, int) else Exit.DONE


def _with_command_first(arguments: list[str]) -> list[str]:
    """General options may also precede the command, as in `svc-tui --profile NAME open TARGET`."""
    before = 0
    while before < len(arguments) and arguments[before].partition("=")[0] in _BEFORE:
        before += 2 if arguments[before] == "--profile" else 1
    if before >= len(arguments) or arguments[before].startswith("-"):
        return arguments
    return [*arguments[before:], *arguments[:before]]


def _check_command(word: str) -> None:
    """UsageError, with the closest command, when the first word is neither an option nor a command."""
    names = [command.name for command in COMMANDS]
    if not word.startswith("-") and word not in names:
        hint = suggestion(word, names, _("Run `svc-tui --help` for a list."), cutoff=0.7)
        raise UsageError(_('Unknown command "{word}". {hint}').format(word=word, hint=hint))


def _with_scale(arguments: list[str]) -> list[str]:
    """`--demo-data` alone means `--demo-data small`; the parser has no options with an optional value."""
    if arguments[0] != "serve" or "--demo-data" not in arguments:
        return arguments
    place = arguments.index("--demo-data") + 1
    named = place < len(arguments) and not arguments[place].startswith("-")
    return arguments if named else [*arguments[:place], "small", *arguments[place:]]


def _with_input(arguments: list[str]) -> list[str]:
    """`-` in place of a document is standard input; the parser takes it for an option."""
    if arguments[0] not in ("plan", "apply", "drift"):
        return arguments
    return ["/dev/stdin" if word == "-" else word for word in arguments]


def _parser_message(error: CycloptsError) -> str:
    """The parser's message in one line, and the command that shows the help."""
    message = str(error)
    if isinstance(error, UnusedCliTokensError):
        message = _("Unexpected: {arguments}.").format(arguments=" ".join(error.unused_tokens or ()))
    words = ["svc-tui", *(error.command_chain or ())]
    return _("{split} Run `{words} --help` for usage.").format(split=" ".join(message.split()), words=" ".join(words))
