"""Brand words: the words of the deployment in names, never in texts."""

from __future__ import annotations

import json

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from svc_tui.client import login as logins
from svc_tui.client.brand import Brand
from svc_tui.client.errors import Refused
from svc_tui.client.profile import Profile
from svc_tui.interface.applications.operations import create_application, list_applications
from svc_tui.interface.applications.records import Application
from svc_tui.interface.authentication.single_sign_on import LoginUrl
from svc_tui.interface.authentication.users import User, get_own_user
from svc_tui.interface.catalogue import operations
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from tests.client.support import jwt
from tests.support.world import PASSWORD


def brand(word="acme", voice="tele", billing="coin"):
    return Brand(Profile("p", "https://x.test", brand=word, voice_brand=voice, billing_brand=billing))


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("svcServiceId", "acmeServiceId"),
        ("svcServiceDescription", "acmeServiceDescription"),
        ("isSvcClientDefault", "isAcmeClientDefault"),
        ("isSvcStoreOffer", "isAcmeStoreOffer"),
        ("mfaSvcAuth", "mfaAcmeAuth"),
        ("x-svc-app-auth", "x-acme-app-auth"),
        ("x-svc-request-id", "x-acme-request-id"),
        ("svc", "acme"),
        ("voiceInstanceId", "teleInstanceId"),
        ("billingOfferId", "coinOfferId"),
        ("billingProductRatePlanChargeId", "coinProductRatePlanChargeId"),
        ("name", "name"),
        # The English words.
        ("voiceMailNumber", "voiceMailNumber"),
        ("toVoicemail", "toVoicemail"),
        ("cloudPbxVoicemailToEmail", "cloudPbxVoicemailToEmail"),
        ("isVoicePhone", "isVoicePhone"),
        ("billingModel", "billingModel"),
        ("billingPeriod", "billingPeriod"),
    ],
)
def test_names_are_translated_in_both_directions(inner, outer):
    assert brand().deployment_name(inner) == outer
    assert brand().interface_name(outer) == inner


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("/api/svc/authentication/v1.0/login", "/api/acme/authentication/v1.0/login"),
        (
            "/api/svc/admin/v1.0/companies/{svcId}/settings/svcmfa",
            "/api/acme/admin/v1.0/companies/{svcId}/settings/acmemfa",
        ),
        ("/api/svc/voiceprovisioning/v1.0/cloudpbxs", "/api/acme/teleprovisioning/v1.0/cloudpbxs"),
    ],
)
def test_fixed_path_segments_are_translated_and_parameters_are_not(inner, outer):
    assert brand().path(inner) == outer


def test_no_path_of_the_catalogue_keeps_the_neutral_word():
    for operation in operations():
        turned = brand().path(operation.path)
        assert "svc" not in turned
        # The two addresses of images are without module and version.
        assert turned.startswith("/api/" if operation.gives else "/api/acme/")


class Offer(Record):
    """A record of a later area, for its choices."""

    bp_business_type: list[str] | None = field(None)
    kind: str | None = field(None)


def test_values_of_declared_choices_are_translated_and_texts_are_not():
    record = {"kpi": "svcstore", "name": "svcstore", "description": "our svc Svc SVC", "activity": "J"}
    outside = brand().deployment_values(record, Application)
    assert outside == {"kpi": "acmestore", "name": "svcstore", "description": "our svc Svc SVC", "activity": "J"}
    assert brand().interface_values(outside, Application) == record
    assert brand().deployment_values({"type": "SVC"}, LoginUrl) == {"type": "ACME"}
    assert brand().interface_values({"type": "ACME"}, LoginUrl) == {"type": "SVC"}
    assert brand().choice("voice_by_svc", ("voice_by_svc",), to_deployment=True) == "voice_by_acme"
    assert brand().deployment_values({"kind": "svcstore"}, Offer) == {"kind": "svcstore"}


def test_the_name_of_a_field_as_a_value_is_translated():
    assert brand().deployment_values({"sortField": "isSvcClientDefault"}, Application) == {
        "sortField": "isAcmeClientDefault"
    }


def test_keys_of_free_objects_are_not_translated():
    ours, theirs = {"customData": {"svcThing": 1}}, {"customData": {"acmeThing": [{"acmeId": 2}]}}
    assert brand().deployment_values(ours, User) == ours
    assert brand().interface_values(theirs, User) == theirs


def test_a_declared_name_with_the_deployments_word_stays():
    # `app` as a brand: appSecret is a declared field, not a brand word.
    app = brand("app")
    record = {"appSecret": "x", "isAppClientDefault": True}
    assert app.interface_values(record, Application) == {"appSecret": "x", "isSvcClientDefault": True}


