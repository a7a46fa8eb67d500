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
    an empty column for text that belongs to none.

    Where no operation reads one record, `get` is the list again, in which it is looked up.
    """

    name: str
    list: str
    get: str
    id: str = "id"
    parameter: str = ""
    #: The column in which text without a column is looked for; empty: all that are shown.
    plain: str = ""
    #: Any operation on one record, where no operation reads one: whose path is the record's.
    item: str = ""
    #: Any operation on all records, where they are listed elsewhere: whose path is the list's.
    made: str = ""
    #: The object inside the record whose fields stand in the bodies of its operations themselves.
    inner: str = ""
    #: Fields that hold telephone numbers, or records with one: they are found in any notation.
    telephone: tuple[str, ...] = ()
    #: The field that holds a MAC address: a part of it is found in any notation.
    mac: str = ""
    #: Column -> the word that is shown where it has no value, and is found there.
    absent: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))
    served: MappingProxyType[str, Serves] = field(default_factory=lambda: MappingProxyType({}))
    #: The field that is true while the service still works on a record; such records are looked at again.
    settling: str = ""
    #: Kinds whose records tell of these too, and differ when one of these does.
    touches: tuple[str, ...] = ()

    def flat(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with its fields where bodies have them."""
        within = record.get(self.inner) if self.inner else None
        return {**record, **within} if isinstance(within, dict) else record

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
        touches=("overview",),
    ),
    # Made of the subscriptions that companies tell of.
    Kind("overview", "list_companies", "get_company_subscription", parameter="subscriptionId"),
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
        touches=("users", "subscriptions", "overview"),
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

#: Whom recordings are of, as the service finds them: `recordedParty:nora`, and a number by itself.
_HEARD = MappingProxyType({"recordedParty": Serves("recordedName"), "otherParty": Serves("otherNumber")})
_VOICE = (
    Kind(
        "cloudpbxs",
        "list_cloudpbxs",
        "get_cloudpbx",
        parameter="systemId",
        plain="name",
        served=MappingProxyType({"companyId": Serves("companyId", "whole"), "bpId": Serves("bpId", "whole")}),
        inner="cloudpbx",
    ),
    Kind(
        "subscribers",
        "list_system_phone_numbers",
        "get_subscriber",
        parameter="phoneNumberId",
        # Also found by what his devices are called, which no column shows: `device:lobby`.
        served=MappingProxyType({"deviceName": Serves("deviceName")}),
        made="create_subscriber",
        telephone=("externalNumber", "secondaryDDIs"),
    ),
    Kind(
        "sipdevices",
        "list_sip_devices",
        "get_sip_device",
        parameter="deviceId",
        mac="macAddress",
        absent=MappingProxyType({"userDisplayName": "free"}),
    ),
    Kind("ddis", "list_ddi_numbers", "get_ddi_number", parameter="phoneNumberId", telephone=("numberE164",)),
    Kind(
        "registrations",
        "list_subscriber_registrations",
        "list_subscriber_registrations",
        parameter="registrationId",
    ),
    Kind(
        "deviceregistrations",
        "list_sip_device_registrations",
        "list_sip_device_registrations",
        parameter="registrationId",
    ),
    Kind("recordings", "list_recordings", "get_recording", parameter="recordId", plain="otherParty", served=_HEARD),
    Kind(
        "allrecordings",
        "list_recordings_across_companies",
        "list_recordings_across_companies",
        parameter="recordId",
        plain="otherParty",
        served=_HEARD,
    ),
    Kind(
        "welcomeservices",
        "list_welcome_services",
        "list_welcome_services",
        parameter="ivrId",
        plain="name",
        served=MappingProxyType({"name": Serves("name"), "externalNumber": Serves("externalNumber")}),
        item="delete_ivr",
    ),
    Kind(
        "officehours",
        "list_office_hours",
        "get_office_hours",
        parameter="officeHoursId",
        plain="name",
        served=MappingProxyType({"name": Serves("name")}),
    ),
    Kind(
        "welcomes",
        "list_welcomes",
        "get_welcome",
        parameter="welcomeId",
        plain="name",
        served=MappingProxyType({"name": Serves("name")}),
    ),
    Kind("externaltrunks", "list_external_trunks", "get_external_trunk", parameter="externalTrunkId", plain="name"),
)

KINDS: MappingProxyType[str, Kind] = MappingProxyType({kind.name: kind for kind in (*_ALL, *_VOICE)})
#: A kind that is made of others' records stands behind them: what their operations give is theirs.
_BY_OPERATION = {operation: kind for kind in reversed((*_ALL, *_VOICE)) for operation in (kind.list, kind.get)}
#: Objects inside a record that have an operation that changes them, and none that reads them.
_PARTS = {
    part.name: part
    for part in (
        Kind("subscriberbarring", "get_subscriber", "get_subscriber", inner="barringOptions"),
        Kind("subscriberforward", "get_subscriber", "get_subscriber", inner="callForwardOptions"),
    )
}


def kind_of(operation_id: str) -> Kind:
    """The kind that an operation lists or reads, or a part of a record by its name; an operation that no kind names
    is a kind of its own."""
    name = operation_id.rpartition(".")[2]
    return _BY_OPERATION.get(name) or _PARTS.get(name) or Kind(name, name, name)
