"""The options of a subscriber, each with the option of the company (4.7)."""

from __future__ import annotations

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.access import DEFAULT_DELAY
from svc_tui.interface.voice.subscribers import (
    Overflow,
    OverflowBody,
    OwnBargeBody,
    OwnBargeOptions,
    OwnBarring,
    OwnCallForward,
    OwnCliOptions,
    PstnDeviceOptions,
    RecordingChoice,
    SipHeaders,
)
from svc_tui.server.refusal import invalid
from svc_tui.server.request_values import merged, unavailable, update_of, values_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import company_of, country_of, locked_pbx, pbx_subject, reached_pbx, subscriber_of
from svc_tui.server.voice.ddis import checked_number
from svc_tui.server.voice.stored import StoredCloudPbx, StoredSubscriber, cli_options

_BARGE, _BARRING, _FORWARD = "bargeOptions", "barringOptions", "callForwardOptions"
_OVERFLOW, _SIP = "overflowToVoicemail", "sipHeaders"


def with_company_options(pbx: StoredCloudPbx, subscriber: StoredSubscriber) -> Document:
    """A subscriber in a response: its options beside those of the company, without those with their own operations."""
    found = copied(subscriber)
    del found.pstn_device_options, found.sip_headers
    found.barge_options = barge_options(pbx, subscriber)
    found.cli_options = own_cli_options(pbx, subscriber)
    found.overflow_to_voicemail = overflow(pbx, subscriber)
    return document_of(found)


def barge_options(pbx: StoredCloudPbx, subscriber: StoredSubscriber) -> OwnBargeOptions:
    """Whether attendants may join the subscriber's calls, and the option of the company."""
    own, company = subscriber.barge_options, pbx.cloudpbx.barge_options
    chosen = own.telephony_basic_attendant_barge_in if own else None
    options = typed(OwnBargeOptions, {})
    options.telephony_basic_attendant_barge_in = chosen or "company_policy"
    options.company_policy = company.telephony_basic_attendant_barge_in if company else None
    return options


def own_cli_options(pbx: StoredCloudPbx, subscriber: StoredSubscriber) -> OwnCliOptions:
    """The number that callees see. For a subscriber without the DDI number that the policy asks for, the company's."""
    company = cli_options(pbx.cloudpbx)
    own = typed(OwnCliOptions, {**document_of(company), **document_of(subscriber.cli_options)})
    if own.policy == "user_ddi_number" and subscriber.external_number:
        own.number_e164 = subscriber.external_number
    own.company_policy = company.policy
    return own


def overflow(pbx: StoredCloudPbx, subscriber: StoredSubscriber) -> Overflow:
    """When calls go to the subscriber's voicemail; `activate` and the delay take the company's choice into account."""
    own = typed(Overflow, {**document_of(subscriber.overflow_to_voicemail)})
    own.value = own.value or "default"
    own.unavailable_overflow = own.unavailable_overflow or "default"
    company = pbx.cloudpbx.overflow_subscribers_to_voicemail
    as_company = own.value == "default" and company is not None and bool(company.activate)
    own.activate = own.value == "custom" or as_company
    if own.value != "custom" or own.no_reply_delay is None:
        own.no_reply_delay = company.no_reply_delay if company is not None else DEFAULT_DELAY
    return own


