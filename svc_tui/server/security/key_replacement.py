"""The emergency exchange of the signing keys, when one of them can be known to others."""

from __future__ import annotations

import asyncio

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.server.serve import (
    OUT_OF_REACH,
    ServerCommandError,
    opened_service,
    reason_of,
    require_database,
    upgrade,
    used_database,
)
from svc_tui.server.service import Service
from svc_tui.server.settings import Settings
from svc_tui.server.store.audit import Origin, originating
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.sqlite_lock import DatabaseUse

#: Users whose messaging passwords are renewed in one transaction.
_AT_ONCE = 200


def replace_signing_keys(settings: Settings) -> None:
    """Replace the keys of user tokens, also while servers run. Every user has to log in again. ServerCommandError."""
    require_database(settings)
    service = opened_service(settings)
    with used_database(settings) as use:
        asyncio.run(_replace(service, use))


async def _renew_messaging(service: Service) -> None:
    """New messaging passwords for all users: a forged token could read the present ones."""
    async with service.database.unit() as store:
        ids = await store.users.ids(Not(Is("jid_im", None)))
    for start in range(0, len(ids), _AT_ONCE):
        async with service.database.unit() as store:
            for id in ids[start : start + _AT_ONCE]:
                await store.users.renew_messaging(id)


async def _replace(service: Service, use: DatabaseUse) -> None:
    try:
        await upgrade(service, use)
        with originating(Origin(service.clock.now, job="svc-tui server replace-key")):
            await service.tokens.keys.replace()
            await _renew_messaging(service)
    except (SQLAlchemyError, OSError) as error:
        raise ServerCommandError(f"the database does not respond: {reason_of(error)}", OUT_OF_REACH) from error
    finally:
        await service.database.close()
