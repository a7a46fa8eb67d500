"""Audit records of the demo data: logins, failed logins and changes of the last weeks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from svc_tui.server.demo.area import DemoArea, DemoRecords, Fill
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Users of the demo's own companies with a history, at most.
_USERS = 40
#: Field of a user, and its value before.
_BEFORE = (("jobTitle", "Trainee"), ("department", "Reception"), ("country", "ESP"), ("language", "en"))


def _records(shared: DemoRecords) -> Fill:
    records = list(_history(shared))

    async def fill(store: Store) -> None:
        await store.audit_records.add_all(records)

    return fill


def _history(shared: DemoRecords) -> Iterator[Document]:
    companies = {company["id"]: company for company in shared.named().values()}
    users = [user for user in shared.users if user.get("companyId") in companies and not user.get("isTerminated")]
    admins = {user["companyId"]: user for user in users if user.get("adminType") == "company_admin"}
    for user in sorted(users, key=lambda each: str(each["loginEmail"]))[:_USERS]:
        yield from _of_user(shared.calendar, user, admins.get(user["companyId"], user))
    for company in companies.values():
        if admin := admins.get(company["id"]):
            changed = {"field": "slogan", "new": company.get("slogan") or "Closer to you"}
            done = {"operation": "update_company", "action": "update", "kind": "companies", "recordId": company["id"]}
            named = {"recordName": company["name"], "companyId": company["id"], "changes": [changed]}
            yield _record(shared.calendar, f"slogan {company['id']}", admin, {**done, **named})


def _of_user(calendar: Calendar, user: Document, admin: Document) -> Iterator[Document]:
    key = str(user["id"])
    of_user = {"kind": "users", "recordId": key, "recordName": user["displayName"], "companyId": user["companyId"]}
    yield _record(calendar, f"login {key}", user, {"operation": "login", "action": "login", **of_user})
    if number(f"failed {key}", 4) == 0:
        failed = {"operation": "login", "action": "failed login", "outcome": "refused", **of_user}
        yield _record(calendar, f"failed {key}", {}, failed)
    field, before = _BEFORE[number(f"field {key}", len(_BEFORE))]
    if user.get(field) and user[field] != before:
        changes = [{"field": field, "old": before, "new": user[field]}]
        done = {"operation": "update_user", "action": "update", **of_user, "changes": changes}
        yield _record(calendar, f"update {key}", admin, done)


def _record(calendar: Calendar, key: str, user: Document, done: dict[str, Any]) -> Document:
    who = {
        "userId": user.get("id"),
        "loginEmail": user.get("loginEmail"),
        "userCompanyId": user.get("companyId"),
        "roles": [user["adminType"]] if user.get("adminType") not in (None, "undefined") else ["user"],
    }
    return {
        "id": id_of("audit", key),
        "date": calendar.ago(2 + number(key, 40), key),
        "outcome": "done",
        "requestId": id_of("request", key),
        "address": f"192.0.2.{1 + number(key, 250)}",
        **done,
        **({name: value for name, value in who.items() if value} if user else {}),
    }


DEMO = DemoArea(records=_records)
