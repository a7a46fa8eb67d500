"""The raw record (JSON, YAML) with its HTTP exchange, and the differences of two records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from svc_tui.client import masking
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.terminal.text import safe_lines
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import HIDDEN, written
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface import catalogue
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.files import positioned_yaml
from svc_tui.workspace.files.saved_files import size_text

if TYPE_CHECKING:
    from svc_tui.client.call_log import CallLog, LoggedCall

#: The most characters of a page that are drawn; copies contain all of them.
MOST_DRAWN = 100_000
#: The most columns for the wire names beside differences.
DIFFERENCE_LABEL = 26


class TextView(SheetView):
    """Pages of plain text."""

    kind = "raw"

    def __init__(
        self,
        place: Place,
        resource: Resource | None,
        title: str,
        pages: Mapping[str, str],
        record: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(place, resource)
        self._title = title
        self._pages = dict(pages)
        self.page_name = next(iter(pages))
        self._record = record
        self._revealed = False

    def compose(self) -> ComposeResult:
        yield Sheet()

    def on_mount(self) -> None:
        self._draw()

    @property
    def crumb(self) -> str:
        return self._title

    @property
    def record(self) -> Mapping[str, Any] | None:
        return self._record

    @property
    def text(self) -> str:
        """The text of the page for copies, with its original characters."""
        return self._pages[self.page_name]

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.sheet.show(list(self.lines()))

    def lines(self) -> Iterator[Line]:
        """The lines of the current page, safe to draw."""
        width = (self.size.width or self.app.size.width) - 2
        for part in safe_lines(self.text[:MOST_DRAWN]):
            style = "warn" if part.hostile else ""
            yield from wrapped(Line("text", value=part.text, style=style, secret=self.is_secret(part.text)), width)
        if len(self.text) > MOST_DRAWN:
            rest = _("The first {most_drawn} of {text} characters are shown. A copy contains all.").format(
                most_drawn=number_text(MOST_DRAWN), text=number_text(len(self.text))
            )
            yield from wrapped(Line("text", value=rest, style="dim"), width)

    def is_secret(self, line: str) -> bool:
        """Whether a line of the current page shows a secret."""
        return False

    def next_pane(self) -> None:
        names = list(self._pages)
        self.page_name = names[(names.index(self.page_name) + 1) % len(names)]
        self._draw()
        self.home()
        self.notify_changed()

    def status(self) -> Sequence[Piece]:
        lines = counted(self.text.count("\n") + 1, "line")
        pieces = [Piece(" ")]
        for name in self._pages:
            pieces.append(Piece(f"{name}  ", "accent" if name == self.page_name else "dim"))
        return [
            *pieces,
            Piece(f" {lines}" + (self.with_keys(_("   {next_pane} next page")) if len(self._pages) > 1 else ""), "dim"),
        ]


class RawView(TextView):
    """A record as JSON and YAML, and the HTTP exchange that read it."""

    #: The lines of all pages without secrets; any other line of a revealed page is one.
    _harmless: frozenset[str] = frozenset()

    @classmethod
    def of(cls, context: Context) -> RawView:
        """The raw view of the selected record."""
        resource = context.require_resource()
        record = dict(context.require_record())
        hidden = without_secrets(resource, record)
        pages = {"JSON": as_json(hidden), "YAML": positioned_yaml.written(hidden)}
        exchange = exchange_of(context.workspace.log, resource, resource.record_id(record))
        missing = _("The HTTP exchange of this record is no longer in the log. The record may come from the cache.")
        pages["HTTP"] = exchange_text(exchange) if exchange is not None else missing
        return cls(context.view.place, resource, _("Raw"), pages, record)

    def reveal(self) -> None:
        """Show or hide the secrets of the record."""
        assert self.resource is not None and self._record is not None
        self._revealed = not self._revealed
        hidden = without_secrets(self.resource, self._record)
        texts = (as_json(hidden), positioned_yaml.written(hidden), self._pages["HTTP"])
        self._harmless = frozenset(part.text for text in texts for part in safe_lines(text))
        record = dict(self._record) if self._revealed else hidden
        self._pages |= {"JSON": as_json(record), "YAML": positioned_yaml.written(record)}
        self._draw()

    def is_secret(self, line: str) -> bool:
        return self._revealed and line not in self._harmless


class DifferenceView(TextView):
    """Two records field by field, differences first; secrets stay hidden."""

    def __init__(self, context: Context, first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
        resource = context.require_resource()
        self._pair = (first, second)
        self._shown = (without_secrets(resource, first), without_secrets(resource, second))
        names = [resource.label(record) for record in self._pair]
        text = "\n".join(f"{line.label}: {line.value}" if line.label else line.value for line in self._differences())
        super().__init__(context.view.place, resource, f"{names[0]} ↔ {names[1]}", {"Differences": text})

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=DIFFERENCE_LABEL)

    @classmethod
    async def of(cls, context: Context) -> DifferenceView:
        """The differences of the two marked records, which are read completely."""

        first, second = [await full_record(context, record_id) for record_id in context.marked]
        return cls(context, first, second)

    def lines(self) -> Iterator[Line]:
        # The sheet limits the width of the label; the gutter and two gaps are beside it.
        width = self.size.width - min(DIFFERENCE_LABEL, self.size.width * 2 // 5) - 6
        for line in self._differences():
            yield from wrapped(line, width)

    def _differences(self) -> Iterator[Line]:
        (first, second), (left, right) = self._pair, self._shown
        wires = list(dict.fromkeys((*first, *second)))
        differing = [wire for wire in wires if first.get(wire) != second.get(wire)]
        yield Line("heading", label=counted(len(differing), "difference"))
        for wire in differing:
            if left.get(wire) == right.get(wire):
                yield Line("field", wire, _("differs (hidden)"), key=wire, style="warn", changed=True)
                continue
            yield Line("field", wire, written(left.get(wire)), key=wire, style="warn", changed=True)
            yield Line("field", "", f"↔ {written(right.get(wire))}", key=wire, style="warn")
        yield Line("heading", label=_("Equal fields"))
        for wire in wires:
            if wire not in differing:
                yield Line("field", wire, written(left.get(wire)), key=wire, style="dim")


def without_secrets(resource: Resource, record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its declared secrets hidden, also those of records inside it."""
    kind = resource.kind
    read = {operation for operation in (kind.get, kind.list) if operation}
    secret = frozenset().union(*(masking.secrets_in(catalogue.operation(name)) for name in read))
    hidden: dict[str, Any] = _hidden(record, secret)
    return hidden


