"""The renewal of a token: ahead of its end, in the background, once for all requests."""

from __future__ import annotations

import asyncio
import gc

import httpx
import pytest

from svc_tui.client.errors import Unreachable
from svc_tui.client.renewal import SharedTask
from svc_tui.interface.applications.operations import list_applications
from tests.client.support import NOW, FakeClock, jwt
from tests.client.test_session import Service


async def test_a_token_past_half_of_its_life_is_renewed_once_for_parallel_requests(serve):
    clock = FakeClock()
    service = Service(jwt())
    service.next = iter([jwt(renewed=1)])
    client = serve(service, token=jwt(), clock=clock, session={"chance": lambda: 0.0})
    clock.now += 3600
    await asyncio.gather(*(client.send(list_applications) for _ in range(4)))
    assert service.renewals == 1
    assert service.served == [jwt(renewed=1)] * 4


@pytest.mark.parametrize(("chance", "renewed_at"), [(0.0, 3600), (1.0, 4050)])
async def test_renewal_is_at_half_of_the_life_and_up_to_an_eighth_of_that_later(serve, chance, renewed_at):
    clock = FakeClock()
    service = Service(jwt())
    service.next = iter([jwt(renewed=1)])
    client = serve(service, token=jwt(), clock=clock, session={"chance": lambda: chance})
    clock.now = NOW + renewed_at - 1
    await client.send(list_applications)
    assert service.renewals == 0
    clock.now = NOW + renewed_at
    await client.send(list_applications)
    assert service.renewals == 1


@pytest.mark.parametrize(
    "token",
    [jwt(renewed=5, most=5), jwt(oauth={"type": "access_token", "scope": "all"}), jwt(most=0), "opaque.token.x"],
    ids=["at its limit", "oauth", "never", "unreadable"],
)
async def test_a_token_that_may_not_be_renewed_is_used_to_its_end(serve, token):
    clock = FakeClock()
    service = Service(token)
    client = serve(service, token=token, clock=clock)
    clock.now += 7000
    await client.send(list_applications)
    assert service.renewals == 0


async def test_a_failed_renewal_leaves_the_token_in_use(serve):
    clock = FakeClock()
    service = Service(jwt())

    def answer(request):
        if request.url.path.endswith("/renew"):
            raise httpx.ConnectError("down", request=request)
        return service(request)

    client = serve(answer, token=jwt(), clock=clock)
    clock.now += 5000
    await client.send(list_applications)
    assert service.served == [jwt()]
    with pytest.raises(Unreachable):
        await client.session.renew()


async def test_a_failed_renewal_whose_caller_was_cancelled_is_no_error_of_the_program():
    may_fail, failed, reported = asyncio.Event(), asyncio.Event(), []

    async def fail():
        try:
            await may_fail.wait()
            raise Unreachable("down")
        finally:
            failed.set()

    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["message"]))
    shared = SharedTask(fail)
    caller = asyncio.create_task(shared.join())
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait([caller])
    may_fail.set()
    await failed.wait()
    # Python reports it when nothing refers to the task any longer.
    del shared, caller
    gc.collect()
    assert reported == []


async def test_a_refused_renewal_is_not_repeated(serve):
    clock = FakeClock()
    service = Service(jwt())
    refused = 0

    def answer(request):
        nonlocal refused
        if request.url.path.endswith("/renew"):
            refused += 1
            return httpx.Response(403, json={"errorDetailsCode": 403020})
        return service(request)

    client = serve(answer, token=jwt(), clock=clock)
    clock.now += 5000
    for _ in range(3):
        await client.send(list_applications)
    assert refused == 1
    assert client.session.left() == 2200


async def test_the_token_is_renewed_in_the_background_until_closing(serve):
    clock = FakeClock()
    slept, wake = [], asyncio.Event()
    service = Service(jwt())
    service.next = iter([jwt(renewed=1)])

    async def sleep(seconds):
        slept.append(seconds)
        await wake.wait()
        wake.clear()

    client = serve(service, token=jwt(), clock=clock, session={"sleep": sleep, "chance": lambda: 0.0})
    renewed = asyncio.Event()
    assert slept == []
    await client.send(list_applications)
    client.session.subscribe(renewed.set)
    clock.now += 3600
    wake.set()
    await asyncio.wait_for(renewed.wait(), 5)
    assert (service.renewals, client.session.token) == (1, jwt(renewed=1))
    await client.aclose()
    assert not [task for task in asyncio.all_tasks() if "_renew_ahead" in repr(task)]


async def test_the_background_renewal_notices_a_suspended_machine(serve):
    slept = []
    done = asyncio.Event()

    async def sleep(seconds):
        slept.append(seconds)
        done.set()
        await asyncio.Event().wait()

    client = serve(Service(jwt()), token=jwt(), session={"sleep": sleep})
    await client.send(list_applications)
    await asyncio.wait_for(done.wait(), 5)
    assert slept == [60.0]


def test_the_remaining_time_includes_possible_renewals(serve):
    clock = FakeClock()
    client = serve(Service(), token=jwt(renewed=3, most=5), clock=clock)
    clock.now += 200
    assert client.session.left() == 7000 + 2 * 7200
    assert serve(Service()).session.left() is None
    assert serve(Service(), method="api_key", api_key="k").session.left() is None
