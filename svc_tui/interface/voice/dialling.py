"""The treatment of a dialled number: codes, dialling rules, numbering plan, outgoing prefix, barring (4.7).

Complex regular expressions of dialling rules are refused, so that no trial takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any
from warnings import catch_warnings, simplefilter

from svc_tui.interface.telephone_numbers import ExternalNumber, external_number, is_emergency, written
from svc_tui.interface.telephone_text import cleaned
from svc_tui.interface.voice.numbering import LONGEST_NUMBER, NumberRange, count, ranges
from svc_tui.language import _

#: The most ways of matching that are tried; more would take noticeably long.
_MOST_WAYS = 1_200_000
_WAYS_OF_REPEATING = LONGEST_NUMBER + 1
_TOO_COMPLEX = _("is too complex to test")
_TOKEN = re.compile(r"\\(.)|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|\(\??|\)|\||(?:[*+?]|\{[^}]*\})[?+]?|.", re.DOTALL)
_REFERENCE = re.compile(r"[$\\](\d)")


def rewritten(expression: str, replacement: str, number: str) -> str | None:
    """The number with the first match of an expression replaced; None without a match.

    `$1` or `\\1` in the replacement is the first group. ValueError, with a sentence, for an invalid or complex
    expression, and for a result that is no number.
    """
    match = _compiled(expression).search(number)
    if match is None:
        return None
    if match.re.groups < max((int(found[1]) for found in _REFERENCE.finditer(replacement)), default=0):
        raise ValueError(_("has a replacement with an unknown group"))
    put = _REFERENCE.sub(lambda found: match[int(found[1])] or "", replacement)
    result = number[: match.start()] + put + number[match.end() :]
    if not re.fullmatch(r"\+?[0-9*#]+", result) or len(result) > LONGEST_NUMBER:
        raise ValueError(_("has a result that is not a number"))
    return result


@lru_cache(maxsize=256)
def _compiled(expression: str) -> re.Pattern[str]:
    if _ways(expression) > _MOST_WAYS:
        raise ValueError(_TOO_COMPLEX)
    try:
        with catch_warnings():
            # Without this, odd expressions print warnings into the console.
            simplefilter("ignore", FutureWarning)
            return re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(_("is not a regular expression")) from error


def _ways(expression: str) -> int:
    """The most ways of matching that a backtracking search can try. Repeated choices are refused."""
    ways = 1
    # Whether each open group has a choice; the outermost is the expression itself.
    groups = [False]
    before = False
    for token in _tokens(expression):
        choice = False
        match token:
            case "(" | "(?:":
                groups.append(False)
            case ")":
                choice = groups.pop() if len(groups) > 1 else False
                groups[-1] |= choice
            case "|":
                ways, groups[-1] = ways * 2, True
            case _ if token[0] in "*+?{" and not re.fullmatch(r"\{\d+\}", token):
                if before and token[0] != "?":
                    raise ValueError(_TOO_COMPLEX)
                ways *= 2 if token[0] == "?" else _WAYS_OF_REPEATING
                groups[-1] = choice = True
            case _ if token[0] == "{" and before:
                raise ValueError(_TOO_COMPLEX)
        before = choice
    return ways


def _tokens(expression: str) -> Iterator[str]:
    for found in _TOKEN.finditer(expression):
        if found[0] == "(?" or (found[1] or "") in tuple("123456789"):
            # Lookaround, named groups and back references: no dialling rule needs them.
            raise ValueError(_TOO_COMPLEX)
        yield found[0]


_BETWEEN = re.compile(r"[\s()./\-]+")
_DIALLED = re.compile(r"\+?[0-9*#]+")


class Verdict(StrEnum):
    """The result for a dialled number."""

    INTERNAL = "internal"
    #: An unassigned internal number goes to the peer.
    PEER = "peer"
    UNASSIGNED = "unassigned"
    OUTSIDE = "outside"
    EMERGENCY = "emergency"
    SERVICE = "service"
    SHORT_CODE = "short_code"
    BARRED = "barred"
    #: The beginning of a number: more digits must follow.
    INCOMPLETE = "incomplete"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step: its subject, its sentence, and the number after it."""

    about: str
    sentence: str
    number: str


@dataclass(frozen=True, slots=True)
class DialResult:
    """The treatment of a dialled number. The last step has the sentence of the verdict."""

    dialled: str
    verdict: Verdict
    steps: tuple[CallStep, ...]

    @property
    def sentence(self) -> str:
        return self.steps[-1].sentence

    @property
    def number(self) -> str:
        """The number that is called."""
        return self.steps[-1].number


