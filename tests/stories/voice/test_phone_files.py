"""A file that gives users extension, DDI number and device."""

from __future__ import annotations

from pathlib import Path

from svc_tui.server.voice.demo.exchanges import EXCHANGES, NORTHWIND_EXCHANGE
from svc_tui.server.voice.demo.lines import NEW
from tests.stories.driver import profile, story
from tests.support.process import serving, serving_demo

BLUEBIRD = next(each.id for each in EXCHANGES if each.company == "bluebird")


async def test_telephones_of_a_file_are_given_over_a_stop_of_the_service_and_one_undo_takes_them_back(
    tmp_path: Path,
) -> None:
    file, data = tmp_path / "phones.csv", tmp_path / "service"
    file.write_bytes(
        "Benutzer;DDI;MAC-Adresse;Gerätetyp;Gerät\r\n"
        f"{NEW[0]};21 099 2090;02-AA-00-00-00-01;m110 DESK;Büro Süd\r\n"
        "\r\n"
        f"{NEW[0]};;02aa.0000.0001;M110 desk;Büro Süd\r\n"
        f"{NEW[1]};+351210992091;02AA00000002;Meadow M320 desk;\r\n"
        ";;02:aa:00:00:00:03;M999;\r\n".encode("cp1252")
    )
    with serving_demo(data) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url), size=(120, 40)) as person:
            await person.is_ready()
            await person.goes("devices")
            await person.sees("▸ SIP devices of Northwind voice")
            await person.press("I")
            await person.sees("Telephony from a file")
            await person.type(str(file))
            await person.press("enter")
            await person.sees("2 left   2 skipped", "21 099 2090 · 02:aa:00:00:00:01")
            await person.sees("02:aa:00:00:00:01 is also in line 2", "There is no device model “M999”.")
            await person.press("enter")
            await person.sees("1 done   0 failed   1 left")
            server.end()
            await person.press("enter")
            await person.sees("paused")
            with serving(data, port=port):
                await person.press("space")
                await person.sees("2 done   0 failed   0 left")
                await person.press("enter")
                await person.sees("SIP passwords of 2 subscribers")
                await person.press("esc", "esc")
                await person.sees("Import: 2 done")
                await person.press("/")
                await person.type("02aa0000000")
                await person.press("enter")
                await person.sees_line(r"02:aa:00:00:00:01.*")
                await person.sees_line(r"02:aa:00:00:00:02.*")
                await person.press("ctrl+z")
                await person.sees("Undo 4")
                await person.press("enter")
                await person.sees("1 done")
                await person.press("enter")
                await person.sees("0 failed   0 left")
                await person.press("enter")
                await person.is_gone("02:aa:00:00:00:01")
                await person.sees("Undo: 4 done, 0 failed, 0 not started.")


async def test_a_device_is_replaced_by_another_model_over_a_stop_of_the_service_and_undo_brings_it_back(
    tmp_path: Path,
) -> None:
    data = tmp_path / "service"
    with serving_demo(data) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url), size=(120, 40)) as person:
            await person.is_ready()
            await person.goes("devices")
            await person.puts_cursor_on("Felix Becker")
            await person.press("Z")
            await person.sees("Model of the device in the place of B40 desk of Felix Becker")
            await person.type("M320")
            await person.press("enter")
            await person.sees("MAC address of the new device")
            await person.type("02-BB-00-00-00-01x")
            await person.press("enter")
            await person.sees("no hexadecimal digit")
            await person.press("backspace", "enter")
            await person.sees("M320 desk · 02:bb:00:00:00:01", "Try the first one")
            server.end()
            await person.press("enter")
            await person.sees("paused")
            with serving(data, port=port):
                await person.press("space")
                await person.sees("1 done   0 failed   0 left")
                await person.press("enter")
                await person.sees("Replace: 1 done")
                await person.press("g")
                await person.sees_line(r"B40 desk of Felix Bec\S* +2010 Felix Becker +offline 02:bb:00:00:00:01")
                await person.sees_line(r"B40 desk of Felix Bec\S* +free")
                await person.press("ctrl+z")
                await person.sees("Undo 3")
                await person.press("enter")
                await person.sees("1 done")
                await person.press("enter")
                await person.sees("3 done   0 failed   0 left")
                await person.press("enter")
                await person.is_gone("02:bb:00:00:00:01")
                await person.sees_line(r"B40 desk of Felix Bec\S* +2010 Felix Becker")


async def test_a_number_or_address_of_another_customer_names_its_holder_in_the_form_and_in_a_file(
    service: str, tmp_path: Path
) -> None:
    file, there = tmp_path / "phones.csv", f"cloudpbxs/{BLUEBIRD}/devices"
    async with story(profile(service, "demo@demo.example"), size=(160, 40)) as person:
        await person.is_ready()
        await person.goes(there)
        found = await person.sees_line(r".*(02:[0-9a-f:]{14}).*")
        address = found[1]
        file.write_text(f"MAC address;model\n{address};M110 desk\n")
        await person.goes(f"cloudpbxs/{NORTHWIND_EXCHANGE.id}/ddis")
        await person.sees("▸ DDI numbers of Northwind voice")
        await person.press("n")
        await person.sees("New DDI number")
        await person.type("+44 113 496 0090")
        await person.press("ctrl+o", "enter")
        await person.sees_across_lines("It is in Bluebird switchboard of Bluebird")
        await person.sees_across_lines("free. `:find +441134960090` leads there.")
        await person.press("esc", "esc", "y", "I")
        await person.sees("Telephony from a file")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("1 left")
        await person.press("enter")
        await person.sees("1 failed")
        await person.sees("Bluebird switchboard of Bluebird Clinics", f"`:find {address}` leads there.")
        await person.press("enter", "esc")
        await person.goes(f"find {address}")
        await person.sees(f"Find: {address}", "SIP devices (1)")
