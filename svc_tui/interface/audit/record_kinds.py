"""The kinds of records in the audit log, in words."""

from __future__ import annotations

#: Kind -> the noun of its list in the console.
RECORD_KINDS = {
    "apikeys": "API key",
    "applications": "application",
    "catalogs": "catalog",
    "clientsversions": "minimum version",
    "cloudpbxs": "CloudPBX",
    "companies": "company",
    "ddis": "DDI number",
    "directoryentries": "entry",
    "externaltrunks": "trunk",
    "identityproviders": "identity provider",
    "importreports": "import report",
    "invoicefiles": "invoicing file",
    "invoices": "invoice",
    "mfasettings": "policy",
    "oauthtokens": "OAuth token",
    "offers": "offer",
    "officehours": "office hours",
    "recordings": "recording",
    "sipdevices": "device",
    "sites": "site",
    "subscribers": "subscriber",
    "subscriptions": "subscription",
    "templates": "template",
    "trustedapplications": "trusted application",
    "users": "user",
    "welcomes": "welcome",
    "welcomeservices": "welcome service",
}
