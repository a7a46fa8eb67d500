"""Texts with a form that the records of voice share: digits, regular expressions, MAC addresses, and custom SIP headers
(4.7).

A header is a name, a colon and a value, and none of the headers by which the protocol itself works.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from svc_tui.interface.texts import DIGITS, ONE_LINE, mac_address
from svc_tui.language import _


def _digits(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


#: Digits that may begin with zeros; public clients also send them as a number.
Digits = Annotated[str, BeforeValidator(_digits), StringConstraints(min_length=1, max_length=15, pattern=DIGITS)]


def _expression(value: str) -> str:
    try:
        re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(_("is not a regular expression")) from error
    return value


Expression = Annotated[str, StringConstraints(min_length=1, max_length=255), AfterValidator(_expression)]


def _mac(text: str) -> str:
    return mac_address(text) if text else text


#: A MAC address in any common notation, stored in one; an empty text removes it.
Mac = Annotated[str, AfterValidator(_mac)]


#: The signs of a name (RFC 3261, 25.1), and the spaces that may stand before the colon.
_HEADER = re.compile(r"([A-Za-z0-9\-.!%*_+`'~]+)[ \t]*:")
#: The headers that a SIP message consists of or is routed, authenticated or described by, with their short forms
#: (RFC 3261, 3262, 3265, 3325, 3327, 3515, 3608, 3841, 3891, 3892, 4028, 6086, 6665, 8224). Others of the protocol only
#: inform, for example Alert-Info, Call-Info, Organization, Priority and Subject: they may be set.
_OWN = re.compile(
    "accept|accept-contact|a|accept-encoding|accept-language|accept-resource-priority|allow|allow-events|u|"
    "authentication-info|authorization|call-id|i|contact|m|content-disposition|content-encoding|e|"
    "content-language|content-length|l|content-type|c|cseq|date|event|o|expires|flow-timer|from|f|identity|y|"
    "identity-info|n|in-reply-to|info-package|join|max-breadth|max-forwards|mime-version|min-expires|min-se|"
    "p-asserted-identity|p-asserted-service|path|proxy-authenticate|proxy-authentication-info|"
    "proxy-authorization|proxy-require|rack|recv-info|record-route|refer-sub|refer-to|r|referred-by|b|"
    "reject-contact|j|replaces|reply-to|request-disposition|d|require|resource-priority|retry-after|route|"
    "rseq|security-client|security-server|security-verify|server|service-route|session-expires|x|sip-etag|"
    "sip-if-match|subscription-state|supported|k|target-dialog|timestamp|to|t|unsupported|user-agent|via|v|"
    "warning|www-authenticate",
    re.IGNORECASE,
)


def sip_header(text: str) -> str:
    """A header as it was typed. ValueError, with a sentence, for a text that is none, and for one of the protocol."""
    if not text:
        return text
    found = _HEADER.match(text)
    if found is None:
        raise ValueError(_("must be a name, a colon and a value, such as X-Tenant: 42"))
    if _OWN.fullmatch(found[1]):
        raise ValueError(_("must not be {name}, a header of the protocol itself").format(name=found[1]))
    return text


#: A header that is added to calls; an empty text for none.
SipHeader = Annotated[str, Field(max_length=255), AfterValidator(sip_header)]
_BOUNDS: dict[str, Any] = {"max_length": 255, "pattern": ONE_LINE}
#: The two headers that a CloudPBX or a subscriber adds, as fields of its records.
HEADER_1: dict[str, Any] = {
    **_BOUNDS,
    "wire": "customSipHeader_1",
    "help": _("SIP header added to calls: a name, a colon and a value"),
}
HEADER_2: dict[str, Any] = {**_BOUNDS, "wire": "customSipHeader_2", "help": _("A second SIP header added to calls")}
