"""Download of a file of the service to this machine."""

from __future__ import annotations

from collections.abc import Mapping

from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.save import DownloadBox, SaveBox
from svc_tui.language import _
from svc_tui.workspace.files.downloads import Converter, Download, first_path
from svc_tui.workspace.files.saved_files import size_text


async def save(
    context: Context,
    title: str,
    operation_id: str,
    path: Mapping[str, str],
    name: object,
    turn: Converter | None = None,
    *,
    ending: str = ".csv",
) -> None:
    """Ask for a path, download the file to it and report the result; `turn` as in Download."""
    console = context.stage
    target = await console.ask(SaveBox(title, first_path(name, ending)))
    if target is None:
        return
    download = Download(context.workspace, operation_id, path, target.path, overwrite=target.overwrite, convert=turn)
    size = await console.ask(DownloadBox(title, download))
    if size is not None:
        context.stage.show_message(
            _("Saved {target} ({size}).").format(target=download.target, size=size_text(size)), "ok"
        )
    elif download.state != "failed":
        context.stage.show_message(_("Stopped. Nothing was saved."), "warn")