@rule(declared.get_subscriber_cli_options)
async def get_cli_options(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": document_of(own_cli_options(pbx, await subscriber_of(call, pbx)))}


@rule(declared.get_subscriber_barge_options)
async def get_barge_options(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": document_of(barge_options(pbx, await subscriber_of(call, pbx)))}


@rule(declared.update_subscriber_barge_options)
async def update_barge_options(call: Call[Nothing, OwnBargeBody]) -> RuleResult:
    pbx, subscriber = await _changed(call, _BARGE, values_of(call.body))
    return {"data": document_of(barge_options(pbx, subscriber))}


@rule(declared.get_subscriber_pstn_device_options)
async def get_pstn_device_options(call: Call) -> RuleResult:
    return {"data": _pstn(await subscriber_of(call, await reached_pbx(call)))}


@rule(declared.update_subscriber_pstn_device_options)
async def update_pstn_device_options(call: Call[Nothing, PstnDeviceOptions]) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    options = typed(PstnDeviceOptions, {"policy": call.body.policy})
    if options.policy == "subscriber_ddi" and not subscriber.external_number:
        raise invalid(Problem("policy", "requires a DDI number of the subscriber", options.policy))
    if options.policy == "custom_ddi_number":
        if not call.body.number_e164:
            raise invalid(Problem("numberE164", "is required with custom_ddi_number"))
        options.number_e164 = checked_number("numberE164", call.body.number_e164, await country_of(call, pbx))
    subscriber.pstn_device_options = options
    await call.store.subscribers.put(document_of(subscriber))
    return {"data": _pstn(subscriber)}


@rule(declared.get_subscriber_sip_headers)
async def get_sip_headers(call: Call) -> RuleResult:
    return {"data": _headers(await subscriber_of(call, await reached_pbx(call)))}


@rule(declared.update_subscriber_sip_headers)
async def update_sip_headers(call: Call[Nothing, SipHeaders]) -> RuleResult:
    _, subscriber = await _changed(call, _SIP, update_of(call.body))
    return {"data": _headers(subscriber)}


@rule(declared.update_subscriber_barring)
async def update_barring(call: Call[Nothing, OwnBarring]) -> RuleResult:
    _, subscriber = await _changed(call, _BARRING, update_of(call.body, "permissions", "restrictions"))
    return {"data": document_of(subscriber.barring_options)}


@rule(declared.update_subscriber_call_forward)
async def update_call_forward(call: Call[Nothing, OwnCallForward]) -> RuleResult:
    _, subscriber = await _changed(call, _FORWARD, values_of(call.body))
    return {"data": document_of(subscriber.call_forward_options)}


@rule(declared.get_subscriber_overflow)
async def get_overflow(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": document_of(overflow(pbx, await subscriber_of(call, pbx)))}


@rule(declared.update_subscriber_overflow)
async def update_overflow(call: Call[Nothing, OverflowBody]) -> RuleResult:
    values = values_of(call.body)
    # A delay of its own ends with the choice of one.
    kept = {} if call.body.value == "custom" else {"noReplyDelay": None}
    pbx, subscriber = await _changed(call, _OVERFLOW, {**values, **kept})
    # The company's delay is part of the response: a client may send it back.
    found = overflow(pbx, subscriber)
    if values.get("noReplyDelay") != found.no_reply_delay and (problems := unavailable(OverflowBody, values)):
        raise invalid(*problems)
    return {"data": document_of(found)}


@rule(declared.get_subscriber_overflow_status)
async def get_overflow_status(call: Call) -> RuleResult:
    pbx = typed(StoredCloudPbx, await call.store.cloudpbxs.get(call.path["systemId"]))
    subscriber = typed(StoredSubscriber, await call.store.subscribers.get(call.path["phoneNumberId"]))
    if pbx is None or subscriber is None or subscriber.system_id != pbx.id:
        # Users learn nothing about other extensions: only callers who reach the CloudPBX get the 404.
        pbx = await reached_pbx(call)
        subscriber = await subscriber_of(call, pbx)
    call.require(pbx_subject(pbx, await company_of(call, pbx), call.caller, subscriber.user_id))
    return {"data": document_of(overflow(pbx, subscriber))}


@rule(declared.set_subscriber_recording_profile)
async def set_recording_profile(call: Call[Nothing, RecordingChoice]) -> RuleResult:
    subscriber = await subscriber_of(call, await locked_pbx(call))
    subscriber.recording_profile = call.body.recording_profile
    subscriber.is_recording_activated = call.body.recording_profile != "none"
    await call.store.subscribers.put(document_of(subscriber))
    return {"data": {"recordingProfile": subscriber.recording_profile}}


async def _changed(call: AnyCall, wire: str, values: Document) -> tuple[StoredCloudPbx, StoredSubscriber]:
    """The CloudPBX, and the subscriber with these values in one of its options."""
    pbx = await locked_pbx(call)
    subscriber = document_of(await subscriber_of(call, pbx))
    changed = {**subscriber, wire: merged(subscriber.get(wire) or {}, values)}
    return pbx, typed(StoredSubscriber, await call.store.subscribers.put(changed))


def _pstn(subscriber: StoredSubscriber) -> Document:
    options = {"policy": "company_policy", "numberE164": None, **document_of(subscriber.pstn_device_options)}
    if options["policy"] == "subscriber_ddi":
        return {**options, "numberE164": subscriber.external_number}
    return options


def _headers(subscriber: StoredSubscriber) -> Document:
    return {"customSipHeader_1": None, "customSipHeader_2": None, **document_of(subscriber.sip_headers)}
