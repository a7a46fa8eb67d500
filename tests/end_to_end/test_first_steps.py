"""A new user's way through the console: to the demo, to an application, a change, and back; and its page in docs."""

from __future__ import annotations

import re

from tests.pictures.first_steps import COLUMNS, PAGE, ROWS, STEPS, page, walk
from tests.support.pty import Terminal


def test_a_new_user_finds_each_key_on_the_screen_before(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui], columns=COLUMNS, rows=ROWS, environment=environment) as terminal:
        screens = walk(terminal)
        assert terminal.wait_until_closed() == 0
    assert masked(page(screens)) == masked(PAGE.read_text(encoding="utf-8")), (
        "a screen is not as on the page: run `python -m tests.pictures.first_steps`"
    )


def masked(text: str) -> str:
    """The page without what follows the calendar: numbers, and how far an application is deployed."""
    text = re.sub(r"\b(?:not deployed|deploying|deployed)", "ENV", text)
    # The days of a small line and of an age are those of the day on which the page was made.
    text = re.sub(r"for \d+ days?|since (?:today|yesterday)", "AGE", re.sub(r"[▁▂▃▄▅▆▇█]+", "LINE", text))
    return re.sub(r" +", " ", re.sub(r"\d+", "0", text))


def test_the_page_has_every_step() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for number, step in enumerate(STEPS, 1):
        assert f"## {number}. {step.title}\n\n{step.text}\n\n```text\n" in text, (
            "run `python -m tests.pictures.first_steps`"
        )
