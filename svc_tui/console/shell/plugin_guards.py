"""Guards around the functions of declarations of plug-ins: a failure becomes a message, and a safe value.

What a failed function would have decided is forbidden, what it would have shown is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from inspect import isawaitable, isclass, iscoroutinefunction
from types import MappingProxyType
from typing import Any, TypeVar

from svc_tui.console.core.actions import Action
from svc_tui.console.core.resource import Context, Display, Editing, Placement, Resource
from svc_tui.console.views.plugin_failures import FAILURES, failure
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Subject
from svc_tui.language import _

#: What a cell shows whose column failed.
FAILED_CELL = _("(plug-in failed)")
#: Functions of a resource whose answer is the reason against something: the failure is the reason.
_REASONS = frozenset({"awaits", "frozen", "may_set", "forbids"})
#: The safe answers of the others; they are called only while something is shown or decided.
_ANSWERS: Mapping[str, Any] = MappingProxyType(
    {
        "subject": Subject(),
        "leads": None,
        "called": "",
        "settled": ("", ""),
        "elsewhere": "",
    }
)
P = TypeVar("P", Resource, Display, Placement, Editing)


def guarded_resource(resource: Resource, who: str) -> Resource:
    """A resource whose functions cannot stop the console."""
    display = replace(resource.display, columns=tuple(_guarded_column(each, who) for each in resource.display.columns))
    if display.says is not None:
        heading, sentences = display.says
        display = replace(display, says=(heading, _safe(sentences, who, lambda sentence: (sentence,))))
    placement = replace(
        resource.placement,
        within={name: _safe(test, who, lambda _: False) for name, test in resource.placement.within.items()},
    )
    parts = replace(
        resource,
        display=_guarded(display, who),
        placement=_guarded(placement, who),
        editing=_guarded(resource.editing, who),
    )
    return _guarded(parts, who)


def _guarded(part: P, who: str) -> P:
    """A resource, or a part of one, with guarded functions."""
    functions: dict[str, Any] = {
        each.name: _safe(value, who, (lambda text: text) if each.name in _REASONS else partial(_answer, each.name))
        for each in fields(part)
        if each.name in _REASONS | _ANSWERS.keys() and (value := getattr(part, each.name)) is not None
    }
    return replace(part, **functions)


def _answer(name: str, sentence: str) -> Any:
    return _ANSWERS[name]


def _safe(function: Callable[..., Any], who: str, instead: Callable[[str], Any]) -> Callable[..., Any]:
    """A function that answers `instead` of the sentence about its failure."""
    if isclass(function) or iscoroutinefunction(function):
        return function

    def guarded(*values: Any) -> Any:
        try:
            return function(*values)
        except Exception as error:
            return instead(FAILURES.add(who, error))

    return guarded


def _guarded_column(column: Column, who: str) -> Column:
    def cell(function: Callable[..., Any] | None) -> Callable[..., Any] | None:
        return None if function is None else _safe(function, who, lambda _: FAILED_CELL)

    return replace(column, of=cell(column.of), format=cell(column.format))


def guarded_action(action: Action, who: str) -> Action:
    """An action that reports its failure with the name of its plug-in."""

    async def run(context: Context) -> None:
        try:
            done = action.perform(context)
            if isawaitable(done):
                await done
        except Exception as error:
            context.stage.show_message(failure(who, error), "bad")

    def possible(context: Context) -> str:
        try:
            return action.possible(context)
        except Exception as error:
            return _("the plug-in {who} failed: {error}").format(who=who, error=error)

    def belongs(context: Context) -> bool:
        try:
            return action.belongs(context)
        except Exception:
            return False

    return replace(action, run=run, possible=possible, belongs=belongs)
