"""Images in the store: validated and reduced before they are stored, and scaled for each answer."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from svc_tui.interface.access import Role
from svc_tui.interface.companies.access import is_reserved_name
from svc_tui.interface.errors import Code
from svc_tui.interface.images.records import LARGEST_SIZE
from svc_tui.interface.problems import Problem
from svc_tui.server.images.scaling import scaled
from svc_tui.server.images.validation import InvalidImage, ValidImage, accepted_type, validated
from svc_tui.server.reach import reached_company, require_in_use
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import AnyCall, ImageResult
from svc_tui.server.store.contents import Image, ImagePurpose
from svc_tui.server.stored import StoredCompany

T = TypeVar("T")

#: Longest side of a stored image in pixels. No answer has larger ones, and each answer would take longer.
_STORED_SIZE: dict[ImagePurpose, int] = {"avatar": LARGEST_SIZE, "splashscreen": 2048}

#: One thread, so that one image is decoded at a time: this bounds memory and time, and leaves other threads free.
_executor = ThreadPoolExecutor(1, "images")

#: Caching for a year: another image has another address.
IMMUTABLE = "public, max-age=31536000, immutable"
#: Caching with a check at each use: the address does not change with the image.
REVALIDATE = "public, no-cache"


async def company_of(call: AnyCall) -> StoredCompany:
    """The company of the path, whose images the caller may change.

    Refusal 404000 when it is unknown, 403301 when the caller does not reach it, 403000 for the companies of the
    platform.
    """
    company = await reached_company(call, call.path["companyId"])
    if is_reserved_name(company.name or "") and Role.SUPERADMIN not in call.known_caller.roles:
        raise Refusal(Code.ROLE_MISSING, "Only superadmin changes images of the Default and Terminated companies.")
    return company


async def locked_company_of(call: AnyCall) -> StoredCompany:
    """The same, which is neither changed nor deleted before this request ends."""
    await call.store.lock(f"company:{call.path['companyId']}")
    return await company_of(call)


def require_uploads(company: StoredCompany) -> None:
    """Refusal 400000 for a terminated company. The built-in one of this name was not deleted (4.3)."""
    if not is_reserved_name(company.name or ""):
        require_in_use(company)


@dataclass(frozen=True, slots=True)
class PreparedImage:
    """A validated image at the size in which it is stored."""

    info: ValidImage
    content: bytes


async def prepared(call: AnyCall, purpose: ImagePurpose) -> PreparedImage:
    """The image in the body, as it will be stored. Refusal 400000 with the reason when it is invalid.

    This takes time: call it before any lock.
    """
    if not call.content:
        raise invalid(Problem("body", "must be the bytes of an image"))
    media_type = accepted_type(call.headers.content_type)
    try:
        return await _in_thread(lambda: _prepared(call.content, media_type, _STORED_SIZE[purpose]))
    except InvalidImage as error:
        raise invalid(Problem("body", str(error))) from error


def _prepared(content: bytes, media_type: str, most: int) -> PreparedImage:
    info = validated(content, media_type)
    reduced = scaled(content, info.media_type, most)
    return (
        PreparedImage(info, content) if reduced == content else PreparedImage(validated(reduced, media_type), reduced)
    )


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_executor, work)


async def store_image(call: AnyCall, purpose: ImagePurpose, entity_id: str, prepared: PreparedImage) -> Image:
    """Store an image of an entity, in place of an earlier one."""
    image = Image(
        purpose=purpose,
        entity_id=entity_id,
        media_type=prepared.info.media_type,
        width=prepared.info.width,
        height=prepared.info.height,
        size=len(prepared.content),
        hash=hashlib.sha256(prepared.content).hexdigest(),
        date=call.stamp,
    )
    await call.store.images.put(image, prepared.content)
    return image


async def image_result(call: AnyCall, image: Image, size: int, cache: str) -> ImageResult:
    """An image within `size` pixels; only its ETag when the client already has this image."""
    etag = f'"{image.hash[:32]}-{size}"'
    if _matches(call.headers.if_none_match, etag):
        return ImageResult(None, image.media_type, etag, cache)
    content = await call.store.images.content(image)
    smaller = await _in_thread(lambda: scaled(content, image.media_type, size))
    return ImageResult(smaller, image.media_type, etag, cache)


def _matches(if_none_match: str, etag: str) -> bool:
    known = {each.strip().removeprefix("W/") for each in if_none_match.split(",")}
    return etag in known or "*" in known


def fingerprint(date: str) -> str:
    """The MD5 of a lastAvatarUpdateDate, which the address of an avatar has (4.2)."""
    return hashlib.md5(date.encode(), usedforsecurity=False).hexdigest()
