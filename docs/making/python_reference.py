"""The reference of the Python API, `docs/reference/python.md`: the names of `svc_tui.client.api`, and the methods of
each resource, by their signatures and docstrings. `docs.making.reference` writes it."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from docs.making.resources import resources
from svc_tui.client import api
from svc_tui.client.resources import ResourceClient

INTRODUCTION = """Everything that `svc_tui.client.api` exports, and the methods of each resource of the client. The
[guide](../python-api.md) explains how they are used. Parameters behind `*` are keyword arguments; one with `…` can be
left out. A type such as `SmallUser` has the fields of a `User` in the format `small`, which the reference of its area
marks. Errors of a call are subclasses of [`ServiceError`](#serviceerror); [operations](operations.md) have their
roles and refusals."""


def python_reference(generated: str) -> str:
    """The page."""
    parts = ["# Python API: reference", generated, INTRODUCTION, "## Client and errors"]
    for name in sorted(api.__all__, key=str.lower):
        parts += _exported(name, getattr(api, name))
    for resource, methods in resources().items():
        made = inspect.signature(getattr(ResourceClient, resource).fget, eval_str=True).return_annotation
        parts += [f"## client.{resource}", inspect.getdoc(made) or ""]
        for method, _operation in sorted(methods, key=lambda each: each[0]):
            parts += [f"### {resource}.{method}", *_described(f"client.{resource}.{method}", getattr(made, method))]
    return "\n\n".join(parts) + "\n"


def _exported(name: str, value: Any) -> Iterator[str]:
    """A public name, with the methods that a class adds."""
    yield f"### {name}"
    if isinstance(value, FunctionType):
        yield from _described(name, value)
        return
    if isinstance(value, type) and issubclass(value, Exception) and (base := value.__mro__[1]) is not Exception:
        yield f"A subclass of `{base.__name__}`."
    yield _text(inspect.getdoc(value) or "")
    if isinstance(value, type):
        # Its own methods and inherited ones; those of the resources have their own sections.
        for each in value.__mro__:
            for method, function in vars(each).items() if each.__module__.startswith("svc_tui.client") else ():
                public = isinstance(function, FunctionType) and not method.startswith("_")
                if public and function.__doc__ and getattr(value, method) is function:
                    yield f"#### {name}.{method}"
                    yield from _described(f"{name.lower()}.{method}", function)


def _described(called: str, function: FunctionType) -> Iterator[str]:
    """A function: how it is called, and its docstring."""
    signature = inspect.signature(function)
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    names: list[str] = []
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and "*" not in names:
            names.append("*")
        given = each.default is inspect.Parameter.empty
        names.append(f"{each.name}: {_type(each.annotation)}" + ("" if given else " = …"))
    begins = "await " if inspect.iscoroutinefunction(function) else ""
    if function is api.connect:
        begins = "async with "
    line = f"{begins}{called}({', '.join(names)}) -> {_type(signature.return_annotation)}"
    yield "```text\n" + textwrap.fill(line, 120, subsequent_indent="    ", break_long_words=False) + "\n```"
    yield _text(inspect.getdoc(function) or "")


def _type(annotation: Any) -> str:
    said = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return str(said).replace(" | NotGiven", "").replace("NotGiven | ", "").replace("List[", "list[")


def _text(doc: str) -> str:
    """A docstring as Markdown: its arguments are a list."""
    text, _found, arguments = doc.partition("\nArgs:\n")
    items = re.sub(r"\n {5,}", " ", arguments)
    return "\n\n".join(filter(None, (text.strip(), re.sub(r"^ {4}(\w+): ", r"- `\1`: ", items, flags=re.MULTILINE))))
