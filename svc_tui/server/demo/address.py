"""Demo data that contains the demo server's own address, and its change to another address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.server.demo.accounts import APP_ID
from svc_tui.server.demo.companies import DONE_PATH, PROVIDER_PATH, identity_provider

if TYPE_CHECKING:
    from svc_tui.server.store.documents import DocumentCollection
    from svc_tui.server.store.store import Store

#: Addresses for the browser after a single sign-on of the console and after its logout.
AFTERWARDS = ("ssoAuthenticationRedirectUrl", "ssoLogoutRedirectUrl")


async def move(store: Store, origin: str) -> None:
    """Change stored demo data to `origin` (`http://127.0.0.1:8080`). Addresses that a user changed stay."""
    provider = str(identity_provider(origin)["id"])
    await _put(store.identity_providers, provider, ("issuer",), PROVIDER_PATH, origin)
    await _put(store.applications, APP_ID, AFTERWARDS, DONE_PATH, origin)


async def _put(records: DocumentCollection, id: str, fields: tuple[str, ...], path: str, origin: str) -> None:
    known = await records.get(id)
    if known is None:
        return
    address = origin.rstrip("/") + path
    moved = {wire: address for wire in fields if str(known.get(wire)).endswith(path)}
    if any(known[wire] != address for wire in moved):
        await records.put({**known, **moved})
