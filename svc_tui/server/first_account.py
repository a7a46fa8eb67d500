"""The first account of a new service: a company, a superadmin and an application to log in with."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.companies.texts import EMAIL_PATTERN
from svc_tui.interface.dates import stamp
from svc_tui.server.serve import (
    FAILED,
    OUT_OF_REACH,
    ServerCommandError,
    opened_service,
    reason_of,
    settings_of,
    upgrade,
    used_database,
)
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, originating
from svc_tui.server.store.sqlite_lock import DatabaseUse
from svc_tui.server.store.tables import Document

#: Shortest password, in characters.
SHORTEST_PASSWORD = 12
#: The lock that keeps two processes from creating the first account at once.
_LOCK = "first account"
_ROLES = ("app_superadmin", "superadmin", "user")


@dataclass(frozen=True, slots=True)
class FirstAccount:
    """The superadmin, and the credentials of the application, whose secret is shown once."""

    login: str
    company_id: str
    app_id: str
    app_secret: str = field(repr=False)


def create_first_account(
    login: str,
    password: str,
    *,
    company: str = "Operator",
    application: str = "Console",
    database: str | None = None,
    data_dir: Path | str | None = None,
    config: Path | str | None = None,
) -> FirstAccount:
    """Create the first account in a database without accounts, also while servers use it.

    ServerCommandError when there is an account, and for an unsuitable login or password; nothing is changed then.
    """
    if not re.fullmatch(EMAIL_PATTERN, login) or len(login) > 255:
        raise ServerCommandError(f"{login} is not an email address")
    if len(password) < SHORTEST_PASSWORD:
        raise ServerCommandError(f"the password must have at least {SHORTEST_PASSWORD} characters")
    settings = settings_of(config, database, data_dir)
    service = opened_service(settings)
    with used_database(settings) as use:
        return asyncio.run(_create(service, use, login, password, company, application))


async def _create(
    service: Service, use: DatabaseUse, login: str, password: str, company: str, application: str
) -> FirstAccount:
    try:
        await upgrade(service, use)
        hashed = await service.passwords.hash_in_thread(password)
        with originating(Origin(service.clock.now, job="svc-tui server init")):
            return await _add(service, login, hashed, company, application)
    except (SQLAlchemyError, OSError) as error:
        raise ServerCommandError(f"the database does not respond: {reason_of(error)}", OUT_OF_REACH) from error
    finally:
        await service.database.close()


async def _add(service: Service, login: str, hashed: str, company: str, application: str) -> FirstAccount:
    now, ids = stamp(service.clock.now()), service.ids
    account = FirstAccount(login, ids.record(), ids.record(), ids.secret())
    user_id = ids.record()
    async with service.database.unit() as store:
        await store.lock(_LOCK)
        if await store.users.count():
            raise ServerCommandError("the database has accounts already; nothing was changed", FAILED)
        of_company = {"status": "active", "isBP": False, "visibility": "private", "creationDate": now}
        await store.companies.add({"id": account.company_id, "name": company, **of_company})
        await store.users.add(_superadmin(user_id, account, company, now))
        await store.user_secrets.add({"id": user_id, "passwordHash": hashed})
        app = {"id": account.app_id, "name": application, "type": "web", "activity": "J", "kpi": "business"}
        state = {"state": "active", "env": "deployed", "dateOfCreation": now, "ownerId": user_id}
        # The service's own client: logins of the console need no confirmation.
        await store.applications.add({**app, **state, "appSecret": account.app_secret, "isSvcClientDefault": True})
    return account


def _superadmin(user_id: str, account: FirstAccount, company: str, now: str) -> Document:
    name = account.login.partition("@")[0]
    return {
        "id": user_id,
        "loginEmail": account.login,
        "firstName": name,
        "lastName": "Administrator",
        "displayName": f"{name} Administrator",
        "roles": list(_ROLES),
        "adminType": "undefined",
        "companyId": account.company_id,
        "companyName": company,
        "isActive": True,
        "isInitialized": True,
        "isTerminated": False,
        "timeToLive": -1,
        "creationDate": now,
        "lastUpdateDate": now,
    }