@dataclass(frozen=True, slots=True)
class CallSettings:
    """The settings for a call.

    `settings` is the `cloudpbx` object of the CloudPBX, `country` its three-letter code, `prohibited` its custom list,
    `barring` the caller's own options, `names` the names by internal number, or None when they are unknown.
    """

    settings: Mapping[str, Any]
    country: str | None = None
    prohibited: Sequence[Mapping[str, Any]] = ()
    barring: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] | None = None

    @property
    def outgoing_prefix(self) -> str:
        """The outgoing prefix; empty when there is none."""
        prefix = self.settings.get("outgoingPrefix")
        return "" if prefix is None else str(prefix)

    def option(self, name: str, otherwise: str) -> str:
        """A barring option: the caller's own, or the company's."""
        own = self.barring.get(name)
        company = (self.settings.get("barringOptions") or {}).get(name)
        return str(company or otherwise) if own in (None, "", "default") else str(own)


def dial(dialled: str, exchange: CallSettings) -> DialResult:
    """The treatment of a dialled number. Any text and any settings give a verdict, never an error."""
    number = _BETWEEN.sub("", cleaned(dialled))
    trial = _Trial(exchange, number)
    if not _DIALLED.fullmatch(number) or len(number) > LONGEST_NUMBER:
        verdict = trial.ends(Verdict.IMPOSSIBLE, _("Dialled"), _("This is not a number that can be dialled."))
    else:
        verdict = _emergency(trial) or _code(trial) or _rewrite(trial) or _inside(trial) or _out(trial)
    return DialResult(dialled, verdict, tuple(trial.steps))


class _Trial:
    """The steps of one number so far."""

    def __init__(self, exchange: CallSettings, number: str) -> None:
        self.exchange = exchange
        self.settings = exchange.settings
        self.number = number
        self.steps: list[CallStep] = []

    def add(self, about: str, sentence: str) -> None:
        self.steps.append(CallStep(about, sentence, self.number))

    def ends(self, verdict: Verdict, about: str, sentence: str) -> Verdict:
        self.add(about, sentence)
        return verdict


def _emergency(trial: _Trial) -> Verdict | None:
    if not is_emergency(trial.number, trial.exchange.country):
        return None
    options = trial.settings.get("emergencyOptions") or {}
    if options.get("callAuthorizationWithSoftPhone") is False:
        trial.add(_("Emergency"), _("Emergency calls require a desk phone: soft phones may not make them."))
    if options.get("emergencyGroupActivated"):
        trial.add(_("Emergency"), _("The emergency group is alerted."))
    sentence = _("{number} is an emergency number. Such calls are always connected.").format(number=trial.number)
    return trial.ends(Verdict.EMERGENCY, _("Emergency"), sentence)


def _code(trial: _Trial) -> Verdict | None:
    plan = trial.settings.get("serviceCodesDialPlan") or {}
    for each in plan.get("serviceCodes") or ():
        if trial.number == f"{plan.get('prefix') or ''}{each.get('code')}":
            sentence = _("{number} calls the service {service}.").format(
                number=trial.number, service=each.get("service")
            )
            return trial.ends(Verdict.SERVICE, _("Service code"), sentence)
    prefix, digits = str(trial.settings.get("shortCodePrefix") or ""), count(trial.settings.get("shortCodeDigits"))
    rest = trial.number.removeprefix(prefix)
    if not prefix or not digits or rest == trial.number or (rest and not rest.isdecimal()):
        return None
    if len(rest) == digits:
        return trial.ends(
            Verdict.SHORT_CODE, _("Short code"), _("{rest} is looked up as a short code.").format(rest=rest)
        )
    if len(rest) < digits:
        return trial.ends(
            Verdict.INCOMPLETE,
            _("Short code"),
            _("A short code has {digits} digits after {prefix}.").format(digits=digits, prefix=prefix),
        )
    return None


def _rewrite(trial: _Trial) -> Verdict | None:
    """Custom dialling rules: the first match changes the number for the next steps."""
    for at, each in enumerate(trial.settings.get("customDialingRules") or (), start=1):
        name = str(each.get("description") or _("rule {at}").format(at=at))
        try:
            result = rewritten(str(each.get("regexpMatch") or "^$"), str(each.get("regexpReplace") or ""), trial.number)
        except ValueError as error:
            trial.add(
                _("Dialling rule"),
                _("{name}: the expression {error}. The rule is skipped.").format(name=name, error=error),
            )
            continue
        if result is not None:
            before, trial.number = trial.number, result
            trial.add(
                _("Dialling rule"),
                _("{name} changes {before} to {result}.").format(name=name, before=before, result=result),
            )
            return _emergency(trial)
    return None


