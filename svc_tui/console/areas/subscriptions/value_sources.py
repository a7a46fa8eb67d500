"""Lists of the service that fields of subscriptions choose from."""

from __future__ import annotations

from svc_tui.console.core.value_sources import Source

SOURCES: dict[str, Source] = {
    "offers": Source("list_all_offers", "id", "name", "groupName", "name"),
    "offer_groups": Source("list_all_offers", "groupName", "name", "groupName", "name"),
}
