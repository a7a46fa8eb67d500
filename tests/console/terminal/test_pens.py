"""The shortest way from one style to another ends in that style."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import Theme

from svc_tui.console.terminal.pens import PLAIN, Pen, blank_of, change, indexed, pen
from svc_tui.console.terminal.theme import DARK, LIGHT

pens = st.builds(
    Pen,
    st.frozensets(st.sampled_from(["1", "2", "3", "4", "7", "9"]), max_size=3),
    st.sampled_from(["", "31", "97", "38;5;200", "38;2;1;2;3"]),
    st.sampled_from(["", "44", "103", "48;5;17", "48;2;7;0;9"]),
    st.just(""),
)


@given(pens, pens)
def test_a_change_of_style_results_in_the_requested_style(before: Pen, after: Pen) -> None:
    sequence = change(before, after)
    if before == after:
        assert sequence == ""
    else:
        assert pen(before, sequence.removeprefix("\x1b[").removesuffix("m")) == after


def test_a_changed_text_colour_does_not_send_the_background_again() -> None:
    before = Pen(foreground="38;2;1;2;3", background="48;2;9;9;9")
    assert change(before, before._replace(foreground="32")) == "\x1b[32m"


def test_ending_bold_does_not_send_the_colours_again() -> None:
    bold = Pen(frozenset({"1"}), "38;2;1;2;3", "48;2;9;9;9")
    assert change(bold, bold._replace(attributes=frozenset())) == "\x1b[22m"
    assert change(bold._replace(attributes=frozenset({"1", "2"})), bold) == "\x1b[22;1m"


def test_a_link_begins_and_ends() -> None:
    linked = PLAIN._replace(link="id=1;https://example.org")
    assert change(PLAIN, linked) == "\x1b]8;id=1;https://example.org\x1b\\"
    assert change(linked, PLAIN) == "\x1b]8;;\x1b\\"


def test_blanks_are_equal_when_they_look_equal() -> None:
    assert blank_of(pen(PLAIN, "1;31")) == PLAIN
    assert blank_of(pen(PLAIN, "31;44")) == pen(PLAIN, "44")
    assert blank_of(pen(PLAIN, "7;31")) == pen(PLAIN, "7;31")


@pytest.mark.parametrize(
    ("true", "sent"),
    [
        ("38;2;135;215;255", "38;5;117"),
        ("48;2;18;18;18", "48;5;233"),
        ("38;2;0;0;0", "38;5;16"),
        ("38;2;255;255;255", "38;5;231"),
        ("38;2;238;238;238", "38;5;255"),
        ("38;2;1;2;3", "38;2;1;2;3"),
        ("38;5;9", "38;5;9"),
    ],
)
def test_a_fixed_colour_goes_by_its_number(true: str, sent: str) -> None:
    assert indexed(true) == sent


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_the_themes_use_fixed_colours_only(theme: Theme) -> None:
    named = [theme.primary, theme.accent, theme.success, theme.warning, theme.error, theme.foreground, theme.background]
    for colour in [*named, theme.surface, theme.panel, *theme.variables.values()]:
        if colour and colour.startswith("#"):
            red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
            assert indexed(f"38;2;{red};{green};{blue}").startswith("38;5;"), colour
