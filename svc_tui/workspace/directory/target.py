"""The target of a directory file: the directory, the purpose of the import, its operations, and the number of entries
that a file replaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from svc_tui.language import _
from svc_tui.workspace.core.service import Reader, ReadError

#: The purposes of a file, in the order of the choices.
Purpose = Literal["check", "replace", "synchronize", "personal"]
PURPOSES: Mapping[Purpose, str] = {
    "check": _("check only"),
    "replace": _("replace the directory"),
    "synchronize": _("update, create or delete an entry for each row"),
    "personal": _("replace the personal directory"),
}


@dataclass(frozen=True, slots=True)
class Operations:
    """The operations of one purpose; without `delete` an import in progress cannot be stopped."""

    check: str
    send: str
    status: str
    report: str
    delete: str


_COMPANY = Operations(
    "check_company_directory_csv",
    "import_directory_csv",
    "get_company_import_status",
    "get_company_import_report",
    "delete_company_import_report",
)
_PERSONAL = Operations(
    "check_personal_directory_csv",
    "import_personal_directory_csv",
    "get_personal_import_status",
    "get_personal_import_report",
    "delete_personal_import_report",
)
_SYNCHRONIZE = Operations(
    "check_directory_csv",
    "import_directory_csv_synchronize",
    "get_company_import_status",
    "get_company_import_report",
    "delete_company_import_report",
)
_COMMAND = Operations(
    "check_directory_csv",
    "import_directory_csv_synchronize",
    "get_command_import_report",
    "get_command_import_report",
    "",
)


def company_operation(company_id: str, own: str) -> str:
    """The operation that reads a company: users read their own company even without administering it."""
    return "get_company_as_user" if company_id == own else "get_company"


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """A directory and the purpose of a file. `company` and `country` are those of the company, where known."""

    purpose: Purpose
    company_id: str = ""
    company: str = ""
    country: str = ""
    command_id: str = ""
    ldap_config_id: str = ""

    @property
    def name(self) -> str:
        """The name of the directory, which is typed before it is replaced."""
        return "personal" if self.purpose == "personal" else self.company or self.company_id

    @property
    def operations(self) -> Operations:
        """The operations of the purpose."""
        if self.purpose == "personal":
            return _PERSONAL
        if self.purpose == "synchronize":
            return _COMMAND if self.command_id else _SYNCHRONIZE
        return _COMPANY

    @property
    def check_query(self) -> dict[str, object]:
        """The query of the check."""
        if self.purpose == "synchronize":
            return {"commandId": self.command_id} if self.command_id else {}
        return {} if self.purpose == "personal" else {"companyId": self.company_id}

    @property
    def import_query(self) -> dict[str, object]:
        """The query of the import."""
        if self.purpose != "synchronize":
            return self.check_query
        found = {"commandId": self.command_id, "ldapConfigId": self.ldap_config_id}
        return {name: value for name, value in found.items() if value}

    @property
    def status_path(self) -> dict[str, str]:
        """The path parameters of the import's status."""
        if self.command_id:
            return {"commandId": self.command_id}
        return {} if self.purpose == "personal" else {"companyId": self.company_id}

    @property
    def status_query(self) -> dict[str, object]:
        """The query of the import's status."""
        return {"ldapConfigId": self.ldap_config_id} if self.ldap_config_id and not self.command_id else {}


async def count_entries(service: Reader, target: ImportTarget) -> int | None:
    """Number of entries; None when it cannot be read, or when the file does not replace a directory."""
    if target.purpose == "synchronize":
        return None
    personal = target.purpose == "personal"
    query = {"view": "personal"} if personal else {"view": "company", "companyId": target.company_id}
    try:
        bodies = [
            await service.read("list_directory_entries", {}, {**query, "type": type, "limit": 1})
            for type in ("user", "company")
        ]
        return sum(int(body["total"]) for body in bodies)
    except (ReadError, KeyError, TypeError, ValueError):
        return None
