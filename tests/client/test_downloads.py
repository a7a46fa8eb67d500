"""Answers that go into a sink piece by piece: whole or not at all, whatever their length; lists without an envelope."""

from __future__ import annotations

import asyncio
import tracemalloc

import httpx
import pytest

from svc_tui.client.errors import InvalidResponse, Refused, Unreachable
from svc_tui.client.in_flight import Timeouts
from svc_tui.client.retry import Retries
from svc_tui.interface.access import Role, access
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.invoices import get_company_invoice_file
from svc_tui.interface.subscriptions.quotations import create_quotation
from tests.client.support import jwt

CSV = {"content-type": "text/csv; charset=utf-8"}
AT = {"filePath": "2026/10/VAD/lines 1.csv"}


class File(Record):
    """A file in a list."""

    path: str = field(...)


_FILES = "/api/svc/files/v1.0/files"
list_files = Operation("list_files", "0", "GET", _FILES, "List files", list[File], access(any=Role))
download_file = Operation(
    "download_file",
    "0",
    "GET",
    _FILES + "/{filePath:path}",
    "Download a file",
    bytes,
    access(any=Role),
    gives=("text/csv",),
)


class Bucket:
    """A sink that remembers: `sizes` of each beginning, and the bytes since the last one."""

    def __init__(self, full_after: int | None = None) -> None:
        self.sizes: list[int | None] = []
        self.data = bytearray()
        self._full_after = full_after

    def begin(self, size):
        self.sizes.append(size)
        self.data.clear()

    def take(self, piece):
        if self._full_after is not None and len(self.data) + len(piece) > self._full_after:
            raise OSError(28, "No space left on device")
        self.data += piece


def pieces(*parts, error=None):
    async def give():
        for part in parts:
            await asyncio.sleep(0)
            yield part
        if error is not None:
            raise error

    return give()


async def test_the_body_goes_into_the_sink_and_not_into_the_log(serve):
    seen = []

    def answer(request):
        seen.append(request)
        return httpx.Response(200, content=pieces(b"a;b\r\n", b"1;2\r\n"), headers=CSV)

    client, bucket = serve(answer, token=jwt()), Bucket()
    answered = await client.send(download_file, path=AT, sink=bucket)
    assert (bytes(bucket.data), answered.body, bucket.sizes) == (b"a;b\r\n1;2\r\n", b"", [None])
    assert seen[0].url.raw_path == b"/api/svc/files/v1.0/files/2026/10/VAD/lines%201.csv"
    assert "text/csv" in seen[0].headers["accept"]
    (exchange,) = client.log.exchanges
    assert (exchange.response_body, exchange.size) == ("(text/csv, 10 bytes)", 10)


async def test_the_sink_gets_the_announced_length(serve):
    bucket = Bucket()
    client = serve(lambda _: httpx.Response(200, content=b"a;b\r\n", headers=CSV), token=jwt())
    await client.send(download_file, path=AT, sink=bucket)
    assert bucket.sizes == [5]


async def test_an_interrupted_download_starts_again_and_is_complete(serve):
    answers = iter(
        [
            httpx.Response(200, content=pieces(b"a;b\r\n", error=httpx.ReadError("gone")), headers=CSV),
            httpx.Response(200, content=pieces(b"a;b\r\n", b"1;2\r\n"), headers=CSV),
        ]
    )
    bucket = Bucket()
    await serve(lambda _: next(answers), token=jwt()).send(download_file, path=AT, sink=bucket)
    assert (bytes(bucket.data), len(bucket.sizes)) == (b"a;b\r\n1;2\r\n", 2)


async def test_a_download_that_always_fails_raises_an_error(serve):
    def answer(_):
        return httpx.Response(200, content=pieces(b"a;b\r\n", error=httpx.ReadError("gone")), headers=CSV)

    client = serve(answer, token=jwt(), client={"retries": Retries(attempts=2)})
    with pytest.raises(Unreachable, match="broke before the response was complete"):
        await client.send(download_file, path=AT, sink=Bucket())
    assert len(client.log.exchanges) == 2


