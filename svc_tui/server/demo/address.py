"""What of the demo data lies at the demo server's own address, and goes with it when it is served from another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.server.demo.accounts import APP_ID
from svc_tui.server.demo.companies import DONE_PATH, PROVIDER_PATH, identity_provider

if TYPE_CHECKING:
    from svc_tui.server.store.documents import DocumentCollection
    from svc_tui.server.store.store import Store

#: Where the browser goes after a single sign-on of the console, and after its end.
AFTERWARDS = ("ssoAuthenticationRedirectUrl", "ssoLogoutRedirectUrl")


async def move(store: Store, origin: str) -> None:
    """Let a kept demo be served from `origin` (`http://127.0.0.1:8080`); addresses that somebody changed stay."""
    provider = str(identity_provider(origin)["id"])
    await _put(store.identity_providers, provider, ("issuer",), PROVIDER_PATH, origin)
    await _put(store.applications, APP_ID, AFTERWARDS, DONE_PATH, origin)


async def _put(records: DocumentCollection, id: str, fields: tuple[str, ...], path: str, origin: str) -> None:
    known = await records.get(id)
    if known is None:
        return
    wanted = origin.rstrip("/") + path
    moved = {wire: wanted for wire in fields if str(known.get(wire)).endswith(path)}
    if any(known[wire] != wanted for wire in moved):
        await records.put({**known, **moved})
