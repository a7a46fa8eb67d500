"""The dialog for an image file to upload, checked against the limits of the operation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from svc_tui.client.content import Content
from svc_tui.console.areas.companies.picture_widget import Blocks
from svc_tui.console.core.changes import Change
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.preview import Preview, Send
from svc_tui.workspace.files.uploads import UnsuitableFile, accepted_files, read_file

if TYPE_CHECKING:
    from svc_tui.console.terminal.capabilities import Capabilities
    from svc_tui.interface.operations import AnyOperation


class FileBox(PathBox[Content]):
    """Returns the file as a request body, or None when closed. A file that breaks a limit is refused in the dialog."""

    ENDINGS = (".png", ".jpg", ".jpeg")

    def __init__(self, title: str, operation: AnyOperation, start: str = "") -> None:
        super().__init__(title, accepted_files(operation), start)
        self._operation = operation

    async def take(self, path: str) -> None:
        try:
            content = await asyncio.to_thread(read_file, Path(path), self._operation)
        except UnsuitableFile as error:
            self.show_error(str(error))
            return
        self.dismiss(content)


class PicturePreview(Preview):
    """The preview of an upload: the image above the request."""

    DEFAULT_CSS = """
    PicturePreview Blocks { height: 10; }
    """

    def __init__(self, change: Change, send: Send, terminal: Capabilities) -> None:
        super().__init__(change, send)
        assert change.content is not None
        self._blocks = Blocks(terminal, change.content.data)

    def body(self) -> Iterable[Widget]:
        yield self._blocks
        yield from super().body()
