"""Texts with a form that the records of voice share: digits, regular expressions and MAC addresses (4.7)."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from svc_tui.interface.macs import mac_address
from svc_tui.interface.text_patterns import DIGITS
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
