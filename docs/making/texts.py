"""Generator of the catalogues in `svc_tui/locale`: every text of the source, and what is translated of it.

`python -m docs.making.texts` adds new texts to the catalogue of each language, removes old ones, and compiles it;
`python -m docs.making.texts LANGUAGE` begins a new language. A test fails if a catalogue is outdated.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import svc_tui
from svc_tui import language
from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.formatting import english_title_in_sentence
from svc_tui.interface import access, catalogue
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.labels import LABELS, english_label
from svc_tui.interface.records import Record
from svc_tui.workspace.kinds.registry import AREAS

ROOT = Path(svc_tui.__file__).parent
#: What the service writes is English.
_ENGLISH = frozenset({"server"})
#: Declarations that translate their texts: the name of the class or function -> arguments by name and by position.
DECLARATIONS: dict[str, tuple[frozenset[str], frozenset[int]]] = {
    "field": (frozenset({"help", "label", "group", "deprecated", "unit"}), frozenset()),
    "Operation": (frozenset({"summary", "deprecated"}), frozenset({4})),
    "Column": (frozenset({"title"}), frozenset()),
    "Action": (frozenset({"label", "help", "group", "absent"}), frozenset()),
    "Resource": (frozenset({"title", "singular", "place_name"}), frozenset()),
    "RelatedList": (frozenset({"label"}), frozenset({2})),
    "DialogKey": (frozenset({"label", "help"}), frozenset({2, 3})),
}
_KEY = "A label in the line of keys: short."
_NOTES: dict[tuple[str, object], str] = {
    ("Action", "label"): _KEY,
    ("DialogKey", 2): _KEY,
    ("DialogKey", "label"): _KEY,
    ("Column", "title"): "The title of a column: not longer than in English.",
}
_STRFTIME = {"yyyy": "%Y", "y": "%Y", "MM": "%m", "dd": "%d"}

#: A text, or a noun with its plural.
Text = str | tuple[str, str]


def texts() -> dict[Text, list[str]]:
    """Every text of the source in English -> the files that contain it."""
    return _texts()[0]


def _texts() -> tuple[dict[Text, list[str]], dict[str, str]]:
    """The texts with their files, and notes for translators."""
    found: dict[Text, list[str]] = defaultdict(list)
    notes: dict[str, str] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.relative_to(ROOT).parts[0] not in _ENGLISH:
            place = path.relative_to(ROOT.parent).as_posix()
            for text, note in _texts_of(ast.parse(path.read_text("utf-8"))):
                if text and place not in found[text]:
                    found[text].append(place)
                if note and isinstance(text, str):
                    notes[text] = note
    for text, place in (*_labels(), *_of_resources()):
        if place not in found[text]:
            found[text].append(place)
    # A noun that also stands alone is one entry, with its plural.
    for one in {text[0] for text in found if isinstance(text, tuple)}:
        same = [text for text in found if isinstance(text, tuple) and text[0] == one]
        several = min(same, key=lambda text: text[1] != f"{one}s")
        for text in {one, *same} - {several}:
            found[several].extend(place for place in found.pop(text, ()) if place not in found[several])
    return dict(found), notes


def _texts_of(tree: ast.Module) -> Iterator[tuple[Text, str]]:
    """The texts of a module, each with a note for translators."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        values = [list(_constants(argument)) for argument in node.args]
        if name == "_" and values:
            yield from ((text, "") for text in values[0])
        elif name in ("counted", "plural") and len(values) > 1 and values[1]:
            for one in values[1]:
                yield (one, values[2][0] if len(values) > 2 and values[2] else one + "s"), ""
        elif name in DECLARATIONS:
            names, places = DECLARATIONS[name]
            for place, found in enumerate(values):
                if place in places:
                    yield from ((text, _NOTES.get((name, place), "")) for text in found)
            for keyword in node.keywords:
                if keyword.arg in names:
                    note = _NOTES.get((name, keyword.arg), "")
                    yield from ((text, note) for text in _constants(keyword.value))
                if name == "field" and keyword.arg == "choices" and isinstance(keyword.value, ast.Dict):
                    for meaning in keyword.value.values:
                        yield from ((text, "") for text in _constants(meaning))


