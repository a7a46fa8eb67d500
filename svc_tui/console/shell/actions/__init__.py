"""The general actions."""

from svc_tui.console.core.actions import Action
from svc_tui.console.shell import cases, company_plans, leaving
from svc_tui.console.shell.actions import change as writing
from svc_tui.console.shell.actions import company, records
from svc_tui.console.shell.actions import cursor as moving
from svc_tui.console.shell.actions import filter_sort as finding
from svc_tui.console.shell.actions import find as searching
from svc_tui.console.shell.actions import navigation as going

GENERAL: tuple[Action, ...] = (
    *moving.ACTIONS,
    *records.ACTIONS,
    *writing.ACTIONS,
    *finding.ACTIONS,
    *searching.ACTIONS,
    *company.ACTIONS,
    *leaving.ACTIONS,
    *company_plans.ACTIONS,
    *going.ACTIONS,
    *cases.ACTIONS,
)
