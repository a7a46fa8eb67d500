"""The help for a view, from the registry of actions: keys, descriptions, and why an action is greyed out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from svc_tui.console.core.actions import actions_here
from svc_tui.console.core.filter_syntax import SYNTAX
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.views.sheet_view import WrappedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _


class HelpView(WrappedView):
    """The actions of the view below."""

    kind = "report"
    LABEL = 16
    #: Columns of the gutter and two gaps.
    BESIDE = 4

    def __init__(self, context: Context) -> None:
        super().__init__(Place(("help",)))
        self._lines = list(_lines(context))
        self._about = context.resource.title if context.resource else context.view.crumb

    def lines(self) -> Sequence[Line]:
        return self._lines

    @property
    def crumb(self) -> str:
        return _("Help: {about}").format(about=self._about)

    def status(self) -> Sequence[Piece]:
        return [Piece(self.with_keys(_(" {back} goes back"))), Piece(_("   greyed actions show the reason"), "dim")]


def _lines(context: Context) -> Iterator[Line]:
    registry = context.stage.registry
    groups: dict[str, list[Line]] = {}
    for action in actions_here(context):
        keys = " ".join(registry.keys.keys(action.name)) or _("no key")
        reason = action.why_not(context)
        lines = groups.setdefault(action.group, [])
        lines.append(
            Line("field", keys, action.help_for(context.resource), key=action.name, style="dim" if reason else "")
        )
        if reason:
            lines.append(
                Line("field", "", _("not available: {reason}").format(reason=reason), key=action.name, style="warn")
            )
    for group, lines in groups.items():
        yield Line("heading", group)
        yield from lines
    if context.view.kind == "list":
        yield Line("heading", registry.keys.sentence(_("Typed after {filter}")))
        yield from (Line("field", example, meaning) for example, meaning in SYNTAX.items())
    if found := [*registry.keys.problems, *registry.keys.replaced]:
        yield Line("heading", _("Key map"))
        yield from (Line("text", value=sentence, style="warn") for sentence in found)
