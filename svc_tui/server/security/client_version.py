"""Minimum client versions (403020), checked at login and renewal."""

from __future__ import annotations

import re

from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.store.store import Store


async def check_client_version(headers: Headers, app_id: str, store: Store) -> None:
    """Refuse a client below the minimum version of its application. A missing minimum or version is not checked."""
    required = await store.client_versions.get(app_id)
    if required is None or not headers.client_version:
        return
    if numbers(headers.client_version) < numbers(str(required["version"])):
        raise Refusal(Code.CLIENT_TOO_OLD, f"client version {required['version']} or later is required")


async def lock_minimum(app_id: str, store: Store) -> None:
    """Lock the minimum version of an application: a change of it must not restore one that is being deleted."""
    await store.lock(f"client_version:{app_id}")


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison. 1.75 equals 1.75.0; a text that is not a version is the lowest."""
    found = re.match(r"\s*v?(\d{1,9}(?:\.\d{1,9}){0,7})", version)
    parts = [int(part) for part in found[1].split(".")] if found else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
