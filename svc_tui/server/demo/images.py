"""Avatars and splash screens of the demo data, drawn during seeding."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image as Drawing
from PIL import ImageDraw, ImageFont

from svc_tui.server.demo.accounts import FABRIKAM, LOGISTICS, NORTHWIND, PARTNER
from svc_tui.server.demo.repeatable import Calendar, id_of
from svc_tui.server.store.contents import Image, ImagePurpose
from svc_tui.server.store.tables import Document

#: key: letters, two colours
_COMPANIES: dict[str, tuple[str, str, str]] = {
    NORTHWIND: ("N", "#0b3d62", "#2ec4b6"),
    LOGISTICS: ("NL", "#5a2a0c", "#f6ae2d"),
    "northwind-retail": ("NR", "#4a154b", "#ec6ead"),
    PARTNER: ("H", "#14213d", "#fca311"),
    FABRIKAM: ("F", "#1b4332", "#95d5b2"),
    "bluebird": ("B", "#023e8a", "#90e0ef"),
    "meridian": ("M", "#3d0c11", "#f07167"),
}
_USERS: dict[str, tuple[str, str, str]] = {
    "company_admin": ("CN", "#264653", "#e9c46a"),
    "superadmin": ("SM", "#540b0e", "#e09f3e"),
    "bp_admin": ("BK", "#003049", "#f77f00"),
    "organization_admin": ("OL", "#22223b", "#9a8c98"),
    "app_admin": ("AH", "#132a13", "#ecf39e"),
    "user": ("UB", "#3c096c", "#e0aaff"),
}
#: key: title, two colours, whether it is forced on customers
_SCREENS: dict[str, tuple[str, str, str, bool]] = {
    PARTNER: ("Harbour Telecom Partners", "#14213d", "#fca311", False),
    NORTHWIND: ("Northwind Telecom", "#0b3d62", "#2ec4b6", False),
    "meridian": ("Meridian Channel", "#3d0c11", "#f07167", True),
}


@dataclass(frozen=True, slots=True)
class DrawnImage:
    """An image with its properties."""

    image: Image
    content: bytes


def avatars(calendar: Calendar) -> Iterator[DrawnImage]:
    """Avatars of companies and accounts."""
    for key, (letters, ground, light) in _COMPANIES.items():
        yield _encoded(calendar, "avatar", id_of("company", key), _emblem(letters, ground, light), "PNG")
    for name, (letters, ground, light) in _USERS.items():
        yield _encoded(calendar, "avatar", id_of("user", name), _emblem(letters, ground, light), "JPEG")


def splash_screens(calendar: Calendar) -> Iterator[DrawnImage]:
    """Splash screens of companies."""
    for key, (title, ground, light, _) in _SCREENS.items():
        yield _encoded(calendar, "splashscreen", id_of("company", key), _scene(title, ground, light), "JPEG")


def choices(drawn: list[DrawnImage]) -> Iterator[Document]:
    """The splash screen settings of companies; one partner forces its splash screen on its customers."""
    dates = {each.image.entity_id: each.image.date for each in drawn if each.image.purpose == "splashscreen"}
    for key, (*_, forced) in _SCREENS.items():
        id = id_of("company", key)
        yield {"id": id, "uploadedUsed": True, "lastUpdateDate": dates[id], **({"forced": True} if forced else {})}


def _emblem(letters: str, ground: str, light: str) -> Drawing.Image:
    image = Drawing.new("RGB", (256, 256), ground)
    draw = ImageDraw.Draw(image)
    draw.ellipse((-60, 120, 200, 380), fill=light)
    draw.ellipse((150, -70, 330, 110), outline=light, width=14)
    draw.text((128, 128), letters, fill="#ffffff", font=ImageFont.load_default(110), anchor="mm")
    return image


def _scene(title: str, ground: str, light: str) -> Drawing.Image:
    shade = Drawing.linear_gradient("L").resize((1280, 720))
    image = Drawing.composite(Drawing.new("RGB", (1280, 720), light), Drawing.new("RGB", (1280, 720), ground), shade)
    draw = ImageDraw.Draw(image)
    for index in range(6):
        draw.arc((240 - index * 90, 200 - index * 90, 1040 + index * 90, 1000 + index * 90), 180, 360, light, 6)
    draw.text((640, 260), title, fill="#ffffff", font=ImageFont.load_default(84), anchor="mm")
    return image


def _encoded(
    calendar: Calendar, purpose: ImagePurpose, entity_id: str, drawing: Drawing.Image, format: str
) -> DrawnImage:
    target = io.BytesIO()
    drawing.save(target, format, quality=85)
    content = target.getvalue()
    image = Image(
        purpose=purpose,
        entity_id=entity_id,
        media_type=f"image/{format.lower()}",
        width=drawing.width,
        height=drawing.height,
        size=len(content),
        hash=hashlib.sha256(content).hexdigest(),
        date=calendar.ago(12, f"{purpose}/{entity_id}"),
    )
    return DrawnImage(image, content)
