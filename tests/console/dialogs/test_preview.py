"""A preview: its keys stay in sight on a small terminal, and a change that did not arrive is not left in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from textual.widgets import Static

from svc_tui.client.errors import OutcomeUnknown, Refused, ServiceError, Unreachable
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.dialogs.box import confirmation_hint
from svc_tui.console.dialogs.preview import Preview
from tests.console.dialogs.test_dialog_keys import Console


async def _send(change: Change) -> Mapping[str, Any]:
    return {}


async def test_the_keys_stay_below_values_that_fold() -> None:
    addresses = [f"https://office-{number}.example/callback" for number in range(27)]
    said = "; ".join(f"{number} addresses of the north" for number in range(40))
    change = Change(
        label="Undo",
        operation="update_application",
        path={"appId": "a" * 24},
        body={"oauthRedirectUris": addresses},
        fields=(FieldChange("Redirect URIs", said, said),),
        reach="Affects 1 application.",
        warning="Another administrator may have changed it.",
    )
    app = Console()
    async with app.run_test(size=(80, 24)) as pilot:
        preview = Preview(change, _send)
        await app.push_screen(preview)
        await pilot.pause()
        box, keys = preview.query_one(".box"), preview.query_one(".box--keys")
        assert box.content_region.contains_region(keys.region) and keys.region.height == 1


@pytest.mark.parametrize(
    ("error", "unchanged"),
    [(Unreachable("Away."), True), (OutcomeUnknown("Sent."), False), (Refused("No.", status=403), False)],
)
async def test_only_a_change_that_did_not_arrive_has_certainly_changed_nothing(
    error: ServiceError, unchanged: bool
) -> None:
    async def send(change: Change) -> Mapping[str, Any]:
        raise error

    change = Change(label="Undo", operation="update_application", path={"appId": "a" * 24}, body={}, reach="")
    app = Console()
    async with app.run_test(size=(80, 24)) as pilot:
        preview = Preview(change, send)
        await app.push_screen(preview)
        await pilot.press("enter")
        await app.workers.wait_for_complete()
        said = str(preview.query_one("#error", Static).render())
        assert error.sentence in said
        assert ("Nothing was changed." in said) is unchanged


@pytest.mark.parametrize("size", [(40, 12), (40, 24), (60, 15), (80, 24)])
async def test_the_keys_are_in_sight_on_a_small_terminal_also_after_an_error(size: tuple[int, int]) -> None:
    async def send(change: Change) -> Mapping[str, Any]:
        raise OutcomeUnknown(
            "“Update an application” was sent, but its outcome is unknown. Check before you try again."
        )

    change = Change(
        label="Try",
        operation="update_application",
        path={"appId": "a" * 24},
        body={"oauthRedirectUris": ["http://127.0.0.1:8976/callback"]},
        fields=(FieldChange("OAuth redirect URIs", "0 addresses", "and http://127.0.0.1:8976/callback"),),
        reach="Affects 1 application.",
        warning="The browser can return to this machine only if the application has such an address. It can be undone.",
    )
    app = Console()
    async with app.run_test(size=size) as pilot:
        preview = Preview(change, send)
        await app.push_screen(preview)
        await pilot.pause()
        box, keys = preview.query_one(".box"), preview.query_one(".box--keys")
        assert box.content_region.contains_region(keys.region) and keys.region.height == 1
        assert preview.query_one(".request").region.height and preview.query_one(".fields").region.height
        await pilot.press("enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert box.content_region.contains_region(keys.region) and keys.region.height == 1
        error = preview.query_one("#error")
        assert box.content_region.contains_region(error.region) and error.region.height


def test_a_typed_name_is_judged_at_each_letter() -> None:
    names = {"Clinic Gateway", "4ebe354da1af"}
    typed = ("", "Clin", "4eb", "Clinix", "clin", " Clinic Gateway ", "4ebe354da1af")
    begun, other, right = "not the name yet:", "not this name:", "the name matches:"
    assert [confirmation_hint(text, names) for text in typed] == ["", begun, begun, other, other, right, right]
