"""Pictures on their way in and out: judged before they are kept, made smaller and marked for caches when they leave."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from svc_tui.interface.access import Role
from svc_tui.interface.companies.access import is_reserved
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.server.images.validation import ValidImage, InvalidImage, validated, accepted_type
from svc_tui.server.images.scaling import LARGEST_SIZE, scaled
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, ImageResult
from svc_tui.server.store.images import Image, ImagePurpose
from svc_tui.server.store.tables import Document

T = TypeVar("T")

#: Longest side of what is kept, in pixels: larger ones are never given out, and would cost time at each reading.
_KEPT: dict[ImagePurpose, int] = {"avatar": LARGEST_SIZE, "splashscreen": 2048}

#: One picture is unpacked at a time: that bounds what all of them together cost, and leaves other threads free.
_studio = ThreadPoolExecutor(1, "pictures")

#: A year: the address changes with the picture.
IMMUTABLE = "public, max-age=31536000, immutable"
#: The address says nothing of the picture: caches ask whether it is still the same.
REVALIDATE = "public, no-cache"


async def company_of(call: Call[Any, Any]) -> Document:
    """The company of the path, whose pictures the caller may handle.

    Refusal 404000 when it is unknown, 403301 when the caller does not reach it, 403000 for those of the platform.
    """
    assert call.caller is not None
    company = await call.store.companies.get(call.path["companyId"])
    if company is None:
        raise not_found("Company", call.path["companyId"])
    call.require(company_subject(company))
    if is_reserved(company) and Role.SUPERADMIN not in call.caller.roles:
        raise Refusal(Code.ROLE_MISSING, "only superadmin handles pictures of the Default and Terminated companies")
    return company


@dataclass(frozen=True, slots=True)
class Prepared:
    """A picture as it is kept."""

    judged: ValidImage
    content: bytes


async def prepared(call: Call[Any, Any], purpose: ImagePurpose) -> Prepared:
    """The body as it will be kept. Refusal 400000 with the reason when it is no picture.

    It takes a while: nothing may be locked meanwhile.
    """
    if not call.content:
        raise invalid(Problem("body", "must be the bytes of an image"))
    said = accepted_type(call.headers.content_type)
    try:
        return await _in_studio(lambda: _prepared(call.content, said, _KEPT[purpose]))
    except InvalidImage as error:
        raise invalid(Problem("body", str(error))) from error


def _prepared(content: bytes, said: str, most: int) -> Prepared:
    judged = validated(content, said)
    kept = scaled(content, judged.media_type, most)
    return Prepared(judged, content) if kept == content else Prepared(validated(kept, said), kept)


async def _in_studio(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_studio, work)


async def keep(call: Call[Any, Any], purpose: ImagePurpose, entity_id: str, picture: Prepared) -> Image:
    """Keep a picture as that of an entity, in place of what was there."""
    image = Image(
        purpose=purpose,
        entity_id=entity_id,
        media_type=picture.judged.media_type,
        width=picture.judged.width,
        height=picture.judged.height,
        size=len(picture.content),
        hash=hashlib.sha256(picture.content).hexdigest(),
        date=call.stamp,
    )
    await call.store.images.put(image, picture.content)
    return image


async def shown(call: Call[Any, Any], image: Image, size: int, cache: str) -> ImageResult:
    """A picture within `size` pixels; only its mark when the client has the same one already."""
    mark = f'"{image.hash[:32]}-{size}"'
    if _has(call.headers.if_none_match, mark):
        return ImageResult(None, image.media_type, mark, cache)
    content = await call.store.images.content(image)
    smaller = await _in_studio(lambda: scaled(content, image.media_type, size))
    return ImageResult(smaller, image.media_type, mark, cache)


def _has(if_none_match: str, mark: str) -> bool:
    known = {each.strip().removeprefix("W/") for each in if_none_match.split(",")}
    return mark in known or "*" in known


def fingerprint(date: str) -> str:
    """MD5 of a lastAvatarUpdateDate, as addresses of avatars carry it (section 4.2)."""
    return hashlib.md5(date.encode(), usedforsecurity=False).hexdigest()
