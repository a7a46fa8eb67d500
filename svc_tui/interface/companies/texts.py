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


def custom_data(most_keys: int, longest_key: int, longest_value: int) -> AfterValidator:
    """Names with texts, as clients keep them: so many, and so long."""

    def checked(value: dict[str, Any]) -> dict[str, Any]:
        if len(value) > most_keys:
            raise ValueError(_("has more than {most_keys} keys").format(most_keys=most_keys))
        for key, text in value.items():
            if not 1 <= len(key) <= longest_key:
                raise ValueError(_("needs keys of 1 to {longest_key} characters").format(longest_key=longest_key))
            if not isinstance(text, str):
                raise ValueError(_("has a value for {key} that is not text").format(key=key))
            if len(text) > longest_value:
                raise ValueError(
                    _("has a value of more than {longest_value} characters for {key}").format(
                        longest_value=longest_value, key=key
                    )
                )
        return value

    return AfterValidator(checked)


CustomData = Annotated[dict[str, Any], custom_data(MOST_KEYS, LONGEST_KEY, LONGEST_VALUE)]
