"""The task of the tour in the import doctor."""

from __future__ import annotations

from svc_tui.console.core.dialog_keys import PROMPT_KEYS
from svc_tui.console.core.tour import ActionKey, Step, Text, TourTask
from svc_tui.console.dialogs.messages import Question
from svc_tui.interface.texts import counted
from svc_tui.language import _

_GO = PROMPT_KEYS[0]
_YES = Question.KEYS[0]

TASK = TourTask(
    _("correct a file of contacts"),
    (
        Step(
            _("{goto} goes anywhere: here to the last import, which failed."),
            (ActionKey("goto"), Text("directory"), _GO),
            "Contacts of the spring fair",
        ),
        Step(_("{directory.report} opens its report."), (ActionKey("directory.report"),), _("Rows with errors")),
        Step(
            _("{directoryreports.doctor} opens the failed rows in the import doctor."),
            (ActionKey("directoryreports.doctor"),),
            counted(20, "row"),
        ),
        Step(
            _("It suggests corrections. {directory.apply_all_suggestions} applies all of them."),
            (ActionKey("directory.apply_all_suggestions"),),
            "✓",
        ),
        Step(
            _("The others need a decision. {directory.leave} leaves the doctor."),
            (ActionKey("directory.leave"),),
            _("Leave the import doctor?"),
        ),
        Step(_("{question.yes} leaves it; nothing was imported."), (_YES,), _("Rows with errors")),
    ),
)
