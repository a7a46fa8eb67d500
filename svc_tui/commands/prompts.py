"""Prompts for logins and secrets. A secret comes from the environment or from a prompt, never from an argument."""

from __future__ import annotations

import getpass
import os
import sys

from svc_tui.commands.exits import NotLoggedIn
from svc_tui.language import _


def interactive() -> bool:
    """Whether a prompt can be answered: standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def secret(variable: str, name: str) -> str:
    """A secret from the environment variable or from a prompt; empty without either."""
    if value := os.environ.get(variable, ""):
        return value
    return prompt_hidden(f"{name}: ") if interactive() else ""


def required_secret(variable: str, name: str) -> str:
    """A secret that the login cannot do without. NotLoggedIn when it is missing."""
    if value := secret(variable, name):
        return value
    raise NotLoggedIn(
        _("{name} is required. Set {variable}, or run this command in a terminal.").format(name=name, variable=variable)
    )


def prompt_hidden(prompt: str) -> str:
    """An answer without echo; empty at the end of input."""
    try:
        return getpass.getpass(prompt, stream=None)
    except EOFError:
        print(file=sys.stderr)
        return ""


def prompt_line(prompt: str) -> str:
    """An answer; empty at the end of input. The prompt goes to standard error: standard output is for data."""
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
