"""The HTTP client under the SDKs: whom it trusts, what it keeps, and what it lets go of."""

import asyncio
import json
import shutil
import ssl
import subprocess
import warnings
from pathlib import Path

import pytest
from tests.generators.models.raw import Raw, answering, asked_at, opened_at, saying
from tests.generators.models.wires import WIRES

from interplay.generators.models.batches.batch_service import fetch
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.transport import http_client
from interplay.generators.models.transport.transport_errors import Dropped, TimedOut
from interplay.schemas.errors import ConfigError, ModelError
from interplay.schemas.records.chat import ChatReply

every_wire = pytest.mark.parametrize("wire", WIRES)


def good(wire: str, *headers: str) -> bytes:
    return answering(json.dumps(saying(wire, "Well.")).encode(), *headers)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key, and a certificate that it has signed itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=here"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", str(path.with_suffix(".crt"))]
    subprocess.run(command, check=True, capture_output=True)
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


@every_wire
@pytest.mark.parametrize("trusted", [True, False])
def test_a_certificate_is_trusted_as_the_environment_says(
    wire: str, trusted: bool, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Raw(good(wire), context)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))

    async def run() -> ChatReply | ModelError:
        async with server as address:
            return await asked_at(wire, address)

    outcome = asyncio.run(run())
    if trusted:
        assert isinstance(outcome, ChatReply), outcome
    else:
        assert isinstance(outcome, Dropped), outcome
        assert "certificate verify failed: self-signed certificate" in str(outcome)
        assert server.heard == []


@every_wire
@pytest.mark.parametrize(
    ("variable", "value"), [("SSL_CERT_FILE", "/no/such/file"), ("ALL_PROXY", "carrier://pigeon"), ("HTTP_PROXY", "::")]
)
def test_an_environment_that_cannot_be_read_is_named(
    wire: str, variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=variable):
        opened_at(wire, "https://127.0.0.1:1").connect()


@every_wire
def test_a_proxy_that_cannot_be_asked_is_refused_where_it_would_be(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    with pytest.raises(ConfigError, match="SOCKS proxy for https://api"):
        opened_at(wire, "https://api.example.com").connect()
    monkeypatch.setenv("NO_PROXY", "127.0.0.0/8,api.example.com")
    asyncio.run(closed(opened_at(wire, "http://127.0.0.1:1")))
    asyncio.run(closed(opened_at(wire, "https://api.example.com")))


async def closed(opened: SdkEndpoint) -> None:
    opened.connect()
    await opened.aclose()


@every_wire
def test_no_cookie_is_kept(wire: str) -> None:
    server = Raw(good(wire, "connection: close", "set-cookie: sérver=3; Path=/"))

    async def run() -> None:
        async with server as address:
            await asked_at(wire, address.replace("127.0.0.1", "localhost"), times=3)

    asyncio.run(run())
    assert len(server.heard) == 3
    assert not any(b"cookie" in head.lower() for head in server.heard)


@every_wire
def test_no_cookie_breaks_what_is_asked_about_batches(wire: str) -> None:
    server = Raw(good(wire, "connection: close", "set-cookie: sérver=3; Path=/"))

    async def run() -> None:
        async with server as address:
            opened = opened_at(wire, address)
            for _ in range(2):
                await fetch(opened, "/batches/b")
            await opened.aclose()

    asyncio.run(run())
    assert len(server.heard) == 2


@every_wire
def test_a_connection_is_let_go_of_when_time_is_up(wire: str) -> None:
    server = Raw(good(wire)[:-9], waits=True)

    async def run() -> None:
        async with server as address:
            opened = opened_at(wire, address, timeout=0.3)
            with pytest.raises(TimedOut):
                await opened.send({})
            await asyncio.wait_for(server.left.wait(), 10)
            await opened.aclose()

    asyncio.run(run())


@every_wire
def test_nothing_is_left_open(wire: str) -> None:
    server = Raw(good(wire), waits=True)

    async def run() -> ChatReply | ModelError:
        async with server as address:
            outcome = await asked_at(wire, address)
            await asyncio.wait_for(server.left.wait(), 10)
            return outcome

    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        assert all(isinstance(asyncio.run(run()), ChatReply) for _ in range(2))


@every_wire
def test_an_sdk_whose_insides_have_changed_is_asked_by_its_own_client(
    wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "OVERRIDDEN", ("a_method_that_is_gone",))

    async def run() -> ChatReply | ModelError:
        async with Raw(good(wire)) as address:
            return await asked_at(wire, address)

    outcome = asyncio.run(run())
    assert isinstance(outcome, ChatReply), outcome
