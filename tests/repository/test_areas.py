"""Areas: each has its modules in every layer, and nothing outside an area that can be removed names it."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from svc_tui.interface import catalogue
from svc_tui.interface.catalogue import area_of
from svc_tui.workspace.kinds import registry
from svc_tui.workspace.kinds.registry import KINDS
from tests.repository.files import ROOT
from tests.repository.test_import_graph import import_graph, modules

#: Areas that others are made of. Any other area can be removed.
FOUNDATIONS = {"applications", "authentication", "companies", "customisation", "directory", "images", "subscriptions"}
#: The folders that contain one folder or module for each area.
HOMES = ("interface", "server", "workspace", "workspace.kinds", "console.areas", "commands")
AREAS = sorted({*catalogue.AREAS, *registry.AREAS})
REMOVABLE = [area for area in AREAS if area not in FOUNDATIONS]
#: The two lists of areas.
REGISTRIES = {"svc_tui.interface.catalogue", "svc_tui.workspace.kinds.registry"}
#: Names records of all areas for type checkers only; `docs.making` makes it again without an area that was removed.
GENERATED = "svc_tui.client.resources"


def area_of_module(name: str) -> str:
    """The area that a module belongs to; empty when it belongs to none."""
    for home in HOMES:
        found = re.match(rf"svc_tui\.{re.escape(home)}\.(\w+)", name)
        if found and found[1] in AREAS:
            return found[1]
    return ""


def folders(path: str) -> set[str]:
    """The packages in a folder of the package."""
    return {found.parent.name for found in (ROOT / "svc_tui" / path).glob("*/__init__.py")}


def test_every_area_of_the_api_is_declared_and_has_its_rules() -> None:
    assert folders("interface") == set(catalogue.AREAS)
    assert set(catalogue.AREAS) <= folders("server")


def test_every_area_of_the_console_has_its_kinds_and_its_screens() -> None:
    assert folders("console/areas") == set(registry.AREAS)
    for area in registry.AREAS:
        assert import_module(f"svc_tui.workspace.kinds.{area}").KINDS is not None
        assert import_module(f"svc_tui.console.areas.{area}.area").AREA is not None


def test_the_two_lists_agree() -> None:
    shown = {area_of(kind.list) for kind in KINDS.values()} | {area_of(kind.get) for kind in KINDS.values()}
    # Images are shown with their companies, not as records.
    assert shown | {"images"} == set(catalogue.AREAS)


def test_the_areas_that_others_are_made_of_are_those_that_others_import() -> None:
    graph = import_graph(ROOT, "svc_tui")
    imported = {area_of_module(used) for name, uses in graph.items() for used in uses if foreign(name, used)}
    assert imported == FOUNDATIONS


def foreign(name: str, used: str) -> bool:
    """Whether a module uses one of an area that it does not belong to."""
    return name != GENERATED and area_of_module(used) not in ("", area_of_module(name))


@cache
def texts(path: Path) -> list[str]:
    """The texts in a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sentences = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in sentences)
    return [node.value for node in constants if isinstance(node.value, str)]


@pytest.mark.parametrize("area", REMOVABLE)
def test_no_text_outside_a_removable_area_names_a_module_of_it(area: str) -> None:
    names = re.compile(rf"\b(?:{'|'.join(re.escape(home) for home in HOMES)}|areas|kinds)[./]{area}\b|^{area}[.:]\w")
    found = [
        (name, text)
        for name, path in modules(ROOT, "svc_tui").items()
        if area_of_module(name) != area and name not in REGISTRIES
        for text in texts(path)
        if names.search(text)
    ]
    assert found == []
