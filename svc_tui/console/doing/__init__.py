"""The actions that every kind of record has, in one registry."""

from svc_tui.console.actions import Action
from svc_tui.console.doing import finding, going, moving, quoting, records, settings, writing

GENERAL: tuple[Action, ...] = (
    *moving.ACTIONS,
    *records.ACTIONS,
    *writing.ACTIONS,
    *quoting.ACTIONS,
    *settings.ACTIONS,
    *finding.ACTIONS,
    *going.ACTIONS,
)
