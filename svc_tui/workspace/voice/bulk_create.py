"""Telephony from a file: what each line gives a user, why it cannot be given, and the requests that give it; the users
that can get an extension of a CloudPBX, as far as their records and the company's offers show.

`TelephonyPlan` compares what is wanted with the CloudPBX, as for the document of a company. A plan keeps no state:
after an interruption, the same file is planned again from what the CloudPBX has.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.tables import TableRow, read_table
from svc_tui.interface.telephone_numbers import is_emergency
from svc_tui.interface.texts import mac_address
from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep, PhoneFile, PlannedPhones, SubscriberFileError, created_by
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import CREATED, Reader, rows_of
from svc_tui.workspace.files.company_extras import DDIS, DESCRIPTION, DEVICES, EXTENSION, MAC, MODEL
from svc_tui.workspace.files.company_steps import Created, Step
from svc_tui.workspace.files.company_telephony import Phones, Telephony, TelephonyPlan, telephony_of
from svc_tui.workspace.files.login_column import csv_of_workbook
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.voice.phone_setup import UNKNOWN_OFFERS, VoiceOffers, ineligibility, voice_offers

#: Most bytes and lines of a file.
MOST_BYTES, MOST_LINES = 4 * 2**20, 2_000
#: The columns, and their headings in small letters without accents, spaces and signs; the first that is there counts.
_HEADINGS: Mapping[str, Sequence[str]] = {
    "who": (
        *("loginemail", "login", "userid", "userprincipalname", "upn", "email", "emailaddress", "mail", "username"),
        *("user", "account", "anmeldung", "benutzername", "benutzer", "adressemail", "courriel", "utilisateur"),
        *("correo", "correoelectronico", "usuario", "utilizador"),
    ),
    "number": (
        *("shortnumber", "extension", "extensionnumber", "ext", "extn", "extno", "extnumber", "internalnumber"),
        *("internalextension", "phoneextension", "sipextension", "durchwahl", "nebenstelle", "nebenstellennummer"),
        *("nst", "internenummer", "numerocourt", "numerointerne", "poste", "numerocorto", "numerointerno", "ramal"),
        *("interno", "anexo"),
    ),
    # An extension or a DDI number, as its length shows; only read where no heading is of one of them.
    "any": ("number", "nummer", "numero"),
    "ddi": (
        *("ddinumber", "ddi", "ddinumbers", "did", "didnumber", "externalnumber", "publicnumber", "e164", "numbere164"),
        *("directnumber", "telephonenumber", "phonenumber", "telephone", "phone", "telefonnummer", "rufnummer"),
        *("telefon", "sda", "numerosda", "numeropublic", "numeroexterno", "numeropublico", "telefone", "telefono"),
    ),
    "mac": ("macaddress", "mac", "macadresse", "adressemac", "direccionmac", "enderecomac", "ethernetaddress"),
    "model": ("model", "devicemodel", "phonemodel", "devicetype", "modell", "geratetyp", "modele", "modelo"),
    "description": ("description", "devicename", "device", "beschreibung", "gerat", "descricao", "descripcion"),
    "password": ("password", "sippassword", "passwort", "sippasswort", "kennwort", "motdepasse", "contrasena", "senha"),
}
#: A number with the decimal places of a spreadsheet.
_IN_SPREADSHEET = re.compile(r"(\d+)[.,]0+")
#: The format of a file, for the dialog.
COLUMNS = _("CSV or XLSX with a header: loginEmail, shortNumber, password, ddiNumber, macAddress, model, description")


#: An internal number of a column that can have both kinds has at most so many digits.
_LONGEST_INTERNAL = 6


@dataclass(frozen=True, slots=True)
class RequestedSubscriber:
    """A line of the file: the login or id of a user, and what the user gets; without a user, a device for the stock.

    The address is in the stored notation. `problem` is the reason why the line cannot be read; empty when it can.
    """

    line: int
    who: str
    number: str = ""
    password: str = ""
    problem: str = ""
    ddi: str = ""
    mac: str = ""
    model: str = ""
    description: str = ""

    @property
    def device(self) -> dict[str, str]:
        """The device as a document has it; empty without one. A description alone can be that of anything."""
        values = {MAC: self.mac, MODEL: self.model, DESCRIPTION: self.description}
        return {name: value for name, value in values.items() if value} if self.mac or self.model else {}


@dataclass(frozen=True, slots=True)
class SubscriberRows:
    """The lines of a file, and the headings of the columns that are not read."""

    lines: list[RequestedSubscriber]
    unread: list[str]


def read_subscribers(data: bytes) -> SubscriberRows:
    """The lines of a CSV file or workbook as programs write it. SubscriberFileError when it cannot be read."""
    if len(data) > MOST_BYTES:
        raise SubscriberFileError(_("The file is larger than {most_bytes} MiB.").format(most_bytes=MOST_BYTES // 2**20))
    try:
        data = csv_of_workbook(data)
        table = read_table(io.BytesIO(data), lambda names: len(_places(names)), comment="")
    except BadFile as error:
        raise SubscriberFileError(_("The file is not CSV: {error}.").format(error=error)) from error
    headings = table.headings
    places = _places(headings)
    if "who" not in places and "mac" not in places:
        raise SubscriberFileError(_("The header has no column loginEmail or userId."))
    found = list(_lines(table.rows, places, len(headings)))
    if not found:
        raise SubscriberFileError(_("The file has no lines after the header."))
    if len(found) > MOST_LINES:
        raise SubscriberFileError(_("The file has more than {most_lines} lines.").format(most_lines=MOST_LINES))
    unread = [heading for at, heading in enumerate(headings) if heading and at not in places.values()]
    return SubscriberRows(found, unread)


def phone_file(data: bytes) -> PhoneFile:
    """A file of telephones, as it is planned in a CloudPBX. SubscriberFileError when it cannot be read."""
    found = read_subscribers(data)
    return PhoneFile(found.unread, lambda service, pbx, refusal: planned_phones(service, pbx, found.lines, refusal))


def _value(cell: str) -> str:
    """A value without what spreadsheets write before it, to keep it as text."""
    plain = cell.strip().removeprefix("'").strip()
    number = _IN_SPREADSHEET.fullmatch(plain)
    return number[1] if number else plain


def _places(headings: Sequence[str]) -> dict[str, int]:
    """The position of each column in the header."""
    names = [_plain(heading) for heading in headings]
    found = {
        column: next((names.index(name) for name in known if name in names), None)
        for column, known in _HEADINGS.items()
    }
    both = "number" if found["number"] is not None else "ddi" if found["ddi"] is not None else ""
    return {column: at for column, at in found.items() if at is not None and not (column == "any" and both)}


def _plain(heading: str) -> str:
    """A heading in small letters, without accents, spaces and signs."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", heading.casefold()) if sign.isalnum())


