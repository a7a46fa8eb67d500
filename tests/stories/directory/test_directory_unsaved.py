"""Corrections that are neither saved nor imported are not lost without a question."""

from __future__ import annotations

from pathlib import Path

from tests.stories.directory.steps import ADMIN, PLACE, opens, writes
from tests.stories.driver import profile, story


async def test_unsaved_corrections_are_confirmed_before_leaving(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "213456789")
        await person.press("q")
        await person.sees("Leave the import doctor?", "1 changed row neither saved nor imported would be lost.")
        await person.sees("y Leave   enter/esc Stay")
        # The default is to stay.
        await person.press("enter")
        await person.does_not_see("Leave the import doctor?")
        await person.sees("1 corrected, not saved")
        await person.press("q")
        await person.sees("Leave the import doctor?")
        await person.press("n")
        await person.does_not_see("Leave the import doctor?")
        await person.sees("1 corrected, not saved")
        await person.press("z")
        await person.does_not_see("corrected")
        await person.sees("✗ 21 34 56")


async def test_going_elsewhere_confirms_unsaved_corrections(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "213456789")
        for keys in (["1"], [":", *"directory", "enter"], ["ctrl+c"]):
            await person.press(*keys)
            await person.sees("Discard unsaved changes", "1 changed row neither saved nor imported would be lost.")
            await person.press("enter")
            await person.does_not_see("Discard unsaved changes")
            await person.sees("1 corrected, not saved")
        await person.press("1")
        await person.sees("Discard unsaved changes?")
        await person.press("y")
        await person.does_not_see("Doctor of fair.csv")


async def test_no_key_leaves_unsaved_corrections_without_a_question(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place="users") as person:
        await person.is_ready()
        await person.goes(PLACE)
        await opens(person, faulty)
        await writes(person, "213456789")
        questions = []
        for key in "123456789-+":
            await person.press(key)
            if "Discard unsaved changes?" in person.screen:
                questions.append(key)
                await person.press("enter")
            await person.sees("Doctor of fair.csv", "213456789")
        assert {"1", "3", "7", "-"} <= set(questions)


async def test_only_corrections_that_are_not_saved_yet_would_be_lost(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.press("tab", "tab")
        await writes(person, "PRT", alike=True)
        await person.press("s")
        await person.sees("fair.corrected.csv")
        await person.press("enter")
        await person.sees("Saved 6 corrected rows as UTF-8: ")
        await person.press("esc")
        await person.sees("6 corrected  ")
        await writes(person, "213456789")
        await person.sees("7 corrected, not saved")
        await person.press("q")
        await person.sees("Leave the import doctor?", "1 changed row neither saved nor imported would be lost.")
        await person.press("enter", "z", "q")
        await person.sees("Last import of")
