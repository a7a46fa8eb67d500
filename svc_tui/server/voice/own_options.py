"""The options that a subscriber has of his own, each with what the company has (4.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.subscribers import (
    OverflowBody,
    OwnBargeBody,
    OwnBarring,
    OwnCallForward,
    PstnDeviceOptions,
    RecordingChoice,
    SipHeaders,
)
from svc_tui.server.refusal import invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.ddis import kept_number
from svc_tui.server.voice.seen import company_of, locked_pbx, pbx_subject, reached_pbx, subscriber_of
from svc_tui.server.voice.shown import cli_options
from svc_tui.server.voice.values import changes, given, merged

_BARGE, _CLI, _PSTN, _SIP = "bargeOptions", "cliOptions", "pstnDeviceOptions", "sipHeaders"
_BARRING, _FORWARD, _OVERFLOW = "barringOptions", "callForwardOptions", "overflowToVoicemail"
_ATTENDANT = "telephonyBasicAttendantBargeIn"
#: What somebody has who chose nothing.
_AS_COMPANY: Document = {"value": "default", "unavailableOverflow": "default"}


def with_company(pbx: Document, subscriber: Document) -> Document:
    """A subscriber as he is read: his own options beside those of the company. Without what has its own operations."""
    found = {wire: value for wire, value in subscriber.items() if wire not in (_PSTN, _SIP)}
    return {
        **found,
        _BARGE: barge_options(pbx, subscriber),
        _CLI: own_cli_options(pbx, subscriber),
        _OVERFLOW: overflow(pbx, subscriber),
    }


def barge_options(pbx: Document, subscriber: Document) -> Document:
    """Whether attendants may join his calls, and what the company has."""
    own = subscriber.get(_BARGE) or {}
    company = pbx["cloudpbx"].get(_BARGE) or {}
    return {_ATTENDANT: own.get(_ATTENDANT, "company_policy"), "companyPolicy": company.get(_ATTENDANT)}


def own_cli_options(pbx: Document, subscriber: Document) -> Document:
    """The number that callees see. With his own DDI number as policy and none there, it is the company's."""
    company = cli_options(pbx["cloudpbx"])
    own = {**company, **(subscriber.get(_CLI) or {})}
    if own.get("policy") == "user_ddi_number" and subscriber.get("externalNumber"):
        own["numberE164"] = subscriber["externalNumber"]
    return {**own, "companyPolicy": company.get("policy")}


def overflow(pbx: Document, subscriber: Document) -> Document:
    """When calls go to his voicemail; `activate` is what comes of it with the company's choice."""
    own = {**_AS_COMPANY, **(subscriber.get(_OVERFLOW) or {})}
    company = pbx["cloudpbx"].get("overflowSubscribersToVoicemail") or {}
    as_company = own["value"] == "default" and bool(company.get("activate"))
    return {**own, "activate": own["value"] == "custom" or as_company}


@rule(declared.get_subscriber_cli_options)
async def get_cli_options(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": own_cli_options(pbx, await subscriber_of(call, pbx))}


@rule(declared.get_subscriber_barge_options)
async def get_barge_options(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": barge_options(pbx, await subscriber_of(call, pbx))}


@rule(declared.update_subscriber_barge_options)
async def update_barge_options(call: Call[Nothing, OwnBargeBody]) -> RuleResult:
    pbx, subscriber = await _changed(call, _BARGE, given(call.body))
    return {"data": barge_options(pbx, subscriber)}


@rule(declared.get_subscriber_pstn_device_options)
async def get_pstn_device_options(call: Call) -> RuleResult:
    return {"data": _pstn(await subscriber_of(call, await reached_pbx(call)))}


@rule(declared.update_subscriber_pstn_device_options)
async def update_pstn_device_options(call: Call[Nothing, PstnDeviceOptions]) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    options: Document = {"policy": call.body.policy}
    if call.body.policy == "custom_ddi_number":
        if not call.body.number_e164:
            raise invalid(Problem("numberE164", "is required with custom_ddi_number"))
        options["numberE164"] = kept_number("numberE164", call.body.number_e164, pbx.get("country"))
    changed = await call.store.subscribers.put({**subscriber, _PSTN: options})
    return {"data": _pstn(changed)}


@rule(declared.get_subscriber_sip_headers)
async def get_sip_headers(call: Call) -> RuleResult:
    return {"data": _headers(await subscriber_of(call, await reached_pbx(call)))}


@rule(declared.update_subscriber_sip_headers)
async def update_sip_headers(call: Call[Nothing, SipHeaders]) -> RuleResult:
    _, subscriber = await _changed(call, _SIP, changes(call.body))
    return {"data": _headers(subscriber)}


@rule(declared.update_subscriber_barring)
async def update_barring(call: Call[Nothing, OwnBarring]) -> RuleResult:
    _, subscriber = await _changed(call, _BARRING, changes(call.body, "permissions", "restrictions"))
    return {"data": subscriber[_BARRING]}


@rule(declared.update_subscriber_call_forward)
async def update_call_forward(call: Call[Nothing, OwnCallForward]) -> RuleResult:
    _, subscriber = await _changed(call, _FORWARD, given(call.body))
    return {"data": subscriber[_FORWARD]}


@rule(declared.get_subscriber_overflow)
async def get_overflow(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": overflow(pbx, await subscriber_of(call, pbx))}


@rule(declared.update_subscriber_overflow)
async def update_overflow(call: Call[Nothing, OverflowBody]) -> RuleResult:
    pbx, subscriber = await _changed(call, _OVERFLOW, given(call.body))
    return {"data": overflow(pbx, subscriber)}


@rule(declared.get_subscriber_overflow_status)
async def get_overflow_status(call: Call) -> RuleResult:
    pbx = await call.store.cloudpbxs.get(call.path["systemId"])
    subscriber = await call.store.subscribers.get(call.path["phoneNumberId"])
    if pbx is None or subscriber is None or subscriber["systemId"] != pbx["id"]:
        # A user learns nothing of other extensions: these may be looked for by who sees the CloudPBX.
        pbx = await reached_pbx(call)
        subscriber = await subscriber_of(call, pbx)
    call.require(pbx_subject(pbx, await company_of(call, pbx), call.caller, str(subscriber["userId"])))
    return {"data": overflow(pbx, subscriber)}


@rule(declared.set_subscriber_recording_profile)
async def set_recording_profile(call: Call[Nothing, RecordingChoice]) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    profile = call.body.recording_profile
    chosen = {"recordingProfile": profile, "isRecordingActivated": profile != "none"}
    await call.store.subscribers.put({**subscriber, **chosen})
    return {"data": {"recordingProfile": profile}}


async def _changed(call: Call[Any, Any], wire: str, values: Document) -> tuple[Document, Document]:
    """The CloudPBX, and the subscriber with these values in one of his options."""
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    return pbx, await call.store.subscribers.put({**subscriber, wire: merged(subscriber.get(wire) or {}, values)})


def _pstn(subscriber: Document) -> Document:
    options = {"policy": "company_policy", "numberE164": None, **(subscriber.get(_PSTN) or {})}
    if options["policy"] == "subscriber_ddi":
        return {**options, "numberE164": subscriber.get("externalNumber")}
    return options


def _headers(subscriber: Document) -> Document:
    return {"customSipHeader_1": None, "customSipHeader_2": None, **(subscriber.get(_SIP) or {})}
