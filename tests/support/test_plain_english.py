"""The rules of plain English find what they are for, and leave plain sentences alone."""

from __future__ import annotations

import pytest

from tests.support.plain_english import key_faults, label_faults, sentence_faults, word_faults

DIALECT = (
    "It is so already: somebody else made the same changes meanwhile.",
    "Outcome: nobody knows",
    "The row has another number of values: retype it anew.",
    "It is under way.",
    "The next of his numbers becomes his main one.",
    "Filter lists as one types.",
    "It is told by a test.",
    "Every condition that stands in the way of a deletion.",
    "What hinders the deletion of a company.",
    "The field leads nowhere.",
    "What other people changed.",
    "The help says what it is.",
    "Whoever cannot get an extension is greyed.",
    "Files that are mended before an import.",
    "Requests are held to the letter of the specification.",
    "Explain the settings, and what to mind about them.",
    "The some 145 settings of a company.",
    "The key is there twice.",
    "The unit was committed all the same.",
)
PLAIN = (
    "Nothing to send: the record already has these values.",
    "Wrong number of values. Retype the row.",
    "Removed one licence. The subscriber's next number, if any, becomes the main number.",
    "Not logged in. Cached records can be browsed.",
    'Unknown view "x". Did you mean "y"?',
    "Only the owner can do this with your role.",
    "Conflicts between this edit and another administrator's.",
)


@pytest.mark.parametrize("text", DIALECT)
def test_dialect_is_found(text: str) -> None:
    assert word_faults(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_sentences_have_no_faults(text: str) -> None:
    assert [*sentence_faults(text), *key_faults(text)] == []


@pytest.mark.parametrize("text", ["Remove licence", "Conflicting changes", "Your API keys", "Checks before deletion"])
def test_labels_are_nouns_or_verbs_in_sentence_case(text: str) -> None:
    assert label_faults(text) == []


@pytest.mark.parametrize("text", ["Remove licence.", "remove licence", "Remove Licence", "", " Remove", "His numbers"])
def test_other_labels_are_found(text: str) -> None:
    assert label_faults(text)


@pytest.mark.parametrize(
    "text", ["session expired.", "Session expired", "It failed. It stopped. Log in.", "", "Saved by somebody."]
)
def test_other_sentences_are_found(text: str) -> None:
    assert sentence_faults(text)


@pytest.mark.parametrize("text", ["appId is required.", "`svc-tui login` logs in.", "2 rows.", "Continue?", "Saving…"])
def test_a_sentence_may_begin_with_a_name_and_end_with_a_question(text: str) -> None:
    assert sentence_faults(text) == []


@pytest.mark.parametrize(
    "text",
    ["ctrl+o saves", "esc again discards", "Retype it: t types it", "; r refreshes", "Press enter", "with ?", "F1"],
)
def test_literal_keys_are_found(text: str) -> None:
    assert key_faults(text)


@pytest.mark.parametrize("text", ["Enter a name.", "A tab-separated file", "2 s left", "{save} saves", "disk space"])
def test_words_that_look_like_keys_are_left_alone(text: str) -> None:
    assert key_faults(text) == []
