"""The account of a user at a glance: login, roles, last login and second factor, and what prevents the login."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svc_tui.console.areas.authentication.resources import roles_in_words
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.authentication import login_findings
from svc_tui.interface.findings import Finding
from svc_tui.language import _

#: What this section reads: the company's policies for the second factor.
POLICIES = "policies"
_REQUIRED = {"untrusted_only": _("in untrusted applications"), "always": "always"}


def _policies(facts: Facts) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company), "mfasettings")) if company else None


def _entries(facts: Facts) -> Iterator[Entry]:
    user = facts.record
    kind = user.get("authenticationType")
    yield Entry(
        _("Login"), f"{written(user.get('loginEmail'))}   {kind if kind in login_findings.EXTERNAL else ''}".rstrip()
    )
    yield Entry(_("Roles"), roles_in_words(user.get("roles"), user))
    yield Entry(_("Last login"), written(user["lastLoginDate"]) if user.get("lastLoginDate") else _("never"))
    if facts.complete:
        yield Entry(_("Second factor"), _factor(facts), POLICIES)


def _factor(facts: Facts) -> str:
    """Whether the second factor is set up, and when the company requires it."""
    own = _("set up") if login_findings.has_factor(facts.record) else _("not set up")
    known = facts.known(POLICIES)
    if known.rows is None:
        return _("{own}; policy: {reason}").format(own=own, reason=known.error_message) if known.error_message else own
    policy = login_findings.mfa_policy(facts.record, known.rows)
    required = policy is not None and login_findings.requires_factor(policy)
    return (
        _("{own}, required {required}").format(
            own=own, required=_REQUIRED.get(str((policy or {}).get("mfaPolicy")), "")
        )
        if required
        else own
    )


def _findings(facts: Facts) -> Iterable[Finding]:
    if facts.whole is None:
        return ()
    return login_findings.login_findings(facts.whole, facts.one("company"), facts.rows(POLICIES), facts.now)


def _company(facts: Facts) -> Remedy | None:
    return Remedy(Place(("companies", str(facts.record["companyId"]))), "edit")


def _licences(facts: Facts) -> Remedy | None:
    return Remedy(Place(("users", str(facts.record["id"]), "licences")), "licences.assign")


def _second_factor(facts: Facts) -> Remedy | None:
    place = facts.place(POLICIES)
    return Remedy(place) if place else None


SECTIONS = (
    Section(
        title=_("Account"),
        reads={POLICIES: _policies},
        entries=_entries,
        findings=_findings,
        unseen=_("a lock after failed logins"),
        remedies={"companies.status": _company, "users.profiles": _licences, "users.mfaSvcAuth": _second_factor},
    ),
)
