"""The account of a user at a glance: login, roles, last login and second factor, and what prevents the login."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from svc_tui.console.areas.authentication.users import roles_in_words
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import age, written
from svc_tui.interface.access import any_of
from svc_tui.interface.authentication import user_rules
from svc_tui.interface.authentication.user_rules import ADMINISTER_USERS
from svc_tui.interface.errors import Finding
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
        _("Login"), f"{written(user.get('loginEmail'))}   {kind if kind in user_rules.EXTERNAL else ''}".rstrip()
    )
    yield Entry(_("Roles"), roles_in_words(user.get("roles"), user), asked=True)
    if facts.complete:
        last = user.get("lastLoginDate")
        text = f"{age(last, now=facts.now)}   {written(last)}" if last else _("never")
        yield Entry(_("Last login"), text, asked=True)
    if user_rules.locked_until(user, facts.now) is not None:
        yield Entry(_("Can unlock"), any_of(ADMINISTER_USERS.roles()))
    if facts.complete:
        yield Entry(_("Second factor"), _factor(facts), POLICIES)


def _factor(facts: Facts) -> str:
    """Whether the second factor is set up, and when the company requires it."""
    own = _("set up") if user_rules.has_factor(facts.record) else _("not set up")
    known = facts.known(POLICIES)
    if known.rows is None:
        return _("{own}; policy: {reason}").format(own=own, reason=known.error_message) if known.error_message else own
    policy = user_rules.mfa_policy(facts.record, known.rows)
    required = policy is not None and user_rules.requires_factor(policy)
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
    return (
        *user_rules.lock_findings(facts.whole, facts.now, lambda end: _written(end, facts.now)),
        *user_rules.login_findings(facts.whole, facts.one("company"), facts.rows(POLICIES), facts.now),
    )


def _written(end: datetime, now: datetime) -> str:
    """A time of today as `18:47`, another one with its day."""
    local = end.astimezone()
    return f"{local:%H:%M}" if local.date() == now.astimezone().date() else written(end.isoformat())


def _unseen(facts: Facts) -> str:
    """The lock, where no field of the user has it."""
    return "" if "failedLogins" in facts.record else _("a lock after failed logins")


def _own_action(name: str) -> Callable[[Facts], Remedy | None]:
    return lambda facts: Remedy(Place(("users", str(facts.record["id"]))), name)


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
        unseen=_unseen,
        remedies={
            "users.lockedUntil": _own_action("users.unlock"),
            "users.failedLogins": _own_action("users.password"),
            "users.isActive": _own_action("users.activate"),
            "companies.status": _company,
            "users.profiles": _licences,
            "users.mfaSvcAuth": _second_factor,
        },
    ),
)
