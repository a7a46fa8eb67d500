"""Numbers of companies as the server counts them."""

from __future__ import annotations

from svc_tui.interface.fields import field
from svc_tui.interface.metrics.records import CountedUsers


class UserNumbers(CountedUsers):
    """The users of a company: each number that is counted is there."""

    total: int = field(0)
    daily_connected: int = field(0)
    weekly_connected: int = field(0)
    monthly_connected: int = field(0)
    new_user: int = field(0)
    registered: int = field(0)
    active_users: int = field(0)
    funnel: int = field(0)
