"""What becomes of a dialled number: codes, dialling rules, the numbering plan, the way out, what is barred (4.7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from svc_tui.interface.voice.numbering import LONGEST_NUMBER, Range, count, ranges
from svc_tui.interface.voice.numbers import Outside, is_emergency, outside, written
from svc_tui.interface.voice.rewriting import rewritten

_BETWEEN = re.compile(r"[\s()./\-]+")
_DIALLED = re.compile(r"\+?[0-9*#]+")


class Verdict(StrEnum):
    """How it ends."""

    INTERNAL = "internal"
    #: An internal number that nobody has goes to the peer.
    PEER = "peer"
    NOBODY = "nobody"
    OUTSIDE = "outside"
    EMERGENCY = "emergency"
    SERVICE = "service"
    SHORT_CODE = "short_code"
    BARRED = "barred"
    #: The beginning of something: more digits are waited for.
    INCOMPLETE = "incomplete"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was looked at: what it is about, what it says, and the number after it."""

    about: str
    sentence: str
    number: str


@dataclass(frozen=True, slots=True)
class Treatment:
    """How a dialled number is treated. The sentence of the verdict is the last of the steps."""

    dialled: str
    verdict: Verdict
    steps: tuple[Step, ...]

    @property
    def sentence(self) -> str:
        return self.steps[-1].sentence

    @property
    def number(self) -> str:
        """The number that is called in the end."""
        return self.steps[-1].number


@dataclass(frozen=True, slots=True)
class Exchange:
    """What decides about a call.

    `settings` is the `cloudpbx` object of the CloudPBX and `country` its three letters, `prohibited` its custom list,
    `barring` what the caller has of his own, `people` the name behind each internal number; None: nobody knows who
    has which.
    """

    settings: Mapping[str, Any]
    country: str | None = None
    prohibited: Sequence[Mapping[str, Any]] = ()
    barring: Mapping[str, Any] = field(default_factory=dict)
    people: Mapping[str, str] | None = None

    @property
    def way_out(self) -> str:
        """The outgoing prefix; empty when there is none."""
        prefix = self.settings.get("outgoingPrefix")
        return "" if prefix is None else str(prefix)

    def option(self, name: str, otherwise: str) -> str:
        """A barring option: the caller's own, the company's where he has none."""
        own = self.barring.get(name)
        company = (self.settings.get("barringOptions") or {}).get(name)
        return str(company or otherwise) if own in (None, "", "default") else str(own)


def treat(dialled: str, exchange: Exchange) -> Treatment:
    """How the CloudPBX treats a dialled number. Never raises: whatever is typed or set gets a verdict."""
    number = _BETWEEN.sub("", dialled)
    trial = _Trial(exchange, number)
    if not _DIALLED.fullmatch(number) or len(number) > LONGEST_NUMBER:
        verdict = trial.ends(Verdict.IMPOSSIBLE, "Dialled", "This is no number that can be dialled.")
    else:
        verdict = _emergency(trial) or _code(trial) or _rewrite(trial) or _inside(trial) or _out(trial)
    return Treatment(dialled, verdict, tuple(trial.steps))


class _Trial:
    """The way of one number so far."""

    def __init__(self, exchange: Exchange, number: str) -> None:
        self.exchange = exchange
        self.settings = exchange.settings
        self.number = number
        self.steps: list[Step] = []

    def say(self, about: str, sentence: str) -> None:
        self.steps.append(Step(about, sentence, self.number))

    def ends(self, verdict: Verdict, about: str, sentence: str) -> Verdict:
        self.say(about, sentence)
        return verdict


def _emergency(trial: _Trial) -> Verdict | None:
    if not is_emergency(trial.number, trial.exchange.country):
        return None
    options = trial.settings.get("emergencyOptions") or {}
    if options.get("callAuthorizationWithSoftPhone") is False:
        trial.say("Emergency", "Soft phones may not make emergency calls here; desk phones may.")
    if options.get("emergencyGroupActivated"):
        trial.say("Emergency", "The emergency group is alarmed.")
    sentence = f"{trial.number} is an emergency number and is always put through."
    return trial.ends(Verdict.EMERGENCY, "Emergency", sentence)


def _code(trial: _Trial) -> Verdict | None:
    plan = trial.settings.get("serviceCodesDialPlan") or {}
    for each in plan.get("serviceCodes") or ():
        if trial.number == f"{plan.get('prefix') or ''}{each.get('code')}":
            sentence = f"{trial.number} reaches the service {each.get('service')}."
            return trial.ends(Verdict.SERVICE, "Service code", sentence)
    prefix, digits = str(trial.settings.get("shortCodePrefix") or ""), count(trial.settings.get("shortCodeDigits"))
    rest = trial.number.removeprefix(prefix)
    if not prefix or not digits or rest == trial.number or (rest and not rest.isdecimal()):
        return None
    if len(rest) == digits:
        return trial.ends(Verdict.SHORT_CODE, "Short code", f"{rest} is looked up among the short codes.")
    if len(rest) < digits:
        return trial.ends(Verdict.INCOMPLETE, "Short code", f"A short code has {digits} digits after {prefix}.")
    return None


