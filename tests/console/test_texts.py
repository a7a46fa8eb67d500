"""Every text that the console declares or shows, by the rules of plain English and with keys from the key map."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter

import pytest

from svc_tui.console.core.keys import DialogKey
from svc_tui.console.shell.key_sets import all_key_sets
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import ALL, BY_NAME
from svc_tui.interface.catalogue import body_of, query_of, record_of
from svc_tui.interface.field_specs import FieldSpec, fields_of
from tests.repository.files import ROOT
from tests.support.plain_english import key_faults, label_faults, word_faults

#: The most characters at 80 columns: of a label in the palette, of one in a form, and of a line of help.
ACTION_LABEL, FIELD_LABEL, HELP = 23, 32, 90
#: Product names with a capital letter.
PRODUCTS = frozenset({"Teams"})
#: Labels that name a movement, not the key of the same name.
MOVEMENTS = {"Page up", "Page down"}
FILES = sorted((ROOT / "svc_tui" / "console").rglob("*.py"))
_PLACEHOLDER = re.compile(r"\{([a-z][a-z_.]*)\}")
_NAME = re.compile(r"[a-z][\w.:]*")
_STYLES = re.compile(r"[A-Z]\w* (?:[#>.\w-]+ )*\{ ?[a-z-]+: ")


def help_faults(text: str, most: int = HELP) -> list[str]:
    """A help begins with a capital letter or a code, has no full stop and fits into a line."""
    faults = word_faults(text) + key_faults(text)
    if text.endswith("."):
        faults.append(f"{text!r}: help has no full stop")
    if len(text) > most:
        faults.append(f"{text!r}: {len(text)} characters")
    return faults


def length_faults(label: str, most: int) -> list[str]:
    return [f"{label!r}: {len(label)} characters, at most {most}"] if len(label) > most else []


def fields() -> dict[str, FieldSpec]:
    """The fields of all records, bodies and queries of the resources."""
    found = {}
    for resource in ALL:
        bodies = [body_of(name) for name in (resource.create, resource.update) if name]
        queries = [query_of(resource.list)] if resource.list else []
        records = [record] if (record := record_of(resource.kind.get)) else []
        for model in (*records, *bodies, *queries):
            found |= {f"{model.__name__}.{spec.wire}": spec for spec in fields_of(model)}
    return found


def dialog_keys() -> set[DialogKey]:
    """The keys of dialogs, with the labels of each dialog."""
    return {key for keys in all_key_sets() for key in keys}


def _templates(node: ast.AST) -> list[ast.Constant]:
    """The texts in which a node fills in values: that of `_("…").format(…)`, and both of `plural(number, "…", "…")`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "plural":
        return [each for each in node.args[1:] if isinstance(each, ast.Constant)]
    if not (isinstance(node, ast.Attribute) and node.attr == "format" and isinstance(node.value, ast.Call)):
        return []
    return [each for each in node.value.args[:1] if isinstance(each, ast.Constant)]


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of the literals of a file, without docstrings, styles and names; `{}` stands for values."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
        for template in _templates(node):
            skipped.add(id(template))
            # The values of `_("…").format(…)`; `{{key}}` is a key in the sentence that it makes.
            parts = Formatter().parse(str(template.value))
            yield node.lineno, "".join(said + ("" if name is None else "{}") for said, name, _, _ in parts)
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        else:
            continue
        if not _STYLES.search(text) and not _NAME.fullmatch(text):
            yield node.lineno, text


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that have words; a single word may be the name of a key."""
    return ((line, text) for line, text in texts(path) if re.search(r"[A-Za-z]\S* +\S", text))


def test_labels_and_help_of_actions() -> None:
    faults: list[str] = []
    for action in registry():
        label = action.label.removesuffix("…")
        faults += label_faults(label) + length_faults(label, ACTION_LABEL) + help_faults(action.help_for(None))
        faults += [] if label in MOVEMENTS else key_faults(label)
    assert faults == []


def test_the_help_of_a_general_action_names_the_kind_of_record() -> None:
    actions = registry()
    assert actions["edit"].help_for(BY_NAME["companies"]) == "Edit the company, or all marked ones in one form"
    assert actions["edit"].help_for(None) == "Edit the record, or all marked ones in one form"


def test_labels_and_help_of_dialog_keys() -> None:
    faults: list[str] = []
    for key in dialog_keys():
        faults += label_faults(key.label) + help_faults(key.help)
        faults += [] if key.label in MOVEMENTS else key_faults(key.label)
    assert faults == []


def test_titles_of_resources_and_their_lists() -> None:
    labels = [(resource.title, *(item.label for item in resource.related)) for resource in ALL]
    assert [fault for each in labels for label in each for fault in label_faults(label)] == []
    assert [fault for resource in ALL for fault in word_faults(resource.singular)] == []


def test_labels_and_help_of_fields() -> None:
    faults: list[str] = []
    for name, spec in fields().items():
        faults += [
            f"{name}: {each}" for each in label_faults(spec.label, names=PRODUCTS) + help_faults(spec.facet.help)
        ]
        faults += length_faults(spec.label, FIELD_LABEL)
    assert faults == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "svc_tui" / "console").as_posix())
def test_texts_of_a_file(path: Path) -> None:
    faults = [(line, each) for line, text in texts(path) for each in word_faults(text)]
    faults += [(line, each) for line, text in sentences(path) if text not in MOVEMENTS for each in key_faults(text)]
    assert faults == []


def names_of_keys() -> set[str]:
    """What a placeholder in a sentence can name."""
    actions: Iterable[str] = (action.name for action in registry())
    keys = dialog_keys()
    return {*actions, *(key.name for key in keys), *(key.verb for key in keys), "record"}


def values_of(path: Path) -> set[str]:
    """The names of the values that a file puts into its texts with `format`."""
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    made = (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "format")
    return {str(value.arg) for call in made for value in call.keywords}


def test_every_placeholder_for_a_key_names_an_action_or_a_key() -> None:
    names = names_of_keys()
    unknown = [
        (path.name, line, name)
        for path in FILES
        for known in (names | values_of(path),)
        for line, text in texts(path)
        for name in _PLACEHOLDER.findall(text)
        if name not in known
    ]
    assert unknown == []
