"""Companies and users as the store has them: what every stored record has, and the fields that only the server knows.

Rules read documents through these classes: `company = typed(StoredCompany, document)`. Records of one area are declared
in that area; here are those that several areas read.
"""

from __future__ import annotations

from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.records import Company
from svc_tui.interface.records import field


class StoredCompany(Company):
    id: str = field(...)


class StoredUser(User):
    id: str = field(...)
