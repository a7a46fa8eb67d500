"""Deletion of users (2.4): terminated, with everything that they had in every area removed or free for others."""

from __future__ import annotations

from svc_tui.interface.authentication import user_changes as declared
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import copied, document_of
from svc_tui.server.authentication.user_changes import reached_user
from svc_tui.server.authentication.user_fields import check_manageable
from svc_tui.server.hooks import user_belongings
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security import guard
from svc_tui.server.store.conditions import Is
from svc_tui.server.stored import StoredUser

#: What prevents a deletion, by the names of problems, and its code.
_CODES = {"applications": Code.OWNS_APPLICATIONS, "welcomeservices": Code.USER_IN_WELCOME}


@rule(declared.delete_user)
async def delete_user(call: Call) -> RuleResult:
    user = await _deletable(call)
    document = document_of(user)
    names = [name for each in user_belongings() for name in await each.locks(call.store, document)]
    await call.store.lock_all((*names, f"api_keys:{user.id}", f"mfa:{user.id}"))
    await call.store.lock(f"user:{user.id}")
    document = document_of(await _deletable(call))
    found = [problem for each in user_belongings() for problem in await each.preventing(call.store, document)]
    if found:
        raise Refusal(_CODES[found[0].param], [problem.wire() for problem in found])
    for each in user_belongings():
        await each.release(call.store, document)
    await _terminate(call, user.id)
    return {"status": f"User {user.id} successfully deleted", "data": []}


async def _deletable(call: AnyCall) -> StoredUser:
    """The user of the path. Refusal 404002, 403301, and 403000 for the caller and for roles that the caller has not."""
    user = await reached_user(call, Code.NOT_FOUND_DELETE)
    if user.id == call.user.id:
        raise Refusal(Code.ROLE_MISSING, "You cannot delete yourself: ask another administrator.")
    check_manageable(call, user)
    return user


async def _terminate(call: AnyCall, id: str) -> None:
    user = copied(await reached_user(call, Code.NOT_FOUND_DELETE))
    user.is_terminated, user.is_active, user.profiles = True, False, []
    user.last_update_date = call.now
    del user.mfa_svc_auth, user.last_avatar_update_date
    of_user = Is("userId", id)
    await call.store.users.put(document_of(user))
    await call.store.images.remove("avatar", id)
    await call.store.user_secrets.remove(id)
    await call.store.api_keys.remove_all(of_user)
    await call.store.trusted_applications.remove_all(of_user)
    await guard.clear(id, call.store)
