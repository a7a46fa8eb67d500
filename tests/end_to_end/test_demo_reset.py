"""`:reset`: the data of a demo is put back while its console is open."""

from __future__ import annotations

from tests.support.pty import Terminal


def test_the_demo_data_is_put_back_and_the_console_stays_logged_in(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo"], environment=environment) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"22 applications")
        terminal.press(*"/inventory planner", "enter")
        terminal.wait_for(r"^.Inventory Planner +\W active")
        terminal.press("S")
        terminal.wait_for("/stop")
        terminal.press("enter")
        terminal.wait_for(r"^.Inventory Planner +\W stopped")
        terminal.press(*":reset", "enter")
        terminal.wait_for("Reset the demo data")
        terminal.wait_for("y Reset")
        terminal.press("enter")
        terminal.wait_for(r"^.Inventory Planner +\W stopped")
        terminal.press(*":reset", "enter")
        terminal.wait_for("Reset the demo data")
        terminal.press("y")
        terminal.wait_for(r"The demo data was reset\.")
        terminal.wait_for(r"▸ Home +bp_admin")
        terminal.press("1")
        terminal.wait_for(r"^.Inventory Planner +\W active")
        terminal.press("ctrl+z")
        terminal.wait_for("Undo: nothing to undo")
        terminal.press("q")
        assert terminal.wait_until_closed() == 0
