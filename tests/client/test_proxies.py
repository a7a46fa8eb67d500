"""The proxy of the environment: which variable names it, and what NO_PROXY takes out."""

from __future__ import annotations

import pytest

from svc_tui.client.errors import Unreachable
from svc_tui.client.proxies import exception_for, proxy_for

SERVICE = "https://portal.example:8443"


@pytest.mark.parametrize(
    ("entry", "url", "matches"),
    [
        ("*", SERVICE, True),
        ("portal.example", SERVICE, True),
        ("PORTAL.Example", SERVICE, True),
        ("example", SERVICE, True),
        (".example", SERVICE, True),
        ("*.example", SERVICE, True),
        ("al.example", SERVICE, False),
        ("portal.example:8443", SERVICE, True),
        ("portal.example:443", SERVICE, False),
        ("https://portal.example", SERVICE, True),
        ("other.example, portal.example", SERVICE, True),
        ("other.example portal.example", SERVICE, True),
        ("portal.example", "https://portal.example./", True),
        ("portal.example:443", "https://portal.example", True),
        ("10.0.0.0/8", "https://10.1.2.3", True),
        ("10.9.9.9/8", "https://10.1.2.3", True),
        ("10.0.0.0/16", "https://10.1.2.3", False),
        ("192.168/16, 10/8", "https://10.1.2.3", True),
        ("10.2/16", "https://10.1.2.3", False),
        ("10.1.2.3", "https://10.1.2.3:8443", True),
        ("10.1.2.3:8443", "https://10.1.2.3:8443", True),
        ("10.1.2.3:8443", "https://10.1.2.3", False),
        ("10.0.0.0/8", "https://10.example", False),
        ("fd00::/8", "https://[fd12::1]:8443", True),
        ("[fd00::]/8", "https://[fd12::1]", True),
        ("fd00::/8", "https://[fe80::1]", False),
        ("fd12:0:0::1", "https://[fd12::1]", True),
        ("[fd12::1]:8443", "https://[fd12::1]:8443", True),
        ("[fd12::1]:8443", "https://[fd12::1]", False),
        ("10.0.0.0/8", "https://[::ffff:10.1.2.3]", True),
        ("10.0.0.0/x, ::/y, /8, [, :, .", "https://10.1.2.3", False),
        ("", SERVICE, False),
    ],
)
def test_entries_of_no_proxy(entry, url, matches):
    assert bool(exception_for(url, {"NO_PROXY": entry})) is matches
    assert (proxy_for(url, {"NO_PROXY": entry, "ALL_PROXY": "http://proxy:3128"}) is None) is matches


@pytest.mark.parametrize(
    ("environ", "url", "shown"),
    [
        ({"HTTPS_PROXY": "http://proxy:1", "HTTP_PROXY": "http://other:2"}, SERVICE, "proxy:1 (HTTPS_PROXY)"),
        (
            {"HTTPS_PROXY": "http://proxy:1", "http_proxy": "http://other:2"},
            "http://portal.example",
            "other:2 (http_proxy)",
        ),
        ({"https_proxy": "http://lower:1", "HTTPS_PROXY": "http://upper:2"}, SERVICE, "lower:1 (https_proxy)"),
        ({"https_proxy": "", "HTTPS_PROXY": "http://upper:2"}, SERVICE, "None"),
        ({"ALL_PROXY": "proxy:3128"}, SERVICE, "proxy:3128 (ALL_PROXY)"),
        ({"HTTPS_PROXY": "http://me:p%40ss@proxy:1"}, SERVICE, "proxy:1 (HTTPS_PROXY)"),
        ({"HTTPS_PROXY": "http://proxy:1"}, "wss://portal.example/websocket", "proxy:1 (HTTPS_PROXY)"),
        ({"HTTP_PROXY": "http://proxy:1", "REQUEST_METHOD": "GET"}, "http://portal.example", "None"),
        ({"ALL_PROXY": "socks5://proxy:1", "HTTPS_PROXY": "http://proxy:2"}, SERVICE, "proxy:2 (HTTPS_PROXY)"),
        ({"ALL_PROXY": "socks5://proxy:1", "NO_PROXY": "example"}, SERVICE, "None"),
        ({"ALL_PROXY": "socks5://proxy:1"}, "http://127.0.0.1:8080", "None"),
        ({"ALL_PROXY": "http://proxy:1"}, "http://[::1]:8080", "None"),
    ],
)
def test_the_variable_of_a_proxy(environ, url, shown):
    assert str(proxy_for(url, environ)) == shown


@pytest.mark.parametrize(
    "value",
    [
        "socks://proxy:1",
        "socks5h://me:secret@proxy:1",
        "ftp://proxy",
        "http://me:se#cret@proxy:1",
        "http://proxy:x",
        "http://",
        "http://a b",
    ],
)
def test_an_unsuitable_proxy_is_refused_without_its_value(value):
    with pytest.raises(Unreachable) as refused:
        proxy_for(SERVICE, {"ALL_PROXY": value})
    assert "ALL_PROXY" in refused.value.sentence
    assert "se" + "cret" not in refused.value.sentence
