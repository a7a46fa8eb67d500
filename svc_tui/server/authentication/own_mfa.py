"""A user's own second factor (5.7): enrolment, verification, disabling, recovery code, trusted applications.

The limited token of a login can only verify: a caller who knows just the password must not disable or replace the
second factor, or read its secret.
"""

from __future__ import annotations

import pyotp
import segno

from svc_tui.interface.authentication import mfa as declared
from svc_tui.interface.authentication.mfa import MfaCode, MfaSetting
from svc_tui.interface.authentication.user_rules import has_factor
from svc_tui.interface.authentication.users import User
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.authentication.users import own_id
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredUser, UserSecrets

_ISSUER = "svc"


async def _in_full_session(call: Call) -> str:
    """The id of the caller, locked for a change of the second factor. Refusal 403000 with a limited token."""
    id = own_id(call)
    if call.claims.mfa_type:
        raise Refusal(Code.ROLE_MISSING, "verify the second factor first")
    await call.store.lock(f"mfa:{id}")
    return id


async def _secrets(call: AnyCall) -> UserSecrets:
    id = call.user.id
    return typed(UserSecrets, await call.store.user_secrets.get(id) or {"id": id})


def _without_factor(secrets: UserSecrets) -> UserSecrets:
    fields = {name: value for name, value in document_of(secrets).items() if not name.startswith("mfa")}
    return typed(UserSecrets, fields)


async def _policy(call: Call) -> MfaSetting | None:
    return typed(MfaSetting, await second_factor.policy_of(document_of(call.user), call.store))


async def _set_state(call: AnyCall, **changes: object) -> Document:
    id = call.user.id
    await call.store.lock(f"user:{id}")
    user = copied(typed(StoredUser, await call.store.users.get(id)) or call.user)
    user.mfa_svc_auth = {"mfaTrustedApps": [], **(user.mfa_svc_auth or {}), **changes}
    user.last_update_date = call.now
    return await call.store.users.put(document_of(user))


@rule(declared.get_mfa)
async def get_mfa(call: Call) -> RuleResult:
    id = own_id(call)
    if call.claims.mfa_type:
        return {"data": {"mfaType": "totp"}}
    await call.store.lock(f"mfa:{id}")
    secrets = copied(await _secrets(call))
    secret = secrets.mfa_pending_secret or second_factor.new_secret(call.service.ids)
    secrets.mfa_pending_secret, secrets.mfa_pending_proven = secret, False
    await call.store.user_secrets.put(document_of(secrets))
    if not has_factor(document_of(call.user)):
        await _set_state(call, mfaStatus="init")
    address = pyotp.TOTP(secret, name=call.user.login_email or id, issuer=_ISSUER).provisioning_uri()
    picture = segno.make(address, error="m").png_data_uri(scale=4)
    return {"data": {"mfaType": "totp", "mfaSecret": secret, "otpAuthUrl": address, "qrcode": picture}}


@rule(declared.verify_mfa)
async def verify_mfa(call: Call[Nothing, MfaCode]) -> RuleResult:
    id = own_id(call)
    await call.store.lock(f"mfa:{id}")
    secrets = await _secrets(call)
    if secrets.mfa_pending_secret and not call.claims.mfa_type:
        return await _verify_enrolment(call, secrets, secrets.mfa_pending_secret)
    correct = await second_factor.proves_factor(id, call.body.token, call.store, call.service)
    failed_before = await guard.count_attempt(correct, id, call.body.token, call.headers, call.store, call.service)
    user, application = document_of(call.user), document_of(call.application)
    login: Document = {}
    if call.claims.mfa_type:
        if failed_before:
            await guard.clear(id, call.store)
        login = await logins.complete_login(user, application, call.store, call.service)
    if call.body.trust_application:
        await second_factor.trust(user, application, call.store, call.service)
    # Clients of this operation read `data`, those of any login the response itself.
    return {"data": {"mfaType": "totp", **login}, **login}


async def _verify_enrolment(call: Call[Nothing, MfaCode], secrets: UserSecrets, secret: str) -> RuleResult:
    step = second_factor.step_of(secret, call.body.token, call.service)
    if step is None or step <= secrets.mfa_pending_step:
        raise Refusal(Code.WRONG_CREDENTIALS, "this is not the current code of the authenticator")
    code = second_factor.new_recovery_code(call.service.ids)
    verified = copied(secrets)
    verified.mfa_pending_proven, verified.mfa_pending_step = True, step
    verified.mfa_pending_recovery_hash = await _recovery_hash(call, code)
    await call.store.user_secrets.put(document_of(verified))
    return {"data": {"mfaType": "totp", "mfaRecoveryCode": code}}


async def _recovery_hash(call: AnyCall, code: str) -> str:
    return await call.service.passwords.hash_in_thread(second_factor.normalised(code))


@rule(declared.enable_mfa)
async def enable_mfa(call: Call) -> RuleResult:
    await _in_full_session(call)
    pending = await _secrets(call)
    if not pending.mfa_pending_proven:
        raise invalid(Problem("token", "verify a code of the authenticator first"))
    secrets = _without_factor(pending)
    secrets.mfa_secret = pending.mfa_pending_secret
    secrets.mfa_recovery_hash = pending.mfa_pending_recovery_hash
    secrets.mfa_last_step = pending.mfa_pending_step
    await call.store.user_secrets.put(document_of(secrets))
    policy = await _policy(call)
    user = await _set_state(call, mfaStatus="enabled", mfaSvcPolicyId=policy.mfa_id if policy else None)
    return {"data": User.answered(user, "full")}


@rule(declared.disable_mfa)
async def disable_mfa(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    policy = await _policy(call)
    if policy is not None and not policy.mfa_can_be_disabled:
        raise Refusal(Code.ROLE_MISSING, "your company does not allow users to disable the second factor")
    await call.store.user_secrets.put(document_of(_without_factor(await _secrets(call))))
    await call.store.trusted_applications.remove_all(Is("userId", id))
    await _set_state(call, mfaStatus="disabled", mfaTrustedApps=[])
    return {"status": f"Second factor of user {id} successfully disabled", "data": []}


@rule(declared.reset_mfa_recovery_code)
async def reset_recovery_code(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    if not has_factor(document_of(call.user)):
        raise invalid(Problem("userId", "has no second factor", id))
    code = second_factor.new_recovery_code(call.service.ids)
    secrets = copied(await _secrets(call))
    secrets.mfa_recovery_hash = await _recovery_hash(call, code)
    await call.store.user_secrets.put(document_of(secrets))
    return {"status": f"Recovery code of user {id} successfully replaced", "mfaRecoveryCode": code}


@rule(declared.delete_mfa_trusted_applications)
async def remove_trusted_applications(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    await call.store.trusted_applications.remove_all(Is("userId", id))
    await second_factor.note_trusted(id, call.store)
    return {"status": f"Trusted applications of user {id} successfully deleted", "data": []}


@rule(declared.delete_mfa_trusted_application)
async def remove_trusted_application(call: Call) -> RuleResult:
    id = await _in_full_session(call)
    app_id = call.path["appId"]
    if not await call.store.trusted_applications.remove(f"{id}:{app_id}"):
        raise Refusal(Code.NOT_FOUND_DELETE, f"Trusted application with id {app_id} not found")
    await second_factor.note_trusted(id, call.store)
    return {"status": f"Trusted application {app_id} successfully deleted", "data": []}
