"""The directory of a company, of a command or of oneself as the place of imports: what became of the last one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import ComposeResult

from svc_tui.console.bars import Piece
from svc_tui.console.places import Place
from svc_tui.console.resource import Resource
from svc_tui.console.values import written
from svc_tui.console.views.sheet import Line, Sheet, safe
from svc_tui.console.views.sheet_view import SheetView

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

Record = Mapping[str, Any]
_SHOWN = {
    "state": "State",
    "label": "Label",
    "displayName": "By",
    "startTime": "Began",
    "created": "Created",
    "updated": "Updated",
    "deleted": "Deleted",
    "failed": "Failed",
}


class DirectoryView(SheetView):
    """The last import of a company and one's own last import, as far as they can be read."""

    kind = "report"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace) -> None:
        super().__init__(place, resource)
        self._workspace = workspace
        self._company: Record = {}
        self._found: dict[str, Record | str] = {}

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=14)

    def on_mount(self) -> None:
        self.refresh_now()

    @property
    def company_id(self) -> str:
        """Whose directory it is."""
        caller = self._workspace.caller
        return self.place.parents.get("companies") or (caller.company_id if caller else "")

    @property
    def record(self) -> Record:
        """Whom the actions are about."""
        return {"companyId": self.company_id}

    @property
    def crumb(self) -> str:
        return "Directory import"

    def status(self) -> Sequence[Piece]:
        return [Piece(" i imports a file, c only checks one", "dim")]

    def refresh_now(self) -> None:
        self._load()

    @work(exclusive=True, group="load", exit_on_error=False)
    async def _load(self) -> None:
        from svc_tui.workspace.list_source import NotRead

        path = {"companyId": self.company_id}
        reads: dict[str, tuple[str, dict[str, str]]] = {
            "company": ("get_company_import_status", path),
            "personal": ("get_personal_import_status", {}),
        }
        try:
            body = await self._workspace.read("get_company", path, {})
            self._company = body.get("data") or {}
        except NotRead:
            self._company = {}
        for name, (operation, where) in reads.items():
            try:
                body = await self._workspace.read(operation, where, {})
                self._found[name] = body.get("data") or {}
            except NotRead as trouble:
                self._found[name] = trouble.sentence
        if self.is_attached:
            self.sheet.show(list(self._lines()))
            self.tell()

    def _lines(self) -> Iterator[Line]:
        called = safe(str(self._company.get("name") or self.company_id))
        for name, heading in (("company", f"Last import of {called}"), ("personal", "Your own last import")):
            yield Line("heading", heading)
            found = self._found.get(name, "")
            if isinstance(found, str):
                yield Line("text", value=safe(found), style="dim")
                continue
            for wire, label in _SHOWN.items():
                if found.get(wire) is not None:
                    yield Line("field", label, written(found[wire]), key=f"{name}.{wire}")