def _lines(rows: Iterable[TableRow], places: Mapping[str, int], columns: int) -> Iterator[RequestedSubscriber]:
    for row in rows:
        line, values = row.line, [_value(cell) for cell in row.cells]
        if not any(values):
            continue
        read = {column: values[place] for column, place in places.items() if place < len(values)}
        problem = next((fault.msg for fault in row.faults), "")
        problem = problem or (_("the line has more values than the header") if any(values[columns:]) else "")
        if both := read.pop("any", ""):
            read["number" if _is_internal(both) and len(both) <= _LONGEST_INTERNAL else "ddi"] = both
        if (number := read.get("number")) and not _is_internal(number):
            problem = problem or _("{number} is no internal number").format(number=number)
        if mac := read.get("mac"):
            try:
                read["mac"] = mac_address(mac)
            except ValueError as error:
                problem = problem or f"{mac} {error}"
        yield RequestedSubscriber(line, **{"who": "", **read}, problem=problem)


def _is_internal(number: str) -> bool:
    return number.isascii() and number.isdecimal()


async def planned_phones(
    service: Reader, pbx: RecordData, lines: Sequence[RequestedSubscriber], refusal: Callable[[str], str]
) -> list[PlannedPhones]:
    """The plan for the lines of a file in a CloudPBX. `refusal` is why an operation may not be called. ReadError."""
    company_id = str(pbx.get("companyId") or "")
    offers = await voice_offers(service, company_id)
    query = {"companyId": company_id, "format": "full"}
    users = [user async for user in rows_of(service, "list_users", {}, query)]
    return plan_phones(lines, users, await telephony_of(service, pbx, None, planning=True), offers, refusal)


