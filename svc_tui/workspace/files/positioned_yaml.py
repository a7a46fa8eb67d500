"""YAML that users write, with the line and the column of each value.

Plain values are those of YAML 1.2: `no`, `12:30` and `0123` are texts. Keys are texts and stand once; anchors, aliases
and tags are refused, so that the size of a document is the size of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import yaml
else:
    yaml = lazy_import("yaml")

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_WORDS: dict[str, Any] = {"": None, "~": None} | {
    spelling: value
    for word, value in (("null", None), ("true", True), ("false", False))
    for spelling in (word, word.capitalize(), word.upper())
}
#: What the parser reports, whether its place is where the text of it begins, and what a user does.
_PROBLEMS = (
    (re.compile(r"'\\t'"), False, _("a tab is used for indentation; use spaces")),
    (
        re.compile("found '<scalar>'"),
        False,
        _("text follows a closing quote or bracket: put all of it into other quotes"),
    ),
    (re.compile("expected <block end>"), False, _("the indentation differs from that of the lines above")),
    (re.compile("could not find expected ':'"), True, _("a colon and a space are expected after a name")),
    (
        re.compile("mapping values are not allowed here"),
        False,
        _("a second colon: put a text with a colon into quotes, or correct the indentation"),
    ),
    (
        re.compile("entries are not allowed here"),
        False,
        _("a list begins in the line below its name; a text with a dash needs quotes"),
    ),
    (re.compile("unknown escape character"), False, _("a backslash in double quotes is special: use single quotes")),
    (re.compile("scanning a quoted scalar: found unexpected end"), True, _("the quotes that begin here have no end")),
    (re.compile("cannot start any token"), False, _("a text that begins with this character needs quotes")),
    (re.compile("scanning an a"), True, _("a text that begins with this character needs quotes")),
    (re.compile("scanning a block scalar"), True, _("a text that begins with this character needs quotes")),
    (re.compile("expected ','"), False, _("a comma or a closing bracket is expected")),
)
#: Levels that a document can have.
_DEEPEST = 20
#: The parser of libyaml, where it is there: a document of 5,000 users is read in a tenth of the time.
_LOADER = "CSafeLoader"
#: Characters of a document.
LARGEST = 50_000_000


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a document, and where: line and column from 1, in another file with its name."""

    line: int
    column: int
    msg: str
    file: str = ""

    def __str__(self) -> str:
        text = _("line {line}, column {column}: {msg}").format(line=self.line, column=self.column, msg=self.msg)
        return f"{self.file}, {text}" if self.file else text


class FaultyDocument(Exception):
    """A document that cannot be used, with all its faults in their order."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults, key=lambda fault: (fault.file, fault.line, fault.column))
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place: a mapping of names to nodes, a list of nodes, or a text, number, truth value or None.

    `text` is a plain value as it is written, for fields that hold texts; `keys` has the place of each name. `file` is
    the name of a file beside the document.
    """

    value: Any
    line: int
    column: int
    text: str | None = None
    keys: dict[str, tuple[int, int]] | None = None
    file: str = ""

    def fault(self, msg: str, key: str = "") -> Fault:
        """A fault at this value, or at one of its names."""
        line, column = (self.keys or {}).get(key, (self.line, self.column))
        return Fault(line, column, msg, self.file)

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        return [node.plain() for node in self.value] if isinstance(self.value, list) else self.value

    def at(self, path: str) -> Node:
        """The node at a path such as `emails.0.type`; the nearest one that there is."""
        node = self
        for part in filter(None, path.split(".")):
            inner = node.value
            if isinstance(inner, dict) and part in inner:
                node = inner[part]
            elif isinstance(inner, list) and part.isdigit() and int(part) < len(inner):
                node = inner[int(part)]
            else:
                break
        return node


