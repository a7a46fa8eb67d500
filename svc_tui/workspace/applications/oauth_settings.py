"""What the OAuth settings of an application mean in their present combination, and what to mind (2.6, 5.5).

Pure rules on a record as it is read or edited; a missing switch has its declared default.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from svc_tui.interface.applications import ApplicationSettings
from svc_tui.interface.authentication.oauth import ACCESS_SECONDS, REFRESH_SECONDS
from svc_tui.interface.counts import counted
from svc_tui.interface.data import RecordData
from svc_tui.interface.findings import Effect, Finding
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.redirects import redirect_problem

REDIRECTS = "oauthRedirectUris"
IMPLICIT = "enableOAuthImplicitGrant"
ROTATION = "enableOAuthRefreshTokenRotation"
SEVERAL = "enableOAuthAllowSeveralRefreshTokens"
NO_CONSENT = "disableOAuthConsentScreen"
TERMS, PRIVACY = "termsOfServiceUrl", "privacyPoliciesUrl"
STATE, TYPE = "state", "type"
#: All fields that decide about OAuth 2.0, in the order of their sentences.
FIELDS = (REDIRECTS, IMPLICIT, ROTATION, SEVERAL, NO_CONSENT, TERMS, PRIVACY)

#: States in which no user can authorize an application.
CLOSED = ("stopped", "blocked", "deleted")
#: Types that run on machines of users, where a secret does not stay one.
_ON_DEVICES = ("mobile", "desktop", "iot")
_REFRESH_DAYS = f"{REFRESH_SECONDS // 86_400} days"
_ACCESS_HOURS = counted(ACCESS_SECONDS // 3600, "hour")
_SPECS = field_by_wire(ApplicationSettings)
#: The most redirect addresses.
MOST_REDIRECTS = _SPECS[REDIRECTS].most_items or 0


@dataclass(frozen=True, slots=True)
class Meaning:
    """A sentence on what a setting means; `about` is its subject in a word, `field` the wire name of the setting."""

    about: str
    sentence: str
    field: str


def is_on(record: RecordData, wire: str) -> bool:
    """Whether a switch is on."""
    value = record.get(wire)
    return bool(_SPECS[wire].default if value is None else value)


def redirects(record: RecordData) -> list[str]:
    """The redirect addresses that the service uses: it ignores those that it would refuse."""
    return [each for each in _texts(record.get(REDIRECTS)) if not _unusable(each)]


def loopback_redirects(record: RecordData) -> list[str]:
    """The redirect addresses of this machine with a port, on which a program can listen."""
    return [each for each in redirects(record) if is_loopback(each) and port_of(each)]


def port_of(address: str) -> int:
    """The port in an address; 0 without one."""
    try:
        return urlsplit(address).port or 0
    except ValueError:
        return 0


def is_loopback(address: str) -> bool:
    """Whether an address is one of the user's own machine, without TLS (RFC 8252, 7.3)."""
    parts = urlsplit(address)
    if parts.scheme != "http" or not parts.hostname:
        return False
    try:
        return ip_address(parts.hostname).is_loopback
    except ValueError:
        return parts.hostname == "localhost"


def meanings(record: RecordData) -> Sequence[Meaning]:
    """What the settings mean together, in plain sentences."""
    return [*_about_redirects(record), *_about_tokens(record), *_about_consent(record)]


def warnings(record: RecordData) -> Sequence[Finding]:
    """What prevents OAuth 2.0, limits its safety, or is good to know; the worst first."""
    found = [*_about_use(record), *_about_addresses(record), *_about_grants(record), *_about_pages(record)]
    return sorted(found, key=lambda finding: ("prevents", "limits", "notes").index(finding.effect))


# --- meanings --------------------------------------------------------------------------------------------------


def _about_redirects(record: RecordData) -> Iterator[Meaning]:
    usable = redirects(record)
    if not usable:
        yield Meaning("Redirects", "No user can authorize the application: it has no redirect address.", REDIRECTS)
        return
    where = "only to this address" if len(usable) == 1 else f"only to these {len(usable)} addresses"
    yield Meaning(
        "Redirects",
        f"After the login, the browser goes back {where}, compared character by character. "
        f"A request that names none gets {usable[0]}.",
        REDIRECTS,
    )
    grant = "The browser brings a code, which the application's server exchanges for tokens with its secret."
    if is_on(record, IMPLICIT):
        grant += (
            " A request can also ask for an access token in the address of the browser (implicit grant), "
            "without a secret and without a refresh token."
        )
    yield Meaning("Grant", grant, IMPLICIT)


