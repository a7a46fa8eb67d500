"""Asking for secrets: from the environment, or at the terminal without echo; never from an argument."""

from __future__ import annotations

import getpass
import os
import sys

from svc_tui.commands.exits import NotLoggedIn


def can_ask() -> bool:
    """Whether a person is there to answer."""
    return sys.stdin.isatty()


def secret(variable: str, what: str) -> str:
    """A secret from the environment variable or asked for; empty when nobody can be asked or nothing is answered."""
    if value := os.environ.get(variable, ""):
        return value
    return hidden(f"{what}: ") if can_ask() else ""


def needed(variable: str, what: str) -> str:
    """A secret without which the login cannot go on. NotLoggedIn says how to give it."""
    if value := secret(variable, what):
        return value
    raise NotLoggedIn(f"{what} is needed: set {variable}, or run this in a terminal.")


def hidden(prompt: str) -> str:
    """What is typed, without echo; empty at the end of input."""
    try:
        return getpass.getpass(prompt, stream=None)
    except EOFError:
        print(file=sys.stderr)
        return ""


def plain(prompt: str) -> str:
    """What is typed; empty at the end of input. The prompt goes to standard error: standard output is for data."""
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
