"""Patterns of texts, and their descriptions in messages."""

from __future__ import annotations

from svc_tui.language import _

VERSION = r"^[0-9]+(\.[0-9]+){0,3}$"
DIGITS = r"^[0-9]+$"
SIP_PASSWORD = r"^[a-z0-9*#]+$"
#: A header of a protocol: a line end would start another one.
ONE_LINE = r"^[^\x00-\x1f\x7f]*$"

#: Pattern -> its description after `must be`.
IN_WORDS = {
    VERSION: _("digits and dots, such as 1.75.0"),
    DIGITS: _("digits only"),
    ONE_LINE: _("one line without control characters"),
    SIP_PASSWORD: _("small letters, digits, * and # only"),
}