def _constants(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can be: itself, or the parts of a choice between texts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _constants(value)


def _labels() -> Iterator[tuple[str, str]]:
    """The labels that are made of the names of fields, and the meanings of their values."""
    list(catalogue.operations())
    yield from ((text, "svc_tui/interface/access.py") for text in access.REACHES_IN_WORDS.values())
    # Also names in objects that are not declared.
    yield from ((text, "svc_tui/interface/labels.py") for text in LABELS.values())
    waiting = list(Record.__subclasses__())
    seen = set()
    while waiting:
        model = waiting.pop()
        waiting.extend(model.__subclasses__())
        # A flat model has the fields of others, which are here themselves.
        if model in seen or model.__module__.split(".")[0] != "svc_tui" or model.__name__ == "Flat":
            continue
        seen.add(model)
        place = model.__module__.replace(".", "/") + ".py"
        for wire, spec in field_by_wire(model).items():
            yield spec.facet.label or english_label(wire), place
            yield spec.facet.group, place
            for _value, meaning in spec.facet.choices:
                yield meaning, place


def _of_resources() -> Iterator[tuple[Text, str]]:
    """The words of states in lists, and the nouns of kinds of records."""
    for area in AREAS:
        module = import_module(f"svc_tui.console.areas.{area}.area")
        place = f"svc_tui/console/areas/{area}"
        for resource in module.AREA.resources:
            if isinstance(resource, Resource):
                yield (resource.singular, resource.plural or english_title_in_sentence(resource.title)), place
                for column in resource.display.columns:
                    for word, _style in column.state.values():
                        if word.strip():
                            yield word, place


def forms(name: str) -> dict[str, str]:
    """The forms of dates and numbers of a language, from the Unicode Common Locale Data Repository."""
    locale = Locale.parse(name)
    day = str(locale.date_formats["medium"].pattern)
    for written, form in _STRFTIME.items():
        day = day.replace(written, form) if form not in day else day
    symbols = locale.number_symbols["latn"]
    return {
        language.DAY: day,
        language.SHORT_DAY: day.replace("%Y", "").strip(" -/,"),
        language.MOMENT: f"{day} %H:%M",
        language.DECIMAL_SIGN: symbols["decimal"],
        language.GROUP_SIGN: symbols["group"],
    }


def file_of(name: str) -> Path:
    """The catalogue of a language, as text."""
    return language.FOLDER / name / "LC_MESSAGES" / "svc_tui.po"


def current(name: str) -> Catalog:
    """The catalogue of a language with every text of the source, and the translations that it has."""
    file = file_of(name)
    known = Catalog(locale=name)
    if file.exists():
        with file.open("rb") as opened:
            known = read_po(opened, locale=name)
    made = Catalog(
        locale=name,
        project="svc-tui",
        header_comment="# Texts of svc-tui; translations are edited here. `python -m docs.making.texts` adds new ones.",
        creation_date=datetime(2026, 1, 1, tzinfo=UTC),
        revision_date=datetime(2026, 1, 1, tzinfo=UTC),
        fuzzy=False,
    )
    found, notes = _texts()
    for text, places in sorted(found.items(), key=lambda item: (item[1][0], str(item[0]))):
        message = known.get(text if isinstance(text, str) else text[0])
        string = message.string if message is not None else ""
        if isinstance(text, tuple) != isinstance(string, tuple):
            string = (string, "") if isinstance(text, tuple) else string[0]
        made.add(
            text, string, [(place, 0) for place in places[:3]], auto_comments=[notes[text]] if text in notes else []
        )
    for form, written in forms(name).items():
        made.add(form, written, context=language.FORMS, auto_comments=["From CLDR"])
    return made


def as_text(made: Catalog) -> bytes:
    """A catalogue as the text of its file."""
    written = BytesIO()
    write_po(written, made, width=120, include_lineno=False)
    return written.getvalue()


def compiled(made: Catalog) -> bytes:
    """A catalogue as it is read at a start; texts without a translation are left out."""
    written = BytesIO()
    write_mo(written, made)
    return written.getvalue()


def _write(name: str) -> None:
    made = current(name)
    file = file_of(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(as_text(made))
    file.with_suffix(".mo").write_bytes(compiled(made))
    open_texts = sum(1 for each in made if each.id and not all(each.string if each.pluralizable else [each.string]))
    print(f"wrote {file.relative_to(ROOT.parent)}: {len(made)} texts, {open_texts} without a translation")


if __name__ == "__main__":
    for each in sys.argv[1:] or [file.parent.parent.name for file in language.FOLDER.glob("*/LC_MESSAGES/svc_tui.po")]:
        _write(each)
