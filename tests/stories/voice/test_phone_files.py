"""A file that gives users extension, DDI number and device."""

from __future__ import annotations

from pathlib import Path

from svc_tui.server.voice.demo.lines import NEW
from tests.stories.driver import profile, story
from tests.support.process import serving, serving_demo


async def test_the_telephones_of_a_file_are_given_over_a_stop_of_the_service(
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