def read(content: str) -> Node:
    """The one document of a text. FaultyDocument."""
    if len(content) > LARGEST:
        raise FaultyDocument([Fault(1, 1, _("has more than {most} characters").format(most=LARGEST))])
    faults: list[Fault] = []
    try:
        try:
            composed = _composed(content, getattr(yaml, _LOADER, yaml.SafeLoader))
        except yaml.YAMLError:
            # The faults are those of one parser everywhere.
            composed = _composed(content, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise FaultyDocument([_yaml_fault(error)]) from None
    except yaml.reader.ReaderError as error:
        line = content.count("\n", 0, error.position) + 1
        column = error.position - content.rfind("\n", 0, error.position)
        text = _("has a character that a document cannot have")
        raise FaultyDocument([Fault(line, column, text)]) from None
    found = _node(composed, faults) if composed is not None else Node(None, 1, 1)
    if faults:
        raise FaultyDocument(faults)
    return found


def written(record: Mapping[str, Any]) -> str:
    """A record as YAML."""
    return str(yaml.safe_dump(dict(record), allow_unicode=True, sort_keys=False, default_flow_style=False))


def _composed(content: str, loader: Any) -> yaml.Node | None:
    """The nodes of a text."""
    _check_events(content, loader)
    return yaml.compose(content, Loader=loader)


def _check_events(content: str, loader: Any) -> None:
    """Refuse aliases, tags and levels beyond the deepest, before anything is made of them."""
    depth, documents = 0, 0
    for event in yaml.parse(content, Loader=loader):
        mark = event.start_mark
        place = Fault(mark.line + 1, mark.column + 1, "") if mark else Fault(1, 1, "")
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if documents > 1:
            raise _refused(place, _("a file has one document"))
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _refused(place, _("anchors and aliases are not supported: write the value itself"))
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
            raise _refused(place, _("tags such as !!str are not supported: put a text into quotes"))
        if depth > _DEEPEST:
            raise _refused(place, _("has too many levels"))


def _refused(place: Fault, msg: str) -> FaultyDocument:
    return FaultyDocument([Fault(place.line, place.column, msg)])


def _yaml_fault(error: yaml.MarkedYAMLError) -> Fault:
    """The fault of a text that is no YAML, in words, and at the place where a user corrects it."""
    problem, context = (" ".join(str(text or "").split()) for text in (error.problem, error.context))
    mark, msg = error.problem_mark or error.context_mark, ""
    for part, at_its_begin, words in _PROBLEMS:
        if part.search(f"{context}: {problem}"):
            mark, msg = (at_its_begin and error.context_mark) or mark, _(words)
            break
    place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return Fault(*place, _("is no YAML: {problem}").format(problem=msg or problem or context))


def _node(node: yaml.Node, faults: list[Fault]) -> Node:
    line, column = _place(node)
    if isinstance(node, yaml.MappingNode):
        values: dict[str, Node] = {}
        keys: dict[str, tuple[int, int]] = {}
        for key, value in _pairs(node, faults):
            name = str(key.value)
            if not key.style and (problem := _misread(name)):
                faults.append(Fault(*_place(key), problem))
            if name in values:
                text = _("{name} stands here a second time").format(name=name)
                faults.append(Fault(*_place(key), text))
            values[name], keys[name] = _node(value, faults), _place(key)
        return Node(values, line, column, keys=keys)
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(each, faults) for each in node.value], line, column)
    text = str(node.value)
    if getattr(node, "style", None):
        return Node(text, line, column)
    return Node(_plain(text), line, column, text=text)


def _misread(name: str) -> str:
    """What is wrong with a name without quotes that holds what is to stand before it; empty if nothing does."""
    if name.startswith("\u00a0"):
        return _("has a no-break space, as copied from a web page: use a space")
    return _("a space is expected after the dash") if re.match(r"-\w", name) else ""


def _pairs(node: yaml.MappingNode, faults: list[Fault]) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            yield key, value
        else:
            faults.append(Fault(*_place(key), _("a name is expected before the colon")))


def _place(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _plain(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
