"""The offers of a company's catalog (2.9, 4.6)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.envelopes import ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation

_PARTNERS = (Role.BP_ADMIN, Role.BP_FINANCE)
#: Read access to a company's offers and subscriptions; business_admin only for demo offers.
READ = access(
    any=(Role.SUPERADMIN, Role.SUPPORT),
    demo_offers=(Role.BUSINESS_ADMIN,),
    own_company=(*_PARTNERS, Role.COMPANY_ADMIN),
    end_customers=_PARTNERS,
    resellers=_PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
)


class CompanyOfferQuery(ListQuery):
    """Filters of the list of a company's offers (4.6)."""

    name: str | None = field(None, help="Part of the name")
    can_be_sold: bool | None = field(None, help="Whether companies can subscribe to it")
    auto_subscribe: bool | None = field(
        None, label="Subscribed automatically", help="Whether companies are subscribed automatically"
    )
    is_exclusive: bool | None = field(None, help="Exclusive offers, or all others")
    is_prepaid: bool | None = field(None, help="Prepaid offers, or all others")
    profile_id: str | None = field(None, help="Profile that a licence gives")
    offer_reference: str | None = field(None)
    sap_reference: str | None = field(None)
    sort_field: str | None = field("name", help="_id or name")


_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ALL = "/api/svc/subscription/v1.0/companies/{companyId}/offers"

list_company_offers = Operation(
    "list_company_offers",
    "4.6",
    "GET",
    _ALL,
    "List the offers in a company's catalog",
    Page[Offer],
    READ,
    query=CompanyOfferQuery,
    refuses=_REFUSALS,
)

get_company_offer = Operation(
    "get_company_offer",
    "4.6",
    "GET",
    _ALL + "/{offerId}",
    "Get an offer of a company's catalog",
    Single[Offer],
    READ,
    refuses=(*_REFUSALS, Code.NOT_IN_CATALOG, Code.NO_OFFER),
)

__all__ = ["READ", "CompanyOfferQuery", "get_company_offer", "list_company_offers"]
