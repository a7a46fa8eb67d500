"""The meaning of the OAuth settings of an application in their present combination, and their risks (2.6, 5.5).

Pure rules on a record as it is read or edited; a missing switch has its declared default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from svc_tui.interface import catalogue
from svc_tui.interface.addresses import redirect_problem
from svc_tui.interface.authentication.proof import ACCESS_SECONDS, REFRESH_SECONDS
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Effect, Finding
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.texts import counted
from svc_tui.interface.value_words import word
from svc_tui.language import _

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


def _refresh_days() -> str:
    return _("{refresh_seconds} days").format(refresh_seconds=REFRESH_SECONDS // 86_400)


def _specs() -> Mapping[str, FieldSpec]:
    return field_by_wire(catalogue.body_of("create_application"))


def most_redirects() -> int:
    """The most redirect addresses."""
    return _specs()[REDIRECTS].most_items or 0


@dataclass(frozen=True, slots=True)
class Meaning:
    """A sentence on what a setting means; `about` is its subject in a word, `field` the wire name of the setting."""

    about: str
    sentence: str
    field: str


def is_on(record: RecordData, wire: str) -> bool:
    """Whether a switch is on."""
    value = record.get(wire)
    return bool(_specs()[wire].default if value is None else value)


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
    """The meaning of the settings together, in plain sentences."""
    return [*_about_redirects(record), *_about_tokens(record), *_about_consent(record)]


def warnings(record: RecordData) -> Sequence[Finding]:
    """What prevents OAuth 2.0, limits its safety, or is good to know; the worst first."""
    found = [*_about_use(record), *_about_addresses(record), *_about_grants(record), *_about_pages(record)]
    return sorted(found, key=lambda finding: ("prevents", "limits", "notes").index(finding.effect))


# --- meanings --------------------------------------------------------------------------------------------------


def _about_redirects(record: RecordData) -> Iterator[Meaning]:
    usable = redirects(record)
    if not usable:
        yield Meaning(
            _("Redirects"), _("No user can authorize the application: it has no redirect address."), REDIRECTS
        )
        return
    where = (
        _("only to this address")
        if len(usable) == 1
        else _("only to these {usable} addresses").format(usable=len(usable))
    )
    yield Meaning(
        _("Redirects"),
        _(
            "After the login, the browser goes back {where}, compared character by character. A "
            "request that names none gets {usable}."
        ).format(where=where, usable=usable[0]),
        REDIRECTS,
    )
    grant = _("The browser brings a code, which the application's server exchanges for tokens with its secret.")
    if is_on(record, IMPLICIT):
        grant += _(
            " A request can also ask for an access token in the address of the browser (implicit grant), "
            "without a secret and without a refresh token."
        )
    yield Meaning(_("Grant"), grant, IMPLICIT)


def _about_tokens(record: RecordData) -> Iterator[Meaning]:
    rotation = (
        _(
            "Each refresh returns a new refresh token, valid for {refresh_days}, and revokes the "
            "old one. An application that is used regularly stays authorized."
        ).format(refresh_days=_refresh_days())
        if is_on(record, ROTATION)
        else _(
            "A refresh returns the same refresh token. {refresh_days} after the login the user must log in again."
        ).format(refresh_days=_refresh_days())
    )
    yield Meaning(
        _("Tokens"),
        _("An access token is valid for {access_hours}. {rotation}").format(
            access_hours=counted(ACCESS_SECONDS // 3600, "hour"), rotation=rotation
        ),
        ROTATION,
    )
    several = (
        _("A user can be authorized on several devices at the same time.")
        if is_on(record, SEVERAL)
        else _("A new login of a user revokes the user's earlier tokens: only the latest device stays authorized.")
    )
    yield Meaning(_("Devices"), several, SEVERAL)


def _about_consent(record: RecordData) -> Iterator[Meaning]:
    if is_on(record, NO_CONSENT):
        yield Meaning(_("Consent"), _("Users are not asked: each login gives the application access."), NO_CONSENT)
        return
    terms, privacy = _texts(record.get(TERMS)), _texts(record.get(PRIVACY))
    named = [
        text
        for links, text in ((terms, _("the terms of service")), (privacy, _("the privacy policy")))
        if any(_is_page(each) for each in links)
    ]
    links = (
        _(", with links to {named}").format(named=_(" and ").join(named))
        if named
        else _(", without links to terms or a privacy policy")
    )
    yield Meaning(
        _("Consent"), _("After each login, users allow or deny the access{links}.").format(links=links), NO_CONSENT
    )


# --- warnings --------------------------------------------------------------------------------------------------


def _about_use(record: RecordData) -> Iterator[Finding]:
    if (state := record.get(STATE)) in CLOSED:
        yield _finding(
            _("State"),
            _("No user can authorize it or refresh tokens: it is {state}.").format(state=word(state)),
            "prevents",
            STATE,
            "5.5",
        )
    if not redirects(record):
        yield _finding(_("Redirects"), _("OAuth 2.0 needs at least one redirect address."), "prevents", REDIRECTS)
    if record.get(TYPE) in _ON_DEVICES:
        yield _finding(
            _("Secret"),
            _("Users can read a secret that is part of a program on their device: exchange codes on a server."),
            "notes",
            TYPE,
            "5.5",
        )


def _about_addresses(record: RecordData) -> Iterator[Finding]:
    addresses = _texts(record.get(REDIRECTS))
    for address in addresses:
        if problem := _unusable(address):
            yield _address(address, _("is never used: it {problem}.").format(problem=problem), "limits")
        elif urlsplit(address).scheme == "http" and not is_loopback(address):
            yield _address(address, _("gets codes and tokens without encryption: use https."), "limits")
        elif "*" in address:
            yield _address(address, _("matches only itself: * is not a wildcard."), "limits")
        elif urlsplit(address).scheme not in ("http", "https"):
            yield _address(address, _("may be taken by another program on the device: use PKCE."), "notes")
        elif urlsplit(address).hostname == "localhost":
            yield _address(address, _("depends on how a machine resolves localhost: use 127.0.0.1."), "notes")
    if len(addresses) >= most_redirects():
        yield _finding(
            _("Redirects"),
            _("The limit of {most_redirects} addresses is reached.").format(most_redirects=most_redirects()),
            "notes",
            REDIRECTS,
        )


def _about_grants(record: RecordData) -> Iterator[Finding]:
    if is_on(record, IMPLICIT):
        sentence = _("Access tokens are in addresses, where scripts, histories and extensions can read them.")
        yield _finding(_("Grant"), sentence, "limits", IMPLICIT)
    if not is_on(record, ROTATION):
        sentence = _("A stolen refresh token works for up to {refresh_days} and is not noticed.").format(
            refresh_days=_refresh_days()
        )
        yield _finding(_("Rotation"), sentence, "limits", ROTATION)


def _about_pages(record: RecordData) -> Iterator[Finding]:
    linked = {wire: any(_is_page(each) for each in _texts(record.get(wire))) for wire in (TERMS, PRIVACY)}
    if is_on(record, NO_CONSENT):
        sentence = _("Users do not see what they grant: the application gets all their rights.")
        yield _finding(_("Consent"), sentence, "limits", NO_CONSENT)
        for wire in (wire for wire, has in linked.items() if has):
            yield _finding(
                _("Consent"),
                _("{label}: not shown without the consent screen.").format(label=_specs()[wire].label),
                "notes",
                wire,
            )
        return
    for wire, has in linked.items():
        if not has:
            yield _finding(
                _("Consent"),
                _("{label}: the consent screen has no link.").format(label=_specs()[wire].label),
                "notes",
                wire,
            )


def _finding(about: str, sentence: str, effect: Effect, field: str, rule: str = "2.6") -> Finding:
    return Finding(about, sentence, effect, "applications", field, rule)


def _address(address: str, problem: str, effect: Effect) -> Finding:
    return Finding(_("Redirects"), f"{address} {problem}", effect, "applications", REDIRECTS, "2.6", record_id=address)


def _unusable(address: str) -> str:
    """Why the service never redirects to an address; empty if it does."""
    return redirect_problem(address) or (_("has a fragment (#)") if "#" in address else "")


def _is_page(address: str) -> bool:
    """Whether the consent screen links to an address."""
    return not redirect_problem(address) and urlsplit(address).scheme in ("http", "https")


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
