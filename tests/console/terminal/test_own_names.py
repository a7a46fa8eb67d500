"""What Textual keeps under a private name is never overwritten: a view that does so is not closed any more."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from functools import cache

from textual._compositor import Compositor
from textual.message_pump import MessagePump

from svc_tui import console
from svc_tui.console.shell.view_stack import VisibleCompositor

#: What the console replaces by its own kind of the same.
REPLACED = {"_compositor", "_styles_cache"}


@cache
def _kept(kind: type) -> set[str]:
    """The private names that a class puts on its objects."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    names = {node.attr for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self"}
    return {name for name in names if name.startswith("_")}


def _below(kind: type) -> Iterator[type]:
    below: list[type] = kind.__subclasses__()
    for each in below:
        yield each
        yield from _below(each)


def test_no_attribute_of_the_console_has_a_name_that_textual_uses() -> None:
    for module in pkgutil.walk_packages(console.__path__, f"{console.__name__}."):
        importlib.import_module(module.name)
    ours = {kind for kind in _below(MessagePump) if kind.__module__.startswith("svc_tui.")}
    assert len(ours) > 50
    assert issubclass(VisibleCompositor, Compositor)
    for kind in ours:
        bases = [base for base in kind.__mro__ if base.__module__.startswith("textual.")]
        assert not (_kept(kind) - REPLACED) & {name for base in bases for name in (*vars(base), *_kept(base))}, kind
