"""The key map: lookup by key, changes by name, conflicts."""

from __future__ import annotations

import pytest

from svc_tui.console.core.actions import anywhere
from svc_tui.console.core.keys import TAKEN, DialogKey, KeyBinding, KeyMap, key_name
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.language import ENGLISH, _, use

LIST = frozenset({"list"})


@pytest.mark.parametrize(
    ("key", "character", "name"),
    [
        ("question_mark", "?", "?"),
        ("upper_g", "G", "G"),
        ("escape", "\x1b", "esc"),
        ("space", " ", "space"),
        ("ctrl+@", "\x00", "ctrl+space"),
        ("pagedown", None, "pgdn"),
        ("ctrl+p", "\x10", "ctrl+p"),
    ],
)
def test_keys_have_the_names_that_users_write(key: str, character: str | None, name: str) -> None:
    assert key_name(key, character) == name


def test_what_belongs_to_a_resource_goes_before_what_is_general() -> None:
    keys = KeyMap([KeyBinding("delete", ("x",), LIST), KeyBinding("account.off", ("x",), LIST, "account")])
    assert keys.actions("x", "list", "account") == ["account.off", "delete"]
    assert keys.actions("x", "list", "users") == ["delete"]
    assert keys.problems == []


def test_a_key_in_the_configuration_replaces_the_default() -> None:
    keys = KeyMap([KeyBinding("delete", ("x",), LIST)], {"delete": "ctrl+x, X"})
    assert keys.keys("delete") == ("ctrl+x", "X")
    assert keys.actions("x", "list") == []


def test_two_actions_on_one_key_are_reported() -> None:
    keys = KeyMap([KeyBinding("delete", ("x",), LIST), KeyBinding("exit", ("q",), LIST)], {"exit": "z", "delete": "z"})
    assert keys.problems == ["Key map: z is both “delete” and “exit”; the first one is used."]


def test_a_key_that_the_user_chose_is_taken_from_the_action_that_had_it_by_default() -> None:
    bound = [
        KeyBinding("delete", ("x", "delete"), LIST),
        KeyBinding("save", ("x",), LIST),
        KeyBinding("exit", ("q",), LIST),
    ]
    keys = KeyMap(bound, {"exit": "x"})
    assert keys.actions("x", "list") == ["exit"] and keys.keys("delete") == ("delete",) and keys.keys("save") == ()
    assert keys.problems == []
    assert keys.replaced == [
        "Key map: x is “exit”; “delete” has delete now.",
        "Key map: x is “exit”; “save” has no key now.",
    ]
    # An action with another key, or with none, by choice is not mentioned.
    assert KeyMap(bound, {"exit": "x", "save": "", "delete": "delete"}).replaced == []


def test_a_key_of_a_command_of_the_user_is_taken_from_the_console() -> None:
    keys = KeyMap([KeyBinding("commands.mine", ("f9",), own=True), KeyBinding("save_screen", ("f9",))])
    assert keys.actions("f9", "list") == ["commands.mine"]
    assert keys.replaced == ["Key map: f9 is “commands.mine”; “save_screen” has no key now."]


def test_a_key_that_the_user_chose_goes_before_a_default_key_of_a_resource_or_a_view() -> None:
    bound = [
        KeyBinding("quit", ("q",)),
        KeyBinding("edit", ("e",), LIST),
        KeyBinding("users.leave", ("Q", "L"), LIST, "users"),
        KeyBinding("users.edit", ("e",), LIST, "users"),
        KeyBinding("chart.quiet", ("Q",), frozenset({"chart"})),
    ]
    keys = KeyMap(bound, {"quit": "q, Q", "edit": "e, f4"})
    assert keys.actions("Q", "list", "users") == ["quit"] and keys.actions("Q", "chart") == ["quit"]
    assert keys.keys("users.leave") == ("L",)
    assert keys.problems == [] and keys.replaced == [
        "Key map: Q is “quit”; “users.leave” has L now.",
        "Key map: Q is “quit”; “chart.quiet” has no key now.",
    ]
    # A key that both had before still does what the resource does with it.
    assert keys.actions("e", "list", "users") == ["users.edit", "edit"]
    # One that the user chose for the resource too, or in another view, hides nothing.
    assert KeyMap(bound, {"quit": "Q", "users.leave": "Q"}).actions("Q", "list", "users") == ["users.leave", "quit"]
    assert KeyMap(bound, {"edit": "Q"}).actions("Q", "chart") == ["chart.quiet"]
    assert KeyMap(bound, {"users.leave": "q"}).replaced == []


