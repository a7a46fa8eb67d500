"""Views whose class is a plug-in's: a failure in one becomes a message, and closes the view if it cannot continue.

What others ask a view or its widgets (the status line, the record, how they are drawn) is answered as by the console's
own class when the plug-in's part of it fails. A failure in the work of the view itself closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from types import FunctionType, new_class
from typing import Any

from textual._context import active_message_pump
from textual.message_pump import MessagePump
from textual.widget import Widget

from svc_tui.console.shell.plugin_guards import FAILURES
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece

#: What the layout and the drawing of the whole screen ask each widget.
_DRAWN = ("render", "render_line", "render_lines", "get_content_width", "get_content_height")
#: The packages whose classes are not a plug-in's.
_OURS = frozenset({"svc_tui", "textual", "builtins", "typing"})


class PluginViews:
    """The views of plug-ins, found again by their failures."""

    def __init__(self) -> None:
        #: The views that were shown and whether each has failed, in order.
        self._shown: dict[View, bool] = {}

    def guard(self, widget: Widget) -> None:
        """Guard a widget that is going to be shown, if its class is a plug-in's."""
        if _foreign(type(widget)):
            widget.__class__ = _guarded_class(type(widget))
        if isinstance(widget, View) and _foreign(type(widget)):
            self._shown = {each: failed for each, failed in self._shown.items() if each.is_attached}
            self._shown[widget] = False

    def failed(self, error: BaseException) -> View | None:
        """The view that an error comes from; None when it comes from the console itself."""
        pump: MessagePump | None = active_message_pump.get(None)
        while pump is not None:
            if isinstance(pump, View) and pump in self._shown:
                return pump
            pump = pump._parent
        packages = set(_packages(error))
        views = [view for view in self._shown if package_of(type(view)) in packages]
        # The error of a view that is being closed comes again with each drawing until it is closed.
        return next((view for view in reversed(views) if not self._shown[view]), views[-1] if views else None)

    def has_failed(self, view: View) -> bool:
        """Whether a view is going to be closed."""
        return self._shown.get(view, False)

    def mark_closing(self, view: View) -> bool:
        """Note that a view is going to be closed; False when that is known."""
        known, self._shown[view] = self._shown[view], True
        return not known


def package_of(view: type) -> str:
    """The package of the plug-in that a class belongs to."""
    return view.__module__.partition(".")[0]


def _foreign(part: type) -> bool:
    return package_of(part) not in _OURS


def _packages(error: BaseException) -> Iterator[str]:
    """The packages whose code an error came through."""
    trace = error.__traceback__
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        trace = trace.tb_next


@cache
def _guarded_class(widget: type[Widget]) -> type[Widget]:
    """A class with the same name, in which the parts of the plug-in that others ask are guarded."""
    asked = [name for name in vars(View) if not name.startswith("_")] if issubclass(widget, View) else []
    members: dict[str, Any] = {"__module__": widget.__module__, "__doc__": widget.__doc__}
    for name in (*asked, *_DRAWN):
        theirs, ours = _part_of(widget, name, _foreign), _part_of(widget, name, lambda part: not _foreign(part))
        if theirs is None or not _foreign(next(part for part in widget.__mro__ if name in vars(part))):
            continue
        if isinstance(theirs, property) and isinstance(ours, property):
            members[name] = property(_guarded(name, theirs.fget, ours.fget))
        elif isinstance(theirs, FunctionType) and isinstance(ours, FunctionType):
            members[name] = _guarded(name, theirs, ours)
    guarded: type[Widget] = new_class(widget.__name__, (widget,), exec_body=lambda names: names.update(members))
    return guarded


def _part_of(widget: type, name: str, belongs: Callable[[type], bool]) -> object:
    """The first definition of a name in the classes of a widget that belong; None when none has it."""
    return next((vars(part)[name] for part in widget.__mro__ if name in vars(part) and belongs(part)), None)


def _guarded(name: str, theirs: Callable[..., Any] | None, ours: Callable[..., Any] | None) -> Callable[..., Any]:
    assert theirs is not None and ours is not None

    @wraps(ours)
    def guarded(self: Widget, *values: Any, **named: Any) -> Any:
        try:
            answer = theirs(self, *values, **named)
            if name == "status":
                _check_status(answer)
            return answer
        except Exception as error:
            FAILURES.add(package_of(type(self)), error)
            return ours(self, *values, **named)

    return guarded


def _check_status(pieces: object) -> None:
    if not isinstance(pieces, Sequence) or not all(isinstance(piece, Piece) for piece in pieces):
        raise TypeError(f"the status line is {pieces!r:.60}")
