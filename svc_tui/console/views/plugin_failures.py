"""Failures of plug-ins: each becomes a message with the name of the plug-in, and the console continues.

What the console asks a view of a plug-in (its status line, its record) is guarded where its class is defined: the
console's own class answers when the plug-in's part fails. A failure in the work of a view or a dialog, or of what is
inside it, closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from types import FunctionType
from typing import Any

from textual._context import active_message_pump
from textual.message_pump import MessagePump
from textual.widget import Widget

from svc_tui.language import _

#: The packages whose classes are not a plug-in's.
_OURS = frozenset({"svc_tui", "textual", "builtins", "typing"})
#: The most failures that are remembered as reported.
_MOST = 100


def package_of(part: type) -> str:
    """The package that a class belongs to."""
    return part.__module__.partition(".")[0]


def is_foreign(part: type) -> bool:
    """Whether a class is a plug-in's."""
    return package_of(part) not in _OURS


def failure(who: str, error: BaseException) -> str:
    """The sentence about a failure of a plug-in."""
    return _("The plug-in {who} failed: {name}: {error}").format(who=who, name=type(error).__name__, error=error)


class Failures:
    """Reports each failure of a plug-in once. `report` is set while a console is open."""

    def __init__(self) -> None:
        self.report: Callable[[str], None] = lambda sentence: None
        self._reported: dict[str, None] = {}

    def add(self, who: str, error: BaseException) -> str:
        """Report a failure; returns the sentence."""
        sentence = failure(who, error)
        if sentence not in self._reported and len(self._reported) < _MOST:
            self._reported[sentence] = None
            self.report(sentence)
        return sentence


FAILURES = Failures()


def at_fault(error: BaseException, shown: Sequence[Widget]) -> Widget | None:
    """The view or dialog of a plug-in that an error comes from; its widget where the view is the console's.

    `shown` are views and dialogs, the one on top last, for errors that come from none of their own tasks.
    """
    part: Widget | None = None
    pump: MessagePump | None = active_message_pump.get(None)
    while isinstance(pump, Widget):
        part = pump if is_foreign(type(pump)) else part
        pump = pump._parent
    packages = set(_packages(error))
    of_plugins = (each for each in reversed(shown) if is_foreign(type(each)))
    return part or next((each for each in of_plugins if package_of(type(each)) in packages), None)


def _packages(error: BaseException) -> Iterator[str]:
    """The packages whose code an error came through."""
    trace = error.__traceback__
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        trace = trace.tb_next


def guard_parts(widget: type, names: Iterable[str], check: Callable[[str, Any], None]) -> None:
    """Guard the functions and properties with these names in the class of a plug-in.

    `check` raises an error for an answer that the console could not use.
    """
    for name in names:
        holders = [part for part in widget.__mro__ if name in vars(part)]
        own = next((vars(part)[name] for part in holders if not is_foreign(part)), None)
        if not holders or not is_foreign(holders[0]):
            continue
        theirs = vars(holders[0])[name]
        if isinstance(theirs, property) and isinstance(own, property) and theirs.fget and own.fget:
            setattr(widget, name, property(_guarded(name, theirs.fget, own.fget, check)))
        elif isinstance(theirs, FunctionType) and isinstance(own, FunctionType):
            setattr(widget, name, _guarded(name, theirs, own, check))


def _guarded(
    name: str, theirs: Callable[..., Any], own: Callable[..., Any], check: Callable[[str, Any], None]
) -> Callable[..., Any]:
    @wraps(own)
    def guarded(self: object, *values: Any, **named: Any) -> Any:
        try:
            answer = theirs(self, *values, **named)
            check(name, answer)
            return answer
        except Exception as error:
            FAILURES.add(package_of(type(self)), error)
            return own(self, *values, **named)

    return guarded
