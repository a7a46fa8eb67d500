"""`:wait FILTER`: waits in the background until what is open fits a filter, also while the user works elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime

from svc_tui.console.core.places import Link
from svc_tui.console.core.waiting import Awaited, CannotWait
from svc_tui.console.dialogs.messages import Notice
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.widgets.formatting import moment
from svc_tui.language import _

#: What precedes a filter that has to match nothing any longer.
GONE = "gone"


async def wait(frame: StageScreen, text: str) -> None:
    """Wait for a filter to match in the view on top; without one, show what is waited for."""
    view = frame.view
    text = text.strip()
    if not text:
        lines = [f"{title}: {state}" for title, state in frame.waits.items()] or [
            _("Nothing. `:wait state:active` waits for a filter to match.")
        ]
        await frame.ask(Notice(_("Waiting for"), "\n".join(lines)))
        return
    if view is None or view.resource is None:
        frame.show_message(_("Open a list or a record first: its filter is waited for."), "warn")
        return
    word, __, rest = text.partition(" ")
    absent = word == GONE
    try:
        awaited = Awaited(view.resource, Link(view.place, rest if absent else text), frame.workspace, absent=absent)
    except CannotWait as error:
        frame.show_message(str(error), "warn")
        return
    title = f"{view.crumb} · {text}"
    frame.waits[title] = _("waiting")
    frame.show_message(_("Waiting for {awaited}. You can go on working.").format(awaited=text), "accent")
    frame.run_worker(_until_met(frame, awaited, title), group="connection", exit_on_error=False)


async def _until_met(frame: StageScreen, awaited: Awaited, title: str) -> None:
    """Report the end of a wait in the status line, and with the bell of the terminal."""
    try:
        await awaited.wait()
    except CannotWait as error:
        frame.waits[title] = str(error)
        frame.show_message(f"{title}: {error}", "bad", stays=True)
    else:
        frame.waits[title] = _("holds since {time}").format(time=moment(datetime.now(UTC).isoformat()))
        frame.show_message(_("Now {text}").format(text=title), "ok", stays=True)
    finally:
        awaited.close()
    frame.app.bell()
