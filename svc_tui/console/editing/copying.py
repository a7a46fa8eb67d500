"""The entries of the copy menu: field, row, JSON, curl, link. Copies keep the original characters."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from svc_tui.console.core.place_requests import specs_of
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.bulk import marked_rows
from svc_tui.console.views import raw
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import HIDDEN, written
from svc_tui.interface.texts import cell_text
from svc_tui.language import _

#: Characters of a copy that the menu reads; it shows those that fit.
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Copy:
    """One entry of the menu. `text` is copied; a secret one is not shown."""

    label: str
    text: str
    secret: bool = False

    @property
    def detail(self) -> str:
        """The beginning of the text, for the menu."""
        return HIDDEN if self.secret else written(self.text)[:MOST_SHOWN]


def copies(context: Context) -> list[Copy]:
    """Everything of the current record that can be copied. Only entries that name secrets contain them."""

    resource, record = context.require_resource(), context.require_record()
    found = [
        *_links(context),
        *_field(context),
        Copy("ID", resource.record_id(record)),
        Copy(_("Name"), resource.label(record)),
    ]
    row = "\t".join(row_cell(column.value(record)) for column in resource.display.columns)
    if row.strip():
        found.append(Copy(_("Row"), row))
    hidden = raw.without_secrets(resource, record)
    found.append(Copy("JSON", raw.as_json(hidden)))
    if hidden != dict(record):
        found.append(Copy(_("JSON with secrets"), raw.as_json(record), secret=True))
    return [*found, *_curl(context)]


async def marked_copies(context: Context) -> list[Copy]:
    """What can be copied of the marked records together, one line for each."""
    resource = context.require_resource()
    rows = await marked_rows(context, context.require_view(ListView))
    known = [rows[record_id] for record_id in context.marked if record_id in rows]
    shown = resource.display.columns
    cells = ["\t".join(row_cell(column.value(row)) for column in shown) for row in known]
    title = "\t".join(column.title for column in shown)
    hidden = [raw.without_secrets(resource, row) for row in known]
    return [
        Copy("IDs", "\n".join(context.marked)),
        Copy(_("Names"), "\n".join(row_cell(resource.label(row)) for row in known)),
        Copy(_("Rows"), "\n".join(cells)),
        Copy(_("Rows with titles"), "\n".join([title, *cells])),
        Copy("JSON", json.dumps(hidden, indent=2, ensure_ascii=False)),
        Copy(_("List as shown"), _opening(context.view.link)),
    ]


def row_cell(value: object) -> str:
    """A value as one cell of a row: tabs and line ends begin other cells."""
    return " ".join(re.split("[\t\n\r\v\f\x85\u2028\u2029]+", cell_text(value)))


def _links(context: Context) -> Iterator[Copy]:
    """The commands that open the list as it is shown, and the record."""
    view = context.view
    if view.kind != "detail":
        yield Copy(_("List as shown"), _opening(view.link))
        yield Copy(
            _("Link"), _opening(Link(view.place.record(context.require_resource().record_id(context.require_record()))))
        )
    else:
        yield Copy(_("Link"), _opening(view.link))


def _opening(link: Link) -> str:
    return f"svc-tui open {shlex.quote(str(link))}"


def _field(context: Context) -> Iterator[Copy]:
    """The selected field of a detail view."""

    view, resource = context.view, context.resource
    if isinstance(view, DetailView) and view.field is not None and resource is not None:
        wire, value = view.field
        secret = any(spec.wire == wire and spec.facet.secret for spec in specs_of(resource))
        yield Copy(
            _("Field {wire}").format(wire=wire),
            value if isinstance(value, str) else raw.as_json({wire: value}),
            secret and bool(value),
        )


def _curl(context: Context) -> Iterator[Copy]:
    """The request that read the record, else the one that read its list."""

    resource = context.require_resource()
    exchange = raw.exchange_of(context.workspace.log, resource, resource.record_id(context.require_record()))
    if exchange is not None:
        label = "curl" if exchange.operation_id == resource.kind.get else _("curl of the list")
        yield Copy(label, exchange.as_curl())
