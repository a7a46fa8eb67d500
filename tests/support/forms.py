"""The form of a page, filled in as a browser sends it."""

from __future__ import annotations

import re
from html import unescape


def filled(page: str, **fields: str) -> tuple[str, dict[str, str]]:
    """The address and the values of the form on a page, with its hidden fields and these."""
    action = re.search(r'action="([^"]+)"', page)
    assert action, page
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    return unescape(action[1]), {**{name: unescape(value) for name, value in hidden}, **fields}
