"""Pages with forms for browsers, and JSON with secrets: responses that nothing caches, frames or reinterprets."""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Mapping
from html import escape
from urllib.parse import quote, urlsplit

from starlette.responses import HTMLResponse, Response

from svc_tui.server.http.responses import json_response
from svc_tui.server.rules import PageResult, SecretResult

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem;"
    "background:#f5f6f8;color:#1c2330}"
    "main{background:#fff;border-radius:.8rem;padding:1.5rem 2rem;box-shadow:0 2px 12px #0002}"
    "label{display:block;margin:.8rem 0 .2rem}"
    "input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid #6b7484;"
    "border-radius:.4rem}"
    "button{display:block;width:100%;text-align:left;font:inherit;padding:.6rem .9rem;margin:.8rem 0 .4rem;"
    "border:1px solid #6b7484;border-radius:.5rem;background:#fff;color:inherit;cursor:pointer}"
    "button:hover,button:focus,input:focus{border-color:#2457d6;outline:2px solid #2457d6}"
    "[role=alert]{border-left:.3rem solid #b3261e;padding-left:.8rem}"
    "small{color:#4a5260;display:block}"
    "dt{color:#4a5260}dd{margin:0 0 .6rem;font-weight:600}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
#: Browsers keep a cookie with this prefix only from this host, over TLS, and for all its paths: neighbouring hosts
#: cannot set it.
HOST_ONLY = "__Host-"
#: How long a step of a login can take: enough to look for a password.
STEP_SECONDS = 600
_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def html_page(title: str, content: str) -> str:
    """A page; `content` is safe HTML."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{content}</main></body></html>"
    )


def form_page(title: str, path: str, request: str, content: str) -> str:
    """A page with a form. `request` returns with it: only the page of this browser contains it."""
    hidden = f'<input type="hidden" name="request" value="{escape(request)}">'
    return html_page(title, f'<form method="post" action="{path}" autocomplete="on">{hidden}{content}</form>')


def facts_list(facts: Mapping[str, str]) -> str:
    """Names and values, one below the other. Characters that a page does not show, for example those that turn the
    direction of a text, are left out."""
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{escape(_visible(value))}</dd>' for name, value in facts.items())}</dl>"


def _visible(text: str) -> str:
    return "".join(char for char in text if unicodedata.category(char) not in ("Cc", "Cf"))


def failure_page(title: str, sentence: str, status: int = 400) -> PageResult:
    """Why the browser goes no further."""
    return PageResult(html_page(title, f'<p role="alert">{escape(sentence)}</p>'), status)


#: The buttons of a decision.
DECISION = (
    '<button type="submit" name="decision" value="allow">Allow</button>'
    '<button type="submit" name="decision" value="deny">Deny</button>'
)


def page_response(page: PageResult) -> Response:
    """The page. It loads and runs nothing; its forms lead to this server and from there to their target."""
    forms = " ".join(filter(None, ("'self'", _form_target(page.target))))
    policy = (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action {forms}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    return HTMLResponse(page.html, page.status, headers={**_HEADERS, "content-security-policy": policy})


def _form_target(address: str) -> str:
    """The origin of an address, or its scheme where it is an address of an application."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        # Encoded: a character of the policy's own language would add a rule to it.
        return f"{parts.scheme}://{quote(parts.netloc, safe=':[]')}"
    return f"{parts.scheme}:" * bool(address)


def secret_response(answer: SecretResult) -> Response:
    """JSON that no cache may store."""
    response = json_response(answer.body, answer.status)
    response.headers.update({"cache-control": "no-store", "pragma": "no-cache", **answer.headers})
    return response


def with_cookies(response: Response, cookies: Mapping[str, str]) -> Response:
    """The response with the cookies of the steps of a login; an empty value removes one."""
    for name, value in cookies.items():
        # A browser keeps a cookie with this prefix only if it is secure.
        secure = name.startswith(HOST_ONLY)
        age = STEP_SECONDS if value else 0
        response.set_cookie(name, value, max_age=age, secure=secure, httponly=True, samesite="lax")
    return response
