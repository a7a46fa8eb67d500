"""The import of a file of users as a job that continues after it was interrupted, and the passwords that it makes.

Before a row is sent, its login is written to a record of the import, and its outcome afterwards; values of the file are
not. When the same file is imported again, what was done is not sent again, and what has no outcome is looked up.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import secrets
import string
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from svc_tui.cache.opening import private_folder
from svc_tui.client.errors import ServiceError
from svc_tui.interface.access import Role, Subject
from svc_tui.interface.authentication.user_rules import meets_rule
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep, StepResult
from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
from svc_tui.workspace.core.service import Reader, ReadError, rows_of
from svc_tui.workspace.files.saved_files import saved_file
from svc_tui.workspace.users.columns import LOGIN, PASSWORD
from svc_tui.workspace.users.file import Effect, KnownUsers, UserFile, UserRow

OPERATIONS: Mapping[Effect, str] = {"create": "create_user", "update": "update_user", "delete": "delete_user"}
#: Signs of passwords that are made: none that can be taken for another.
_LETTERS = "".join(sorted(set(string.ascii_letters) - set("IlO"))) + "23456789"
_HEADER = f"{LOGIN};{PASSWORD}"


class PasswordFileError(Exception):
    """A file that cannot take the passwords; the message is a sentence."""


# --- what the service has ----------------------------------------------------------------------------------------


async def known_users(service: Reader, company_id: str, own_login: str, earlier: ImportRecord | None) -> KnownUsers:
    """The users of a company, and its country. ReadError when they cannot be read."""
    company = (await service.read("get_company", {"companyId": company_id}, {"format": "full"})).get("data") or {}
    roles = ",".join([*(role.value for role in Role), "admin"])
    query = {"companyId": company_id, "roles": roles, "format": "full"}
    users = rows_of(service, "list_users", {}, query)
    found = {str(user.get(LOGIN) or "").casefold(): user async for user in users}
    return KnownUsers(found, str(company.get("country") or ""), own_login, earlier.states if earlier else {})


# --- the record of an import -------------------------------------------------------------------------------------


class ImportRecord:
    """The requests of an import and their outcomes: a line of JSON before and after each request.

    It has logins and no other values. It is removed when everything was done.
    """

    def __init__(self, folder: Path, content: bytes, company_id: str, user_id: str, service: Reader) -> None:
        digest = hashlib.sha256(b"\0".join((content, company_id.encode(), user_id.encode()))).hexdigest()
        self._path, self._service = folder / f"users-{digest[:32]}.jsonl", service
        self._company_id = company_id
        self.states: dict[str, tuple[str, str]] = self._read()

    @property
    def continues(self) -> int:
        """How many rows an earlier import did."""
        return sum(state == "done" for _effect, state in self.states.values())

    def _read(self) -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        try:
            lines = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeError):
            return {}
        for line in lines:
            try:
                login, effect, state = json.loads(line)
            except (ValueError, TypeError):
                # The last line of a killed program.
                continue
            if state in ("sent", "done"):
                found[str(login)] = (str(effect), str(state))
            else:
                found.pop(str(login), None)
        return found

    def _write(self, step: JobStep, state: str) -> None:
        effect = next(name for name, operation in OPERATIONS.items() if operation == step.operation_id)
        login = step.record_id.casefold()
        private_folder(self._path.parent)
        with open(self._path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(json.dumps([login, effect, state]).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.states[login] = (effect, state)

    def sending(self, step: JobStep) -> None:
        """Record that a row is sent. ServiceError: it is then not sent."""
        try:
            self._write(step, "sent")
        except OSError as error:
            text = _("Not sent: {file} cannot be written ({reason}).")
            raise ServiceError(text.format(file=self._path, reason=error.strerror)) from error

    def ended(self, result: StepResult) -> None:
        """Record the outcome of a row; an unknown one, and one that cannot be written, is looked up next time."""
        state = {"done": "done", "waiting": "failed", "failed": "failed"}.get(result.outcome)
        if state:
            with suppress(OSError):
                self._write(result.step, state)

    async def verify(self, step: JobStep) -> VerifiedOutcome | None:
        """Look up whether a request without a response was done."""
        query = {"companyId": self._company_id, LOGIN: step.record_id, "format": "full"}
        roles = ",".join([*(role.value for role in Role), "admin"])
        try:
            rows = (await self._service.read("list_users", {}, {**query, "roles": roles})).get("data") or []
        except ReadError:
            return None
        exists = bool(rows)
        if step.operation_id == OPERATIONS["update"]:
            sent = {name: value for name, value in (step.body or {}).items() if name != PASSWORD}
            done = bool(rows and sent) and all(rows[0].get(name) == value for name, value in sent.items())
            return VerifiedOutcome(True, _("Verified: the user has these values."), rows[0]) if done else None
        done = exists == (step.operation_id == OPERATIONS["create"])
        text = _("Verified: the change was made.") if done else _("Verified: the change was not made.")
        return VerifiedOutcome(done, text)

    def close(self) -> None:
        """Forget an import that has nothing left to continue."""
        self._path.unlink(missing_ok=True)


# --- the job -----------------------------------------------------------------------------------------------------


def steps_of(
    file: UserFile, company_id: str, passwords: Mapping[str, str], subject: Subject | None = None
) -> tuple[list[JobStep], dict[str, str]]:
    """The steps of an import, and why rows are skipped, by the ID of the step. `passwords` are those that were made."""
    steps, reasons = [], {}
    for row in file.rows:
        key = row.login or str(row.line)
        if row.faults:
            key = f"{row.line} {key}"
            reasons[key] = "; ".join(f"{fault.column} {fault.msg}".strip() for fault in row.faults)
        elif row.effect == "same":
            reasons[key] = row.earlier or _("nothing to change")
        steps.append(_step(row, key, company_id, passwords, subject))
    return steps, reasons


def _step(row: UserRow, key: str, company_id: str, passwords: Mapping[str, str], subject: Subject | None) -> JobStep:
    operation = OPERATIONS.get(row.effect, OPERATIONS["update"])
    path = {"userId": str(row.user["id"])} if row.user else {}
    body: dict[str, Any] | None = dict(row.body)
    if row.effect == "create" and body is not None:
        made = passwords.get(row.login)
        body |= {"companyId": company_id, **({PASSWORD: made} if made else {})}
    if row.effect == "delete":
        body = None
    word = EFFECTS.get(row.effect, "") if not row.faults else ""
    return JobStep(key, f"{row.label}  {word}".rstrip(), path, body, subject, operation_id=operation)


EFFECTS: Mapping[str, str] = {"create": _("create"), "update": _("update"), "delete": _("delete")}


# --- passwords ---------------------------------------------------------------------------------------------------


def new_password() -> str:
    """A password that meets the rule: four groups that can be read aloud and typed."""
    while True:
        groups = ["".join(secrets.choice(_LETTERS) for _sign in range(4)) for _group in range(4)]
        if meets_rule(found := "-".join(groups)):
            return found


def without_password(file: UserFile) -> list[UserRow]:
    """The rows that create a user without a password, who could not log in."""
    return [row for row in file.right if row.effect == "create" and PASSWORD not in row.body]


def made_passwords(rows: Sequence[UserRow], before: Mapping[str, str]) -> dict[str, str]:
    """A password for each of these new users, by login: that of an interrupted import (`before`), or a new one."""
    return {row.login: before.get(row.login) or new_password() for row in rows}


def read_passwords(path: Path) -> dict[str, str]:
    """The passwords in a file that an import has written; empty where there is no file.

    PasswordFileError for any other file: it is not overwritten.
    """
    try:
        text = text_of(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, NotUtf8) as error:
        reason = getattr(error, "strerror", None) or error
        raise PasswordFileError(_("{path} cannot be read: {reason}.").format(path=path, reason=reason)) from None
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    if not rows or ";".join(rows[0]) != _HEADER:
        raise PasswordFileError(_("{path} exists, and is no file of passwords. Choose another name.").format(path=path))
    return {row[0]: row[1] for row in rows[1:] if len(row) == 2}


def write_passwords(path: Path, passwords: Mapping[str, str]) -> None:
    """Write the passwords to a file that only this user can read; without any, remove it. OSError."""
    if not passwords:
        path.unlink(missing_ok=True)
        return
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow(_HEADER.split(";"))
    writer.writerows(passwords.items())
    with saved_file(path) as file:
        file.write(text.getvalue().encode())


def passwords_left(results: Sequence[StepResult], made: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    """The passwords of users who were created, or may have been: those that the file keeps after the import."""
    open_ones = {result.step.record_id for result in results if result.outcome in ("done", "unknown")}
    return {**before, **{login: word for login, word in made.items() if login in open_ones}}