def _about_tokens(record: RecordData) -> Iterator[Meaning]:
    rotation = (
        f"Each refresh returns a new refresh token, valid for {_REFRESH_DAYS}, and revokes the old one. An application "
        "that is used regularly stays authorized."
        if is_on(record, ROTATION)
        else f"A refresh returns the same refresh token. {_REFRESH_DAYS} after the login the user must log in again."
    )
    yield Meaning("Tokens", f"An access token is valid for {_ACCESS_HOURS}. {rotation}", ROTATION)
    several = (
        "A user can be authorized on several devices at the same time."
        if is_on(record, SEVERAL)
        else "A new login of a user revokes the user's earlier tokens: only the latest device stays authorized."
    )
    yield Meaning("Devices", several, SEVERAL)


def _about_consent(record: RecordData) -> Iterator[Meaning]:
    if is_on(record, NO_CONSENT):
        yield Meaning("Consent", "Users are not asked: each login gives the application access.", NO_CONSENT)
        return
    terms, privacy = _texts(record.get(TERMS)), _texts(record.get(PRIVACY))
    named = [
        text
        for links, text in ((terms, "the terms of service"), (privacy, "the privacy policy"))
        if any(_is_page(each) for each in links)
    ]
    links = f", with links to {' and '.join(named)}" if named else ", without links to terms or a privacy policy"
    yield Meaning("Consent", f"After each login, users allow or deny the access{links}.", NO_CONSENT)


# --- warnings --------------------------------------------------------------------------------------------------


def _about_use(record: RecordData) -> Iterator[Finding]:
    if (state := record.get(STATE)) in CLOSED:
        yield _finding("State", f"No user can authorize it or refresh tokens: it is {state}.", "prevents", STATE, "5.5")
    if not redirects(record):
        yield _finding("Redirects", "OAuth 2.0 needs at least one redirect address.", "prevents", REDIRECTS)
    if record.get(TYPE) in _ON_DEVICES:
        yield _finding(
            "Secret",
            "Users can read a secret that is part of a program on their device: exchange codes on a server.",
            "notes",
            TYPE,
            "5.5",
        )


def _about_addresses(record: RecordData) -> Iterator[Finding]:
    addresses = _texts(record.get(REDIRECTS))
    for address in addresses:
        if problem := _unusable(address):
            yield _address(address, f"is never used: it {problem}.", "limits")
        elif urlsplit(address).scheme == "http" and not is_loopback(address):
            yield _address(address, "gets codes and tokens without encryption: use https.", "limits")
        elif "*" in address:
            yield _address(address, "matches only itself: a * stands for nothing else.", "limits")
        elif urlsplit(address).scheme not in ("http", "https"):
            yield _address(address, "may be taken by another program on the device: use PKCE.", "notes")
        elif urlsplit(address).hostname == "localhost":
            yield _address(address, "depends on how a machine resolves localhost: use 127.0.0.1.", "notes")
    if len(addresses) >= MOST_REDIRECTS:
        yield _finding("Redirects", f"No more than these {MOST_REDIRECTS} addresses are possible.", "notes", REDIRECTS)


def _about_grants(record: RecordData) -> Iterator[Finding]:
    if is_on(record, IMPLICIT):
        sentence = "Access tokens are in addresses, where scripts, histories and extensions can read them."
        yield _finding("Grant", sentence, "limits", IMPLICIT)
    if not is_on(record, ROTATION):
        sentence = f"A stolen refresh token works for up to {_REFRESH_DAYS} and is not noticed."
        yield _finding("Rotation", sentence, "limits", ROTATION)


def _about_pages(record: RecordData) -> Iterator[Finding]:
    linked = {wire: any(_is_page(each) for each in _texts(record.get(wire))) for wire in (TERMS, PRIVACY)}
    if is_on(record, NO_CONSENT):
        sentence = "Users do not see what they give away: the application gets all their rights."
        yield _finding("Consent", sentence, "limits", NO_CONSENT)
        for wire in (wire for wire, has in linked.items() if has):
            yield _finding("Consent", f"{_SPECS[wire].label}: not shown without the consent screen.", "notes", wire)
        return
    for wire, has in linked.items():
        if not has:
            yield _finding("Consent", f"{_SPECS[wire].label}: the consent screen has no link.", "notes", wire)


def _finding(about: str, sentence: str, effect: Effect, field: str, rule: str = "2.6") -> Finding:
    return Finding(about, sentence, effect, "applications", field, rule)


def _address(address: str, problem: str, effect: Effect) -> Finding:
    return Finding("Redirects", f"{address} {problem}", effect, "applications", REDIRECTS, "2.6", record_id=address)


def _unusable(address: str) -> str:
    """Why the service never redirects to an address; empty if it does."""
    return redirect_problem(address) or ("has a fragment (#)" if "#" in address else "")


def _is_page(address: str) -> bool:
    """Whether the consent screen links to an address."""
    return not redirect_problem(address) and urlsplit(address).scheme in ("http", "https")


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