def _inside(trial: _Trial) -> Verdict | None:
    names, number = trial.exchange.names, trial.number
    found = next((each for each in ranges(trial.settings) if each.holds(number)), None)
    if found is not None:
        trial.add(
            _("Numbering plan"),
            _("{number} is in the range of internal numbers {described}.").format(
                number=number, described=_described(found)
            ),
        )
    if names is not None and number in names:
        return trial.ends(
            Verdict.INTERNAL, _("Internal"), _("{names} is called.").format(names=names[number] or number)
        )
    if found is not None:
        return _called(trial)
    prefix = trial.exchange.outgoing_prefix
    if prefix and number.startswith(prefix):
        return None
    waiting = [each for each in ranges(trial.settings) if each.begins(number)]
    if waiting:
        sentence = _("More digits are needed for a number of {described}.").format(described=_described(waiting[0]))
        return trial.ends(Verdict.INCOMPLETE, _("Numbering plan"), sentence)
    return None


def _called(trial: _Trial) -> Verdict:
    number = trial.number
    if trial.exchange.names is None:
        return trial.ends(
            Verdict.INTERNAL,
            _("Internal"),
            _("The subscriber with {number} is called, if there is one.").format(number=number),
        )
    if trial.settings.get("routeInternalCallsToPeer"):
        return trial.ends(
            Verdict.PEER, _("Internal"), _("{number} is unassigned. The call goes to the peer.").format(number=number)
        )
    return trial.ends(Verdict.UNASSIGNED, _("Internal"), _("{number} is unassigned.").format(number=number))


def _described(each: NumberRange) -> str:
    return f"{each.bounds} ({each.description})" if each.description else each.bounds


def _out(trial: _Trial) -> Verdict:
    prefix = trial.exchange.outgoing_prefix
    if trial.number.startswith("+"):
        trial.add(_("Outgoing prefix"), _("A number with its country code needs no outgoing prefix."))
    elif prefix and trial.number.startswith(prefix):
        trial.number = trial.number[len(prefix) :]
        if not trial.number:
            return trial.ends(Verdict.INCOMPLETE, _("Outgoing prefix"), _("A number must follow the outgoing prefix."))
        trial.add(_("Outgoing prefix"), _("The outgoing prefix {prefix} is removed.").format(prefix=prefix))
    elif prefix and not trial.settings.get("optimizedDialing"):
        sentence = _("It is not an internal number, and external numbers need the outgoing prefix {prefix}.").format(
            prefix=prefix
        )
        return trial.ends(Verdict.IMPOSSIBLE, _("Outgoing prefix"), sentence)
    else:
        trial.add(_("Outgoing prefix"), _("External numbers need no outgoing prefix here."))
    return _emergency(trial) or _leave(trial)


def _leave(trial: _Trial) -> Verdict:
    dialled = trial.number
    try:
        found = external_number(dialled, trial.exchange.country)
    except ValueError as error:
        return trial.ends(Verdict.IMPOSSIBLE, _("Number"), f"{dialled} {error}.")
    trial.number = found.number
    kind = _("an international") if found.international else _("a national")
    trial.add(
        _("Number"),
        _("{number} is {kind} number.").format(number=written(found.number, trial.exchange.country), kind=kind),
    )
    barred = _not_permitted(found, trial.exchange) or _prohibited(found, dialled, trial.exchange)
    if barred:
        return trial.ends(Verdict.BARRED, _("Barring"), barred)
    trial.add(_("Barring"), _("The call is not barred."))
    settings = trial.settings
    trunk = (settings.get("externalTrunkAdditionalInfo") or {}).get("name") or settings.get("externalTrunkId")
    sentence = (
        _("The call uses the trunk {trunk}.").format(trunk=trunk)
        if trunk
        else _("The call is external, but no trunk is linked.")
    )
    return trial.ends(Verdict.OUTSIDE, _("Trunk"), sentence)


def _not_permitted(found: ExternalNumber, exchange: CallSettings) -> str:
    match exchange.option("permissions", "int_nat_local"):
        case "local":
            return _("Only internal calls are permitted.")
        case "nat_local" if found.international:
            return _("Only internal and national calls are permitted.")
        case _:
            return ""


def _prohibited(found: ExternalNumber, dialled: str, exchange: CallSettings) -> str:
    match exchange.option("restrictions", "no_restriction"):
        case "surcharged_numbers" if found.surcharged:
            return _("Surcharged numbers are prohibited.")
        case "custom_numbers":
            return _on_the_list(found, dialled, exchange)
        case _:
            return ""


def _on_the_list(found: ExternalNumber, dialled: str, exchange: CallSettings) -> str:
    """A pattern is a number, or the first digits of numbers, as dialled or in any other notation."""
    at_home = _BETWEEN.sub("", written(found.number, exchange.country))
    forms = (dialled, at_home, found.number, found.number.replace("+", "00", 1))
    for each in exchange.prohibited:
        pattern = _BETWEEN.sub("", str(each.get("pattern") or ""))
        if pattern and any(form.startswith(pattern) for form in forms):
            why = f" ({each['description']})" if each.get("description") else ""
            return _("The company's list prohibits {pattern}{why}.").format(pattern=each["pattern"], why=why)
    return ""
