"""Clear words for newcomers: owners of lists, marks, copies and refusals."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from rich.color import Color

from svc_tui.console.views.list import ListView
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import Story, profile, story
from tests.support.process import serving, serving_demo

SUPERADMIN = "superadmin@demo.example"


async def filters(person: Story, text: str) -> None:
    await person.press("/")
    await person.type(text)
    await person.press("enter")


async def test_enter_takes_what_the_present_text_finds(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("F")
        await person.sees("Filters")
        await person.on_field("Owner")
        await person.press("enter")
        await person.sees("Type to search")
        await person.type("oscar")
        await person.press("enter")
        await person.does_not_see("Move   esc Close")
        await person.press("ctrl+o")
        await person.sees("ownerId=")
        view = person.app.frame.view
        assert isinstance(view, ListView)
        owner = view.form_query["ownerId"]
        await person.goes(f"users/{owner}")
        await person.sees("▸ Oscar Lindqvist")


async def test_a_search_without_results_chooses_nothing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("F")
        await person.on_field("Owner")
        await person.press("enter")
        await person.sees("Type to search")
        await person.type("zzzz")
        await person.press("enter")
        await person.sees("No results", "esc Close")
        await person.press("esc", "esc")
        await person.is_ready()
        await person.press("ctrl+p")
        await person.type("qqqqq")
        await person.sees("No results")


async def test_a_list_of_one_record_keeps_out_the_filters_of_the_plain_list(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("F")
        await person.on_field("Owner")
        await person.press("enter")
        await person.type("oscar")
        await person.press("enter")
        await person.does_not_see("Move   esc Close")
        await person.press("ctrl+o")
        await person.sees("ownerId=")
        await filters(person, "zzzz")
        await person.goes("users clara")
        await person.sees("Clara Novak")
        await person.press("a")
        await person.sees("Applications of Clara Novak", "Campus Client")
        await person.does_not_see("zzzz", "ownerId=")
        await filters(person, "campus")
        await person.sees("/campus")
        await person.press("-")
        await person.sees("Clara Novak")
        await person.goes("applications")
        await person.sees("58 applications")
        await person.does_not_see("zzzz", "ownerId=")


async def test_marks_do_not_outlive_a_filter_but_do_outlive_a_sort(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("space", "space")
        await person.sees("2 marked")
        await person.press("s", "s")
        await person.sees("STATE ▲", "2 marked")
        await filters(person, "campus")
        await person.sees("/campus", "marks cleared")
        await person.does_not_see("2 marked")
        await person.press("space")
        await person.sees("1 marked")
        await person.does_not_see("marks cleared")


async def test_the_copy_menu_hides_secrets_and_copies_them_only_when_asked(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("Y")
        await person.sees("curl of the list")
        await person.press("esc", "enter")
        await person.is_ready()
        await person.on_field("Secret")
        await person.press("Y")
        await person.sees_line(r"Field appSecret +••••••••")
        await person.sees_line(r"JSON with secrets +••••••••")
        assert not re.search(r"[0-9a-f]{32}", person.screen)
        await person.sees_line(r"curl +curl -X GET")
        await person.type("json")
        await person.press("enter")
        await person.sees("JSON: ")


async def test_nothing_stands_beside_an_empty_list(service: str) -> None:
    async with story(profile(service), size=(120, 30)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.sees("Identity", "••••••••")
        await person.does_not_see("v shows it")
        await filters(person, "zzzz")
        await person.sees("No matches. esc clears the filter.")
        await person.does_not_see("Identity", "••••••••")
        await person.press("esc")
        await person.sees("Identity")


async def test_an_empty_list_keeps_its_capitals(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users zoe")
        await person.sees("Zoe Patel")
        await person.press("K")
        await person.sees("No API keys here.")


async def test_a_refused_list_shows_the_reason(service: str) -> None:
    async with story(profile(service, "user@demo.example")) as person:
        await person.is_ready()
        await person.press("3")
        await person.sees_line(r"^ Your role does not allow this: .*\n .*company_admin.*\.")
        await person.does_not_see("loading…")


async def test_a_wrong_code_while_a_second_factor_is_set_up_has_its_own_message(service: str) -> None:
    async with story(profile(service), place="account/me") as person:
        await person.is_ready()
        await person.press("m")
        await person.sees("[_]")
        await person.type("000000")
        await person.sees_across_lines("This code is wrong or already used. Type the next code of the authenticator.")
        await person.does_not_see("Wrong login")
        await person.press("esc")


async def test_help_names_the_sections_and_only_those_there_are(service: str) -> None:
    async with story(profile(service), size=(200, 90)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees("Go to applications", "Go to CloudPBXs", "Go to dashboard")
        await person.does_not_see("Go to section", "no such section")
        assert "Copy as curl" not in person.footer and "Show" not in person.footer
        crumbs = person.top
        await person.press("?")
        assert person.top.count("Help") == crumbs.count("Help") == 1
        # The first esc clears what was searched for.
        await person.press("esc", "esc", "!")
        await person.sees("HTTP log")
        await person.press("!")
        assert person.top.count("HTTP log") == 1
        assert "Copy as curl" in person.footer


async def test_typing_after_slash_replaces_the_old_filter(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await filters(person, "campus")
        await person.sees("/campus", "1 of 58")
        await filters(person, "energy")
        await person.sees("/energy", "Energy")
        await person.does_not_see("/campus")


async def test_both_sides_of_a_difference_are_seen(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Connector")
        await person.press("space", "space", "d")
        await person.sees_line(r"\* name +Contract Connector *\n +↔ Contract Sync")
        await person.sees_line(r"\* appSecret +differs \(hidden\)")


async def test_a_long_line_is_wrapped_where_the_raw_record_is_shown(service: str) -> None:
    async with story(profile(service), size=(60, 40)) as person:
        await person.is_ready()
        await person.press("!", "G", "enter")
        await person.sees("http://127.0.0.1")
        await person.press("G")
        assert "…" not in "\n".join(person.lines[1:-2])


async def test_an_invalid_version_shows_the_expected_form(service: str) -> None:
    async with story(profile(service, SUPERADMIN), place="clientsversions") as person:
        await person.is_ready()
        await person.press("n")
        await person.on_field("Version")
        await person.type("new")
        await person.sees("must be digits and dots, such as 1.75.0")


async def test_a_new_policy_is_proposed_with_a_name_and_a_kind(service: str) -> None:
    async with story(profile(service), place="mfasettings") as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("Authenticator", "Authenticator codes")
        await person.on_field("MFA type")
        await person.press("left")
        await person.sees("No second factor")


async def test_a_key_that_ends_in_the_past_is_warned_of(service: str) -> None:
    async with story(profile(service), place="apikeys") as person:
        await person.is_ready()
        await person.press("n")
        await person.type("Too late")
        await person.on_field("Expiration date")
        await person.type("2020-01-01T00:00:00Z")
        await person.press("ctrl+o")
        await person.sees("in the past: ends at once")


async def test_what_a_question_takes_and_what_sorting_does_not(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("s", "z")
        await person.sees("No column begins with that letter.")
        await person.press("n")
        await person.type("Something")
        await person.press("esc")
        await person.sees("y Leave   enter/esc Stay")
        await person.press("y")
        await person.does_not_see("Discard unsaved changes?", "New application")


async def test_a_message_that_is_too_long_for_a_line_wraps(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        sentence = (
            "Nothing answers at 127.0.0.1:34443 (connection refused): is the service running, and is the address right?"
        )
        person.app.frame.show_message(sentence, "bad")
        await person.sees("(connection refused): is the service ", "\n running, and is the address right? ")
        await person.pilot.resize_terminal(40, 12)
        await person.sees(" Nothing answers at 127.0.0.1:34443", "address right? ")
        await person.pilot.resize_terminal(80, 24)
        await person.press("j")
        await person.sees_line(r"\n 58 applications +\n enter Open")


def colour_of(person: Story, pattern: str) -> Color | None:
    """The colour of the first text on the screen that fits a pattern."""
    for strip in person.app.screen._compositor.render_strips():
        for segment in strip:
            if re.search(pattern, segment.text) and segment.style is not None:
                return segment.style.color
    raise AssertionError(f"no text like {pattern!r}\n{person.screen}")


async def test_the_words_of_a_day_are_right_also_while_the_service_is_stopped(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url, DEFAULT_ACCOUNT.login), size=(100, 40), first="home") as person:
            await person.is_ready()
            # Those of customers are not of the own company.
            await person.goes("overview")
            await person.sees_line(r"^ \d+ subscriptions due   within 90 days")
            assert "in your company" not in person.screen
            # The name of an offer is no alarm, and a finding ends with its sentence.
            await person.goes("companies cedar")
            await person.press("enter")
            await person.sees("“Alert”: rejected by the billing systems.")
            server.end()
            await person.press("r")
            await person.until(lambda: "●" not in person.top, "the link is still live")
            await person.sees_line(r"“Alert”: rejected by the billing systems\. ")
            assert not [line for line in person.lines[:-2] if re.search(r"“.*\b\d\.\d+\b", line)]
            with serving(tmp_path, port=port):
                await person.press("r")
                await person.is_ready()
                await person.press("e")
                await person.sees("Cedar Insurance ▸ Edit")
                await person.press("ctrl+f")
                await person.type("grace")
                await person.press("enter")
                await person.sees_line(r"Document grace period +Not restorable")
                await person.press("esc", "esc", "n")
                await person.sees("New company")
                await person.type("Acme")
                await person.on_field("Country")
                await person.type("portugal")
                await person.press("ctrl+o")
                await person.sees("Country: — → Portugal (PRT)")
                await person.press("esc", "esc", "y")
                await person.goes("statistics")
                await person.press("m")
                await person.type("ox")
                await person.sees("OXE systems", "OXO systems")
                await person.press("esc")
                await person.goes("invoices")
                await person.sees("BALANCE")
                await person.is_ready()
                # What is overdue stands out, and zeros are dim.
                listed = re.findall(r" ([-\d]{10}) +([\d,.]+) EUR +([\d,.]+) EUR", person.screen)
                today = datetime.now(UTC).date().isoformat()
                overdue = [balance for due, _amount, balance in listed if due < today and balance != "0.00"]
                plain = colour_of(person, rf"^ *{re.escape(listed[1][1])} EUR")
                assert colour_of(person, r"^ *0\.00 EUR") != plain
                assert all(colour_of(person, rf"^ *{re.escape(each)} EUR") != plain for each in overdue)
                await person.goes("applications meeting room button")
                await person.press("x")
                await person.sees("Type Meeting Room Button")
                await person.type("Meet")
                await person.sees("not the name yet:")
                await person.type("s")
                await person.sees("not this name:")
                await person.press("backspace")
                await person.type("ing Room Button")
                await person.sees("the name matches:")
                await person.press("esc")
                await person.sees("1 of 22")
