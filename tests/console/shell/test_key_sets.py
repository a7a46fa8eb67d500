"""The declared keys of all dialogs, the prompt and the editors."""

from __future__ import annotations

import pytest

from svc_tui.console.core.keys import TAKEN, KeyMap
from svc_tui.console.dialogs.box import Box, key_sets
from svc_tui.console.shell.key_sets import all_key_sets, check_dialog_keys, dialog_keys
from svc_tui.console.shell.registry import registry

SETS = list(all_key_sets())


def _dialogs(base: type = Box) -> list[type]:
    """The dialogs of the console, without those of other tests."""
    found = [each for sub in base.__subclasses__() for each in (sub, *_dialogs(sub))]
    return [each for each in found if each.__module__.startswith("svc_tui.")]


def test_no_dialog_has_one_key_for_two_things() -> None:
    keys = KeyMap(())
    check_dialog_keys(keys)
    assert keys.problems == []


def test_no_default_key_is_taken_by_terminals() -> None:
    assert not {name for keys in SETS for key in keys for name in key.keys} & TAKEN


def test_a_name_has_the_same_keys_and_help_everywhere() -> None:
    declared: dict[str, set[tuple[object, str]]] = {}
    for keys in SETS:
        for key in keys:
            declared.setdefault(key.name, set()).add((key.keys, key.help))
    assert [name for name, found in declared.items() if len(found) > 1] == []


def test_names_of_dialog_keys_are_not_those_of_actions() -> None:
    actions = {action.name for action in registry()}
    assert not actions & {key.name for key in dialog_keys()}
    assert all("." in key.name for key in dialog_keys())


@pytest.mark.parametrize("dialog", sorted(_dialogs(), key=lambda found: found.__qualname__))
def test_every_key_of_a_dialog_does_something(dialog: type) -> None:
    missing = [
        key.name for keys in key_sets(dialog) for key in keys if not callable(getattr(dialog, f"action_{key.verb}", 0))
    ]
    assert missing == []


@pytest.mark.parametrize("dialog", sorted(_dialogs(), key=lambda found: found.__qualname__))
def test_every_set_of_keys_leaves_the_dialog_or_goes_back(dialog: type) -> None:
    for keys in key_sets(dialog):
        assert [key for key in keys if "esc" in key.keys], keys


def test_no_key_is_first_that_browsers_keep_for_themselves() -> None:
    """The first key is the shown one. In `svc-tui web`, these open a window, open a tab and close the tab."""
    first = {key.name: key.keys[0] for keys in SETS for key in keys}
    first |= {action.name: action.keys[0] for action in registry() if action.keys}
    assert [name for name, key in first.items() if key in ("ctrl+n", "ctrl+t", "ctrl+w")] == []
