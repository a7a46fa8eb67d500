"""Exporting a list as it is shown: asked where to, written whole or not at all, and told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.cache.secrets import without_secrets
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.console.editing.saving import start
from svc_tui.workspace.files.export import ExportFormat, RowSource, export

if TYPE_CHECKING:
    from svc_tui.workspace.lists.listing import Listing


class _Shown:
    """The rows of a list without secrets: a file is passed on."""

    def __init__(self, listing: Listing, operation_id: str) -> None:
        self._listing, self._operation_id = listing, operation_id

    async def rows(self) -> AsyncIterator[dict[str, Any]]:
        async for row in self._listing.rows():
            yield without_secrets(self._operation_id, row)


async def export_list(context: Context) -> None:
    """Write all rows of the list, with its filter and order, to a file: `.json` whole records, else CSV columns."""
    from svc_tui.console.views.list import ListView

    view = context.require_view(ListView)
    columns = [name for each in view.the.display.columns for name in (*(each.exported or (each.field,)), *each.also)]
    await export_rows(context, view.the.title, _Shown(view.listing, view.the.list), list(dict.fromkeys(columns)))


async def export_rows(context: Context, title: str, rows: RowSource, columns: Sequence[str]) -> None:
    """Ask where to, write all rows there, and say what came of it."""
    target = await context.stage.ask(SaveBox(f"Export {title} as .csv or .json", start(title, ".csv")))
    if target is None:
        return
    # All rows may take long, and open nothing: keys do not wait for them.
    context.stage.stop_waiting()
    file = target.path.expanduser()
    form: ExportFormat = "json" if file.suffix.lower() == ".json" else "csv"
    try:
        count = await export(rows, file, form, columns, overwrite=target.overwrite)
    except FileExistsError:
        context.stage.say(f"{file} came there meanwhile: nothing was exported.", "bad")
    except OSError as error:
        context.stage.say(f"{file} cannot be written: {error.strerror or error}. Nothing was exported.", "bad")
    else:
        context.stage.say(f"Exported: {count} {'row' if count == 1 else 'rows'} to {_near(file)}.", "ok")


def _near(file: Path) -> str:
    """A path as people write it."""
    home = Path.home()
    return f"~/{file.relative_to(home)}" if file.is_relative_to(home) else str(file)
