"""Objects of voice records in words: expansion modules with their keys, options one a line, models."""

from __future__ import annotations

from svc_tui.console.areas.voice import summaries
from svc_tui.console.areas.voice.summaries import model_of
from svc_tui.console.core.summaries import SUMMARIES, summary_line, summary_of

SUMMARIES.update(summaries.SUMMARIES)


def test_a_module_lists_its_keys() -> None:
    keys = [{"position": 1, "label": "Ana", "number": "2001"}, {"position": 20, "number": "2002"}]
    modules = [{"type": "EM_20", "keys": keys}, {"type": "EM_200"}]
    assert summary_of("expansionModules", modules) == {
        "1. EM_20": "2 of 20 keys: 1 Ana 2001, 20 2002",
        "2. EM_200": "0 of 200 keys",
    }


def test_garbled_values_are_shown_unchanged() -> None:
    assert summary_of("expansionModules", [{"keys": 3}]) is None
    assert summary_of("expansionModules", [None]) is None


def test_each_option_is_on_one_line_under_its_label() -> None:
    options = {"policy": "user_ddi_number", "userCanManageItsCli": False, "companyPolicy": None}
    assert summary_of("cliOptions", options) == {
        "Policy": "the user's own number",
        "Users can choose their CLI": "no",
        "Company policy": "—",
    }


def test_calls_to_voicemail_have_their_declared_labels_and_words() -> None:
    own = {"value": "custom", "unavailableOverflow": "default", "noReplyDelay": 35, "activate": True, "newer": "x"}
    assert summary_of("overflowToVoicemail", own) == {
        "Unanswered calls": "To voicemail, after its own delay",
        "Calls while offline": "The company's setting",
        "Ringing time": "35",
        "In effect": "yes",
        "Newer": "x",
    }
    company = {"activate": True, "noReplyDelay": 20, "activateUnavailableOverflow": False}
    assert summary_of("overflowSubscribersToVoicemail", company) == {
        "Unanswered calls": "yes",
        "Ringing time": "20",
        "Calls while offline": "no",
    }


def test_a_model_is_shown_with_its_vendor() -> None:
    assert model_of({"id": "1", "vendor": "Meadow", "model": "M320"}) == "Meadow M320"
    assert summary_line("deviceType", {"vendor": "Meadow"}) == "Meadow"
    assert model_of(None) == "—"
