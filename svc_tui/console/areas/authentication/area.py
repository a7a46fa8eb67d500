"""The area authentication, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.authentication import resources, user_overview
from svc_tui.console.areas.authentication.resources import SECURITY_REPORT
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import SuggestedTask
from svc_tui.language import _
from svc_tui.workspace.users import document
from svc_tui.workspace.users.holdings import UserHoldings

AREA = Area(
    title=_("Users and access"),
    resources=(*resources.RESOURCES, SECURITY_REPORT),
    actions=(*resources.ACTIONS,),
    tasks=(SuggestedTask(text=_("Find a user and see why a login or a call fails"), place="users"),),
    overview={"users": user_overview.SECTIONS},
    document=(document.company, document.administrators),
    holdings=(UserHoldings(),),
)
