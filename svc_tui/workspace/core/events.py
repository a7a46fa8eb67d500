"""Events of the workspace: plain values, passed to callbacks in the event loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from svc_tui.cache.cached import RecordDict

LinkState = Literal["live", "slow", "offline", "unknown"]


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The connection as real requests found it. `round_trip` in seconds; `verified`: the certificate is checked.

    `waiting`: whole seconds since the oldest request without a response; 0 while that is too short to be shown.
    """

    state: LinkState = "unknown"
    round_trip: float | None = None
    verified: bool = True
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class LinkChanged:
    link: LinkStatus


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A login, a logout, or a change of the user record of the login."""


@dataclass(frozen=True, slots=True)
class RecordsChanged:
    """Records of a kind changed; `ids` None: any of them, or records were created or deleted."""

    kind: str
    ids: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class CacheFailed:
    """The cache cannot be written; `sentence` is the warning, sent once."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Synchronised:
    """The service finished processing a record that was shown.

    `not_applied`: wire names of the fields that were changed here and do not have the requested value.
    """

    kind: str
    record: RecordDict
    not_applied: tuple[str, ...] = ()


#: off: the login has no address for messages; waiting: until the next attempt.
ChannelState = Literal["off", "connecting", "live", "waiting"]


@dataclass(frozen=True, slots=True)
class Channel:
    """Whether events of the service arrive here, and the reason why not."""

    state: ChannelState = "off"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    channel: Channel


@dataclass(frozen=True, slots=True)
class ServiceReported:
    """An event of the service (section 6): the name of its element, and its content under wire names."""

    name: str
    content: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Report:
    """What an event says about a record: its content under wire names; `before` is the record as it was shown."""

    record_id: str
    content: Mapping[str, object]
    before: RecordDict | None = None


@dataclass(frozen=True, slots=True)
class ChangedElsewhere:
    """Records that are shown here were changed, but not here. The event does not contain the author."""

    kind: str
    reports: tuple[Report, ...]


class Undo(Protocol):
    """What undoes a change: an operation with its path and body, and the fields before and after the change."""

    @property
    def kind(self) -> str: ...
    @property
    def operation_id(self) -> str: ...
    @property
    def path(self) -> Mapping[str, str]: ...
    @property
    def body(self) -> Mapping[str, Any] | None: ...
    @property
    def before(self) -> RecordDict: ...
    @property
    def after(self) -> RecordDict: ...


@dataclass(frozen=True, slots=True)
class ChangeMade:
    """A change was made here: its operation with the path, and what undoes it, if anything does."""

    operation_id: str
    path: Mapping[str, str]
    undo: Undo | None = None


Event = (
    LinkChanged
    | SessionChanged
    | RecordsChanged
    | CacheFailed
    | Synchronised
    | ChannelChanged
    | ServiceReported
    | ChangedElsewhere
    | ChangeMade
)


@dataclass(frozen=True, slots=True)
class ListChanged:
    """Changes of a list: rows by index (None: all rows, maybe the total), and whether its status changed."""

    rows: range | frozenset[int] | None = frozenset()
    status: bool = False


E = TypeVar("E")


@dataclass(slots=True)
class Listeners(Generic[E]):
    """Callbacks that may be added and removed while they are called."""

    callbacks: dict[object, Callable[[E], None]] = field(default_factory=dict)

    def add(self, callback: Callable[[E], None]) -> Callable[[], None]:
        """Returns the function that removes the callback; a second call of it does nothing."""
        token = object()
        self.callbacks[token] = callback

        def remove() -> None:
            self.callbacks.pop(token, None)

        return remove

    def notify(self, event: E) -> None:
        for token in tuple(self.callbacks):
            if callback := self.callbacks.get(token):
                callback(event)
