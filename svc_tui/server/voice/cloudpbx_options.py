"""The parts of a CloudPBX with their own operations: barring, prohibited numbers, CLI, announcement (4.7)."""

from __future__ import annotations

from typing import get_args

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import emergency_numbers
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice import recordings as recording
from svc_tui.interface.voice.access import PERMISSIONS, RESTRICTIONS, Language
from svc_tui.interface.voice.cloudpbx import CliOptionsUpdate
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumbers
from svc_tui.interface.voice.recordings import AnnouncementBody
from svc_tui.server.refusal import invalid
from svc_tui.server.request_values import merged, update_of, values_of
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.voice.access import changed_settings, country_of, locked_pbx, reached_pbx
from svc_tui.server.voice.stored import StoredProhibitedNumbers, cli_options


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
    stored = typed(StoredProhibitedNumbers, await call.store.prohibited_numbers.get(pbx.id))
    return {"data": {"patterns": [document_of(each) for each in stored.patterns] if stored else []}}


@rule(declared.replace_cloudpbx_custom_numbers_restriction)
async def replace_prohibited_numbers(call: Call[Nothing, ProhibitedNumbers]) -> RuleResult:
    pbx = await locked_pbx(call)
    found: set[str] = set()
    for index, each in enumerate(call.body.patterns):
        if each.pattern in found:
            raise invalid(Problem(f"patterns.{index}.pattern", "is in the list already", each.pattern))
        found.add(each.pattern)
    values = values_of(call.body)
    await call.store.prohibited_numbers.put({"id": pbx.id, **values})
    return {"data": values, "status": f"Prohibited numbers: {len(call.body.patterns)}"}


@rule(declared.get_cloudpbx_cli_options)
async def get_cli_options(call: Call) -> RuleResult:
    return {"data": document_of(cli_options((await reached_pbx(call)).cloudpbx))}


@rule(declared.update_cloudpbx_cli_options)
async def update_cli_options(call: Call[Nothing, CliOptionsUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = update_of(call.body, "policy", "userCanManageItsCli", "companyNumberCanBeSelectedByUserAsCli")
    changed = await changed_settings(call, pbx, merged(document_of(pbx.cloudpbx), {"cliOptions": values}))
    return {"data": document_of(cli_options(changed.cloudpbx))}


@rule(declared.list_cloudpbx_languages)
async def list_languages(call: Call) -> RuleResult:
    await reached_pbx(call)
    return {"data": list(get_args(Language))}


@rule(declared.get_cloudpbx_emergency_numbers)
async def get_emergency_numbers(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    numbers = [{"number": number} for number in emergency_numbers(await country_of(call, pbx))]
    return {"data": {**document_of(pbx.cloudpbx.emergency_options), "numbers": numbers}}


@rule(recording.set_recording_announcement_profile)
async def set_announcement_profile(call: Call[Nothing, AnnouncementBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    profile = call.body.announcement_profile
    settings = copied(pbx.cloudpbx)
    settings.announcement_profile = profile
    await changed_settings(call, pbx, document_of(settings))
    return {"status": f"Announcement profile of CloudPBX {pbx.id} is {profile}"}
