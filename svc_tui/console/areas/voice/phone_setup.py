"""Telephony for the marked users in one table: licence, extension, DDI number and device of each, then a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from svc_tui.client.errors import ServiceError
from svc_tui.console.areas.voice.bulk_create import PasswordsBox
from svc_tui.console.core.actions import Action, performed
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.dialog_keys import CLOSE, LINE_DOWN, LINE_UP, PAGE_DOWN, PAGE_UP, REMOVE, SAVE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.resource import Context
from svc_tui.console.core.table_rows import EditedRows
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.table import TableEditor
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.views.list import ListView
from svc_tui.interface import money
from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.core.tasks import in_parallel
from svc_tui.workspace.subscriptions.licences import free, objection
from svc_tui.workspace.subscriptions.quoting import QUOTE, month
from svc_tui.workspace.voice.phone_setup import FreeRecords, name_of, problems, proposals, steps_of, voice_offers

if TYPE_CHECKING:
    from svc_tui.interface.voice import subscriber_editing
else:
    subscriber_editing = lazy_import("svc_tui.interface.voice.subscriber_editing")

#: Most free numbers and devices that are read, and most that the hint names.
_ALL, _NAMED = 1000, 5


class SetupRows(EditedRows):
    """The rows of the table: one for each user, with the problems of all rows together."""

    def __init__(self, users: Sequence[RecordData], there: FreeRecords, prices: Mapping[str, str]) -> None:
        self.users, self._there, self._prices = list(users), there, prices
        self._found: list[dict[str, str]] | None = None
        super().__init__(subscriber_editing.PhoneSetup, proposals(users, there))

    @property
    def problems(self) -> list[dict[str, str]]:
        """For each row, field -> problem."""
        if self._found is None:
            self._found = problems(self.value(), self.users, self._there)
        return self._found

    def type(self, at: int, wire: str, text: str) -> None:
        if wire != "user":
            super().type(at, wire, text.strip())
            self._found = None

    def settle(self, at: int, wire: str) -> None:
        """Write a cell whose text names one record as that record is written."""
        typed = self.value()[at].get(wire) if 0 <= at < len(self) else None
        record = self._there.the(wire, typed)
        if record is None or self._there.the(wire, written := self._there.cell(wire, record)) is not record:
            return
        if written != typed:
            self.type(at, wire, written)

    def problem(self, at: int, wire: str = "") -> str:
        found = self.problems[at] if 0 <= at < len(self) else {}
        name = wire or next(iter(found), "")
        if not found.get(name):
            return ""
        label = next(spec.label for spec in self.specs if spec.wire == name)
        return _("Row {at}: {label} {problem}").format(at=at + 1, label=label, problem=found[name])

    def drop(self, at: int) -> None:
        super().drop(at)
        del self.users[at]
        self._found = None

    def drop_empty(self) -> None:
        """Each user stays, also without telephony."""

    def offered(self, wire: str) -> str:
        """The first values that are free for a field, and not in the table yet."""
        there, taken = self._there, {str(row.get(wire)) for row in self.value()}
        values = there.extensions if wire == "extension" else [there.cell(wire, each) for each in there.records(wire)]
        left = [value for value in values if wire == "licence" or value not in taken]
        return " · ".join([*left[:_NAMED], *(["…"] if len(left) > _NAMED else [])])

    @property
    def price(self) -> str:
        """What the licences of the table cost: nothing while there are free ones, else the price of one more."""
        chosen = (self._there.the("licence", row.get("licence")) for row in self.value())
        needed = Counter(name_of(each) for each in chosen if each)
        texts = []
        for each in self._there.subscriptions:
            name, left = name_of(each), free(each)
            count = needed.get(name, 0)
            if not count:
                continue
            short = 0 if left is None else count - left
            cost = (
                _("{short} too few, one more costs {price}").format(
                    short=number_text(short), price=self._prices.get(name) or "?"
                )
                if short > 0
                else _("no further cost")
            )
            texts.append(f"{number_text(count)} × {name}: {cost}")
        return "; ".join(texts) or _("No licences, no further cost.")


class SetupTable(TableEditor):
    """The table of the marked users; returns its rows. Rows with a problem are skipped by the job, with the reason."""

    KEYS = (
        DialogKey("setup.edit", ("enter", "e"), "Edit", "Edit the row"),
        REMOVE,
        LINE_DOWN,
        LINE_UP,
        PAGE_DOWN,
        PAGE_UP,
        SAVE.labelled(_("Review")),
        CLOSE,
    )
    rows: SetupRows

    def _edit(self, column: int) -> None:
        self._settle()
        # The user of a row stays.
        super()._edit(max(1, column))

    def action_end(self) -> None:
        self._settle()
        super().action_end()

    def _settle(self) -> None:
        """Take the text of the cell that is left as the record that it names."""
        if self.cell.display:
            self.rows.settle(self._row, self.rows.specs[self._column].wire)
            self._draw()

    def _amount(self) -> str:
        return self.rows.price

    def _explain(self) -> None:
        super()._explain()
        if self.cell.display:
            spec = self.rows.specs[self._column]
            self.put("#hint", f"{spec.facet.help}: {self.rows.offered(spec.wire) or _('none left')}")

    def action_save(self) -> None:
        if self.cell.display:
            self.action_end()
        self.dismiss(self.rows.value())


async def set_up(context: Context) -> None:
    """Show the table for the marked users, or the selected one, and run its job."""
    view = context.require_view(ListView)
    ids = context.marked or (context.require_resource().record_id(context.require_record()),)

    async def read(user_id: str) -> RecordData:
        return await _data(context, "get_user", {"userId": user_id}, {"format": "full"}) or {}

    users = await in_parallel(ids, read)
    companies = {str(user.get("companyId") or "") for user in users}
    if len(companies) != 1:
        context.stage.show_message(_("The marked users are of several companies. Mark users of one."), "warn")
        return
    (company_id,) = companies
    if not (pbx := await _chosen_pbx(context, company_id)):
        return
    there = await _free(context, pbx, company_id)
    rows = SetupRows(users, there, await _prices(context, company_id, there))
    title = _("Telephony for {users}").format(users=context.require_resource().counted(len(users)))
    action = performed(context)
    # A review that sends nothing leads back to the table, with what was typed.
    while await context.stage.ask(SetupTable(title, rows)) is not None:
        job, box = _job(context, rows, there, action)
        begun = job.left
        unfinished = await context.stage.ask(box)
        if job.left != begun:
            break
    else:
        return
    view.records.set_marks(unfinished or ())
    view.refresh_now()
    show_result(context, action.label, job)
    if passwords := _passwords(job, rows.value(), rows.users):
        await context.stage.ask(PasswordsBox(passwords))


def _job(context: Context, rows: SetupRows, there: FreeRecords, action: Action) -> tuple[Job, BulkBox]:
    """The job of the table, and its review: rows with a problem are skipped, those without requests unchanged."""
    values, steps, reasons, unchanged = rows.value(), [], {}, []
    for row, user, wrong in zip(values, rows.users, rows.problems, strict=True):
        user_id = str(user["id"])
        step = None if wrong else steps_of(row, user, there)
        if wrong:
            labels = {spec.wire: spec.label for spec in rows.specs}
            reasons[user_id] = "; ".join(f"{labels[wire]} {problem}" for wire, problem in wrong.items())
        elif step is None:
            unchanged.append(user_id)
        steps.append(step or JobStep(user_id, str(row.get("user"))))
    notes = {str(user["id"]): _in_short(row) for row, user in zip(values, rows.users, strict=True)}
    job = Job(context.workspace, "create_subscriber", steps)
    shown = (action, context.require_resource(), job, reasons, notes, rows.price)
    return job, BulkBox(context.workspace.journal, *shown, unchanged=unchanged)


def _in_short(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[wire]) for wire in ("licence", "extension", "ddi", "device") if row.get(wire))


def _passwords(job: Job, rows: Sequence[Mapping[str, Any]], users: Sequence[RecordData]) -> list[tuple[str, str, str]]:
    """Number, name and password of the new extensions, which the service shows once."""
    by_user = {str(user["id"]): row for row, user in zip(rows, users, strict=True)}
    found = []
    for result in job.results:
        data, row = result.answer.get("data"), by_user.get(result.step.record_id, {})
        if isinstance(data, Mapping) and data.get("password"):
            found.append((str(row.get("extension")), str(row.get("user")), str(data["password"])))
    return found


async def _data(context: Context, operation_id: str, path: Mapping[str, str], query: RecordData) -> Any:
    """The data of a response. ReadError without one."""
    body = await context.workspace.read(operation_id, path, query)
    return body.get("data") if isinstance(body, dict) else None


async def _chosen_pbx(context: Context, company_id: str) -> RecordData | None:
    """The CloudPBX of the company; the chosen one of several. None without one, or when it is cancelled."""
    found = await _data(context, "list_cloudpbxs", {}, {"companyId": company_id, "format": "full", "limit": _ALL})
    systems: dict[str, RecordData] = {str(each.get("id")): each for each in found or ()}
    if not systems:
        context.stage.show_message(_("The company of these users has no CloudPBX. Create one first."), "warn")
        return None
    if len(systems) == 1:
        return next(iter(systems.values()))
    choices = [Choice(id, str(each.get("name") or id)) for id, each in systems.items()]
    chosen = await context.stage.ask(Picker(_("Which CloudPBX?"), choices))
    return systems.get(chosen) if chosen else None


async def _free(context: Context, pbx: RecordData, company_id: str) -> FreeRecords:
    """What is free in a CloudPBX and its company. ReadError when it cannot be read."""
    path, company = {"systemId": str(pbx.get("id"))}, {"companyId": company_id}
    offers = await voice_offers(context.workspace, company_id)
    extensions = await _data(context, "list_free_internal_numbers", path, {})
    ddis = await _data(context, "list_ddi_numbers", path, {"isAssigned": False, "limit": _ALL, "offset": 0})
    devices = await _data(context, "list_sip_devices", path, {"assigned": False, "limit": _ALL, "offset": 0})
    subscriptions = await _data(context, "list_company_subscriptions", company, {"format": "full"})
    return FreeRecords(
        path["systemId"],
        pbx.get("country"),
        [str(number) for number in extensions or ()],
        list(ddis or ()),
        list(devices or ()),
        [each for each in subscriptions or () if each.get("status") in ("active", "alerting")],
        offers,
        free,
        partial(objection, assign=True),
    )


async def _prices(context: Context, company_id: str, there: FreeRecords) -> Mapping[str, str]:
    """The monthly price of one more licence of each subscription, by name, where the role may ask for a quotation."""
    if not context.workspace.decide(QUOTE):
        return {}

    async def price(subscription: RecordData) -> str:
        most = subscription.get("maxNumberUsers")
        if not isinstance(most, int):
            return ""
        body = {"subscriptionId": str(subscription.get("id")), "maxNumberUsers": most + 1}
        try:
            answer = await context.workspace.perform(QUOTE, path={"companyId": company_id}, body=body)
        except ServiceError:
            return ""
        quotation = answer.get("data")
        if not isinstance(quotation, Mapping) or (step := month(quotation).step) is None:
            return ""
        return _("{amount} per month").format(amount=money.written(step, str(quotation.get("currency") or "")))

    found = await in_parallel(there.subscriptions, price)
    return {name_of(each): text for each, text in zip(there.subscriptions, found, strict=True) if text}
