"""What is done to the pictures of a company: each change is checked, shown and then sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.console.areas.companies.image_file_dialog import FileBox, PicturePreview
from svc_tui.console.areas.companies.images_view import AVATAR, ImagesView
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Outcome, Preview
from svc_tui.interface.catalogue import operation


def _view(context: Context) -> ImagesView:
    return context.require_view(ImagesView)


def _company(view: ImagesView) -> str:
    return str(view.record.get("name") or view.company_id)


async def upload(context: Context) -> None:
    """Choose a file, look at it, send it."""
    view, console = _view(context), context.stage
    slot = view.slot
    content = await console.ask(FileBox(f"Upload the {slot.name} of {_company(view)}", operation(slot.upload)))
    if content is None:
        return
    replaces = bool(view.avatar_date if slot is AVATAR else _own_splash(view.info))
    change = Change(
        label=f"Upload the {slot.name} of {_company(view)}",
        operation=slot.upload,
        path={"companyId": view.company_id},
        reach="Reaches 1 company and everybody in it.",
        warning=f"The present {slot.name} is replaced; it is not kept." if replaces else "",
        content=content,
    )
    outcome = await console.ask(PicturePreview(change, lambda wanted: _send(context, wanted), console.terminal))
    _told(context, outcome, "Uploaded.")


async def delete(context: Context) -> None:
    """Delete the picture that the keys work on; the name of the company must be typed."""
    view = _view(context)
    change = Change(
        label=f"Delete the {view.slot.name} of {_company(view)}",
        operation=view.slot.delete,
        path={"companyId": view.company_id},
        reach="Reaches 1 company and everybody in it.",
        confirm=_company(view),
        warning="This cannot be undone.",
    )
    _told(context, await _previewed(context, change), "Deleted.")


async def choose(context: Context) -> None:
    """Show the uploaded splash screen, or the default one."""
    view = _view(context)
    uploaded = not view.info.get("uploadedUsed")
    words = {True: "the uploaded one", False: "the default one"}
    change = Change(
        label=f"Splash screen of {_company(view)}",
        operation="choose_splashscreen",
        path={"companyId": view.company_id},
        body={"uploadedUsed": uploaded},
        fields=(FieldChange("Shown", words[not uploaded], words[uploaded]),),
        reach="Reaches 1 company and everybody in it.",
    )
    _told(context, await _previewed(context, change), f"Now {words[uploaded]} is shown.")


def _own_splash(info: Mapping[str, Any]) -> bool:
    return bool(info.get("lastUpdateDate")) and not info.get("inherited")


async def _previewed(context: Context, change: Change) -> Outcome | None:
    return await context.stage.ask(Preview(change, lambda wanted: _send(context, wanted)))


async def _send(context: Context, change: Change) -> Mapping[str, Any]:
    body = change.content or change.body
    try:
        return await context.workspace.perform(change.operation, path=change.path, body=body)
    finally:
        # Also after an answer that was lost: what is shown then tells whether it was done.
        _view(context).refresh_now()


def _told(context: Context, outcome: Outcome | None, done: str) -> None:
    if outcome is not None and outcome.error is None:
        context.stage.say(done, "ok")
