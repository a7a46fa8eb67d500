"""A browser during a single sign-on: opens the address, selects the user, follows the redirects back."""

from __future__ import annotations

import re

import httpx

from tests.support.forms import filled


def log_in(address: str, login: str, code: str, decision: str = "allow") -> str:
    """Open the address, select this user at the provider, compare the code and decide; the title of the last page."""
    with httpx.Client(follow_redirects=True, trust_env=False) as browser:
        page = browser.get(address)
        button = re.search(rf'value="([^"]+)"[^>]*>[^<]*<small>{re.escape(login)}</small>', page.text)
        assert button is not None, page.text
        asked = browser.post(page.url, data={"user": button[1]})
        shown = re.search(r"<dt>Code</dt><dd>([^<]+)", asked.text)
        assert shown is not None and shown[1] == code, asked.text
        action, values = filled(asked.text, decision=decision)
        done = browser.post(httpx.URL(str(asked.url)).join(action), data=values)
        title = re.search(r"<title>([^<]*)</title>", done.text)
        return title[1] if title else done.text
