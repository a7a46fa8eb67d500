"""The area authentication, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.authentication import resources, user_overview
from svc_tui.console.areas.authentication.resources import SECURITY_REPORT
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, Number, SharedReads, SuggestedTask
from svc_tui.language import _
from svc_tui.workspace.changes import leaving
from svc_tui.workspace.changes.leaving import Leavings, LeavingsError
from svc_tui.workspace.users import document
from svc_tui.workspace.users.holdings import UserHoldings


async def due(reads: SharedReads) -> Number:
    """How many users leave whose plan on this machine is due."""
    workspace = reads.workspace
    try:
        plans = Leavings(workspace.folders.data_of(workspace.profile.name)).due(leaving.today(workspace))
    except LeavingsError:
        return Number(0)
    return Number(len(plans))


AREA = Area(
    title=_("Users and access"),
    resources=(*resources.RESOURCES, SECURITY_REPORT),
    actions=(*resources.ACTIONS,),
    attention=(
        Attention(
            one=_("user leaves: `:due` carries it out"),
            several=_("users leave: `:due` carries it out"),
            place="users",
            count=due,
        ),
    ),
    tasks=(SuggestedTask(text=_("Find a user and see why a login or a call fails"), place="users"),),
    overview={"users": user_overview.SECTIONS},
    document=(document.company, document.administrators),
    holdings=(UserHoldings(),),
)
