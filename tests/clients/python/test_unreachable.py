"""A server that cannot be reached: one plain sentence, soon, and no proxy to this machine."""

import multiprocessing
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from taflhall_client import errors, sync
from taflhall_client.async_client import Client
from taflhall_client.ports import free_port


@contextmanager
def speaking(answer):
    """A port that answers any input with *answer*; yield it and the input."""
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            while True:
                try:
                    link, _ = listener.accept()
                except OSError:
                    return
                with link:
                    heard.append(link.recv(4096))
                    link.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)


HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"


async def failure_at(address, **settings):
    async with Client(address, **settings) as client:
        with pytest.raises(errors.TaflhallError) as raised:
            await client.games()
    return raised.value


async def test_where_no_server_listens_one_sentence_says_so_in_both_languages():
    address = f"127.0.0.1:{free_port()}"
    failure = await failure_at(address, connect_deadline=0.5)
    assert isinstance(failure, errors.Unreachable)
    assert failure.text() == f"no server listens at {address}"
    assert failure.text("de") == f"auf {address} antwortet kein Server"


async def test_all_addresses_that_were_tried_are_named():
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    failure = await failure_at(",".join(addresses), connect_deadline=0.5)
    assert isinstance(failure, errors.Unreachable)
    assert failure.addresses == addresses
    assert all(address in failure.text() for address in addresses)


async def test_a_stream_where_nobody_ever_answered_is_given_up_early():
    async with Client(f"127.0.0.1:{free_port()}", connect_deadline=0.5) as client:
        with pytest.raises(errors.Unreachable) as raised:
            await anext(client.watch_lobby(patience=3600.0))
    assert raised.value.addresses


async def test_a_host_that_does_not_exist_is_named():
    failure = await failure_at("nohost.invalid:50051", connect_deadline=0.5)
    assert failure.text() == "the host name in nohost.invalid:50051 is unknown"


async def test_a_port_that_speaks_something_else_is_named():
    with speaking(HTTP) as (port, _):
        failure = await failure_at(f"127.0.0.1:{port}", connect_deadline=2.0)
    assert failure.text().endswith("is it the right port?")
    assert failure.text("de").endswith("ist es der richtige Port?")


async def test_a_port_that_says_nothing_is_given_up_early_by_streams_too():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        begin = time.monotonic()
        async with Client(address, connect_deadline=0.5) as client:
            streams = (
                client.watch_lobby(patience=3600.0),
                client.tournaments.watch("t", patience=3600.0),
                client.play_all(
                    lambda match: None, seats=[client.match("m", "s")], patience=3600.0
                ),
            )
            for stream in streams:
                with pytest.raises(errors.Unreachable) as raised:
                    await anext(stream)
                assert raised.value.addresses == [address]
                assert raised.value.text().endswith("is it the right port?")
    assert time.monotonic() - begin < 30


async def test_before_the_first_answer_a_call_gives_up_early():
    begin = time.monotonic()
    await failure_at(f"127.0.0.1:{free_port()}", deadline=600.0, connect_deadline=0.5)
    assert time.monotonic() - begin < 60


async def test_a_proxy_of_the_environment_is_not_used_for_this_machine(monkeypatch, address):
    with speaking(HTTP) as (port, heard):
        for name in ("http_proxy", "grpc_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        async with Client(address) as client:
            assert await client.games()
    assert heard == []


def test_the_command_line_says_it_in_one_line(taflhall):
    address = f"127.0.0.1:{free_port()}"
    ran = taflhall("match", "list", address)
    assert ran.status == 4
    assert ran.err == f"taflhall: no server listens at {address} (UNAVAILABLE)\n"


def _use_in_child(address, answers):
    try:
        with sync.Client(address, deadline=5.0) as client:
            answers.put(f"worked: {len(client.games())}")
    except errors.ForkedProcess as error:
        answers.put(str(error))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_client_in_a_forked_child_says_what_to_do(address):
    with sync.Client(address) as client:
        client.games()
        forking = multiprocessing.get_context("fork")
        answers = forking.Queue()
        child = forking.Process(target=_use_in_child, args=(address, answers), daemon=True)
        child.start()
        answer = answers.get(timeout=30)
        child.join(10)
    assert "start it with the method 'spawn' or 'forkserver'" in answer
