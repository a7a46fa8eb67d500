"""The one registry of actions: keys, footer, help, palette, `:` and the key reference are made from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from svc_tui.console.core.keys import Bound, KeyMap

if TYPE_CHECKING:
    from svc_tui.console.core.resource import Resource
    from svc_tui.console.shell.frame import Frame
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

ViewKind = Literal["list", "detail", "form", "report", "raw"]
Needs = Literal["nothing", "record", "records"]

#: The views that show what is there; a form is for typing, so single letters are not taken from it.
READING: frozenset[str] = frozenset({"list", "detail", "report", "raw"})
LIST: frozenset[str] = frozenset({"list"})
RECORDS: frozenset[str] = frozenset({"list", "detail"})


@dataclass(frozen=True, slots=True)
class Context:
    """What an action works on: the view on top and what is chosen in it."""

    frame: Frame
    workspace: Workspace
    view: View
    resource: Resource | None = None
    record: Mapping[str, Any] | None = None
    marked: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.resource.name if self.resource else ""


def _always(_: Context) -> str:
    return ""


def _anywhere(_: Context) -> bool:
    return True


@dataclass(frozen=True)
class Action:
    """Something that can be done. `possible` answers why not, an empty text when it is.

    `operation` is the id of what it calls, from which role and reach are decided; `footer` orders it in the footer
    (0 leaves it to `?`); `resource` limits it to one kind of record.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    help: str
    run: Callable[[Context], Awaitable[None] | None]
    group: str = "General"
    views: frozenset[str] = READING
    resource: str = ""
    operation: Callable[[Context], str] | str = ""
    needs: Needs = "nothing"
    possible: Callable[[Context], str] = _always
    footer: int = 0
    #: The state change is undone by calling this operation on the same record.
    undone_by: str = ""
    #: A name must be typed before it is sent.
    dangerous: bool = False
    #: Whether this kind of record has it at all; what it never has is not offered.
    belongs: Callable[[Context], bool] = _anywhere

    def operation_id(self, context: Context) -> str:
        return self.operation if isinstance(self.operation, str) else self.operation(context)

    def why_not(self, context: Context) -> str:
        """Why it cannot be done now, as a short sentence; empty when it can."""
        if not self.belongs(context):
            return f"not for {context.resource.title}" if context.resource else "not here"
        if context.view.kind not in self.views:
            return f"not in a {context.view.kind} view"
        if self.needs == "record" and context.record is None:
            return "nothing is selected"
        if self.needs == "records" and context.record is None and not context.marked:
            return "nothing is selected or marked"
        if context.view.busy and (self.needs == "records" or (self.needs == "record" and self.operation)):
            return context.view.busy
        reason = self.possible(context)
        if reason:
            return reason
        operation = self.operation_id(context)
        return context.frame.refusal(operation, context) if operation else ""


class Registry:
    """All actions there are, in the order of their declaration."""

    def __init__(self, actions: Iterable[Action], changes: Mapping[str, str] | None = None) -> None:
        self._actions = {action.name: action for action in actions}
        bound = (Bound(item.name, item.keys, item.views, item.resource) for item in self._actions.values())
        self.keys = KeyMap(bound, changes)

    def __getitem__(self, name: str) -> Action:
        return self._actions[name]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions.values())

    def by_key(self, key: str, context: Context) -> Action | None:
        """The action behind a key in this context, possible or not."""
        found = [self._actions[name] for name in self.keys.actions(key, context.view.kind, context.kind)]
        return next((action for action in found if action.belongs(context)), found[0] if found else None)

    def here(self, context: Context) -> list[Action]:
        """Every action that belongs to this view and kind, possible or not."""
        return [
            action
            for action in self._actions.values()
            if context.view.kind in action.views and action.resource in ("", context.kind) and action.belongs(context)
        ]

    def footer(self, context: Context) -> list[Action]:
        """The actions of the footer, in order."""
        return sorted((action for action in self.here(context) if action.footer), key=lambda action: action.footer)
