"""The welcome services in a company's document: where their calls go, and their DDI numbers.

They stand behind the users and their telephony: a number that the same plan makes or frees, and the extension of the
user whom a service calls, come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import read_number
from svc_tui.language import _
from svc_tui.workspace.files.company_extras import DDIS, EXTENSIONS, wanted_of
from svc_tui.workspace.files.company_steps import FieldChange, Step, place_of
from svc_tui.workspace.files.company_telephony import TelephonyPlan
from svc_tui.workspace.kinds.registry import KINDS

#: The fields with the destinations of calls.
OVERFLOWS = ("openHoursOverflow", "closedHoursOverflow")
_MAIN, _MORE, _DESTINATION = "externalNumberId", "secondaryDDIs", "destinationId"
#: What one service only may call.
_CALLED_ONCE = ("user", "group")


def numbers_of(service: RecordData) -> list[str]:
    """The DDI numbers of a welcome service as a document has them, the main one first."""
    more = [each for each in service.get(_MORE) or () if isinstance(each, Mapping)]
    found = [service.get("externalNumber"), *(each.get("numberE164") or each.get("number") for each in more)]
    return [str(number) for number in dict.fromkeys(found) if number]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A service of the document: its values, its record (empty for a new one), and the steps for its fields.

    `update` is a step without a body, for one that changes nothing but numbers.
    """

    values: Mapping[str, Any]
    row: RecordData
    steps: Sequence[Step]
    update: Step


class ServicesPlan:
    """The steps for welcome services. `users` has the logins of users by their IDs, `rows` all services there are."""

    def __init__(
        self, telephony: TelephonyPlan, before: Sequence[Step], users: Mapping[str, str], rows: Sequence[RecordData]
    ) -> None:
        self._telephony, self._users = telephony, users
        self._made = {step.place: step for step in before if step.component.name == EXTENSIONS}
        #: The services as they will be, by their IDs or places.
        self._services: dict[str, dict[str, Any]] = {str(row["id"]): dict(row) for row in rows}

    def steps(self, services: Sequence[Wanted]) -> Iterator[Step]:
        for service in services:
            own = [*service.steps]
            yield from self._numbers(service, own)
            for step in own:
                self._check(service, step)
            yield from own

    # --- numbers ---

    def _numbers(self, service: Wanted, own: list[Step]) -> Iterator[Step]:
        """The steps that make numbers; the numbers are then in the first step of the service."""
        if DDIS not in service.values:
            return
        texts, exact = wanted_of(service.values[DDIS])
        held = numbers_of(service.row)
        read = dict(map(self._telephony.number, texts))
        found = list(dict.fromkeys([*([] if exact else held), *read]))
        if found == held:
            return
        if not own:
            own.append(service.update)
        step = own[0]
        assert step.body is not None
        reasons, ids = [step.refusal], []
        for number in found:
            row = self._telephony.number_there(number)
            id: str = str(row["id"]) if row else self._telephony.created.get(number, "")
            if not id:
                yield (new := self._telephony.new_number(number, read[number]))
                id = new.place
            ids.append(id)
            if number not in held:
                freed, taken = self._telephony.taken(number, step.name, row)
                step.after |= freed
                reasons.append(f"{number}: {taken}" if taken else "")
        if step.effect == "update" or ids:
            step.body[_MAIN] = ids[0] if ids else None
            step.body[_MORE] = [{"phoneNumberId": id} for id in ids[1:]]
        step.changes.append(FieldChange(DDIS, held, found))
        step.refusal = " ".join(filter(None, reasons))

    # --- destinations ---

    def _check(self, service: Wanted, step: Step) -> None:
        """Refuse what the service would refuse: users without an extension, or called twice, and loops."""
        body = step.body or {}
        reasons = [step.refusal]
        id = str(service.row.get("id") or step.place)
        self._services[id] = new = {**self._services.get(id, {"id": id, "name": step.name}), **body}
        if DDIS in service.values:
            texts, exact = wanted_of(service.values[DDIS])
            numbers = [
                *([] if exact else numbers_of(service.row)),
                *(self._telephony.number(text)[0] for text in texts),
            ]
            new |= {"externalNumber": next(iter(numbers), None), _MORE: [{"numberE164": each} for each in numbers[1:]]}
        for wire in OVERFLOWS:
            target = body.get(wire)
            if not isinstance(target, Mapping):
                continue
            if target.get("type") == "user":
                reasons.append(self._no_extension(wire, str(target.get(_DESTINATION) or ""), step))
            key = (target.get("type"), target.get(_DESTINATION))
            if key[0] in _CALLED_ONCE and (other := self._caller(id, key)):
                reasons.append(_("{field}: {name} calls it already.").format(field=wire, name=other))
        others = [each for each in self._services.values() if each["id"] != id]
        if names := KINDS["welcomeservices"].rules.loop(new, others):
            reasons.append(_("Calls go round in a loop: {names}.").format(names=", ".join(names)))
        step.refusal = " ".join(dict.fromkeys(filter(None, reasons)))

    def _caller(self, id: str, key: tuple[Any, Any]) -> str:
        """The name of another service that calls this destination."""
        for other, each in self._services.items():
            for wire in OVERFLOWS:
                target = each.get(wire) or {}
                if other != id and (target.get("type"), target.get(_DESTINATION)) == key:
                    return str(each.get("name"))
        return ""

    def _no_extension(self, wire: str, user_id: str, step: Step) -> str:
        """Why a service cannot call a user; what creates the extension comes first."""
        login = self._users.get(user_id, user_id)
        own = self._telephony.there.extension(user_id)
        made = self._made.get(place_of(EXTENSIONS, login))
        if own and place_of(EXTENSIONS, f"{login}: {own.get('shortNumber')}") not in self._made:
            return ""
        if made is None:
            return _("{field}: {login} has no extension.").format(field=wire, login=login)
        step.after |= {made.place}
        return ""


def destination(value: Any, country: str | None) -> Any:
    """A destination with its number in E.164, where it is an external one: so services have it."""
    if not isinstance(value, Mapping) or not value.get("number"):
        return value
    found = read_number(str(value["number"]), country)
    return {**value, "number": found.number} if found.outcome == "right" else value
