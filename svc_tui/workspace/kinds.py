"""Kinds of records: which operations list, read and change them. Plain values: the first screen loads no models."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Serves:
    """A query parameter that filters a column at the server.

    `how`: the server looks for a part of the text (`part`), wants the whole value (`whole`), or one or several of the
    column's choices (`choices`, comma separated).
    """

    parameter: str
    how: str = "part"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record. `parameter` is the path parameter that holds its id; `served` is column -> parameter, with
    an empty column for text that belongs to none."""

    name: str
    list: str
    get: str
    id: str = "id"
    parameter: str = ""
    #: The column in which text without a column is looked for; empty: all that are shown.
    plain: str = ""
    served: MappingProxyType[str, Serves] = field(default_factory=lambda: MappingProxyType({}))
    #: The field that is true while the service still works on a record; such records are looked at again.
    settling: str = ""
    #: Kinds whose records tell of these too, and differ when one of these does.
    touches: tuple[str, ...] = ()

    def id_of(self, row: dict[str, Any]) -> str:
        """The id of a row, empty when it has none."""
        return str(row.get(self.id) or "")


_ALL = (
    Kind(
        "applications",
        "list_applications",
        "get_application",
        parameter="appId",
        plain="name",
        served=MappingProxyType(
            {
                "name": Serves("name"),
                "state": Serves("state", "choices"),
                "type": Serves("types", "choices"),
                "activity": Serves("activities", "choices"),
                "env": Serves("env", "whole"),
                "ownerId": Serves("ownerId", "whole"),
            }
        ),
    ),
    Kind("apikeys", "list_api_keys", "get_api_key", parameter="apiKeyId"),
    Kind(
        "users",
        "list_users",
        "get_user",
        parameter="userId",
        plain="displayName",
        served=MappingProxyType({"displayName": Serves("displayName"), "companyName": Serves("companyName")}),
    ),
    Kind(
        "clientsversions",
        "list_client_versions",
        "get_client_version",
        parameter="clientId",
        plain="name",
        served=MappingProxyType({"name": Serves("name")}),
    ),
    Kind("mfasettings", "list_company_mfa_settings", "get_company_mfa_setting", id="mfaId", parameter="mfaId"),
    Kind(
        "companies",
        "list_companies",
        "get_company",
        parameter="companyId",
        plain="name",
        served=MappingProxyType(
            {
                "name": Serves("name"),
                "status": Serves("status", "whole"),
                "visibility": Serves("visibility", "whole"),
                "bpType": Serves("bpType", "whole"),
                "bpId": Serves("bpId", "whole"),
            }
        ),
    ),
    Kind(
        "sites",
        "list_sites",
        "get_site",
        parameter="siteId",
        plain="name",
        served=MappingProxyType({"name": Serves("name"), "companyId": Serves("companyId", "whole")}),
    ),
    Kind("templates", "list_templates", "get_template", parameter="templateId", plain="name"),
    Kind(
        "offers",
        "list_company_offers",
        "get_company_offer",
        parameter="offerId",
        plain="name",
        served=MappingProxyType(
            {
                "name": Serves("name"),
                "profileId": Serves("profileId", "whole"),
                "offerReference": Serves("offerReference", "whole"),
                "sapReference": Serves("sapReference", "whole"),
            }
        ),
    ),
    Kind(
        "subscriptions",
        "list_company_subscriptions",
        "get_company_subscription",
        parameter="subscriptionId",
        plain="offerName",
        settling="syncOngoing",
    ),
    # Nothing reads one of these alone: what reads one reads the list.
    Kind("invoices", "list_company_invoices", "list_company_invoices", plain="invoiceNumber"),
    Kind(
        "invoicefiles",
        "list_invoice_files",
        "list_invoice_files",
        id="filepath",
        plain="filename",
        served=MappingProxyType(
            {"companyId": Serves("companyId", "whole"), "invoiceType": Serves("invoiceType", "whole")}
        ),
    ),
    Kind(
        "licences",
        "list_user_profiles",
        "list_user_profiles",
        id="subscriptionId",
        plain="offerName",
        touches=("users", "subscriptions"),
    ),
    # Text without a column is searched by the service, in everything that it searches.
    Kind(
        "directoryentries",
        "list_directory_entries",
        "get_directory_entry",
        parameter="entryId",
        served=MappingProxyType({"": Serves("search"), "companyName": Serves("companyName")}),
    ),
    # Statistics of the customers of a partner; nothing reads the numbers of one of them alone.
    Kind("customerstats", "list_bp_company_stats", "list_bp_company_stats", id="companyId", plain="companyName"),
)

KINDS: MappingProxyType[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})
#: A kind that is made of others' records stands behind them: what their operations give is theirs.
_BY_OPERATION = {operation: kind for kind in reversed(_ALL) for operation in (kind.list, kind.get)}


def kind_of(operation_id: str) -> Kind:
    """The kind that an operation lists or reads; an operation that no kind names is a kind of its own."""
    name = operation_id.rpartition(".")[2]
    return _BY_OPERATION.get(name) or Kind(name, name, name)
