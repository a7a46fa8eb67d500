"""Images: queries, the choice of a splash screen, and limits (4.2 to 4.4, 8)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record

#: Content types of uploads.
IMAGE_TYPES = ("image/jpeg", "image/png")
#: Default limits of uploads, in bytes.
MOST_AVATAR = 4_194_304
MOST_SPLASHSCREEN = 10_485_760
#: Sizes of an image in pixels. A request above the largest size gets the default.
LARGEST_SIZE, DEFAULT_SIZE = 512, 80


class AvatarQuery(Record):
    """Size and version of an avatar."""

    update: str = field(
        ...,
        pattern=r"^[0-9a-fA-F]{32}$",
        help="MD5 of lastAvatarUpdateDate, in hexadecimal; it changes with each new avatar",
    )
    size: int = field(DEFAULT_SIZE, ge=1, unit="px", help="1 to 512, otherwise the default; images are not enlarged")


class SplashscreenQuery(Record):
    """Size of a splash screen."""

    size: int = field(..., ge=1, unit="px", help="1 to 512, otherwise 80; images are not enlarged")


class SplashScreen(Record):
    """The properties of the splash screen of a company, or of its BP where the company has none."""

    ALWAYS: ClassVar = ("companyId", "uploadedUsed", "inherited", "forced")

    company_id: str | None = field(None, refers="companies", help="Company of the splash screen")
    uploaded_used: bool | None = field(None, help="Whether the uploaded splash screen is used instead of the default")
    last_update_date: datetime | None = field(None, help="Time of the upload; empty without one")
    inherited: bool | None = field(None, help="Whether it is the splash screen of the BP")
    forced: bool | None = field(None, help="Whether the BP forces its splash screen")
    type: str | None = field(None, help="Content type of the uploaded splash screen")
    width: int | None = field(None, unit="px")
    height: int | None = field(None, unit="px")


class SplashscreenChoice(Record):
    """The choice between the default and the uploaded splash screen."""

    uploaded_used: bool = field(..., help="True for the uploaded splash screen, false for the default")


__all__ = [
    "AvatarQuery",
    "DEFAULT_SIZE",
    "IMAGE_TYPES",
    "LARGEST_SIZE",
    "MOST_AVATAR",
    "MOST_SPLASHSCREEN",
    "SplashScreen",
    "SplashscreenChoice",
    "SplashscreenQuery",
]