def test_every_key_of_a_resource_that_the_user_chooses_for_quit_quits() -> None:
    default = registry()
    (quits,) = (action for action in default if action.name == "quit")
    resources = {action.resource for action in default}
    for key in sorted({key for action in default if action.resource for key in action.keys} - set(quits.keys)):
        keys = registry({"quit": key}).keys
        found = {keys.actions(key, view, resource)[:1] == ["quit"] for view in quits.views for resource in resources}
        assert found == {True}, key


def test_unknown_actions_and_keys_that_terminals_take_are_reported() -> None:
    keys = KeyMap([KeyBinding("delete", ("x",))], {"delete": "ctrl+s", "delte": "x"})
    keys.check_dialogs([])
    assert "ctrl+s" in keys.problems[0]
    assert "delte" in keys.problems[1]


def test_the_console_has_no_conflict_and_no_key_that_terminals_take() -> None:
    actions = registry()
    assert actions.keys.problems == []
    assert not {key for action in actions for key in action.keys} & TAKEN


#: What a resource does in its own way under the same key: it opens, makes, changes, deletes, copies, leaves, walks.
OWN_WAY = {
    "open", "new", "edit", "delete", "show_call", "copy_curl", "back", "quit", "next_field", "previous_field",
    "right", "left",
}  # fmt: skip


def test_a_key_of_a_resource_does_not_take_that_of_something_else() -> None:
    """`F` offers every filter and `W` writes the list in every list: no resource may use them for what it likes.

    What belongs to one view only, as to that of a case, meets no resource.
    """
    actions = list(registry())
    taken = [
        (key, own.name, general.name)
        for own in actions
        for general in actions
        for key in set(own.keys) & set(general.keys)
        if own.resource and not general.resource and own.views & general.views
        if general.name not in OWN_WAY and general.belongs is anywhere
    ]
    assert taken == []


def test_a_key_of_new_edit_and_delete_does_nothing_else_where_a_resource_has_that_operation() -> None:
    names = {"new": "create", "edit": "update", "delete": "delete"}
    actions = list(registry())
    general = {key: item.name for item in actions if not item.resource and item.name in names for key in item.keys}
    taken = {
        f"{key} of {item.name} is {general[key]}"
        for item in actions
        if item.resource in BY_NAME and "list" in item.views
        for key in set(item.keys) & general.keys()
        if (own := getattr(BY_NAME[item.resource], names[general[key]])) and item.operation != own
    }
    assert not taken, f"choose another key: {taken}"


def test_the_keys_that_the_design_promises() -> None:
    promised = {
        "down": {"down", "j"}, "up": {"up", "k"}, "open": {"enter"}, "back": {"esc"}, "previous": {"-"}, "goto": {":"},
        "palette": {"ctrl+p"}, "filter": {"/"}, "help": {"?"}, "sort": {"s"}, "sort_left": {"<"}, "sort_right": {">"},
        "next_pane": {"tab"}, "mark": {"space"}, "mark_range": {"ctrl+space"}, "mark_all": {"*"}, "copy": {"y"},
        "copy_menu": {"Y"}, "edit": {"e"}, "new": {"n"}, "delete": {"x"}, "raw": {"d"}, "refresh": {"r"},
        "calls": {"!"}, "undo": {"ctrl+z"}, "quit": {"q"}, "top": {"g"}, "bottom": {"G"}, "section_1": {"1"},
        "section_9": {"9"}, "redraw": {"ctrl+l"},
    }  # fmt: skip
    actions = registry()
    for name, keys in promised.items():
        assert keys <= set(actions.keys.keys(name)), name


def test_a_label_that_is_a_word_of_both_languages_is_translated_once() -> None:
    use("de")
    try:
        labelled = DialogKey("totals.day", ("up",), "Tag", "").labelled(_("Day"))
        assert (labelled.label, labelled.unlisted().label) == ("Tag", "Tag")
    finally:
        use(ENGLISH)
