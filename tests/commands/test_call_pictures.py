"""`svc-tui call` with images: files are uploaded and downloaded unchanged, and never written to a terminal."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from tests.commands.conftest import Shell
from tests.commands.terminal import Terminal
from tests.support.pictures import kind_of, picture, size_of


def company(shell: Shell) -> dict[str, str]:
    """The company of the caller."""
    me = json.loads(shell.run("call", "get_own_user").stdout)
    company_id = me.get("data", me)["companyId"]
    found: dict[str, str] = json.loads(
        shell.run("call", "get_company", f"companyId={company_id}", "format=full").stdout
    )["data"]
    return found


def downloaded(shell: Shell, file: Path, *words: str) -> bytes:
    with file.open("wb") as target:
        process = shell.start("call", *words, stdout=target)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return file.read_bytes()


def test_an_avatar_is_uploaded_from_a_file_and_downloaded_unchanged(admin: Shell) -> None:
    file = admin.folder / "logo.png"
    file.write_bytes(picture("PNG", (90, 60)))
    mine = company(admin)["id"]
    sent = admin.run("call", "upload_company_avatar", f"companyId={mine}", "--body", f"@{file}")
    assert sent.returncode == 0, sent.stderr
    assert json.loads(sent.stdout)["data"] == []
    update = hashlib.md5(company(admin)["lastAvatarUpdateDate"].encode()).hexdigest()
    words = ("get_avatar", f"entityId={mine}", f"update={update}")
    assert downloaded(admin, admin.folder / "back.png", *words, "size=512") == file.read_bytes()
    small = downloaded(admin, admin.folder / "small.png", *words, "size=30")
    assert (kind_of(small), size_of(small)) == ("image/png", (30, 20))


def test_a_splash_screen_is_uploaded_from_standard_input(admin: Shell) -> None:
    mine = f"companyId={company(admin)['id']}"
    process = admin.start("call", "upload_splashscreen", mine, "--body", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.buffer.write(picture("JPEG", (320, 180)))
    process.communicate(timeout=60)
    assert process.returncode == 0
    info = json.loads(admin.run("call", "get_splashscreen_info", mine).stdout)["data"]
    assert (info["type"], info["width"], info["uploadedUsed"]) == ("image/jpeg", 320, True)


def test_a_terminal_gets_a_message_instead_of_an_image(admin: Shell) -> None:
    with Terminal(admin, "call", "get_splashscreen_image", f"companyId={'0' * 24}", "size=80") as terminal:
        assert terminal.end() == 2
    assert "Redirect the output to a file with > FILE" in " ".join(terminal.text.split())


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("notes.png", b"hello", "is not a JPEG or PNG picture"),
        ("old.gif", b"GIF89a", "is GIF, not JPEG or PNG"),
        ("empty.png", b"", "is empty"),
        ("large.png", b"\x89PNG\r\n\x1a\n".ljust(4_194_305, b"\0"), "too large: the limit is 4 MiB"),
    ],
)
def test_an_invalid_image_is_not_sent(shell: Shell, name: str, content: bytes, expected: str) -> None:
    file = shell.folder / name
    file.write_bytes(content)
    done = shell.run("call", "upload_company_avatar", f"companyId={'0' * 24}", "--body", f"@{file}")
    assert (done.returncode, done.stdout) == (2, "")
    assert expected in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["upload_company_avatar", "companyId=1"], "requires --body @FILE with image/jpeg or image/png"),
        (["upload_company_avatar", "companyId=1", "--body", "{}"], "requires --body @FILE"),
        (["upload_company_avatar", "companyId=1", "--body", "@/no/such"], "Cannot read"),
        (["get_splashscreen_image", "companyId=1", "size=80", "--output", "json"], "Remove --output"),
        (["get_splashscreen_image", "companyId=1", "size=80", "--body", "@/x"], "has no request body"),
    ],
)
def test_wrong_usage_of_image_operations_ends_with_a_hint(shell: Shell, words: list[str], expected: str) -> None:
    done = shell.run("call", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert expected in done.stderr
