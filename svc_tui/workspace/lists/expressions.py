"""Regular expressions that are searched in linear time, so that no expression of a user can block the console.

The usual syntax without back-references and lookaround: `re` would backtrack, and cannot be interrupted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Literal

from svc_tui.fast_dataclasses import dataclass
from svc_tui.language import _

#: Most characters of an expression, most groups inside each other, and most states after its repetitions are expanded.
MOST_CHARACTERS, MOST_DEPTH, MOST_STATES = 200, 20, 2_000
#: Most remembered steps of one expression; all are forgotten then.
_MOST_STEPS = 20_000

_Test = Callable[[str], bool]
_Where = Literal["start", "end", "edge", "inside"]
#: The kind of a neighbouring character: none, part of a word, or another one.
_Beside = Literal["", "word", "other"]


class ExpressionError(ValueError):
    """An expression that cannot be searched; the text is the reason, without a full stop."""


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_CLASSES: dict[str, _Test] = {
    "d": str.isdecimal,
    "D": lambda char: not char.isdecimal(),
    "w": _is_word,
    "W": lambda char: not _is_word(char),
    "s": str.isspace,
    "S": lambda char: not char.isspace(),
}
_PLACES: dict[str, _Where] = {"A": "start", "Z": "end", "b": "edge", "B": "inside"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(slots=True)
class _Node:
    """A state: reads a character that passes the test, or passes at a place, or only splits; then goes to `after`."""

    after: list[_Node] = field(default_factory=list)
    test: _Test | None = None
    where: _Where | None = None
    matches: bool = False


#: Adds the states of a part in front of a state, and returns the first one.
_Part = Callable[[_Node], _Node]


class _Step:
    """The states of a search between two characters, with the next step for each character seen so far."""

    __slots__ = ("before", "kernel", "known")

    def __init__(self, kernel: frozenset[int], before: _Beside) -> None:
        self.kernel, self.before = kernel, before
        #: Character (empty: the end) -> the next step, True where the expression is found, False at the end.
        self.known: dict[str, _Step | bool] = {}


class Expression:
    """A compiled expression; ExpressionError with the reason if the text is none. Case is ignored."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise ExpressionError(
                _("it is longer than {most_characters} characters").format(most_characters=MOST_CHARACTERS)
            )
        reader = _ExpressionParser(unicodedata.normalize("NFC", text))
        self._nodes = reader.nodes
        self._first = reader.first
        self._numbers = {id(node): number for number, node in enumerate(self._nodes)}
        self._forget()

    def found_in(self, text: str) -> bool:
        """Whether a part of a text, folded by `folded`, is described by the expression."""
        step: _Step | bool = self._start
        for char in text:
            assert isinstance(step, _Step)
            found = step.known.get(char)
            step = self._next(step, char) if found is None else found
            if step is True:
                return True
        assert isinstance(step, _Step)
        found = step.known.get("")
        return (self._next(step, "") if found is None else found) is True

    def _forget(self) -> None:
        self._remembered = 0
        self._steps: dict[tuple[frozenset[int], _Beside], _Step] = {}
        self._start = self._step(frozenset(), "")

    def _step(self, kernel: frozenset[int], before: _Beside) -> _Step:
        return self._steps.setdefault((kernel, before), _Step(kernel, before))

    def _next(self, step: _Step, char: str) -> _Step | bool:
        """The step after a character, or whether the expression is found before it."""
        beside: _Beside = "" if not char else "word" if _is_word(char) else "other"
        reached = self._reached(step, beside)
        found: _Step | bool
        if any(node.matches for node in reached) or not char:
            found = any(node.matches for node in reached)
        else:
            after = (node.after[0] for node in reached if node.test is not None and node.test(char))
            found = self._step(frozenset(self._numbers[id(node)] for node in after), beside)
        self._remembered += 1
        if self._remembered > _MOST_STEPS:
            self._forget()
        else:
            step.known[char] = found
        return found

    def _reached(self, step: _Step, beside: _Beside) -> Iterable[_Node]:
        """All states that are reached without reading a character; a match may begin at every character."""
        waiting = [self._first, *(self._nodes[number] for number in step.kernel)]
        reached: dict[int, _Node] = {}
        while waiting:
            node = waiting.pop()
            if id(node) in reached:
                continue
            reached[id(node)] = node
            if node.test is None and (node.where is None or _holds(node.where, step.before, beside)):
                waiting += node.after
        return reached.values()


def _holds(where: _Where, before: _Beside, beside: _Beside) -> bool:
    match where:
        case "start":
            return before == ""
        case "end":
            return beside == ""
    return (where == "edge") == ((before == "word") != (beside == "word"))


