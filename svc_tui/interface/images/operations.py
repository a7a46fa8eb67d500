"""Operations on images (4.2, 4.3, 4.4). The body of an upload is the image itself."""

from __future__ import annotations

from svc_tui.interface.access import ANONYMOUS, Access, Role, access
from svc_tui.interface.envelopes import Done, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.images.records import (
    IMAGE_TYPES,
    MOST_AVATAR,
    MOST_SPLASHSCREEN,
    AvatarQuery,
    SplashScreen,
    SplashscreenChoice,
    SplashscreenQuery,
)
from svc_tui.interface.operations import Credentials, Nothing, Operation
from svc_tui.language import _

_SCOPED = {
    "own_company": (Role.BP_ADMIN, Role.BP_FINANCE, Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN),
    "end_customers": (Role.BP_ADMIN, Role.BP_FINANCE),
    "organisation": (Role.ORGANIZATION_ADMIN,),
}
#: For the companies Default and Terminated, only superadmin.
WRITE_AVATAR = access(any=(Role.SUPERADMIN, Role.SUPPORT), **_SCOPED)
#: Splash screens, and avatars of bots. If a BP forces its splash screen, only the BP changes it.
ADMINISTRATORS = access(any=(Role.SUPERADMIN,), **_SCOPED)

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_COMPANY = "/api/svc/admin/v1.0/companies/{companyId}"


def _upload(
    id: str, section: str, path: str, summary: str, who: Access, most_bytes: int, updates: str = ""
) -> Operation[Done, Nothing, Nothing]:
    """The upload of an image."""
    refuses = (*_REFUSALS, Code.TOO_LARGE, Code.TOO_MANY_REQUESTS)
    return Operation(
        id,
        section,
        "POST",
        path,
        summary,
        Done,
        who,
        takes=IMAGE_TYPES,
        most_bytes=most_bytes,
        refuses=refuses,
        updates=updates,
    )


get_avatar = Operation(
    "get_avatar",
    "4.2",
    "GET",
    "/api/avatar/{entityId}",
    "Get the avatar of a user, company or bot",
    bytes,
    ANONYMOUS,
    query=AvatarQuery,
    credentials=Credentials.NONE,
    gives=IMAGE_TYPES,
    refuses=(Code.VALIDATION, Code.NOT_FOUND),
)

get_splashscreen_image = Operation(
    "get_splashscreen_image",
    "4.2",
    "GET",
    "/api/splashscreen/{companyId}",
    "Get the splash screen of a company",
    bytes,
    ANONYMOUS,
    query=SplashscreenQuery,
    credentials=Credentials.NONE,
    gives=IMAGE_TYPES,
    refuses=(Code.VALIDATION, Code.NOT_FOUND),
)

set_bot_company_avatar = _upload(
    "set_bot_company_avatar",
    "4.2",
    "/api/svc/admin/v1.0/bots/{botId}/companies/{companyId}/avatar",
    _("Upload the avatar of a bot in a company"),
    ADMINISTRATORS,
    MOST_AVATAR,
)

upload_company_avatar = _upload(
    "upload_company_avatar",
    "4.3",
    _COMPANY + "/avatar",
    _("Upload the avatar of a company"),
    WRITE_AVATAR,
    MOST_AVATAR,
    updates="companies",
)

delete_company_avatar = Operation(
    "delete_company_avatar",
    "4.3",
    "DELETE",
    _COMPANY + "/avatar",
    "Delete the avatar of a company",
    Done,
    WRITE_AVATAR,
    refuses=_REFUSALS,
    updates="companies",
)

get_splashscreen_info = Operation(
    "get_splashscreen_info",
    "4.4",
    "GET",
    _COMPANY + "/splashscreen",
    "Get the properties of the splash screen of a company",
    Single[SplashScreen],
    ADMINISTRATORS,
    refuses=_REFUSALS,
)

upload_splashscreen = _upload(
    "upload_splashscreen",
    "4.4",
    _COMPANY + "/splashscreen",
    _("Upload the splash screen of a company"),
    ADMINISTRATORS,
    MOST_SPLASHSCREEN,
    updates="companies",
)

choose_splashscreen = Operation(
    "choose_splashscreen",
    "4.4",
    "PUT",
    _COMPANY + "/splashscreen",
    "Use the uploaded or the default splash screen",
    Single[SplashScreen],
    ADMINISTRATORS,
    body=SplashscreenChoice,
    refuses=_REFUSALS,
    updates="companies",
)

delete_splashscreen = Operation(
    "delete_splashscreen",
    "4.4",
    "DELETE",
    _COMPANY + "/splashscreen",
    "Delete the splash screen of a company",
    Done,
    ADMINISTRATORS,
    refuses=_REFUSALS,
    updates="companies",
)

__all__ = [
    "ADMINISTRATORS",
    "WRITE_AVATAR",
    "choose_splashscreen",
    "delete_company_avatar",
    "delete_splashscreen",
    "get_avatar",
    "get_splashscreen_image",
    "get_splashscreen_info",
    "set_bot_company_avatar",
    "upload_company_avatar",
    "upload_splashscreen",
]
