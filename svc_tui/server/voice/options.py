"""The parts of a CloudPBX that have operations of their own: barring, prohibited numbers, CLI, announcement (4.7)."""

from __future__ import annotations

from typing import get_args

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice import recordings as recording
from svc_tui.interface.voice.cloudpbx import CliOptionsUpdate, ProhibitedNumbers
from svc_tui.interface.voice.kinds import PERMISSIONS, RESTRICTIONS, Language
from svc_tui.interface.voice.numbers import emergency_numbers
from svc_tui.interface.voice.recordings import AnnouncementBody
from svc_tui.server.refusal import invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.voice.seen import locked_pbx, reached_pbx
from svc_tui.server.voice.shown import cli_options
from svc_tui.server.voice.values import changes, given, merged


@rule(declared.get_cloudpbx_barring_options)
async def get_barring_options(call: Call) -> RuleResult:
    await reached_pbx(call)
    choices = {"permissions": PERMISSIONS, "restrictions": RESTRICTIONS}
    return {
        "data": {
            name: [{"id": id, "description": description} for id, description in known.items()]
            for name, known in choices.items()
        }
    }


@rule(declared.get_cloudpbx_custom_numbers_restriction)
async def get_prohibited_numbers(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    kept = await call.store.prohibited_numbers.get(pbx["id"]) or {}
    return {"data": {"patterns": kept.get("patterns", [])}}


@rule(declared.replace_cloudpbx_custom_numbers_restriction)
async def replace_prohibited_numbers(call: Call[Nothing, ProhibitedNumbers]) -> RuleResult:
    pbx = await locked_pbx(call)
    patterns = given(call.body)["patterns"]
    seen: set[str] = set()
    for index, each in enumerate(patterns):
        if each["pattern"] in seen:
            raise invalid(Problem(f"patterns.{index}.pattern", "stands in the list already", each["pattern"]))
        seen.add(each["pattern"])
    await call.store.prohibited_numbers.put({"id": pbx["id"], "patterns": patterns})
    return {"data": {"patterns": patterns}, "status": f"{len(patterns)} numbers are prohibited"}


@rule(declared.get_cloudpbx_cli_options)
async def get_cli_options(call: Call) -> RuleResult:
    return {"data": cli_options((await reached_pbx(call))["cloudpbx"])}


@rule(declared.update_cloudpbx_cli_options)
async def update_cli_options(call: Call[Nothing, CliOptionsUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = changes(call.body, "policy", "userCanManageItsCli", "companyNumberCanBeSelectedByUserAsCli")
    settings = merged(pbx["cloudpbx"], {"cliOptions": values})
    await call.store.cloudpbxs.put({**pbx, "cloudpbx": settings})
    return {"data": cli_options(settings)}


@rule(declared.list_cloudpbx_languages)
async def list_languages(call: Call) -> RuleResult:
    await reached_pbx(call)
    return {"data": list(get_args(Language))}


@rule(declared.get_cloudpbx_emergency_numbers)
async def get_emergency_numbers(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    numbers = [{"number": number} for number in emergency_numbers(pbx.get("country"))]
    return {"data": {**pbx["cloudpbx"].get("emergencyOptions", {}), "numbers": numbers}}


@rule(recording.set_recording_announcement_profile)
async def set_announcement_profile(call: Call[Nothing, AnnouncementBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    profile = call.body.announcement_profile
    await call.store.cloudpbxs.put({**pbx, "cloudpbx": {**pbx["cloudpbx"], "announcementProfile": profile}})
    return {"status": f"Announcement profile of CloudPBX {pbx['id']} is {profile}"}
