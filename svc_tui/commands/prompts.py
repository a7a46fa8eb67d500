"""Prompts for logins and secrets. A secret comes from the environment or from a prompt, never from an argument."""

from __future__ import annotations

import getpass
import os
import sys

from svc_tui.client.profile import control_sign
from svc_tui.commands.exits import NotLoggedIn, UsageError
from svc_tui.language import _


def interactive() -> bool:
    """Whether a prompt can be answered: standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def secret(variable: str, name: str) -> str:
    """A secret from the environment variable or from a prompt; empty without either.

    UsageError when it has control characters.
    """
    if value := os.environ.get(variable, ""):
        return _checked(value, variable)
    return _checked(prompt_hidden(f"{name}: "), name) if interactive() else ""


def required_secret(variable: str, name: str) -> str:
    """A secret that the login cannot do without. NotLoggedIn when it is missing."""
    if value := secret(variable, name):
        return value
    raise NotLoggedIn(
        _("{name} is required. Set {variable}, or run this command in a terminal.").format(name=name, variable=variable)
    )


def prompt_hidden(prompt: str) -> str:
    """An answer without echo; empty at the end of input. UsageError when it is no text."""
    try:
        return getpass.getpass(prompt, stream=None)
    except EOFError:
        print(file=sys.stderr)
        return ""
    except UnicodeDecodeError:
        raise UsageError(_("The answer has bytes that are not UTF-8 text. Nothing was sent.")) from None


def prompt_line(prompt: str) -> str:
    """An answer; empty at the end of input. The prompt goes to standard error: standard output is for data.

    UsageError when it has control characters, or is no text.
    """
    print(prompt, end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline().strip()
        answer.encode()
    except UnicodeError:
        raise UsageError(_("The answer has bytes that are not UTF-8 text. Nothing was sent.")) from None
    return _checked(answer, _("The answer"))


def _checked(value: str, name: str) -> str:
    """The value. UsageError when it has control characters."""
    if sentence := control_sign(name, value):
        raise UsageError(sentence)
    return value
