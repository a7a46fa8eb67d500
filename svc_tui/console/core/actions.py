"""The registry of actions: keys, footer, help, palette and the key reference are generated from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from svc_tui.console.core.keys import KeyBinding, KeyMap
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.interface.access import Subject
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _, translated
from svc_tui.workspace.kinds.registry import KINDS

#: "record" is the selected one, also while others are marked; "single" only while no other record is marked, so
#: that a change does not reach it by mistake.
RequiredRecords = Literal["nothing", "record", "single", "records"]

#: The views that only show records; a form is for typing, so single letters are not taken from it.
READING: frozenset[str] = frozenset({"list", "detail", "report", "results", "raw", "home"})
LIST: frozenset[str] = frozenset({"list"})
RECORDS: frozenset[str] = frozenset({"list", "detail"})
FORM: frozenset[str] = frozenset({"form"})
REPORT: frozenset[str] = frozenset({"report"})
RESULTS: frozenset[str] = frozenset({"results"})


def always_possible(_: Context) -> str:
    """The default of `Action.possible`: no reason against it."""
    return ""


def anywhere(_: Context) -> bool:
    """The default of `Action.belongs` and `Action.in_footer`."""
    return True


#: The most records that an action changes without a typed confirmation.
MANY = 10

#: The group of the user commands.
USER_GROUP = _("Your commands")

#: What an action does.
Run = Callable[[Context], Awaitable[object] | None]


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something that a user can do. `possible` returns why it is not possible now; empty when it is.

    `operation` is the ID of the operation that it calls, which decides on roles and scope. `footer` is its position in
    the footer (0: only in the help); `resource` limits it to one kind of record. In `help`, `{record}` stands for the
    kind of the current record.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    help: str
    #: What it does.
    run: Run
    group: str = "General"
    views: frozenset[str] = READING
    resource: str = ""
    operation: Callable[[Context], str] | str = ""
    needs: RequiredRecords = "nothing"
    possible: Callable[[Context], str] = always_possible
    footer: int = 0
    #: Whether it stands in the footer of this view.
    in_footer: Callable[[Context], bool] = anywhere
    #: Its label in the footer, where that depends on what is selected.
    label_here: Callable[[Context], str] | None = None
    #: The fields of its form, each with the reason why it cannot be set.
    form_fields: Callable[[Context], Sequence[tuple[FieldSpec, str]]] | None = None
    #: Whether it stays in the footer of a narrow terminal.
    pinned: bool = False
    #: Whether it only moves the cursor: the next move need not wait for what follows from it.
    moves: bool = False
    #: Whether it leaves the view for any other place: it need not wait until this one has loaded.
    leaves: bool = False
    #: Whether a name must be typed before it is sent.
    dangerous: bool = False
    #: Whether the action exists for this kind of record; otherwise it is not offered.
    belongs: Callable[[Context], bool] = anywhere

    def __post_init__(self) -> None:
        translated(self, "label", "help", "group")

    def operation_id(self, context: Context) -> str:
        return self.operation if isinstance(self.operation, str) else self.operation(context)

    def perform(self, context: Context) -> Awaitable[object] | None:
        """Run it; its function finds it in the context. What takes time is returned."""
        return self.run(replace(context, action=self))

    def label_in(self, context: Context) -> str:
        """Its label in the footer."""
        return self.label_here(context) if self.label_here and context.stage.declared else self.label

    def help_for(self, resource: Resource | None) -> str:
        """The help with the kind of record."""
        return self.help.replace("{record}", resource.singular if resource else "record")

    def why_not(self, context: Context) -> str:
        """Why the action is not available now; empty when it is."""
        if reason := self.unfit_reason(context):
            return reason
        if reason := self.possible(context):
            return reason
        operation = self.operation_id(context)
        return refusal(operation, context, marked=bool(context.marked) and self.needs == "records") if operation else ""

    def unfit_reason(self, context: Context) -> str:
        """Why the action does not fit the view and its records, whatever these contain; loads no declarations."""
        if not self.belongs(context):
            return (
                _("not available for {records}").format(records=title_in_sentence(context.resource.title))
                if context.resource
                else _("not available here")
            )
        if context.view.kind not in self.views:
            return _("not available in this view")
        if self.needs == "single" and context.marks_others:
            return _("clear the marks: this is for one record at a time")
        if self.needs in ("record", "single") and context.record is None:
            return _("no record is selected")
        if self.needs == "records" and context.record is None and not context.marked:
            return _("no record is selected or marked")
        if context.view.busy and (self.needs in ("single", "records") or (self.needs == "record" and self.operation)):
            return context.view.busy
        return ""


def refusal(operation_id: str, context: Context, *, marked: bool = False) -> str:
    """Why the role does not allow an operation here; empty when it does or the declaration is not loaded yet.

    Of `marked` records, each is decided when its turn comes.
    """
    if not context.stage.declared:
        return ""
    resource, record, caller = context.resource, context.record, context.workspace.caller
    subject: Subject | None = None
    if resource and resource.subject and record and caller and not marked:
        about_record = operation_id not in (resource.create, resource.list)
        # A record need not name what its place lies below.
        above = {KINDS[kind].parameter: id for kind, id in context.view.place.parents.items() if kind in KINDS}
        subject = resource.subject({**above, **record}, caller) if about_record else None
    return context.workspace.decide(operation_id, subject).reason


def performed(context: Context) -> Action:
    """The action that is performed, for its function; LookupError when none is."""
    if not isinstance(context.action, Action):
        raise LookupError("no action is performed")
    return context.action


def find_action(context: Context, name: str) -> Action:
    """A registered action by its name."""
    action = context.stage.registry[name]
    if not isinstance(action, Action):
        raise TypeError(f"{name} is not an action")
    return action


def actions_here(context: Context) -> list[Action]:
    """Every action of this view and kind, available or not."""
    registry = context.stage.registry
    if not isinstance(registry, Registry):
        raise TypeError(f"{type(registry).__name__} is not a registry of actions")
    return registry.here(context)


def needs_typing(action: Action, count: int) -> bool:
    """Whether a confirmation must be typed: the action is dangerous or changes many records."""
    return action.dangerous or count > MANY


class Registry:
    """All actions, in the order of their declaration."""

    def __init__(self, actions: Iterable[Action], changes: Mapping[str, str] | None = None) -> None:
        self._actions = {action.name: action for action in actions}
        #: The actions of each view and kind: the footer asks for them whenever the cursor rests.
        self._declared: dict[tuple[str, str], list[Action]] = {}
        bound = (
            KeyBinding(item.name, item.keys, item.views, item.resource, own=item.group == USER_GROUP)
            for item in self._actions.values()
        )
        self.keys = KeyMap(bound, changes)

    def __getitem__(self, name: str) -> Action:
        return self._actions[name]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions.values())

    def by_key(self, key: str, context: Context) -> Action | None:
        """The action of a key in this context, available or not."""
        found = [self._actions[name] for name in self.keys.actions(key, context.view.kind, context.kind)]
        return next((action for action in found if action.belongs(context)), found[0] if found else None)

    def here(self, context: Context) -> list[Action]:
        """Every action of this view and kind, available or not."""
        view, kind = context.view.kind, context.kind
        declared = self._declared.get((view, kind))
        if declared is None:
            declared = self._declared[view, kind] = [
                action for action in self._actions.values() if view in action.views and action.resource in ("", kind)
            ]
        return [action for action in declared if action.belongs(context)]

    def footer(self, context: Context) -> list[Action]:
        """The actions of the footer, in order."""
        found = (action for action in self.here(context) if action.footer and action.in_footer(context))
        return sorted(found, key=lambda action: action.footer)
