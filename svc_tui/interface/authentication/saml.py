"""SAML logins (4.1). No company has a SAML identity provider: known companies and users get 503000."""

from __future__ import annotations

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication.single_sign_on import LogoutQuery, Redirection
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record

_LARGEST_ASSERTION = 256 * 1024


class SamlLogin(Record):
    company_id: str = field(..., min_length=1)
    challenge: str = field(..., min_length=1)


login_saml = Operation(
    "login_saml",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/login",
    "Start a SAML login in a browser",
    Redirection,
    ANONYMOUS,
    query=SamlLogin,
    credentials=Credentials.BROWSER,
    changes=True,
    refuses=(Code.VALIDATION, Code.NOT_FOUND, Code.NO_SAML),
    rate="discovery",
)

saml_assert = Operation(
    "saml_assert",
    "4.1",
    "POST",
    "/api/svc/authentication/v1.0/saml/{companyId}/assert",
    "Complete a SAML login with the response of the identity provider",
    Redirection,
    ANONYMOUS,
    credentials=Credentials.BROWSER,
    takes=("application/x-www-form-urlencoded",),
    most_bytes=_LARGEST_ASSERTION,
    refuses=(Code.NOT_FOUND, Code.NO_SAML),
)

saml_metadata = Operation(
    "saml_metadata",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/{companyId}/metadata.xml",
    "Get the SAML metadata for the identity provider of a company",
    bytes,
    ANONYMOUS,
    credentials=Credentials.BROWSER,
    gives=("application/samlmetadata+xml",),
    refuses=(Code.NOT_FOUND, Code.NO_SAML),
)

logout_saml = Operation(
    "logout_saml",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/logout",
    "End a SAML login in a browser",
    Redirection,
    ANONYMOUS,
    query=LogoutQuery,
    credentials=Credentials.BROWSER,
    refuses=(Code.INVALID_TOKEN, Code.NO_SAML),
    changes=True,
)

__all__ = ["SamlLogin", "login_saml", "logout_saml", "saml_assert", "saml_metadata"]
