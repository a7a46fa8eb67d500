"""A user's own second factor (5.7): enrolment, proof, switching off, recovery code, trusted applications.

The limited token of a login only proves: whoever knows just the password must not switch the factor off, replace it,
or read its secret.
"""

from __future__ import annotations

import pyotp
import segno

from svc_tui.interface.authentication import mfa as declared
from svc_tui.interface.authentication.mfa import MfaCode
from svc_tui.interface.authentication.users import User
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.tables import Document

_ISSUER = "svc"


def _himself(call: Call[Nothing, MfaCode] | Call) -> str:
    if call.path["userId"] != call.user["id"]:
        raise Refusal(Code.NOT_HIMSELF)
    return str(call.user["id"])


async def _in_full_session(call: Call) -> str:
    id = _himself(call)
    if call.claims.get("mfaType"):
        raise Refusal(Code.ROLE_MISSING, "prove the second factor first")
    await call.store.lock(f"mfa:{id}")
    return id


async def _set_state(call: Call[Nothing, MfaCode] | Call, **changes: object) -> Document:
    await call.store.lock(f"user:{call.user['id']}")
    user = await call.store.users.get(str(call.user["id"])) or call.user
    state = {"mfaTrustedApps": [], **(user.get("mfaSvcAuth") or {}), **changes}
    return await call.store.users.put({**user, "mfaSvcAuth": state, "lastUpdateDate": call.stamp})


@rule(declared.get_mfa)
async def get_mfa(call: Call) -> RuleResult:
    id = _himself(call)
    if call.claims.get("mfaType"):
        return {"data": {"mfaType": "totp"}}
    await call.store.lock(f"mfa:{id}")
    secrets = await call.store.user_secrets.get(id) or {"id": id}
    secret = secrets.get("mfaPendingSecret") or second_factor.new_secret(call.service.ids)
    await call.store.user_secrets.put({**secrets, "mfaPendingSecret": secret, "mfaPendingProven": False})
    if not second_factor.is_enabled(call.user):
        await _set_state(call, mfaStatus="init")
    name = str(call.user.get("loginEmail") or id)
    address = pyotp.TOTP(secret, name=name, issuer=_ISSUER).provisioning_uri()
    picture = segno.make(address, error="m").png_data_uri(scale=4)
    return {"data": {"mfaType": "totp", "mfaSecret": secret, "otpAuthUrl": address, "qrcode": picture}}


@rule(declared.verify_mfa)
async def verify_mfa(call: Call[Nothing, MfaCode]) -> RuleResult:
    id = _himself(call)
    await call.store.lock(f"mfa:{id}")
    secrets = await call.store.user_secrets.get(id) or {}
    if secrets.get("mfaPendingSecret") and not call.claims.get("mfaType"):
        return await _prove_enrolment(call, secrets)
    fits = await second_factor.proves_factor(id, call.body.token, call.store, call.service)
    await guard.count_attempt(fits, id, call.body.token, call.headers, call.store, call.service)
    data: Document = {"mfaType": "totp"}
    if call.claims.get("mfaType"):
        await guard.clear(id, call.store)
        data |= await logins.complete_login(call.user, call.application, call.store, call.service)
    if call.body.trust_application:
        await second_factor.trust(call.user, call.application, call.store, call.service)
    return {"data": data}


async def _prove_enrolment(call: Call[Nothing, MfaCode], secrets: Document) -> RuleResult:
    step = second_factor.step_of(str(secrets["mfaPendingSecret"]), call.body.token, call.service)
    if step is None or step <= secrets.get("mfaPendingStep", 0):
        raise Refusal(Code.WRONG_CREDENTIALS, "this is not the code that the authenticator shows now")
    code = second_factor.new_recovery_code(call.service.ids)
    hashed = await call.service.passwords.hash_in_thread(second_factor.normalised(code))
    proven = {"mfaPendingProven": True, "mfaPendingStep": step, "mfaPendingRecoveryHash": hashed}
    await call.store.user_secrets.put({**secrets, **proven})
    return {"data": {"mfaType": "totp", "mfaRecoveryCode": code}}


@rule(declared.enable_mfa)
async def enable_mfa(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    secrets = await call.store.user_secrets.get(id) or {}
    if not secrets.get("mfaPendingProven"):
        raise invalid(Problem("token", "verify a code of the authenticator first"))
    kept = {name: value for name, value in secrets.items() if not name.startswith("mfa")}
    factor = {
        "mfaSecret": secrets["mfaPendingSecret"],
        "mfaRecoveryHash": secrets["mfaPendingRecoveryHash"],
        "mfaLastStep": secrets["mfaPendingStep"],
    }
    await call.store.user_secrets.put({**kept, **factor})
    policy = await second_factor.policy_of(call.user, call.store)
    user = await _set_state(call, mfaStatus="enabled", mfaSvcPolicyId=(policy or {}).get("mfaId"))
    return {"data": User.shown(user, "full")}


@rule(declared.disable_mfa)
async def disable_mfa(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    policy = await second_factor.policy_of(call.user, call.store)
    if policy is not None and not policy.get("mfaCanBeDisabled"):
        raise Refusal(Code.ROLE_MISSING, "your company does not allow the second factor to be switched off")
    secrets = await call.store.user_secrets.get(id) or {"id": id}
    await call.store.user_secrets.put({name: value for name, value in secrets.items() if not name.startswith("mfa")})
    await call.store.trusted_applications.remove_all(Is("userId", id))
    await _set_state(call, mfaStatus="disabled", mfaTrustedApps=[])
    return {"status": f"Second factor of user {id} successfully disabled", "data": []}


@rule(declared.reset_mfa_recovery_code)
async def reset_recovery_code(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    if not second_factor.is_enabled(call.user):
        raise invalid(Problem("userId", "has no second factor", id))
    code = second_factor.new_recovery_code(call.service.ids)
    secrets = await call.store.user_secrets.get(id) or {"id": id}
    hashed = await call.service.passwords.hash_in_thread(second_factor.normalised(code))
    await call.store.user_secrets.put({**secrets, "mfaRecoveryHash": hashed})
    return {"status": f"Recovery code of user {id} successfully replaced", "mfaRecoveryCode": code}


@rule(declared.delete_mfa_trusted_applications)
async def forget_all(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    await call.store.trusted_applications.remove_all(Is("userId", id))
    await second_factor.note_trusted(id, call.store)
    return {"status": f"Trusted applications of user {id} successfully deleted", "data": []}


@rule(declared.delete_mfa_trusted_application)
async def forget_one(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    app_id = call.path["appId"]
    if not await call.store.trusted_applications.remove(f"{id}:{app_id}"):
        raise Refusal(Code.NOT_FOUND_DELETE, f"Trusted application with id {app_id} not found")
    await second_factor.note_trusted(id, call.store)
    return {"status": f"Trusted application {app_id} successfully deleted", "data": []}
