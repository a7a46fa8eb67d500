"""Keys of dialogs in the key map: changed by name, checked like those of actions, shown in key lines and sentences."""

from __future__ import annotations

from svc_tui.console.core.keys import DialogKey, KeyBinding, KeyMap

UP = DialogKey("dialog.up", ("up",), "Move", "Previous line")
DOWN = DialogKey("dialog.down", ("down",), "Move", "Next line")
CHOOSE = DialogKey("picker.choose", ("enter",), "Choose", "Choose the entry")
PAGE = DialogKey("dialog.page_down", ("pgdn",), "Page down", "Next page", shown=False)
CLOSE = DialogKey("dialog.close", ("esc",), "Close", "Close the dialog")
PICKER = (CHOOSE, UP, DOWN, PAGE, CLOSE)


def test_a_key_of_a_dialog_is_changed_by_its_name() -> None:
    keys = KeyMap([], {"picker.choose": "ctrl+y, f5"})
    assert keys.of(CHOOSE) == ("ctrl+y", "f5")
    assert keys.verb(PICKER, "f5") == "choose"
    assert keys.verb(PICKER, "enter") == ""
    assert keys.verb(PICKER, "pgdn") == "page_down"


def test_the_key_line_shows_the_first_key_of_each_and_joins_those_with_one_label() -> None:
    assert KeyMap([]).line(PICKER) == "enter Choose   ↑↓ Move   esc Close"
    assert KeyMap([], {"dialog.up": "K", "picker.choose": ""}).line(PICKER, "type a name") == (
        "type a name   K/↓ Move   esc Close"
    )


def test_a_label_can_be_that_of_one_dialog() -> None:
    assert KeyMap([]).line((CHOOSE.labelled("Open"), UP.unlisted(), PAGE.labelled("Page"))) == "enter Open   pgdn Page"


def test_changed_keys_of_dialogs_are_checked_like_those_of_actions() -> None:
    keys = KeyMap(
        [KeyBinding("edit", ("e",))],
        {"picker.choose": "esc", "dialog.up": "ctrl+s", "picker.chose": "x", "edit": "f2"},
    )
    assert keys.problems == []
    assert keys.changes_dialogs
    keys.check_dialogs([PICKER, PICKER])
    assert keys.problems == [
        "Key map: ctrl+s for “dialog.up” is often intercepted by terminals and multiplexers.",
        "Key map: esc is both “picker.choose” and “dialog.close”; the first one is used.",
        "Key map: unknown action “picker.chose”.",
    ]


def test_a_map_without_names_of_dialogs_has_nothing_to_check() -> None:
    assert not KeyMap([KeyBinding("edit", ("e",))], {"edit": "f2"}).changes_dialogs


def test_sentences_show_the_present_keys() -> None:
    keys = KeyMap([KeyBinding("refresh", ("r", "f5")), KeyBinding("area.repair", ())], {"refresh": "ctrl+e"})
    assert keys.sentence("In progress; {refresh} refreshes.") == "In progress; ctrl+e refreshes."
    assert keys.sentence("{close} goes back, {picker.choose} chooses.", PICKER) == "esc goes back, enter chooses."
    assert keys.sentence("{area.repair} repairs.") == "“area.repair” repairs."
    assert keys.sentence("A name with {braces} stays.") == "A name with {braces} stays."
