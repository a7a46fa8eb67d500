"""Texts with a form that records of companies share: e-mail addresses, codes of countries, own data (2.7)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.kinds import LONGEST_KEY, LONGEST_VALUE, MOST_KEYS
from svc_tui.language import _

#: A local part, an @ and a domain with a dot, without blanks or control characters; case-sensitive.
EMAIL_PATTERN = r"^[^\s@<>\x00-\x1f\x7f]+@[^\s@<>\x00-\x1f\x7f]+\.[^\s@<>\x00-\x1f\x7f.]+$"
Email = Annotated[str, StringConstraints(min_length=3, max_length=255, pattern=EMAIL_PATTERN)]


def _country(value: str) -> str:
    if value not in COUNTRIES:
        raise ValueError(_("must be a three-letter country code of ISO 3166-1, for example FRA"))
    return value


Country = Annotated[str, StringConstraints(min_length=3, max_length=3), AfterValidator(_country)]


def _custom_data(value: dict[str, Any]) -> dict[str, Any]:
    if len(value) > MOST_KEYS:
        raise ValueError(_("has more than {most_keys} keys").format(most_keys=MOST_KEYS))
    for key, text in value.items():
        if not 1 <= len(key) <= LONGEST_KEY:
            raise ValueError(
                _("has a key of more than {longest_key} characters").format(longest_key=LONGEST_KEY)
                if key
                else _("has an empty key")
            )
        if not isinstance(text, str):
            raise ValueError(_("has a value for {key} that is not text").format(key=key))
        if len(text) > LONGEST_VALUE:
            raise ValueError(
                _("has a value of more than {longest_value} characters for {key}").format(
                    longest_value=LONGEST_VALUE, key=key
                )
            )
    return value


CustomData = Annotated[dict[str, Any], AfterValidator(_custom_data)]
