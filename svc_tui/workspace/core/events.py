"""What the workspace tells whoever listens: plain values, handed to callbacks in the event loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from svc_tui.cache.shapes import Row

LinkState = Literal["live", "slow", "offline", "unknown"]


@dataclass(frozen=True, slots=True)
class Link:
    """The connection as real requests found it. `round_trip` in seconds; `verified`: the certificate is checked.

    `waiting`: whole seconds for which a request has been without its answer; 0 as long as that is not worth a word.
    """

    state: LinkState = "unknown"
    round_trip: float | None = None
    verified: bool = True
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class LinkChanged:
    link: Link


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """Someone logged in or out, or the own user record changed."""


@dataclass(frozen=True, slots=True)
class RecordsChanged:
    """Records of a kind changed; `ids` None: any of them, or which there are."""

    kind: str
    ids: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class CacheTroubled:
    """The cache cannot be written (any more); `sentence` says so once."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The service is done with a record that was shown; `missed` are the wire names of what was changed here and did
    not come to stay."""

    kind: str
    record: Row
    missed: tuple[str, ...] = ()


Event = LinkChanged | SessionChanged | RecordsChanged | CacheTroubled | Settled


@dataclass(frozen=True, slots=True)
class Changed:
    """What changed in a list: rows by index (None: everything, the total may differ) and whether its status did."""

    rows: range | frozenset[int] | None = frozenset()
    status: bool = False


E = TypeVar("E")


@dataclass(slots=True)
class Listeners(Generic[E]):
    """Callbacks that may come and go while they are called."""

    callbacks: dict[object, Callable[[E], None]] = field(default_factory=dict)

    def add(self, callback: Callable[[E], None]) -> Callable[[], None]:
        """Returns what takes it away again; calling that twice does nothing."""
        token = object()
        self.callbacks[token] = callback

        def remove() -> None:
            self.callbacks.pop(token, None)

        return remove

    def tell(self, event: E) -> None:
        for token in tuple(self.callbacks):
            if callback := self.callbacks.get(token):
                callback(event)
