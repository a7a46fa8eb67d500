"""Subscribers: lists, reading, creation and deletion (4.7)."""

from __future__ import annotations

from unicodedata import normalize

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.findings import has_voice
from svc_tui.interface.voice.numbering import unassignable
from svc_tui.interface.voice.subscribers import PhoneNumberQuery, Subscriber, SubscriberBody, SubscriberQuery
from svc_tui.server.hooks import UserBelongings, of_users
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, RuleResult, documents_page, rule
from svc_tui.server.store.conditions import AnyOf, Condition, Contains, In, Is, Not, ReferencedBy, StartsWith
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.store.users import name_of
from svc_tui.server.stored import StoredUser
from svc_tui.server.voice.access import country_of, domain_of, locked_pbx, reached_pbx, subscriber_of
from svc_tui.server.voice.ddis import ddis_of_user, released, subscriber_of_user, update_user
from svc_tui.server.voice.deletion import problems_of_use, refuse_while_used
from svc_tui.server.voice.device_assignment import release_all
from svc_tui.server.voice.numbering import is_in_use
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDdi, StoredSubscriber
from svc_tui.server.voice.subscriber_options import with_company_options

#: Characters of a generated SIP password.
_PASSWORD = 12


@rule(declared.list_subscribers)
async def list_subscribers(call: Call[SubscriberQuery]) -> RuleResult:
    return await _page(call, call.query, [])


@rule(declared.list_system_phone_numbers)
async def list_system_phone_numbers(call: Call[PhoneNumberQuery]) -> RuleResult:
    return await _page(call, call.query, _filters(call.query))