async def test_a_full_disk_is_not_reported_as_a_network_error(serve):
    client = serve(lambda _: httpx.Response(200, content=pieces(b"a" * 10, b"b" * 10), headers=CSV), token=jwt())
    with pytest.raises(OSError, match="No space left"):
        await client.send(download_file, path=AT, sink=Bucket(full_after=15))
    assert len(client.log.exchanges) == 1


async def test_a_download_has_no_time_limit_while_bytes_arrive(serve):
    def answer(_):
        return httpx.Response(200, content=pieces(b"a;b\r\n"), headers=CSV)

    hasty = {"timeout": Timeouts(total=0), "retries": Retries(attempts=1)}
    with pytest.raises(Unreachable):
        await serve(answer, token=jwt(), client=hasty).send(download_file, path=AT)
    bucket = Bucket()
    await serve(answer, token=jwt(), client=hasty).send(download_file, path=AT, sink=bucket)
    assert bytes(bucket.data) == b"a;b\r\n"


async def test_a_refusal_does_not_reach_the_sink(serve):
    body = {"errorCode": 404, "errorDetailsCode": 404000, "errorDetails": "no such file"}
    bucket = Bucket()
    with pytest.raises(Refused) as told:
        await serve(lambda _: httpx.Response(404, json=body), token=jwt()).send(download_file, path=AT, sink=bucket)
    assert (told.value.code, bucket.sizes) == (404000, [])


@pytest.mark.parametrize(("content", "said"), [(b"<html>hello", "text/html"), (b"", "text/csv")])
async def test_a_web_page_or_an_empty_body_is_not_a_file(serve, content, said):
    client = serve(lambda _: httpx.Response(200, content=content, headers={"content-type": said}), token=jwt())
    with pytest.raises(InvalidResponse, match="instead of text/csv"):
        await client.send(download_file, path=AT, sink=Bucket())


async def test_a_long_body_costs_no_memory(serve):
    class Counter(Bucket):
        taken = 0

        def take(self, piece):
            self.taken += len(piece)

    async def endless():
        for _ in range(2000):
            yield b"x" * 65_536

    client, counter = serve(lambda _: httpx.Response(200, content=endless(), headers=CSV), token=jwt()), Counter()
    await client._connection.open()
    tracemalloc.start()
    try:
        await client.send(download_file, path=AT, sink=counter)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert counter.taken == 131_072_000
    assert most < 2_000_000


async def test_a_pdf_is_never_shown_as_text_in_the_log(serve):
    client = serve(
        lambda _: httpx.Response(200, content=b"%PDF-1.7 x", headers={"content-type": "application/pdf"}), token=jwt()
    )
    at = {"companyId": "c1", "fileId": "f1"}
    assert (await client.send(get_company_invoice_file, path=at)).body == b"%PDF-1.7 x"
    assert client.log.exchanges[0].response_body == "(application/pdf, 10 bytes)"


async def test_a_list_without_an_envelope_is_read(serve):
    entries = [{"path": "a/b.csv"}]
    client = serve(lambda _: httpx.Response(200, json=entries), token=jwt())
    assert (await client.send(list_files)).body == entries
    found = await client.call(list_files)
    assert [type(entry) for entry in found] == [File]
    assert found[0].path == "a/b.csv"


async def test_a_post_that_only_reads_is_repeated_and_allowed_in_read_only_mode(serve):
    answers = iter([httpx.Response(503), httpx.Response(200, json={"data": {"currency": "EUR"}})])
    client = serve(lambda _: next(answers), token=jwt(), read_only=True)
    answered = await client.send(create_quotation, path={"companyId": "c1"}, body={"offerId": "o1"})
    assert answered.body["data"] == {"currency": "EUR"}