def plan_phones(
    requests: Sequence[RequestedSubscriber],
    users: Iterable[RecordData],
    there: Telephony,
    offers: VoiceOffers = UNKNOWN_OFFERS,
    refusal: Callable[[str], str] = lambda _operation: "",
) -> list[PlannedPhones]:
    """The plan for each user and for each device of the stock, in the order of their first lines.

    Users without an extension get the one of their line, or the next free one that no line requests. `users` are those
    of the company, with telephone numbers and licences.
    """
    known: dict[str, RecordData] = {}
    for each_user in users:
        known |= {str(each_user[wire]).casefold(): each_user for wire in ("id", "loginEmail") if each_user.get(wire)}
    requested = Counter(each.number for each in requests if each.number)
    left = iter(number for number in there.offered if number not in requested)
    found: list[PlannedPhones] = []
    addresses: dict[str, int] = {}
    groups: dict[str, list[RequestedSubscriber]] = {}
    for each in requests:
        user = known.get(each.who.casefold(), {})
        key = str(user.get("id") or f"line {each.line}")
        problem = each.problem or _line_problem(each, user, groups.get(key, ()), addresses)
        if problem:
            found.append(PlannedPhones((each.line,), _name(user, each.who), each.number, problem))
        else:
            groups.setdefault(key, []).append(each)
            addresses.setdefault(each.mac, each.line)
    wanted: list[_Wanted] = []
    for lines in groups.values():
        user = known.get(lines[0].who.casefold(), {})
        number = next((each.number for each in lines if each.number), "")
        problem = _number_problem(number, user, requested, there, offers, asked=any(map(_gives, lines)))
        if user and not problem and not there.extension(str(user["id"])):
            number = number or next(left, "")
            problem = "" if number else _("no free number is left")
        if problem:
            found.append(PlannedPhones(tuple(each.line for each in lines), _name(user, ""), number, problem))
        else:
            wanted.append(_Wanted(lines, user, number))
    plan = TelephonyPlan(there, refusal)
    plan.find_devices([each.phones for each in wanted if each.user])
    return sorted((*found, *(each.planned(plan) for each in wanted)), key=lambda planned: planned.lines)


def _name(user: RecordData, who: str) -> str:
    return str(user.get("displayName") or who or "?")


def _gives(line: RequestedSubscriber) -> bool:
    """Whether a line gives more than an extension."""
    return bool(line.ddi or line.device)


def _line_problem(
    each: RequestedSubscriber, user: RecordData, earlier: Sequence[RequestedSubscriber], addresses: Mapping[str, int]
) -> str:
    """Why a line cannot be planned; `earlier` are the lines of the same user."""
    if not each.who and not each.device:
        return _("no user given")
    if each.who and not user:
        return _("the company has no user {who}").format(who=each.who)
    if each.mac in addresses and each.mac:
        return _("{address} is also in line {line}").format(address=each.mac, line=addresses[each.mac])
    if each.model and not each.mac and not each.description:
        return _("a device has its macAddress, or else its description")
    if earlier and (not _gives(each) or each.number not in ("", earlier[0].number)):
        return _("the user is also in an earlier line")
    if not each.who and (each.number or each.ddi):
        return _("no user given")
    return ""


def _number_problem(
    number: str,
    user: RecordData,
    requested: Mapping[str, int],
    there: Telephony,
    offers: VoiceOffers,
    *,
    asked: bool,
) -> str:
    """Why a user cannot get the extension; `asked` says that the user gets something else too."""
    if not user:
        return ""
    if own := there.extension(str(user["id"])):
        taken = number and number != own.get("shortNumber")
        nothing = not number and not asked
        return _("already has an extension") if taken or nothing else ""
    if reason := ineligibility(user, there.system_id, offers):
        return reason
    if number and requested[number] > 1:
        return _("{number} is in several lines").format(number=number)
    if number and is_emergency(number, there.country):
        return _("{number} is an emergency number").format(number=number)
    # A long list of free numbers is not complete.
    possible = number in there.offered or len(there.offered) >= MOST_FREE
    return _("{number} is not free").format(number=number) if number and not possible else ""


