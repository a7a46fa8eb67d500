"""Lists of the service that fields of companies choose from."""

from __future__ import annotations

from svc_tui.console.core.value_sources import Source

SOURCES: dict[str, Source] = {
    "countries": Source("list_countries", "isoAlpha3Code", "fullname", "isoAlpha3Code", translated=True),
    "catalogs": Source("list_catalogs", "id", "name", "description", "name"),
}
