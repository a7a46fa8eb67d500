"""Plug-ins: resources and actions of installed packages, found by their entry points after the first picture.

A fault of a plug-in is reported with its name, and leaves out what has it; the console works without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.actions import Action
from svc_tui.console.core.area import Area
from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.plugin_guards import guarded_action, guarded_resource
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME
from svc_tui.interface.outlines import outline_of
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS, register

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The groups of entry points. Each names a value of its class, or a list or tuple of them.
RESOURCES, ACTIONS = "svc_tui.resources", "svc_tui.actions"
_CLASSES: dict[str, type] = {RESOURCES: Resource, ACTIONS: Action}


@dataclass(frozen=True, slots=True)
class Plugins:
    """What plug-ins bring, and their faults as sentences."""

    resources: tuple[Resource, ...] = ()
    actions: tuple[Action, ...] = ()
    faults: tuple[str, ...] = ()


@cache
def find() -> Plugins:
    """Load the plug-ins that are installed. It can take long: it runs in a thread."""
    resources: dict[str, Resource] = {}
    actions: dict[str, Action] = {}
    faults: list[str] = []
    taken = {action.name for action in registry()}
    for group in _CLASSES:
        for entry in sorted(metadata.entry_points(group=group), key=lambda each: each.name):
            who = f"{entry.dist.name} ({entry.value})" if entry.dist is not None else entry.value
            try:
                for item in _values(entry, _CLASSES[group]):
                    if isinstance(item, Resource):
                        _check(item, {*BY_NAME, *resources})
                        resources[item.name] = guarded_resource(item, who)
                    else:
                        if item.name in {*taken, *actions}:
                            raise ValueError(_("another action has the name {name}").format(name=item.name))
                        actions[item.name] = guarded_action(item, who)
            except (Exception, SystemExit) as error:
                text = str(error) or type(error).__name__
                sentence = _("The plug-in {who} is ignored: {why}.").format(who=who, why=text[:1].lower() + text[1:])
                faults.append(sentence.replace("..", "."))
    return Plugins(tuple(resources.values()), tuple(actions.values()), tuple(faults))


def add(found: Plugins) -> bool:
    """Add the resources and actions of plug-ins to those of the console; False when there is nothing new."""
    area = Area(title=_("Plug-ins"), resources=found.resources, actions=found.actions)
    if area in AREAS or not (found.resources or found.actions):
        return False
    for resource in found.resources:
        register(resource.kind)
        ALL.append(resource)
        BY_NAME[resource.name] = resource
    AREAS.append(area)
    return True


def _values(entry: EntryPoint, of: type) -> Iterator[Any]:
    value = entry.load()
    for item in value if isinstance(value, (list, tuple)) else (value,):
        if not isinstance(item, of):
            raise TypeError(f"{type(item).__name__} is not {of.__name__}")
        yield item


def _check(resource: Resource, taken: Collection[str]) -> None:
    """ValueError when a resource cannot be shown beside the others."""
    if resource.name in taken or (resource.name in KINDS and KINDS[resource.name] != resource.kind):
        raise ValueError(_("another resource has the name {name}").format(name=resource.name))
    for operation in (resource.kind.list, resource.kind.get):
        if outline_of(operation) is None:
            raise ValueError(_("there is no operation {operation}").format(operation=operation))
    if not resource.kind.derived:
        raise ValueError(_("its kind must be derived: the operations belong to another kind"))
