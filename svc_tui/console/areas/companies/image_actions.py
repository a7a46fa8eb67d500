"""Actions for the images of a company (4.2 to 4.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.console.areas.companies import images, images_view
from svc_tui.console.core.actions import RECORDS, REPORT, Action
from svc_tui.console.core.resource import Context, Display, Resource
from svc_tui.interface.access import Caller, Reach, Role, Subject, reaches
from svc_tui.interface.companies import access
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.kind import Kind

if TYPE_CHECKING:
    from svc_tui.console.areas.companies.images_view import ImagesView


#: Roles that see companies beyond their own and the ones that it manages.
BROAD = frozenset({Role.SUPERADMIN, Role.SUPPORT, Role.BUSINESS_ADMIN})
PARTNERS = frozenset({Role.BP_ADMIN, Role.BP_FINANCE})


def company_subject(record: RecordData, caller: Caller) -> Subject:
    if record.get("id") != caller.company_id and "offerType" not in record:
        # A row of the list does not name its partner; a caller who gets it manages it.
        record = {"bpId": caller.company_id, "organisationId": caller.organisation_id, **record}
    # Records below it may belong to demo offers; callers limited to demo offers get no others.
    return replace(access.subject_of(record, managing_partner(record, caller)), is_demo=True)


def terminated(record: RecordData) -> str:
    """Why a company is read-only; empty if it is not."""
    return _("the company is terminated") if record.get("status") == "terminated" else ""


def managing_partner(record: RecordData, caller: Caller) -> RecordData | None:
    """The partner of a company, as far as known: a distributor gets other companies only through its resellers."""
    others = record.get("bpId") not in (None, "", caller.company_id) and record.get("id") != caller.company_id
    return {"bpId": caller.company_id} if others and caller.roles & PARTNERS and not caller.roles & BROAD else None


IMAGES = "companyimages"


def _view(context: Context) -> images_view.ImagesView:
    return context.require_view(images_view.ImagesView)


async def _open(context: Context) -> None:
    record = context.require_record()
    below = context.view.place
    place = below if below.record_id else below.record(context.require_resource().record_id(record))
    terminal = context.stage.terminal
    await context.stage.show(
        images_view.ImagesView(place.related("images"), RESOURCE, context.workspace, record, terminal)
    )


def _is_avatar(context: Context) -> bool:
    return _view(context).slot.name == "avatar"


def _forced(context: Context) -> str:
    """Why the splash screen is read-only; a superadmin and the BP company that forces it may change it."""
    caller = context.workspace.caller
    if caller is None or not _view(context).info.get("forced") or Role.SUPERADMIN in caller.roles:
        return ""
    is_bp = context.record is not None and reaches(caller, Reach.END_CUSTOMERS, company_subject(context.record, caller))
    return "" if is_bp else _("forced by the BP company: only the BP can change it")


def _reserved(context: Context) -> str:
    """Why the avatar is read-only: only a superadmin changes those of the built-in companies."""

    caller = context.workspace.caller
    if caller is None or Role.SUPERADMIN in caller.roles or not access.is_reserved(context.record or {}):
        return ""
    return _("only a superadmin can change the avatar of this company")


def _cannot_upload(context: Context) -> str:
    why_not = _reserved(context) if _is_avatar(context) else _forced(context)
    if why_not or access.is_reserved(context.record or {}):
        return why_not
    return terminated(context.record or {})


def _cannot_delete(context: Context) -> str:
    view = _view(context)
    if _is_avatar(context):
        return _reserved(context) or ("" if view.avatar_date else _("no avatar is uploaded"))
    return _forced(context) or _not_own(view)


def _cannot_choose(context: Context) -> str:
    if _is_avatar(context):
        return _("only a splash screen has a default")
    return _forced(context) or _not_own(_view(context))


def _not_own(view: ImagesView) -> str:
    if not view.info:
        return _("the splash screen could not be read")
    if view.info.get("inherited"):
        return _("the splash screen is inherited from the BP company")
    return "" if view.info.get("lastUpdateDate") else _("no splash screen is uploaded")


#: The action of companies that opens the view, and the actions of the view.
ACTIONS = (
    Action(
        name="companies.images",
        keys=("i",),
        label="Images",
        help="Show the avatar and splash screen of this company",
        run=_open,
        group="Go",
        views=RECORDS,
        resource="companies",
        needs="record",
        footer=46,
    ),
    Action(
        name="images.upload",
        keys=("u",),
        label="Upload",
        help="Upload an image from a file, with a preview",
        run=images.upload,
        group="Change",
        views=REPORT,
        resource=IMAGES,
        operation=lambda context: _view(context).slot.upload,
        possible=_cannot_upload,
        footer=10,
    ),
    Action(
        name="images.choose",
        keys=("c",),
        label="Default/uploaded",
        help="Choose the default or the uploaded splash screen",
        run=images.choose,
        group="Change",
        views=REPORT,
        resource=IMAGES,
        operation="choose_splashscreen",
        possible=_cannot_choose,
        footer=20,
    ),
    Action(
        name="images.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the image",
        run=images.delete,
        group="Change",
        views=REPORT,
        resource=IMAGES,
        operation=lambda context: _view(context).slot.delete,
        possible=_cannot_delete,
        footer=30,
        dangerous=True,
    ),
)

#: Not listed on its own: opened from a company.
RESOURCE = Resource(
    kind=Kind(IMAGES, "get_splashscreen_info", "get_splashscreen_info"),
    title="Images",
    singular="image",
    aliases=(),
    display=Display(
        columns=(),
    ),
    subject=company_subject,
)
