"""Subscribers: lists, reading, creation and deletion (4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.numbering import allows
from svc_tui.interface.voice.subscribers import PhoneNumberQuery, Subscriber, SubscriberBody, SubscriberQuery
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AnyOf, Begins, Condition, Contains, In, Is, Not, Referred
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.assignment import release_all
from svc_tui.server.voice.ddis import freed
from svc_tui.server.voice.extensions import ddis_of_user, subscriber_of_user, tell_user
from svc_tui.server.voice.numbering import is_in_use, plan_in_words
from svc_tui.server.voice.own_options import with_company
from svc_tui.server.voice.seen import locked_pbx, reached_pbx, subscriber_of

#: Characters of a SIP password that the service makes up.
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
    return {"data": _shown(pbx, await subscriber_of(call, pbx))}


@rule(declared.create_subscriber)
async def create_subscriber(call: Call[Nothing, SubscriberBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    user = await _user(call, pbx)
    number = call.body.short_number
    if not allows(pbx["cloudpbx"], number):
        plan = plan_in_words(pbx["cloudpbx"])
        raise invalid(Problem("shortNumber", f"is not in the numbering plan ({plan})", number))
    if await is_in_use(call.store, pbx, number):
        raise Refusal(Code.INTERNAL_NUMBER_USED)
    password = call.body.password or call.service.ids.secret(_PASSWORD)
    subscriber = {**_new(call, pbx, user, number), "password": password}
    await call.store.subscribers.add(subscriber)
    await tell_user(call.store, subscriber)
    # This once the password is shown.
    return {"data": {**_shown(pbx, subscriber), "password": password}}


@rule(declared.delete_subscriber)
async def delete_subscriber(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    await release_all(call.store, subscriber)
    for ddi in await ddis_of_user(call.store, pbx["id"], subscriber["userId"]):
        await call.store.ddis.put(freed(ddi))
    await tell_user(call.store, subscriber, gone=True)
    await call.store.subscribers.remove(subscriber["id"])
    return {"status": f"Subscriber {subscriber['id']} successfully deleted", "data": []}


async def has_voice(store: Store, user: Document) -> bool:
    """Whether one of the user's licences is for voice, by itself or by its offer."""
    profiles = user.get("profiles") or []
    if any(profile.get("isVoicePhone") or profile.get("hasVoice") for profile in profiles):
        return True
    offers = tuple({str(profile["offerId"]) for profile in profiles if profile.get("offerId")})
    return any(offer.get("hasVoice") for offer in (await store.offers.find(In("id", offers))).documents)


async def _page(
    call: Call[SubscriberQuery] | Call[PhoneNumberQuery], query: SubscriberQuery, where: list[Condition]
) -> Document:
    pbx = await reached_pbx(call)

    def show(subscriber: Document) -> Document:
        return with_company(pbx, subscriber)

    return await page_of(call.store.subscribers, Subscriber, query, Is("systemId", pbx["id"]), *where, show=show)


def _filters(query: PhoneNumberQuery) -> list[Condition]:
    where: list[Condition] = []
    if query.short_number:
        where.append(Begins("shortNumber", query.short_number))
    if query.internal_number:
        where.append(Begins("internalNumber", query.internal_number))
    if query.company_prefix:
        where.append(Begins("internalNumber", query.company_prefix))
    if query.pbx_user_id:
        where.append(Is("pbxUserId", query.pbx_user_id))
    if query.is_monitored is not None:
        where.append(Is("isMonitored", True) if query.is_monitored else Not(Is("isMonitored", True)))
    if query.name:
        # Names are compared without regard to case.
        name = query.name.casefold()
        where.append(AnyOf(tuple(Begins(wire, name) for wire in ("firstName", "lastName", "names"))))
    if query.device_name:
        of_device = Referred("devices", "phoneNumberId", Contains("description", query.device_name))
        where.append(AnyOf((Contains("deviceName", query.device_name), of_device)))
    if query.is_assigned_to_user is not None:
        where.append(Not(Is("userId", None)) if query.is_assigned_to_user else Is("userId", None))
    return where


def _shown(pbx: Document, subscriber: Document) -> Document:
    return Subscriber.shown(with_company(pbx, subscriber), "full")


async def _user(call: Call[Nothing, SubscriberBody], pbx: Document) -> Document:
    """The user of the body. Refusal for one of another company, without a licence, or with an extension already."""
    user_id = call.body.user_id
    if not RECORD_ID.fullmatch(user_id):
        raise invalid(Problem("userId", "is no identifier", user_id))
    user = await call.store.users.get(user_id)
    if user is None:
        raise not_found("User", user_id)
    if user.get("companyId") != pbx["companyId"]:
        raise invalid(Problem("userId", "is a user of another company", user_id))
    if user.get("isTerminated"):
        raise invalid(Problem("userId", "is a terminated user", user_id))
    if not await has_voice(call.store, user):
        raise Refusal(Code.NO_VOICE_LICENCE)
    if await subscriber_of_user(call.store, pbx["id"], user_id):
        raise Refusal(Code.ALREADY_EXISTS, "this user has an extension already")
    return user


def _new(call: Call[Nothing, SubscriberBody], pbx: Document, user: Document, number: str) -> Document:
    ids = call.service.ids
    id, domain = ids.record(), str(pbx["cloudpbx"].get("domainName") or "voice.svc")
    jabber = ids.secret()
    name = str(user.get("displayName") or f"{user.get('firstName', '')} {user.get('lastName', '')}".strip())
    country = pbx.get("country")
    return {
        "id": id,
        "userId": user["id"],
        "firstName": user.get("firstName"),
        "lastName": user.get("lastName"),
        "names": name,
        "deviceName": name,
        "shortNumber": number,
        "internalNumber": number,
        "secondaryDDIs": [],
        "voiceMailNumber": pbx["cloudpbx"].get("voiceNumber"),
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
        "pbxId": pbx.get("pbxId"),
        "pbxUserId": id,
        "systemId": pbx["id"],
        "country": country,
        "creationDate": call.stamp,
        "shardKey": {"country": country, "phoneNumber": number, "owner": pbx["id"]},
        "jid_im": user.get("jid_im"),
        "jid_tel": f"tel_{jabber}@{domain}",
        "jid_password": ids.secret(),
    }