def _rewrite(trial: _Trial) -> Verdict | None:
    """Custom dialling rules: the first that matches changes the number, which goes on from there."""
    for at, each in enumerate(trial.settings.get("customDialingRules") or (), start=1):
        name = str(each.get("description") or f"rule {at}")
        try:
            result = rewritten(str(each.get("regexpMatch") or "^$"), str(each.get("regexpReplace") or ""), trial.number)
        except ValueError as error:
            trial.say("Dialling rule", f"{name}: its expression {error}; it is left out here.")
            continue
        if result is not None:
            before, trial.number = trial.number, result
            trial.say("Dialling rule", f"{name} makes {result} of {before}.")
            return _emergency(trial)
    return None


def _inside(trial: _Trial) -> Verdict | None:
    people, number = trial.exchange.people, trial.number
    found = next((each for each in ranges(trial.settings) if each.holds(number)), None)
    if found is not None:
        trial.say("Numbering plan", f"{number} lies in the internal numbers {_named(found)}.")
    if people is not None and number in people:
        return trial.ends(Verdict.INTERNAL, "Internal", f"{people[number] or number} is called.")
    if found is not None:
        return _called(trial)
    way_out = trial.exchange.way_out
    if way_out and number.startswith(way_out):
        return None
    waiting = [each for each in ranges(trial.settings) if each.begins(number)]
    if waiting:
        sentence = f"More digits are waited for: it could become one of {_named(waiting[0])}."
        return trial.ends(Verdict.INCOMPLETE, "Numbering plan", sentence)
    return None


def _called(trial: _Trial) -> Verdict:
    number = trial.number
    if trial.exchange.people is None:
        return trial.ends(Verdict.INTERNAL, "Internal", f"The subscriber with {number} is called, if somebody has it.")
    if trial.settings.get("routeInternalCallsToPeer"):
        return trial.ends(Verdict.PEER, "Internal", f"Nobody here has {number}: the call goes to the peer.")
    return trial.ends(Verdict.NOBODY, "Internal", f"Nobody has {number}.")


def _named(each: Range) -> str:
    return f"{each.bounds} ({each.description})" if each.description else each.bounds


def _out(trial: _Trial) -> Verdict:
    way_out = trial.exchange.way_out
    if trial.number.startswith("+"):
        trial.say("Way out", "With its country code it needs no outgoing prefix.")
    elif way_out and trial.number.startswith(way_out):
        trial.number = trial.number[len(way_out) :]
        if not trial.number:
            return trial.ends(Verdict.INCOMPLETE, "Way out", "The outgoing prefix alone: a number is waited for.")
        trial.say("Way out", f"The outgoing prefix {way_out} is taken away.")
    elif way_out and not trial.settings.get("optimizedDialing"):
        sentence = f"It is no internal number, and a number outside needs the outgoing prefix {way_out} before it."
        return trial.ends(Verdict.IMPOSSIBLE, "Way out", sentence)
    else:
        trial.say("Way out", "Numbers outside need no outgoing prefix here.")
    return _emergency(trial) or _leave(trial)


def _leave(trial: _Trial) -> Verdict:
    dialled = trial.number
    try:
        found = outside(dialled, trial.exchange.country)
    except ValueError as error:
        return trial.ends(Verdict.IMPOSSIBLE, "Number", f"{dialled} {error}.")
    trial.number = found.number
    kind = "an international" if found.international else "a national"
    trial.say("Number", f"{written(found.number, trial.exchange.country)} is {kind} number.")
    barred = _not_permitted(found, trial.exchange) or _prohibited(found, dialled, trial.exchange)
    if barred:
        return trial.ends(Verdict.BARRED, "Barring", barred)
    trial.say("Barring", "Nothing bars it.")
    settings = trial.settings
    trunk = (settings.get("externalTrunkAdditionalInfo") or {}).get("name") or settings.get("externalTrunkId")
    sentence = f"The call leaves through the trunk {trunk}." if trunk else "The call leaves; no trunk is linked."
    return trial.ends(Verdict.OUTSIDE, "Trunk", sentence)


def _not_permitted(found: Outside, exchange: Exchange) -> str:
    match exchange.option("permissions", "int_nat_local"):
        case "local":
            return "Only internal calls are permitted."
        case "nat_local" if found.international:
            return "Only internal and national calls are permitted."
        case _:
            return ""


def _prohibited(found: Outside, dialled: str, exchange: Exchange) -> str:
    match exchange.option("restrictions", "no_restriction"):
        case "surcharged_numbers" if found.surcharged:
            return "Surcharged numbers are prohibited."
        case "custom_numbers":
            return _on_the_list(found, dialled, exchange)
        case _:
            return ""


def _on_the_list(found: Outside, dialled: str, exchange: Exchange) -> str:
    """A pattern is a number or the beginning of numbers, as they are dialled or in any other notation."""
    at_home = _BETWEEN.sub("", written(found.number, exchange.country))
    forms = (dialled, at_home, found.number, found.number.replace("+", "00", 1))
    for each in exchange.prohibited:
        pattern = _BETWEEN.sub("", str(each.get("pattern") or ""))
        if pattern and any(form.startswith(pattern) for form in forms):
            why = f" ({each['description']})" if each.get("description") else ""
            return f"The company's own list prohibits {each['pattern']}{why}."
    return ""
