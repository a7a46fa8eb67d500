"""The jobs of the tour, for the account that the demo opens with: general ones, and those of areas before the last."""

from __future__ import annotations

from svc_tui.console.core.dialog_keys import ACCEPT, PROMPT_KEYS
from svc_tui.console.core.lazy import load
from svc_tui.console.core.tour import ActionKey, Step, Text, TourJob
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.shell.areas import AREAS

_GO = PROMPT_KEYS[0]
_YES = Question.KEYS[0]
_SEND = Preview.KEYS[0]

_GENERAL = (
    TourJob(
        "find a user and see why the login fails",
        (
            Step("A user cannot log in. {find} searches all areas at once.", (ActionKey("find"),), "What can be found"),
            Step(
                "An e-mail address, a name or a telephone number is enough.",
                (Text("voiceonly@demo.example"), _GO),
                "M320 desk of Vera Quist",
            ),
            Step(
                "Everything that belongs to the user is found. {find_open} opens the user.",
                (ActionKey("find_open"),),
                "Refused: all licences are for voice phones.",
            ),
            Step(
                "The findings come first, each with its rule. {back} returns to the results.",
                (ActionKey("back"),),
                "Users (1)",
            ),
        ),
    ),
    TourJob(
        "see what more licences cost",
        (
            Step("{section_4} opens the subscriptions. The digits open places.", (ActionKey("section_4"),), "11/200"),
            Step("{quote} asks the billing systems for a quotation.", (ActionKey("quote"),), "Valid until"),
            Step("Twenty licences more: each change is quoted at once.", (Text("220"),), "990.00"),
            Step(
                "Nothing is ordered. {leave_form} closes the quotation.", (ActionKey("leave_form"),), "Discard unsaved"
            ),
            Step("{question.yes} discards it.", (_YES,), "11/200"),
        ),
    ),
    TourJob(
        "stop an application and undo it",
        (
            Step(
                "{section_1} opens the applications, {filter} filters them.",
                (ActionKey("section_1"), ActionKey("filter"), Text("inventory planner"), _GO),
                "/inventory planner",
            ),
            Step("{applications.stop} stops it, after a preview.", (ActionKey("applications.stop"),), "/stop"),
            Step("This is the request exactly as it is sent. {preview.send} sends it.", (_SEND,), "Stop: done."),
            Step("{undo} undoes every change, after a preview too.", (ActionKey("undo"),), "/restart"),
            Step("{preview.send} restarts the application.", (_SEND,), "Undone."),
        ),
    ),
    TourJob(
        "get around",
        (
            Step(
                "{goto} knows the words of users, for example phone number.",
                (ActionKey("goto"), Text("phone num"), _GO),
                "DDI numbers belong to a CloudPBX",
            ),
            Step("{palette} finds every action and place.", (ActionKey("palette"),), "Actions and places"),
            Step("It knows these words too, for example bills.", (Text("bills"), ACCEPT), "INV-"),
            Step("{previous} goes back to the place before.", (ActionKey("previous"),), "Northwind voice"),
            Step("{goto}home is the start page.", (ActionKey("goto"), Text("home"), _GO), "Needs attention"),
        ),
    ),
)
_OF_AREAS: tuple[TourJob, ...] = tuple(load(area.tour) for area in AREAS if area.tour)
JOBS = (*_GENERAL[:-1], *_OF_AREAS, _GENERAL[-1])
