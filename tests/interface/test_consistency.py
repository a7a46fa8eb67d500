"""The consistency rules of templates (2.8): which values contradict each other, and what repairs them."""

from __future__ import annotations

from itertools import product

import pytest

from svc_tui.interface.customisation.features import contradictions, repaired, with_defaults

STORE, SHARE, COPY = "fileStorageCustomisation", "fileSharingCustomisation", "fileCopyCustomisation"
MOVE, CHAT = "fileTransferCustomisation", "instantMessagesCustomisation"
AUDIO, VIDEO = "useWebRTCAudioCustomisation", "useWebRTCVideoCustomisation"

#: key, what it needs; from the text.
TEXT = {
    (SHARE, STORE),
    (COPY, STORE),
    (CHAT, STORE),
    (MOVE, COPY),
    (VIDEO, AUDIO),
    (CHAT, SHARE),
}
INVOLVED = sorted({key for pair in TEXT for key in pair})


def test_every_combination_breaks_exactly_the_rules_of_the_specification() -> None:
    for combination in product(("enabled", "disabled"), repeat=len(INVOLVED)):
        values = dict(zip(INVOLVED, combination, strict=True))
        expected = {(key, needs) for key, needs in TEXT if values[key] == "enabled" and values[needs] == "disabled"}
        assert {(each.key, each.needs) for each in contradictions(values)} == expected


def test_missing_keys_count_as_enabled() -> None:
    assert contradictions({}) == []
    assert {each.key for each in contradictions({STORE: "disabled"})} == {SHARE, COPY, CHAT}
    assert with_defaults({})[STORE] == "enabled"


def test_the_sentence_of_a_broken_rule() -> None:
    (only,) = contradictions({AUDIO: "disabled"})
    assert only.sentence == "Use WebRTC video cannot be enabled while Use WebRTC audio is disabled"


def test_the_value_of_users_breaks_no_rule() -> None:
    assert contradictions({STORE: "same_than_company", SHARE: "same_than_company"}) == []


def test_disabling_storage_disables_every_dependent_key() -> None:
    values = repaired({STORE: "disabled"}, STORE)
    assert values == dict.fromkeys((STORE, SHARE, COPY, CHAT, MOVE), "disabled")
    assert contradictions(values) == []


def test_enabling_a_key_enables_the_keys_that_it_needs() -> None:
    off = dict.fromkeys(INVOLVED, "disabled")
    values = repaired({**off, CHAT: "enabled"}, CHAT)
    assert {key for key, value in values.items() if value == "enabled"} == {CHAT, SHARE, STORE}
    assert repaired({AUDIO: "disabled", VIDEO: "enabled"}, VIDEO)[AUDIO] == "enabled"


@pytest.mark.parametrize("key", INVOLVED)
def test_from_consistent_values_every_single_change_can_be_repaired(key: str) -> None:
    for combination in product(("enabled", "disabled"), repeat=len(INVOLVED)):
        values = dict(zip(INVOLVED, combination, strict=True))
        if contradictions(values):
            continue
        for value in ("enabled", "disabled"):
            after = repaired({**values, key: value}, key)
            assert contradictions(after) == []
            assert after[key] == value
