"""Several requests that are previewed as one change and sent one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.changes import Change
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.record_edit import send
from svc_tui.language import _


@dataclass(frozen=True)
class ChangeSequence(Change):
    """A change with several requests; the preview shows all of them."""

    parts: tuple[Change, ...] = ()

    @property
    def calls(self) -> Sequence[CommandCall]:
        return [call for part in self.parts for call in part.calls]

    def request(self) -> str:
        return "\n".join(part.request() for part in self.parts)


async def send_in_turn(
    context: Context, changes: Sequence[Change], stopped: Callable[[int], None]
) -> Sequence[Mapping[str, Any]]:
    """Send the changes in order; returns the responses.

    ServiceError when one is refused: the rest is not sent, and `stopped` gets the number of successful requests.
    """
    answers: list[Mapping[str, Any]] = []
    for change in changes:
        try:
            answers.append(await send(context, change))
        except ServiceError as error:
            stopped(len(answers))
            if not answers:
                raise
            raise partial_failure(error, len(answers), len(changes)) from error
    return answers


def partial_failure(error: ServiceError, sent: int, of: int) -> ServiceError:
    """A refusal after some successful requests."""
    text = _("{sentence} {sent} of {of} requests were successful and are not sent again.").format(
        sentence=error.sentence, sent=sent, of=of
    )
    if isinstance(error, Refused):
        return Refused(text, status=error.status, code=error.code, problems=error.problems)
    return ServiceError(text)
