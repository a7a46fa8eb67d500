"""The service's own clients, which superadmins mark (`isSvcClientDefault`): no other application has their names; and
minimum client versions (403020), checked at login and renewal.

Names are compared as they look: without case, accents, spaces, punctuation and invisible characters, and with letters
of other scripts taken for the Latin ones that they resemble.
"""

from __future__ import annotations

import re
import unicodedata

from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredApplication

#: Cyrillic and Greek letters, and those of one stroke or ring, with the Latin letters that they look like.
_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝһӏαβεηικνορτυχγΝΗΥΡɡıi10", "abekmhopctyxljsdqwhlabenlkvoptuxynhypglllo")


def looks_like(name: str) -> str:
    """What is the same for names that look alike."""
    upper = unicodedata.normalize("NFKD", name).translate(_ALIKE)
    plain = unicodedata.normalize("NFKD", upper.casefold()).translate(_ALIKE)
    return "".join(char for char in plain if char.isalnum()) or name.strip()


async def has_name_of_own_client(application: StoredApplication, store: Store) -> bool:
    """Whether an application that is not one of the service's own has the name of one that is."""
    if application.is_svc_client_default:
        return False
    name = looks_like(application.name)
    own = await store.applications.find(Is("isSvcClientDefault", True))
    return any(looks_like(str(each.get("name"))) == name for each in own.documents if each.get("state") != "deleted")


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