#: Operation -> the kind and the operation of what undoes it, and the parameter of the record that it creates.
_OPPOSITES: Mapping[str, tuple[str, str, str]] = {
    "create_subscriber": ("subscribers", "delete_subscriber", "phoneNumberId"),
    "create_sip_device": ("sipdevices", "delete_sip_device", "deviceId"),
    "assign_ddi_to_user": ("ddis", "unassign_ddi_from_user", ""),
    "assign_device_to_subscriber": ("sipdevices", "unassign_device_from_subscriber", ""),
}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the lines of a user give; without a user, one device."""

    lines: Sequence[RequestedSubscriber]
    user: RecordData
    number: str

    @property
    def phones(self) -> Phones:
        """What the user gets, as a document has it."""
        values = {
            **({EXTENSION: self.number} if self.number else {}),
            DDIS: [each.ddi for each in self.lines if each.ddi],
            DEVICES: [each.device for each in self.lines if each.device],
        }
        return Phones(str(self.user.get("loginEmail")), str(self.user.get("id")), values)

    def planned(self, plan: TelephonyPlan) -> PlannedPhones:
        """The requests, or the first reason why one of them would be refused."""
        steps = list(plan.given(self.phones) if self.user else plan.stock(self.lines[0].device))
        lines, name = tuple(each.line for each in self.lines), _name(self.user, self.lines[0].mac)
        unknown = next((each.name for each in steps if each.operation_id == "create_ddi_number"), "")
        problem = _("{number} is no DDI number of this CloudPBX").format(number=unknown) if unknown else ""
        problem = next(filter(None, (each.refusal or _address_problem(each, plan.there) for each in steps)), problem)
        problem = problem.rstrip(".")
        if problem or not steps:
            return PlannedPhones(lines, name, self.number, problem)
        given = [
            part for each in self.lines for part in (each.ddi, each.mac or each.device.get(DESCRIPTION, "")) if part
        ]
        request = self._request(steps, plan.there)
        return PlannedPhones(
            *(lines, name, self.number), gets=" · ".join(given), request=request, password=bool(self.lines[0].password)
        )

    def _request(self, steps: Sequence[Step], there: Telephony) -> JobStep:
        """The requests one after the other: devices are created first, so that undo deletes the extension before them.

        Each has what undoes it, but for the number and the device of a new extension: its deletion frees both.
        """
        new = any(each.operation_id == "create_subscriber" for each in steps)
        ordered = sorted(steps, key=lambda each: each.operation_id != "create_sip_device")
        found = [self._one(each, there, freed=new and each.operation_id.startswith("assign")) for each in ordered]
        if new:
            ddi = next((each.path["phoneNumberId"] for each in found if each.operation_id == "assign_ddi_to_user"), "")
            devices = (each.body or {} for each in found if each.operation_id == "assign_device_to_subscriber")
            number = next((each.get("numberE164") for each in there.ddis if each.get("id") == ddi), None)
            after = {"externalNumber": number, "device": next(devices, {}).get("deviceId")}
            found = [
                replace(each, undo=replace(each.undo, after=after))
                if each.operation_id == "create_subscriber" and each.undo
                else each
                for each in found
            ]
        first, *others = found
        return replace(first, following=tuple(others))

    def _one(self, step: Step, there: Telephony, *, freed: bool) -> JobStep:
        path, body = _references(step.path), _references(step.body or {})
        if step.operation_id == "create_subscriber" and (password := self.lines[0].password):
            body["password"] = password
        name, id = _name(self.user, ""), str(self.user.get("id") or "")
        undo = None
        if step.operation_id == "update_sip_device":
            before = next(each for each in there.devices if each.get("id") == path["deviceId"])
            undo = UndoEntry.of_update(step.name, KINDS["sipdevices"], step.operation_id, path, body, dict(before))
        elif not freed:
            kind, opposite, created = _OPPOSITES[step.operation_id]
            back = {**path, created: CREATED} if created else {**path, **body}
            label = _("{what} of {name}").format(what=step.name, name=name) if created else step.name
            undo = UndoEntry(label, kind, id, opposite, back, None, {})
        return JobStep(*(id, name, path, body), operation_id=step.operation_id, undo=undo, name=str(step.place), ids=())


def _address_problem(step: Step, there: Telephony) -> str:
    """Why a new device cannot have its address, or none: only desk phones have one."""
    body = step.body or {}
    model = next((each for each in there.models or () if each.get("id") == body.get("deviceTypeId")), {})
    if step.operation_id != "create_sip_device" or not (family := model.get("family")):
        return ""
    if (family == "desk_phone") == bool(body.get(MAC)):
        return ""
    if body.get(MAC):
        return _("{model} is no desk phone: it has no MAC address").format(model=model.get("model"))
    return _("{model} is a desk phone: it needs its MAC address").format(model=model.get("model"))


def _references(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a request, where a record that an earlier one creates is named as a job names it."""
    return {wire: created_by(value) if isinstance(value, Created) else value for wire, value in values.items()}