class _ExpressionParser:
    """Reads an expression into states; `first` is where a search begins."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0
        self.nodes: list[_Node] = []
        part = self._choice()
        if self._at < len(text):
            raise ExpressionError(_("a closing bracket has no opening bracket"))
        self.first = part(self._node(matches=True))

    def _node(self, after: Iterable[_Node] = (), test: _Test | None = None, *, matches: bool = False) -> _Node:
        if len(self.nodes) >= MOST_STATES:
            raise ExpressionError(_("it has too many repetitions"))
        self.nodes.append(_Node(list(after), test, matches=matches))
        return self.nodes[-1]

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        char = self._peek()
        self._at += 1
        return char

    def _choice(self) -> _Part:
        """Alternatives with `|` between them."""
        parts = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            parts.append(self._sequence())
        if len(parts) == 1:
            return parts[0]
        return lambda after: self._node([part(after) for part in parts])

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        while (char := self._peek()) and char not in "|)":
            parts.append(self._repeated(self._single()))

        def build(after: _Node) -> _Node:
            for part in reversed(parts):
                after = part(after)
            return after

        return build

    def _single(self) -> _Part:
        match char := self._take():
            case "(":
                return self._group()
            case "[":
                return self._reads(self._set())
            case ".":
                return self._reads(lambda _: True)
            case "^":
                return self._place("start")
            case "$":
                return self._place("end")
            case "*" | "+" | "?":
                raise ExpressionError(_("there is nothing before {char} to repeat").format(char=char))
            case "\\":
                return self._escaped()
        return self._literal(char)

    def _group(self) -> _Part:
        if self._peek() == "?" and self._text[self._at : self._at + 2] != "?:":
            raise ExpressionError(_("({text} is not supported").format(text=self._text[self._at : self._at + 2]))
        self._at += 2 * (self._peek() == "?")
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise ExpressionError(_("its brackets are nested too deeply"))
        part = self._choice()
        self._depth -= 1
        if self._take() != ")":
            raise ExpressionError(_("a bracket is not closed"))
        return part

    def _escaped(self) -> _Part:
        char = self._take()
        if where := _PLACES.get(char):
            return self._place(where)
        if test := _CLASSES.get(char):
            return self._reads(test)
        return self._literal(_plain(char))

    def _reads(self, test: _Test) -> _Part:
        return lambda after: self._node([after], test)

    def _place(self, where: _Where) -> _Part:
        def build(after: _Node) -> _Node:
            node = self._node([after])
            node.where = where
            return node

        return build

    def _literal(self, char: str) -> _Part:
        """One character, folded like the text: it may become several."""

        def build(after: _Node) -> _Node:
            for each in reversed(char.casefold()):
                after = self._node([after], each.__eq__)
            return after

        return build

    def _set(self) -> _Test:
        """The characters in square brackets."""
        excludes = self._peek() == "^"
        self._at += excludes
        tests: list[_Test] = []
        while (char := self._take()) != "]" or not tests:
            if not char:
                raise ExpressionError(_("a bracket is not closed"))
            if char == "\\":
                char = self._take()
                if test := _CLASSES.get(char):
                    tests.append(test)
                    continue
                char = _plain(char)
            last = char
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("", "]"):
                self._at += 1
                last = self._take()
                last = _plain(self._take()) if last == "\\" else last
                if last < char:
                    raise ExpressionError(_("the range {char}-{last} is empty").format(char=char, last=last))
            tests.append(_within(char, last))
        return lambda char: any(test(char) for test in tests) != excludes

    def _repeated(self, part: _Part) -> _Part:
        """A part with the repetitions behind it."""
        least, most = self._counts()
        if (least, most) == (1, 1):
            return part
        if self._peek() == "?":
            # The shortest match is found where the longest one is.
            self._at += 1
        if self._peek() in ("*", "+", "?", "{") and self._counts() != (1, 1):
            raise ExpressionError(_("a repetition is repeated"))

        def build(after: _Node) -> _Node:
            if most is None:
                loop = self._node()
                loop.after = [part(loop), after]
                first = loop
            else:
                first = after
                for _time in range(most - least):
                    first = self._node([part(first), after])
            for _time in range(least):
                first = part(first)
            return first

        return build

    def _counts(self) -> tuple[int, int | None]:
        """The least and most times of a part; None for any number."""
        char = self._peek()
        if char in ("*", "+", "?") and char:
            self._at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        end = self._text.find("}", self._at)
        if char != "{" or end < 0:
            return 1, 1
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        if not (least + most).isdecimal() or not (least + "0").isdecimal() or not (most + "0").isdecimal():
            # Not a number of times: a brace like any character.
            return 1, 1
        self._at = end + 1
        lowest = int(least or 0)
        highest = lowest if not comma else int(most) if most else None
        if lowest > MOST_STATES or (highest or 0) > MOST_STATES:
            raise ExpressionError(_("it has too many repetitions"))
        if highest is not None and highest < lowest:
            raise ExpressionError(_("{{{least},{most}}} is empty").format(least=least, most=most))
        return lowest, highest


def _plain(char: str) -> str:
    """The character of an escape sequence."""
    if not char:
        raise ExpressionError(_("it ends with a backslash"))
    if char.isalnum() and char not in _CONTROLS:
        raise ExpressionError(_("\\{char} is not supported").format(char=char))
    return _CONTROLS.get(char, char)


def _within(first: str, last: str) -> _Test:
    """A character of a range, in either case."""
    return lambda char: any(len(each) == 1 and first <= each <= last for each in (char, char.upper(), char.lower()))