@rule(declared.get_subscriber)
async def get_subscriber(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": _represented(pbx, await subscriber_of(call, pbx))}


@rule(declared.create_subscriber)
async def create_subscriber(call: Call[Nothing, SubscriberBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    user = await _user(call, pbx)
    number = call.body.short_number
    if reason := unassignable(document_of(pbx.cloudpbx), number, await country_of(call, pbx)):
        raise invalid(Problem("shortNumber", reason, number))
    if await is_in_use(call.store, pbx, number):
        raise Refusal(Code.INTERNAL_NUMBER_USED)
    password = call.body.password or call.service.ids.secret(_PASSWORD)
    subscriber = _new(call, pbx, user, number)
    subscriber.password = password
    await call.store.subscribers.add(document_of(subscriber))
    await update_user(call.store, subscriber)
    # The only answer that shows the password.
    return {"data": {**_represented(pbx, subscriber), "password": password}}


@rule(declared.delete_subscriber)
async def delete_subscriber(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    await refuse_while_used(call.store, "subscribers", document_of(subscriber), Code.USER_IN_WELCOME)
    await _remove(call.store, subscriber)
    return {"status": f"Subscriber {subscriber.id} successfully deleted", "data": []}


async def _remove(store: Store, subscriber: StoredSubscriber) -> None:
    """Remove a subscriber. Its devices and numbers become free."""
    await release_all(store, subscriber)
    for ddi in await ddis_of_user(store, subscriber.system_id, subscriber.user_id):
        await store.ddis.put(document_of(released(ddi)))
    await update_user(store, subscriber, removed=True)
    await store.subscribers.remove(subscriber.id)


class Telephony(UserBelongings):
    """The subscribers of a user, and the welcome services that send calls to the user."""

    async def locks(self, store: Store, user: Document) -> list[str]:
        systems = await store.cloudpbxs.ids(Is("companyId", user.get("companyId")))
        systems += await store.subscribers.values("systemId", Is("userId", user["id"]))
        return [f"cloudpbx:{id}" for id in dict.fromkeys(systems)]

    async def preventing(self, store: Store, user: Document) -> list[Problem]:
        held = (await store.subscribers.find(Is("userId", user["id"]))).documents
        without = set(await store.cloudpbxs.ids(Is("companyId", user.get("companyId"))))
        without -= {each["systemId"] for each in held}
        # A service can still send calls to a user who has lost the extension.
        records = [*held, *({"systemId": id, "userId": user["id"]} for id in without)]
        return [problem for each in records for problem in await problems_of_use(store, "subscribers", each)]

    async def release(self, store: Store, user: Document) -> None:
        for each in all_typed(StoredSubscriber, (await store.subscribers.find(Is("userId", user["id"]))).documents):
            await _remove(store, each)
        for ddi in all_typed(StoredDdi, (await store.ddis.find(Is("userId", user["id"]))).documents):
            await store.ddis.put(document_of(released(ddi)))


of_users(Telephony())


async def _has_voice(store: Store, user: StoredUser) -> bool:
    """Whether one of the user's licences is for voice, by itself or by its offer."""
    profiles = user.profiles or ()
    ids = tuple({str(profile["offerId"]) for profile in profiles if profile.get("offerId")})
    return has_voice(profiles, (await store.offers.find(In("id", ids))).documents)


async def _page(
    call: Call[SubscriberQuery] | Call[PhoneNumberQuery], query: SubscriberQuery, where: list[Condition]
) -> Document:
    pbx = await reached_pbx(call)

    def show(subscriber: Document) -> Document:
        return with_company_options(pbx, typed(StoredSubscriber, subscriber))

    return await documents_page(
        call, call.store.subscribers, Subscriber, query, Is("systemId", pbx.id), *where, show=show
    )


def _filters(query: PhoneNumberQuery) -> list[Condition]:
    where: list[Condition] = []
    if query.short_number:
        where.append(StartsWith("shortNumber", query.short_number))
    if query.internal_number:
        where.append(StartsWith("internalNumber", query.internal_number))
    if query.company_prefix:
        where.append(StartsWith("internalNumber", query.company_prefix))
    if query.pbx_user_id:
        where.append(Is("pbxUserId", query.pbx_user_id))
    if query.is_monitored is not None:
        where.append(Is("isMonitored", True) if query.is_monitored else Not(Is("isMonitored", True)))
    if query.name:
        # Names are compared without regard to case, and to how accents are spelled.
        names = {normalize(form, query.name.casefold()) for form in ("NFC", "NFD")}
        fields = ("firstName", "lastName", "names")
        where.append(AnyOf(tuple(StartsWith(wire, name) for wire in fields for name in sorted(names))))
    if query.device_name:
        of_device = ReferencedBy("devices", "phoneNumberId", Contains("description", query.device_name))
        where.append(AnyOf((Contains("deviceName", query.device_name), of_device)))
    if query.is_assigned_to_user is not None:
        where.append(Not(Is("userId", None)) if query.is_assigned_to_user else Is("userId", None))
    return where


def _represented(pbx: StoredCloudPbx, subscriber: StoredSubscriber) -> Document:
    return Subscriber.answered(with_company_options(pbx, subscriber), "full")


async def _user(call: Call[Nothing, SubscriberBody], pbx: StoredCloudPbx) -> StoredUser:
    """The user of the body. Refusal for a user of another company, without a licence, or with an extension already."""
    user_id = checked_id("userId", call.body.user_id)
    user = typed(StoredUser, await call.store.users.get(user_id))
    if user is None:
        raise not_found("User", user_id)
    if user.company_id != pbx.company_id:
        raise invalid(Problem("userId", "is a user of another company", user_id))
    if user.is_terminated:
        raise invalid(Problem("userId", "is a terminated user", user_id))
    if not await _has_voice(call.store, user):
        raise Refusal(Code.NO_VOICE_LICENCE)
    if await subscriber_of_user(call.store, pbx.id, user_id):
        raise Refusal(Code.ALREADY_EXISTS, "This user already has an extension.")
    return user


def _new(call: Call[Nothing, SubscriberBody], pbx: StoredCloudPbx, user: StoredUser, number: str) -> StoredSubscriber:
    ids = call.service.ids
    id, domain = ids.record(), domain_of(pbx)
    jabber = ids.secret()
    name = name_of(document_of(user))
    country = pbx.country
    subscriber: Document = {
        "id": id,
        "userId": user.id,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "names": name,
        "deviceName": name,
        "shortNumber": number,
        "internalNumber": number,
        "secondaryDDIs": [],
        "voiceMailNumber": pbx.cloudpbx.voice_number,
        "overflowToVoicemail": {"value": "default", "unavailableOverflow": "default"},
        "barringOptions": {"permissions": "default", "restrictions": "default"},
        "bargeOptions": {"telephonyBasicAttendantBargeIn": "company_policy"},
        "callForwardOptions": {"externalCallForward": "company_policy"},
        "isRecordingActivated": False,
        "recordingProfile": "none",
        "status": "activated",
        "cloudPbxStatus": "activated",
        "type": "extension",
        "deviceType": "landline",
        "isFromSystem": True,
        "isMonitored": False,
        "pbxId": pbx.pbx_id,
        "pbxUserId": id,
        "systemId": pbx.id,
        "country": country,
        "creationDate": call.stamp,
        "shardKey": {"country": country, "phoneNumber": number, "owner": pbx.id},
        "jid_im": user.jid_im,
        "jid_tel": f"tel_{jabber}@{domain}",
        "jid_password": ids.secret(),
    }
    return typed(StoredSubscriber, subscriber)
