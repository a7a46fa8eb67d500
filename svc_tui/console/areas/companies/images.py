"""Changes to the images of a company, each with a preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.console.areas.companies.image_file_dialog import FileBox, PicturePreview
from svc_tui.console.areas.companies.images_view import AVATAR, ImagesView
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Outcome, Preview
from svc_tui.interface.catalogue import operation
from svc_tui.language import _


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
