"""The tasks of the tour, for the account that the demo opens with: general ones, and those of areas before the last."""

from __future__ import annotations

from svc_tui.console.core.dialog_keys import ACCEPT, PROMPT_KEYS
from svc_tui.console.core.tour import ActionKey, Step, Text, TourTask
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.shell.resources import AREAS
from svc_tui.language import _, number_text

_GO = PROMPT_KEYS[0]
_YES = Question.KEYS[0]
_SEND = Preview.KEYS[0]

_GENERAL = (
    TourTask(
        _("find a user and see why the login fails"),
        (
            Step(
                _("A user cannot log in. {find} searches all areas at once."),
                (ActionKey("find"),),
                _("What can be found"),
            ),
            Step(
                _("An e-mail address, a name or a telephone number is enough."),
                (Text("voiceonly@demo.example"), _GO),
                "M320 desk of Vera Quist",
            ),
            Step(
                _("The results include everything that belongs to the user. {find_open} opens the user."),
                (ActionKey("find_open"),),
                _("Refused: all licences are for voice phones."),
            ),
            Step(
                _("The findings come first, each with its rule. {back} returns to the results."),
                (ActionKey("back"),),
                f"{_('Users')} (1)",
            ),
        ),
    ),
    TourTask(
        _("see what more licences cost"),
        (
            Step(
                _("{section_4} opens the subscriptions. The digits open places."), (ActionKey("section_4"),), "11/200"
            ),
            Step(_("{quote} asks the billing systems for a quotation."), (ActionKey("quote"),), _("Valid until")),
            Step(_("Twenty licences more: each change is quoted at once."), (Text("220"),), number_text(990, ",.2f")),
            Step(
                _("Nothing was ordered. {leave_form} closes the quotation."),
                (ActionKey("leave_form"),),
                _("Discard unsaved changes?"),
            ),
            Step(_("{question.yes} discards it."), (_YES,), "11/200"),
        ),
    ),
    TourTask(
        _("stop an application and undo it"),
        (
            Step(
                _("{section_1} opens the applications, {filter} filters them."),
                (ActionKey("section_1"), ActionKey("filter"), Text("inventory planner"), _GO),
                "/inventory planner",
            ),
            Step(_("{applications.stop} stops it, after a preview."), (ActionKey("applications.stop"),), "/stop"),
            Step(
                _("This is the request exactly as it is sent. {preview.send} sends it."),
                (_SEND,),
                f"{_('Stop')}{_(': done.')}",
            ),
            Step(_("{undo} undoes every change, after a preview too."), (ActionKey("undo"),), "/restart"),
            Step(_("{preview.send} restarts the application."), (_SEND,), _("Undone.")),
        ),
    ),
    TourTask(
        _("get around"),
        (
            Step(
                _("{goto} understands everyday words, for example phone number."),
                (ActionKey("goto"), Text("phone num"), _GO),
                _("DDI numbers"),
            ),
            Step(_("{palette} finds every action and place."), (ActionKey("palette"),), _("Actions and places")),
            Step(_("It understands everyday words too, for example bills."), (Text("bills"), ACCEPT), "INV-"),
            Step(_("{previous} goes back to the place before."), (ActionKey("previous"),), "Northwind voice"),
            Step(
                _("{goto}home is the start page."),
                (ActionKey("goto"), Text("home"), _GO),
                _("Needs attention{more}").format(more=""),
            ),
        ),
    ),
)
_OF_AREAS: tuple[TourTask, ...] = tuple(area.tour for area in AREAS if area.tour)
TASKS = (*_GENERAL[:-1], *_OF_AREAS, _GENERAL[-1])