def _hidden(value: Any, secret: frozenset[str]) -> Any:
    if isinstance(value, Mapping):
        return {wire: HIDDEN if wire in secret and inner else _hidden(inner, secret) for wire, inner in value.items()}
    return [_hidden(inner, secret) for inner in value] if isinstance(value, list) else value


def as_json(record: Mapping[str, Any]) -> str:
    """The record as indented JSON with its original characters."""
    return json.dumps(record, indent=2, ensure_ascii=False)


def exchange_of(log: CallLog, resource: Resource, record_id: str) -> LoggedCall | None:
    """The last exchange that read a record, otherwise the last one that read a list of its kind."""
    newest = list(reversed(log.exchanges))
    for exchange in newest:
        own = bool(resource.placement.only) or (bool(record_id) and record_id in exchange.url)
        if exchange.operation_id == resource.kind.get and own:
            return exchange
    return next((exchange for exchange in newest if resource.list and exchange.operation_id == resource.list), None)


def exchange_text(exchange: LoggedCall) -> str:
    """An exchange as text: request, response, times. Its secrets were masked when it was logged."""
    lines = [
        f"{exchange.method} {exchange.url}",
        *(f"{name}: {value}" for name, value in exchange.request_headers.items()),
    ]
    if exchange.request_body:
        lines += ["", _indented(exchange.request_body)]
    lines += [
        "",
        _("{status}  {elapsed:.0f} ms  {size}").format(
            status=exchange.status or "—", elapsed=exchange.elapsed * 1000, size=size_text(exchange.size)
        ),
    ]
    if exchange.error:
        lines.append(str(exchange.error))
    lines += [f"{name}: {value}" for name, value in (exchange.response_headers or {}).items()]
    if exchange.response_body:
        lines += ["", _indented(exchange.response_body)]
    return "\n".join(lines)


def _indented(body: str) -> str:
    """A body with indented JSON; other bodies unchanged."""
    try:
        return json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return body
