"""The avatar and the splash screen of a company side by side, with their origin."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from svc_tui.client.content import type_of
from svc_tui.console.areas.companies.picture_widget import Blocks
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files import saved_files as text_module
from svc_tui.workspace.files import uploads

if TYPE_CHECKING:
    from svc_tui.console.terminal.capabilities import Capabilities
    from svc_tui.workspace.workspace import Workspace

#: Requested side in pixels: more than any terminal can show.
_SIDE = 512
_NONE: Mapping[str, Any] = {}
LOADING = _("loading…")


@dataclass(frozen=True, slots=True)
class Slot:
    """One of the two images: its name and its operations."""

    name: str
    image: str
    upload: str
    delete: str


AVATAR = Slot("avatar", "get_avatar", "upload_company_avatar", "delete_company_avatar")
SPLASH = Slot(_("splash screen"), "get_splashscreen_image", "upload_splashscreen", "delete_splashscreen")


def origin(info: Mapping[str, Any]) -> str:
    """Where a splash screen comes from, as a sentence."""
    if info.get("forced"):
        return _("Forced by the BP company. Uploads of this company are not shown.")
    if info.get("inherited"):
        used = "" if info.get("uploadedUsed") else _(" The BP company uses the default.")
        return _("Inherited from the BP company.{used}").format(used=used)
    if not info.get("lastUpdateDate"):
        return _("No splash screen is uploaded. The default is shown.")
    if info.get("uploadedUsed"):
        return _("The uploaded splash screen is shown.")
    return _("A splash screen is uploaded, but the default is selected.")


class ImagePane(Vertical):
    """One image with its title and facts."""

    DEFAULT_CSS = """
    ImagePane { width: 1fr; padding: 0 1; }
    ImagePane .title { height: 1; }
    ImagePane .facts { height: auto; max-height: 6; color: $text-muted; }
    """

    def __init__(self, slot: Slot, terminal: Capabilities) -> None:
        super().__init__()
        self.slot = slot
        self.blocks = Blocks(terminal)
        self._title = Static(classes="title")
        self._facts = Static(classes="facts")
        self._chosen = False
        self._lines: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._title
        yield self.blocks
        yield self._facts

    def choose(self, chosen: bool) -> None:
        """Mark this pane as selected, or not."""
        self._chosen = chosen
        name = self.slot.name[:1].upper() + self.slot.name[1:]
        self._title.update(Content.styled(("▸ " if chosen else "  ") + name, "bold" if chosen else "dim"))

    def show(self, data: bytes, text: str, lines: Sequence[str]) -> None:
        """Show an image, or a sentence in its place, with the lines below."""
        self.blocks.show(data, text)
        self._facts.update(Content("\n".join(safe_text(line).text for line in lines if line)))


class ImagesView(View):
    """Avatar and splash screen of one company; actions apply to the selected one."""

    kind = "report"
    DEFAULT_CSS = "ImagesView Horizontal { height: 1fr; }"

    def __init__(
        self,
        place: Place,
        resource: Resource,
        workspace: Workspace,
        company: Mapping[str, Any],
        terminal: Capabilities,
    ) -> None:
        super().__init__(place, resource)
        self._workspace, self._known = workspace, company
        self.company_id = str(company.get("id") or "")
        path = {"companyId": self.company_id}
        self._company = workspace.record("get_company", path=path)
        self._info = workspace.record("get_splashscreen_info", path=path)
        self._panes = (ImagePane(AVATAR, terminal), ImagePane(SPLASH, terminal))
        self._at = 0
        #: Name -> version, bytes, and why they could not be read again.
        self._images: dict[str, tuple[str, bytes, str]] = {}
        #: The images that are read again although their version is the same.
        self._outdated: set[str] = set()
        self._forget = (self._company.subscribe(self._changed), self._info.subscribe(self._changed))

    def compose(self) -> ComposeResult:
        yield Horizontal(*self._panes)

    def on_mount(self) -> None:
        self._choose(0)
        self._changed()
        self.refresh_now()

    @property
    def crumb(self) -> str:
        return _("Images of {name}").format(name=self.record.get("name") or self.company_id)

    @property
    def record(self) -> Mapping[str, Any]:
        """The company."""
        return self._company.data or self._known

    @property
    def info(self) -> Mapping[str, Any]:
        """Information on the splash screen; empty until it is read."""
        return self._info.data or _NONE

    @property
    def slot(self) -> Slot:
        """The selected image."""
        return self._panes[self._at].slot

    def next_pane(self) -> None:
        self._choose(1 - self._at)
        self.notify_changed()

    def move(self, by: int) -> None:
        """Nothing to move through."""

    def take_focus(self) -> None:
        self.screen.set_focus(None)

    def refresh_now(self) -> None:
        """Read the company and its images again; those on the screen stay until then."""
        self._outdated.update(self._images)
        self._company.refresh()
        self._info.refresh()

    def close(self) -> None:
        for forget in self._forget:
            forget()
        self._company.close()
        self._info.close()

    def _choose(self, at: int) -> None:
        self._at = at
        for number, pane in enumerate(self._panes):
            pane.choose(number == at)

    def _changed(self) -> None:
        if self.is_attached:
            self._draw()
            self._load()
            self.notify_changed()

    def status(self) -> Sequence[Piece]:
        error_message = self._company.error_message or self._info.error_message
        if error_message:
            return [Piece(f" {error_message}", "warn")]
        selected = _(" {name} selected").format(name=self.slot.name.capitalize())
        return [Piece(selected, "accent"), Piece(self.with_keys(_("   {next_pane} selects the other image")), "dim")]

    # --- the avatar --------------------------------------------------------------------------------------------

    @property
    def avatar_date(self) -> str:
        """When the avatar was uploaded; empty without one."""
        return str(self.record.get("lastAvatarUpdateDate") or "")

    def _draw(self) -> None:
        avatar, splash = self._panes
        data, text = self._image(AVATAR, self.avatar_date)
        avatar.show(data, text or _("No avatar is uploaded."), (_facts(data), _uploaded(self.avatar_date)))
        info = self.info
        date = str(info.get("lastUpdateDate") or "")
        data, text = self._image(SPLASH, self._splash_state())
        nothing = (self._info.error_message or LOADING) if not info else _("The default splash screen is shown.")
        sides = (
            _("{width} x {height} pixels").format(width=info["width"], height=info["height"])
            if info.get("width") and info.get("height")
            else ""
        )
        facts = ", ".join(part for part in (_facts(data), sides) if part)
        splash.show(data, text or nothing, (origin(info) if info else "", facts, _uploaded(date)))

    def _splash_state(self) -> str:
        """The version of the displayed splash screen; empty for the default."""
        info = self.info
        used = info.get("uploadedUsed") and info.get("lastUpdateDate")
        return f"{info.get('companyId')} {info.get('lastUpdateDate')}" if used else ""

    def _image(self, slot: Slot, state: str) -> tuple[bytes, str]:
        """The bytes for a version and the sentence in their place; both empty without an image."""
        if not state:
            return b"", ""
        version, data, error_message = self._images.get(slot.name) or ("", b"", "")
        if version != state:
            return b"", LOADING
        return data, "" if data else error_message

    @work(exclusive=True, group="images", exit_on_error=False)
    async def _load(self) -> None:
        digest = hashlib.md5(self.avatar_date.encode(), usedforsecurity=False).hexdigest()
        await self._read(AVATAR, self.avatar_date, {"entityId": self.company_id}, {"update": digest})
        await self._read(SPLASH, self._splash_state(), {"companyId": self.company_id}, {})

    async def _read(self, slot: Slot, state: str, path: Mapping[str, str], query: Mapping[str, object]) -> None:
        version, data, error_message = self._images.get(slot.name) or ("", b"", "")
        if not state or (version == state and not error_message and slot.name not in self._outdated):
            return
        try:
            data = await self._workspace.read(slot.image, path, {**query, "size": _SIDE})
        except ReadError as error:
            self._images[slot.name] = (state, data if version == state else b"", error.sentence)
        else:
            self._images[slot.name] = (state, data, "")
            self._outdated.discard(slot.name)
        self._draw()


def _facts(data: bytes) -> str:
    return f"{uploads.type_name(type_of(data[:16]))}, {text_module.size_text(len(data))}" if data else ""


def _uploaded(date: str) -> str:
    return _("uploaded {date}").format(date=written(date)) if date else ""
