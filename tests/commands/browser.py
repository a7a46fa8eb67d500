"""A browser during a single sign-on: opens the address, selects the user, follows the redirects back."""

from __future__ import annotations

import re

import httpx


def log_in(address: str, login: str) -> str:
    """Open the address and select this user at the provider; the title of the last page."""
    with httpx.Client(follow_redirects=True, trust_env=False) as browser:
        page = browser.get(address)
        button = re.search(rf'value="([^"]+)"[^>]*>[^<]*<small>{re.escape(login)}</small>', page.text)
        assert button is not None, page.text
        done = browser.post(page.url, data={"user": button[1]})
        title = re.search(r"<title>([^<]*)</title>", done.text)
        return title[1] if title else done.text
