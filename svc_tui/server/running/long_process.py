"""A process of its own for long work on a file, which `LongWork` starts.

The file is its standard input, so nothing is copied. Results go to standard output, each with its length before it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

#: Called now and then by long work: it can be stopped there.
Pause = Callable[[], None]
#: A function of a module that works on a file, with further arguments as JSON has them. None of its results is None.
FileWork = Callable[..., Iterator[Any]]

#: The length of a result, before its bytes.
LENGTH = struct.Struct(">Q")
#: Requests come first, whatever these processes compute.
_NICENESS = 5


def command_for(work: FileWork, arguments: dict[str, Any]) -> list[str]:
    """The command line of a process for this work, whose parent is this process."""
    order = {"parent": os.getpid(), "module": work.__module__, "name": work.__qualname__, "arguments": arguments}
    return [sys.executable, "-m", "svc_tui.server.running.long_process", json.dumps(order)]


def main() -> None:
    """Work until all results are written, or until the reader ends."""
    # ctrl+c reaches all processes of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = json.loads(sys.argv[1])
    os.nice(_NICENESS)
    # Whatever else is printed is no result.
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        work: FileWork = getattr(import_module(order["module"]), order["name"])
        for result in _results(work, order["parent"], order["arguments"]):
            content = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
            output.write(LENGTH.pack(len(content)) + content)
            output.flush()
    os._exit(0)


def _results(work: FileWork, parent: int, arguments: dict[str, Any]) -> Iterator[tuple[Any, Exception | None]]:
    """Each result without an error; None after the last one, or the error that ended the work."""

    def pause() -> None:
        # A server that was killed ends nothing.
        if os.getppid() != parent:
            os._exit(1)

    try:
        with open(0, "rb", closefd=False) as file:
            for result in work(file, pause, **arguments):
                yield result, None
        yield None, None
    except Exception as error:
        yield None, error


if __name__ == "__main__":
    main()
