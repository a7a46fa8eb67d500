"""Value types of company settings and the access rules for setting them, shared by all groups of settings (2.7)."""

from __future__ import annotations

from typing import Any, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.fields import Needs
from svc_tui.language import _

#: How every field with such a code is edited and shown.
COUNTRY: dict[str, Any] = {"picks": "countries", "codes": COUNTRIES}

#: The most keys of the data that a company keeps for its own use, and their longest texts.
MOST_KEYS, LONGEST_KEY, LONGEST_VALUE = 10, 64, 512

BpType = Literal["IR", "VAD", "DR"]
Visibility = Literal["public", "private", "organization", "closed", "isolated"]
CompanyStatus = Literal["initializing", "active", "alerting", "hold", "terminated"]
OfferType = Literal["freemium", "premium"]

#: The only code of a company's business.
BUSINESS_CODES = {"HDS": _("hosting of health data")}
BP_TYPES = {"IR": _("indirect reseller"), "VAD": _("value added distributor"), "DR": _("direct reseller")}

# Who may set a field, by the relation between the caller's company and the company of the field.
SUPERADMIN = access(any=(Role.SUPERADMIN,))
BUSINESS = access(any=(Role.SUPERADMIN, Role.BUSINESS_ADMIN))
#: The bp_finance of the linked BP company.
LINKED_FINANCE = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_FINANCE,))
#: bp_admin and bp_finance of the BP, organization_admin of the organisation: for managed companies, not their own.
MANAGING = access(
    any=(Role.SUPERADMIN,),
    end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
    resellers=(Role.BP_ADMIN, Role.BP_FINANCE),
    organisation=(Role.ORGANIZATION_ADMIN,),
)
BP_ADMIN = access(
    any=(Role.SUPERADMIN,), own_company=(Role.BP_ADMIN,), end_customers=(Role.BP_ADMIN,), resellers=(Role.BP_ADMIN,)
)
#: The bp_admin of the distributor that a reseller is linked to.
VAD_ADMIN = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_ADMIN,))

# Who reads a field, of the companies that they read.
_ANY_COMPANY = (
    Role.SUPERADMIN,
    Role.SUPPORT,
    Role.CUSTOMER_SUCCESS_ADMIN,
    Role.SALES_ANALYTICS,
    Role.BUSINESS_ADMIN,
)
OF_COMPANY = (Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN, Role.SITE_ADMIN)
PARTNERS = (Role.BP_ADMIN, Role.BP_FINANCE)
#: An admin reads their own company, the companies they manage, and its BP; a distributor also its resellers' customers.
READ_COMPANY = access(
    any=_ANY_COMPANY,
    own_company=(*OF_COMPANY, *PARTNERS, Role.TELEPHONY_CPAAS),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_bp=OF_COMPANY,
    end_customers=PARTNERS,
    resellers=PARTNERS,
)
#: Roles that are broader than the administration of a company: others read these fields of no company.
BROADER_READERS = access(any=_ANY_COMPANY, own_company=PARTNERS, end_customers=PARTNERS, resellers=PARTNERS)
#: All users of the company, and those who manage it.
MANAGING_READERS = access(
    any=(Role.SUPERADMIN,),
    own_company=Role,
    end_customers=PARTNERS,
    resellers=PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
)

FOR_BP = Needs("isBP", True)
FOR_VAD = Needs("bpType", "VAD")
FOR_IR = Needs("bpType", "IR")
FOR_BUYERS = Needs("bpType", ("DR", "VAD"))

#: Economic activities by their letters (ISIC sections), of companies and of applications.
ACTIVITIES = {
    "A": _("agriculture, forestry, fishing"),
    "B": "mining",
    "C": "manufacturing",
    "D": _("electricity, gas, steam"),
    "E": _("water, waste"),
    "F": "construction",
    "G": _("trade, vehicle repair"),
    "H": _("transport, storage"),
    "I": _("accommodation, food"),
    "J": _("information, communication"),
    "K": _("finance, insurance"),
    "L": _("real estate"),
    "M": _("professional, scientific, technical"),
    "N": _("administrative, support"),
    "O": _("public administration, defence"),
    "P": "education",
    "Q": _("health, social work"),
    "R": _("arts, entertainment"),
    "S": _("other services"),
    "T": _("households as employers"),
    "U": _("extraterritorial bodies"),
}
