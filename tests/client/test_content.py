"""Bodies and answers that are no JSON: sent byte for byte, never twice; the log keeps type and size only."""

from __future__ import annotations

import httpx
import pytest

from svc_tui.client.content import Content, type_of
from svc_tui.client.errors import InvalidResponse, OutcomeUnknown, Refused
from svc_tui.client.in_flight import Timeouts
from svc_tui.interface.access import Access
from svc_tui.interface.envelopes import Done
from svc_tui.interface.operations import Operation
from tests.client.support import jwt

UPLOAD = Operation(
    id="upload_picture",
    section="4.3",
    method="POST",
    path="/api/svc/admin/v1.0/companies/{companyId}/avatar",
    summary="Upload a picture",
    result=Done,
    who=Access(),
    takes=("image/jpeg", "image/png"),
    most_bytes=1000,
)
PICTURE = Operation(
    id="get_picture",
    section="4.2",
    method="GET",
    path="/api/avatar/{entityId}",
    summary="A picture",
    result=bytes,
    who=Access(),
    gives=("image/jpeg", "image/png"),
)
PNG = Content("image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
AT = {"companyId": "c1"}


async def test_bytes_are_sent_unchanged_with_their_type(serve):
    seen = []

    def answer(request):
        seen.append(request)
        return httpx.Response(200, json={"status": "done", "data": []})

    answered = await serve(answer, token=jwt()).send(UPLOAD, path=AT, body=PNG)
    assert answered.body["status"] == "done"
    assert seen[0].content == PNG.data
    assert seen[0].headers["content-type"] == "image/png"


async def test_an_image_is_returned_byte_for_byte(serve):
    def answer(request):
        assert "image/png" in request.headers["accept"]
        return httpx.Response(200, content=PNG.data, headers={"content-type": "image/png; q=1"})

    client = serve(answer, token=jwt())
    assert (await client.send(PICTURE, path={"entityId": "c1"})).body == PNG.data
    assert await client.call(PICTURE, path={"entityId": "c1"}) == PNG.data


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"<html>hello", "text/html"), (b"", "image/png"), (b'{"data": 1}', "application/json")],
)
async def test_a_response_without_an_image_is_invalid(serve, content, said):
    client = serve(lambda _: httpx.Response(200, content=content, headers={"content-type": said}), token=jwt())
    with pytest.raises(InvalidResponse, match="instead of image/jpeg or image/png"):
        await client.send(PICTURE, path={"entityId": "c1"})


async def test_a_refused_image_raises_the_sentence_of_its_json(serve):
    body = {"errorCode": 404, "errorDetailsCode": 404000, "errorDetails": "no avatar"}
    with pytest.raises(Refused) as told:
        await serve(lambda _: httpx.Response(404, json=body), token=jwt()).send(PICTURE, path={"entityId": "c1"})
    assert told.value.code == 404000


async def test_the_log_keeps_type_and_size_only(serve):
    client = serve(lambda _: httpx.Response(200, content=PNG.data, headers={"content-type": "image/png"}), token=jwt())
    await client.send(PICTURE, path={"entityId": "c1"})
    await client.send(Operation(**{**vars(UPLOAD), "result": bytes, "gives": PICTURE.gives}), path=AT, body=PNG)
    read, sent = client.log.exchanges
    assert read.response_body == sent.request_body == "(image/png, 264 bytes)"
    assert read.size == 264
    assert sent.as_curl().endswith("--data-binary @FILE")
    assert "content-type: image/png" in sent.as_curl()


@pytest.mark.parametrize("lost", [httpx.ReadError("gone"), httpx.WriteError("gone"), httpx.ReadTimeout("late")])
async def test_an_upload_without_a_response_is_not_repeated(serve, lost):
    sent = []

    def answer(request):
        sent.append(request)
        raise lost

    with pytest.raises(OutcomeUnknown):
        await serve(answer, token=jwt()).send(UPLOAD, path=AT, body=PNG)
    assert len(sent) == 1


async def test_an_upload_to_a_busy_service_is_not_repeated(serve):
    sent = []

    def answer(request):
        sent.append(request)
        return httpx.Response(503)

    with pytest.raises(Refused):
        await serve(answer, token=jwt()).send(UPLOAD, path=AT, body=PNG)
    assert len(sent) == 1


@pytest.mark.parametrize("body", [None, {"a": 1}])
async def test_an_upload_without_bytes_is_a_programming_error(serve, body):
    with pytest.raises(ValueError, match="image/jpeg or image/png"):
        await serve(lambda _: httpx.Response(200), token=jwt()).send(UPLOAD, path=AT, body=body)


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"GIF89a", "image/gif"),
        (b"RIFF....WEBP", "image/webp"),
        (b"\x89PNG\n", ""),
        (b"hello", ""),
        (b"", ""),
    ],
)
def test_content_types_are_detected_from_bytes(beginning, kind):
    assert type_of(beginning) == kind


def test_a_large_upload_has_enough_time_on_a_slow_connection():
    assert Timeouts().whole(0) == 120
    assert 400 < Timeouts().whole(10_485_760) < 500
