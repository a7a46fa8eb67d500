"""Recordings of several companies in one list, with the names of the companies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.list import ListView
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.source import LARGEST_REQUEST
from svc_tui.workspace.workspace import Workspace

_COMPANY = "companyId"


class AcrossView(ListView):
    """Names of companies are read beside the list; until then, and where they are unknown, their IDs are shown.

    A list that belongs to one record has a single company, so its rows do not name it."""

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        columns = resource.display.columns
        if place.parents:
            columns = tuple(column for column in columns if column.field != _COMPANY)
        super().__init__(place, resource.with_columns(columns), workspace, unicode=unicode)

    def on_mount(self) -> None:
        super().on_mount()
        if not self.place.parents:
            self.run_worker(self._name_companies(), group="companies", exclusive=True)

    async def _name_companies(self) -> None:
        try:
            body = await self.workspace.read(
                "list_companies", {}, {"format": "small", "limit": LARGEST_REQUEST, "offset": 0}
            )
        except ReadError:
            return
        names = {str(each.get("id")): str(each.get("name") or "") for each in body.get("data") or ()}

        def called(row: Mapping[str, Any]) -> Any:
            return names.get(str(row.get(_COMPANY))) or row.get(_COMPANY)

        if self.is_attached:
            columns = tuple(
                replace(column, of=called) if column.field == _COMPANY else column
                for column in self.resource.display.columns
            )
            self.resource = self.resource.with_columns(columns)
            self.records.set_columns(columns)
