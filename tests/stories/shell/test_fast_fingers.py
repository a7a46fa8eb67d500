"""Fast fingers and slips: keys typed ahead, openings given up, things that could be lost."""

from __future__ import annotations

import asyncio
import random

import pytest
from textual import events
from textual.widgets import Input, TextArea

from svc_tui.console.dialogs.line import LineBox
from tests.stories.driver import form_fields, profile, send, story


@pytest.mark.parametrize("seed", range(4))
async def test_sections_and_moves_in_any_order_leave_the_console_alive(service: str, seed: int) -> None:
    chosen = random.Random(seed)
    async with story(profile(service)) as person:
        await person.is_ready()
        for _ in range(40):
            send(
                person,
                *chosen.choices(["1", "2", "3", "4", "9", "j", "G", "esc", "enter", "?", "d", "-", "space", "m"], k=3),
            )
            await person.pilot.pause(chosen.choice([0, 0.01, 0.05]))
        await person.press("esc", "esc", "esc", "1")
        await person.sees("demo ▸ Applications", "58 applications")


async def test_esc_cancels_an_opening_view_and_the_next_key_works(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for _ in range(6):
            send(person, "2", "esc")
            send(person, "j")
            await person.pilot.pause(0.05)
        await person.press("1")
        await person.sees("demo ▸ Applications")


async def test_what_is_typed_behind_a_filter_does_not_go_into_it(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        send(person, "/", "b", "o", "t", "enter", "j", "j")
        await person.sees("/bot ", "Warehouse Bot")
        send(person, ":", *"users", "enter", "/", *"clara", "enter")
        await person.sees("demo ▸ Users", "/clara ", "Clara Novak")


async def test_keys_typed_after_a_filter_belong_to_its_rows(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.sees("22 companies")
        send(person, "/", *"Meridian", "enter", "B")
        await person.sees("Subscriptions of Meridian Channel")


async def test_what_is_typed_behind_a_new_key_stands_in_the_form(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        send(person, "n", *"Quick", "down", "s", "down", "j", "ctrl+o")
        await person.sees("Create application", "Name: — → Quick", "Type: — → Server", "Activity: — → Information")


async def test_what_is_pasted_behind_a_new_key_stands_in_the_form(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        send(person, "n")
        person.app.post_message(events.Paste("Quick"))
        send(person, "e", "r")
        await person.sees_line(r"Name \*\s+Quicker")


async def test_a_key_that_waited_for_another_one_waits_for_the_focus_of_a_box_too(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        frame = person.app.frame
        frame.begin(asyncio.Event().wait())
        opened = person.app.push_screen(LineBox("Name", ""))
        person.app.keys.take(events.Key("a", "a"))
        await opened
        await person.until(lambda: isinstance(person.app.focused, Input), "the box has no focus")
        frame.opened(frame.opening)
        await person.until(lambda: person.app.screen.query_one(Input).value == "a", "the key is lost")


async def test_a_key_typed_before_a_box_is_there_and_one_typed_after_keep_their_order(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        frame = person.app.frame
        frame.begin(asyncio.Event().wait())
        send(person, "a")
        await person.app.push_screen(LineBox("Name", "any"))
        await person.until(lambda: isinstance(person.app.focused, Input), "the box has no focus")
        send(person, "b")
        frame.opened(frame.opening)
        await person.until(lambda: person.app.screen.query_one(Input).value == "ab", "not typed in order")


async def test_a_letter_waits_for_the_filter_that_was_typed_before_it(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        frame = person.app.frame
        frame.begin(asyncio.Event().wait())
        send(person, "/")
        await person.pilot.pause()
        # The letter is given to the application when the view is open and the first key is given again.
        send(person, "i")
        frame.opened(frame.opening)
        await person.until(lambda: frame.prompt.value == "/i", "not typed in order")


async def test_an_action_that_a_kind_does_not_have_shows_the_reason(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("offers")
        await person.sees("▸ Offers")
        await person.is_ready()
        await person.press("x")
        await person.sees("Delete: not available for offers")
        await person.press("e")
        await person.sees("Edit: not available for offers")


async def test_q_goes_back_before_it_leaves(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees("▸ Applications ▸ ")
        await person.press("q")
        await person.sees("58 applications")
        assert person.app.is_running


async def test_leaving_asks_when_something_typed_would_be_lost(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.type("Not sent")
        await person.press("ctrl+q")
        # Pressed again in the question, it asks no second one beneath it.
        await person.press("ctrl+c", "ctrl+c", "ctrl+c")
        await person.sees("Discard unsaved changes and quit?")
        await person.press("n")
        await person.until(lambda: person.app.screen is person.app.frame, "another question is open")
        await person.sees_line(r"Name \*\s+Not sent")


async def test_a_long_text_is_not_lost_by_one_esc(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Description")
        await person.press("enter")
        await person.until(lambda: person.app.screen.query(TextArea), "the editor is not open")
        await person.type("More. ")
        await person.press("esc")
        await person.sees("esc again discards")
        await person.press("ctrl+o", "down")
        await person.sees("1 changed")
        await person.sees_line(r"\* Description\s+Campus Client")


async def test_while_a_long_text_is_edited_nothing_else_of_it_stands_beside_the_editor(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.sees("Northwind Telecom")
        await person.press("e")
        await person.on_field("Description")
        await person.press("end")
        await person.type("!!")
        await person.sees_line(r"\* Description .*North Sea\.!!\s*$")
        await person.press("up")
        await person.sees_line(r"\* Description +Telephony and meetings for small and .*… ?$")


async def test_a_preview_of_many_fields_keeps_reach_and_keys_in_sight(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.press("/")
        await person.type("campus client")
        await person.press("enter", "e")
        await person.sees("no changes")
        await person.on_field("Origin")
        await person.type("changed")
        await person.on_field("Allow sending SMS")
        await person.press("space")
        for label in ("Platform comment", "Platform status", "SSO logout redirect URL"):
            await person.on_field(label)
            await person.press("end")
            await person.type("changed")
        for label in ("OAuth implicit grant", "Skip OAuth consent screen"):
            await person.on_field(label)
            await person.press("space")
        await person.press("ctrl+o")
        await person.sees("Affects 1 application.", "enter Send   ↑↓ Scroll   ctrl+y Command   esc Back")
        await person.press("pgdn")
        await person.sees("Skip OAuth consent screen:")


async def test_many_are_named_by_the_number_that_is_sent(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("*")
        await person.sees("58 marked")
        await person.press("x")
        await person.sees("Delete 58 applications", "This cannot be undone.", "skipped")
        number = (await person.sees_line(r"Type (\d+), the number of records"))[1]
        assert 0 < int(number) < 58
        await person.press("esc")
        await person.sees("0 done")


async def test_ctrl_z_offers_a_job_as_one_change_with_the_records_that_it_changed(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("space", "down", "space", "S")
        await person.sees("Stop 2 applications")
        await person.press("enter")
        await person.sees("1 done")
        await person.press("esc", "ctrl+z")
        await person.sees("Undo 1 application", "Stop Campus Client", "1 left")


async def test_ctrl_z_reports_that_a_new_record_stays_before_it_offers_an_older_change(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Origin")
        await person.type("x")
        await person.press("ctrl+o", "enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("n")
        await person.sees("New application")
        await person.type("Undo me not")
        await person.press("down", "w", "down", "k", "ctrl+o")
        await person.sees("Creates 1 application.")
        await person.press("enter")
        await person.sees("Created.")
        await person.press("ctrl+z")
        await person.sees_across_lines(
            "The last change (Create application) cannot be undone. ctrl+z now offers an older"
        )
        await person.press("ctrl+z")
        await person.sees("Undo: Edit Campus Client")
        await person.press("enter")
        await person.sees("Undone.")


async def test_what_is_typed_behind_a_place_waits_for_its_list(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        send(person, ":", *"companies", "enter", "enter", "e")
        await person.sees("Companies ▸ Northwind Telecom ▸ Edit", f"{form_fields('update_company')} fields")


async def test_a_typing_error_in_a_prompt_is_corrected_with_the_usual_keys(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("/")
        await person.type("boty")
        await person.press("backspace", "enter")
        await person.sees("/bot ", "Warehouse Bot")
        await person.press("/")
        await person.type("iot")
        await person.press("home", "right", "delete", "enter")
        await person.sees("/ot ")


@pytest.mark.parametrize("mark", [":", "/"])
async def test_ctrl_u_empties_a_prompt_and_what_follows_goes_into_it(service: str, mark: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press(mark)
        await person.type("wrong")
        await person.press("ctrl+u", "ctrl+u", "ctrl+w")
        await person.type("bot")
        await person.sees(f"{mark}bot")
        await person.press("backspace", "backspace", "backspace", "backspace")
        await person.does_not_see("enter Take")
        await person.sees("Applications")


async def test_the_beginning_of_a_name_is_enough_to_go_there(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("logi")
        await person.sees("demo ▸ Users")
        await person.goes("apik")
        await person.sees("demo ▸ API keys")
        await person.goes("sub")
        await person.sees("▸ Subscriptions ")
        await person.goes("zzz")
        await person.sees("Unknown view “zzz”")


async def test_hostile_values_are_drawn_as_marks_in_editors_too(hostile_service: str) -> None:
    async with story(profile(hostile_service, "hostile@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("e")
        await person.sees(f"{form_fields('update_company')} fields")
        await person.until(lambda: "\ufffd" in person.screen, "no mark is seen")
        assert not set(person.screen) & set("\x1b\u202e\u200b\x07")
        await person.on_field("Description")
        await person.press("enter")
        await person.sees("ctrl+o Save")
        assert not set(person.screen) & set("\x1b\u202e\u200b\x07")


async def test_ctrl_f_goes_to_a_field_of_a_short_form_and_what_follows_it_is_no_value(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New application")
        send(person, "ctrl+f", *"descr")
        await person.sees("/descr")
        await person.until(lambda: person.app.frame.view.wire == "description", "the field is not found")
        await person.press("enter")
        await person.type("More")
        await person.sees_line(r"Description\s+More")
        await person.press("ctrl+f")
        await person.type("name")
        await person.until(lambda: person.app.frame.view.wire == "name", "the field is not found")
        await person.press("esc")
        await person.until(lambda: person.app.frame.view.wire == "description", "not back in the field")
        await person.press("ctrl+f")
        await person.type("zebra")
        await person.press("enter")
        await person.sees("No field contains “zebra”.")
        await person.sees_line(r"Description\s+More")
