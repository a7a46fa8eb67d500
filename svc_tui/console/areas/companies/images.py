"""Changes to the images of a company, each with a preview."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

from svc_tui.client.content import Content
from svc_tui.console.areas.companies.images_view import AVATAR, ImagesView
from svc_tui.console.areas.companies.picture_widget import Blocks
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.preview import Outcome, Preview, Send
from svc_tui.interface.catalogue import operation
from svc_tui.language import _
from svc_tui.workspace.files.uploads import UnsuitableFile, accepted_files, read_file

if TYPE_CHECKING:
    from svc_tui.console.terminal.capabilities import Capabilities
    from svc_tui.interface.operations import AnyOperation


def _view(context: Context) -> ImagesView:
    return context.require_view(ImagesView)


def _company(view: ImagesView) -> str:
    return str(view.record.get("name") or view.company_id)


async def upload(context: Context) -> None:
    """Choose a file, preview it and send it."""
    view, console = _view(context), context.stage
    slot = view.slot
    content = await console.ask(
        FileBox(
            _("Upload the {name} of {company}").format(name=slot.name, company=_company(view)), operation(slot.upload)
        )
    )
    if content is None:
        return
    replaces = bool(view.avatar_date if slot is AVATAR else _own_splash(view.info))
    change = Change(
        label=_("Upload the {name} of {company}").format(name=slot.name, company=_company(view)),
        operation=slot.upload,
        path={"companyId": view.company_id},
        reach=_("Affects 1 company and all its users."),
        warning=_("The current {name} is replaced and cannot be restored.").format(name=slot.name) if replaces else "",
        content=content,
    )
    outcome = await console.ask(PicturePreview(change, lambda confirmed: _send(context, confirmed), console.terminal))
    _report(context, outcome, _("Uploaded."))


async def delete(context: Context) -> None:
    """Delete the selected image, once the name of the company is typed."""
    view = _view(context)
    change = Change(
        label=_("Delete the {name} of {company}").format(name=view.slot.name, company=_company(view)),
        operation=view.slot.delete,
        path={"companyId": view.company_id},
        reach=_("Affects 1 company and all its users."),
        confirm=_company(view),
        warning=_("This cannot be undone."),
    )
    _report(context, await _previewed(context, change), _("Deleted."))


async def choose(context: Context) -> None:
    """Switch between the uploaded and the default splash screen."""
    view = _view(context)
    uploaded = not view.info.get("uploadedUsed")
    words = {True: "uploaded", False: "default"}
    change = Change(
        label=_("Splash screen of {company}").format(company=_company(view)),
        operation="choose_splashscreen",
        path={"companyId": view.company_id},
        body={"uploadedUsed": uploaded},
        fields=(FieldChange(_("Splash screen"), words[not uploaded], words[uploaded]),),
        reach=_("Affects 1 company and all its users."),
    )
    _report(
        context,
        await _previewed(context, change),
        _("The {words} splash screen is shown.").format(words=words[uploaded]),
    )


def _own_splash(info: Mapping[str, Any]) -> bool:
    return bool(info.get("lastUpdateDate")) and not info.get("inherited")


async def _previewed(context: Context, change: Change) -> Outcome | None:
    return await context.stage.ask(Preview(change, lambda confirmed: _send(context, confirmed)))


async def _send(context: Context, change: Change) -> Mapping[str, Any]:
    body = change.content or change.body
    try:
        return await context.workspace.perform(change.operation, path=change.path, body=body)
    finally:
        # Also after a lost response: the images then show whether the change was made.
        _view(context).refresh_now()


def _report(context: Context, outcome: Outcome | None, done: str) -> None:
    if outcome is not None and outcome.error is None:
        context.stage.show_message(done, "ok")


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
