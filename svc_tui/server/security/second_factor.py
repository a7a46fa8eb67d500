"""The second factor: TOTP codes, each valid once, the recovery code, and trusted applications."""

from __future__ import annotations

import base64
import hmac
from datetime import timedelta

import pyotp

from svc_tui.interface.authentication.user_rules import has_factor
from svc_tui.interface.dates import stamp
from svc_tui.server.clock import Ids
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

STEP_SECONDS = 30
#: Clocks can differ by one step in either direction.
_STEPS = (0, -1, 1)


def new_secret(ids: Ids) -> str:
    """A TOTP secret of 160 bits, base32."""
    return base64.b32encode(bytes.fromhex(ids.secret(40))).decode("ascii")


def new_recovery_code(ids: Ids) -> str:
    """A recovery code to write down: four groups of four."""
    text = ids.secret(16)
    return "-".join(text[start : start + 4] for start in range(0, 16, 4))


def normalised(code: str) -> str:
    """A code without spaces, dashes and capitals."""
    return "".join(character for character in code if character.isalnum()).lower()


def step_of(secret: str, code: str, service: Service) -> int | None:
    """The time step of a code. None when it is not valid now."""
    now = int(service.clock.now().timestamp())
    totp = pyotp.TOTP(secret)
    for offset in _STEPS:
        step = now // STEP_SECONDS + offset
        if hmac.compare_digest(totp.at(step * STEP_SECONDS).encode(), code.strip().encode()):
            return step
    return None


async def proves_factor(user_id: str, code: str, store: Store, service: Service) -> bool:
    """Whether a code or recovery code is valid. It is used up then.

    The caller holds the lock on the user's second factor.
    """
    secrets = await store.user_secrets.get(user_id) or {}
    step = step_of(secrets["mfaSecret"], code, service) if secrets.get("mfaSecret") else None
    if step is not None:
        if step <= secrets.get("mfaLastStep", 0):
            return False
        await store.user_secrets.put({**secrets, "mfaLastStep": step})
        return True
    stored = secrets.get("mfaRecoveryHash")
    if stored and await service.passwords.verify(normalised(code), stored):
        await store.user_secrets.put({**secrets, "mfaRecoveryHash": None})
        return True
    return False


async def policy_of(user: Document, store: Store) -> Document | None:
    """The company's policy for a user: that of the enrolment, otherwise the one for all users. None without any."""
    chosen = (user.get("mfaSvcAuth") or {}).get("mfaSvcPolicyId")
    found = await store.mfa_settings.get(str(chosen)) if chosen else None
    if found is not None and found.get("companyId") == user.get("companyId"):
        return found
    return await store.mfa_settings.one(
        Is("companyId", str(user.get("companyId"))), Is("enabledForAllCompanyUsers", True)
    )


async def is_required(user: Document, app_id: str, trusted_app: str, store: Store, service: Service) -> bool:
    """Whether a login needs the second factor. `trusted_app` is the x-svc-trusted-appid header."""
    if not has_factor(user):
        return False
    policy = await policy_of(user, store)
    match (policy or {}).get("mfaPolicy", "always"):
        case "never":
            return False
        case "untrusted_only":
            return trusted_app != app_id or not await _is_trusted(user, app_id, store, service)
        case _:
            return True


async def _is_trusted(user: Document, app_id: str, store: Store, service: Service) -> bool:
    found = await store.trusted_applications.get(f"{user['id']}:{app_id}")
    return found is not None and str(found["until"]) > stamp(service.clock.now())


async def trust(user: Document, application: Document, store: Store, service: Service) -> None:
    """Skip the second factor in this application for the time of the policy."""
    days = (await policy_of(user, store) or {}).get("rememberDaysApplication", 365)
    until = stamp(service.clock.now() + timedelta(days=min(days, 36500)))
    app_id = str(application["id"])
    document = {"id": f"{user['id']}:{app_id}", "userId": user["id"], "appId": app_id, "until": until}
    await store.trusted_applications.put({**document, "appName": application.get("name")})
    await note_trusted(str(user["id"]), store)


async def note_trusted(user_id: str, store: Store) -> None:
    """Update the list of trusted applications in the user's record."""
    await store.lock(f"user:{user_id}")
    user = await store.users.get(user_id)
    if user is None:
        return
    found = await store.trusted_applications.find(Is("userId", user_id))
    listed = [{"appId": each["appId"], "appName": each.get("appName")} for each in found.documents]
    await store.users.put({**user, "mfaSvcAuth": {**(user.get("mfaSvcAuth") or {}), "mfaTrustedApps": listed}})
