"""Companies, users and their licences in the store: fields that every record has, and fields of the server alone.

Rules read documents through these classes: `company = typed(StoredCompany, document)`. Records of one area are declared
in that area; here are those that several areas read.
"""

from __future__ import annotations

from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.records import Company
from svc_tui.interface.records import field
from svc_tui.interface.subscriptions.licences import UserProfile


class StoredCompany(Company):
    id: str = field(...)


class StoredUser(User):
    id: str = field(...)


class StoredProfile(UserProfile):
    """A licence in the record of its user: `all_typed(StoredProfile, user.profiles or ())`."""

    is_voice_phone: bool | None = field(None)
    has_voice: bool | None = field(None)
