"""What goes with images: their queries, the choice of a splash screen, and their limits (4.2 to 4.4, 8)."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.records import Record, field

#: Content types that an upload may have.
IMAGE_TYPES = ("image/jpeg", "image/png")
#: Largest files in bytes, as the service has them by default.
MOST_AVATAR = 4_194_304
MOST_SPLASHSCREEN = 10_485_760
#: Sizes of a served image in pixels; a size above the largest gets the default.
LARGEST_SIZE, DEFAULT_SIZE = 512, 80


class AvatarQuery(Record):
    """How an avatar is asked for."""

    update: str = field(
        ...,
        pattern=r"^[0-9a-fA-F]{32}$",
        help="MD5 in hexadecimal of the lastAvatarUpdateDate: another avatar is another address",
    )
    size: int = field(DEFAULT_SIZE, ge=1, unit="px", help="1..512; above it the default. Never enlarged")


class SplashscreenQuery(Record):
    """How a splash screen is asked for."""

    size: int = field(..., ge=1, unit="px", help="1..512; above it the default of 80. Never enlarged")


class SplashScreen(Record):
    """What is known of a company's splash screen; the one of its BP when it has none."""

    company_id: str | None = field(None, refers="companies", help="Whose splash screen it is")
    uploaded_used: bool | None = field(None, help="Whether the uploaded one is shown, and not the default")
    last_update_date: datetime | None = field(None, help="When it was uploaded; none without one")
    inherited: bool | None = field(None, help="Whether it is the one of the BP")
    forced: bool | None = field(None, help="Whether the BP forces its own")
    type: str | None = field(None, help="Content type of the uploaded one")
    width: int | None = field(None, unit="px")
    height: int | None = field(None, unit="px")


class SplashscreenChoice(Record):
    """Body of the choice between default and uploaded."""

    uploaded_used: bool = field(..., help="True shows the uploaded one, false the default")


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
