"""Keys are known where they come back, and told to nobody."""

import logging
from typing import Any

import pytest
from tests.generators.models.wires import ENVIRON, KEY, WAYS, WIRES, exchange
from tests.model_server.answers import Answer, Call
from tests.model_server.server import Settings

from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.transport_errors import Rejected
from interplay.schemas.errors import ConfigError

every_wire = pytest.mark.parametrize("wire", WIRES)
every_way = pytest.mark.parametrize("wire", WAYS)


@every_way
@pytest.mark.parametrize("fault", ["echo_key", "401", "silent", "drop", "html", "none"])
def test_a_planted_key_is_seen_nowhere(wire: str, fault: str, caplog: pytest.LogCaptureFixture) -> None:
    def echo(ask: Any) -> Answer:
        return Answer(text=f"I was sent {dict(ask.headers)}", calls=(Call("lookup", '{"id": "x"}'),))

    caplog.set_level(logging.DEBUG)
    faults = () if fault == "none" else (fault,)
    done = exchange(wire, faults=faults, answer=echo, timeout=0.5, headers_env={"x-gateway-key": "GATEWAY"},
                    environ={**ENVIRON, "GATEWAY": "planted-gateway-secret"})  # fmt: skip
    error: BaseException | None = done.error
    seen = [caplog.text, repr(done.reply), *(str(vars(record)) for record in caplog.records)]
    while error is not None:
        seen += [repr(error), str(vars(error))]
        error = error.__cause__ or error.__context__
    everything = "\n".join(seen)
    assert KEY not in everything
    assert "planted-gateway-secret" not in everything
    if fault == "none":
        assert KEY in str(done.server.asks[0].headers), "it was sent"
        assert "[key]" in done.good.content


@pytest.mark.parametrize(
    "spelt",
    [
        r"ab\/planted\u002b0123\u003D\u003d", r"ab\u002Fplanted+0123==", "ab%2Fplanted%2b0123%3D%3D", "ab/planted&#43;0123&#x3d;=",
        r"ab\\/planted\\u002B0123==", "ab/planted+0123==", "".join(f"\\u00{ord(letter):02X}" for letter in "ab/planted+0123=="),
    ],
)  # fmt: skip
def test_a_key_is_known_in_the_spellings_of_json_urls_and_html(spelt: str) -> None:
    secrets = Secrets("ab/planted+0123==", {"authorization": "Bearer token-of-the-gateway"})
    body = f'{{"said": "{spelt}, and token-of-the-gateway, ab/planted+0124=="}}'.encode()

    assert secrets.scrub_body(body) == b'{"said": "[key], and [key], ab/planted+0124=="}'
    assert "planted+0123" not in secrets.scrub(spelt)
    assert spelt not in secrets.scrub(spelt)


@pytest.mark.parametrize("key", ["schlüssel-0123456789", "two\nlines-0123456789"])
def test_a_key_that_no_header_can_hold_is_told_without_it(key: str) -> None:
    with pytest.raises(ConfigError, match="MY_KEY holds a character") as error:
        open_endpoint(
            EndpointSettings(model="m", base_url="http://127.0.0.1:9/v1", api_key_env="MY_KEY"), {"MY_KEY": key}
        )
    assert key not in str(error.value)


@every_way
def test_a_wrong_key_is_not_repeated(wire: str) -> None:
    error = exchange(wire, behave=Settings(key="another-key-entirely")).error
    assert isinstance(error, Rejected)
    assert error.status == 401
    assert KEY not in str(error)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ConfigError, match="NO_SUCH_KEY is not set"):
        open_endpoint(EndpointSettings(model="m", api_key_env="NO_SUCH_KEY"), {})


def test_a_key_goes_to_no_other_host() -> None:
    elsewhere = EndpointSettings(model="m", base_url="http://localhost:1/v1")
    assert KEY not in open_endpoint(elsewhere, {"OPENAI_API_KEY": KEY}).secrets.values
    assert KEY in open_endpoint(EndpointSettings(model="m"), {"OPENAI_API_KEY": KEY}).secrets.values


@pytest.mark.parametrize("cut", range(8, 20))
def test_a_beginning_of_a_key_is_removed_wherever_the_text_is_cut(cut: int) -> None:
    secrets = Secrets("/abcdefgh/ijklmnopq", {})
    begun = "/abcdefgh/ijklmnopq"[:cut]
    assert secrets.scrub(f"{begun}... {begun}!x {begun}") == "[key]... [key]!x [key]"
