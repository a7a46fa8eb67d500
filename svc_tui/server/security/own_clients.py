"""The service's own clients, which superadmins mark (`isSvcClientDefault`): no other application has their names.

Names are compared as they look: without case, accents, spaces, punctuation and invisible characters, and with letters
of other scripts taken for the Latin ones that they resemble.
"""

from __future__ import annotations

import unicodedata

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