def test_a_name_under_both_words_is_not_lost():
    both = {"svcThing": 1, "acmeThing": 2}
    assert brand().interface_values(both, None) == both


def test_default_words_need_no_translation():
    plain = Brand(Profile("p", "https://x.test"))
    body = {"svcThing": 1}
    assert plain.plain
    assert plain.interface_values(body, Application) is body
    assert plain.path("/api/svc/a") == "/api/svc/a"


WORDS = st.from_regex(r"[a-z]{2}[a-z0-9]{0,8}", fullmatch=True)
PARTS = st.sampled_from(["svc", "Svc", "SVC", "voice", "billing", "id", "Id", "is", "Name", "x-", "-", "_", "2", "mfa"])
NAMES = st.lists(PARTS, min_size=1, max_size=5).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["svcstore", "SVC", "our svc", "acme"]) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES | st.sampled_from(["kpi", "type", "customData", "sortField"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=120, deadline=None)
@given(word=WORDS, voice=WORDS, billing=WORDS, values=st.dictionaries(NAMES, VALUES, max_size=4))
def test_translation_in_both_directions_changes_nothing(word, voice, billing, values):
    assume(len({word, voice, billing}) == 3 and not {word, voice, billing} & {"svc", "voice", "billing", "id"})
    # Only the declaration distinguishes the word of a deployment that is another word of the interface.
    assume(not any(part in json.dumps(values).lower() for part in (word, voice, billing)))
    turned = brand(word, voice, billing)
    model = Application
    assert turned.interface_values(turned.deployment_values(values, model), model) == values


class Acme(httpx.AsyncBaseTransport):
    """The real service behind another word: texts are exchanged byte by byte, on the way in and out."""

    def __init__(self, app):
        self.inner = httpx.ASGITransport(app=app)
        self.seen = []

    async def handle_async_request(self, request):
        self.seen.append(request)
        turned = httpx.Request(
            request.method,
            str(request.url).replace("acme", "svc"),
            headers=[(name.replace("acme", "svc"), value) for name, value in request.headers.items()],
            content=exchanged((await request.aread()).decode(), "acme", "svc"),
        )
        turned.headers["content-length"] = str(len(turned.content))
        response = await self.inner.handle_async_request(turned)
        content = exchanged((await response.aread()).decode(), "svc", "acme").encode()
        headers = {name.replace("svc", "acme"): value for name, value in response.headers.items()}
        return httpx.Response(
            response.status_code, headers={**headers, "content-length": str(len(content))}, content=content
        )


def exchanged(text, old, new):
    return text.replace(old, new).replace(old.capitalize(), new.capitalize()).replace(old.upper(), new.upper())


async def test_a_deployment_with_its_own_word_is_served_like_any_other(world, connect):
    await world.user(roles=("app_superadmin", "superadmin"), mfaSvcAuth={"mfaStatus": "disabled"})
    acme = Acme(world.app)
    client = connect(transport=acme, base_url="http://phone.test", brand="acme")
    await logins.login(client, "jane@example.com", PASSWORD)
    user = (await client.call(get_own_user)).data
    assert user.mfa_svc_auth == {"mfaStatus": "disabled"}
    body = {"name": "crm", "type": "web", "activity": "J", "kpi": "svcstore"}
    made = await client.send(create_application, body=body)
    assert made.body["data"]["kpi"] == "svcstore"
    assert made.request_id
    found = await client.call(list_applications)
    assert found.total == 2
    for request in acme.seen:
        sent = f"{request.url}{list(request.headers)}{request.content!r}"
        assert "svc" not in sent.replace("svc-tui", "")


async def test_a_refused_value_has_its_name_of_the_interface(serve):
    body = {"errorDetailsCode": 400000, "errorDetails": [{"param": "mfaAcmeAuth", "msg": "is bad"}]}
    client = serve(lambda request: httpx.Response(400, json=body), token=jwt(), brand="acme")
    with pytest.raises(Refused) as told:
        await client.send(list_applications)
    assert told.value.problems[0].param == "mfaSvcAuth"


async def test_secrets_of_a_branded_deployment_are_masked_too(serve):
    client = serve(
        lambda request: httpx.Response(200, json={"data": [], "total": 0}),
        brand="acme",
        method="api_key",
        api_key="key-of-a-user",
    )
    await client.send(list_applications)
    exchange = client.log.exchanges[0]
    assert exchange.request_headers["x-acme-api-key"] == "$SVC_API_KEY"
    assert exchange.request_headers["x-acme-app-auth"] == "Basic $SVC_APP_AUTH"
