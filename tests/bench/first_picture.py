"""The console at a place until its first picture, where it ends: `python tests/bench/first_picture.py PLACE`.

Its processor time is that of the first picture, however busy the machine is: nothing that comes later is in it.
"""

import gc
import os
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])


def main() -> None:
    """Open the place in the arguments."""
    # As `prepare_console` does before the console is imported.
    gc.disable()
    from svc_tui.__main__ import main as svc_tui
    from svc_tui.console.shell.app import Console

    def end(console: Console) -> None:
        """End where the console would connect: after the first picture, which is sent completely."""
        if console._driver is not None:
            console._driver.close()
        os._exit(0)

    Console._connect = end  # type: ignore[method-assign]
    sys.argv = ["svc-tui", "open", sys.argv[1]]
    svc_tui()


main()
