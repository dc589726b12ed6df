"""What an address may be, and that several stand for replicas."""

import pytest

from taflhall_client import errors
from taflhall_client.addresses import check_key, endpoint, is_loopback, target_of
from taflhall_client.async_client import Client
from taflhall_client.ports import free_port


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("localhost:1", True),
        ("127.0.0.1:50051", True),
        ("127.9.9.9:50051", True),
        ("[::1]:50051", True),
        ("dns:///localhost:1", True),
        ("ipv4:127.0.0.1:1", True),
        ("ipv6:[::1]:1", True),
        ("unix:/tmp/socket", True),
        ("127.0.0.1:1,127.0.0.2:1", True),
        ("127.0.0.1:1,10.0.0.1:1", False),
        ("games.example.org:443", False),
        ("localhost.example.org:443", False),
        ("10.0.0.1:50051", False),
        ("[2001:db8::1]:50051", False),
    ],
)
def test_addresses_of_this_machine(address, expected):
    assert is_loopback(address) is expected


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("games.example.org:443", "games.example.org:443"),
        ("ipv4:10.0.0.1:1,10.0.0.2:1", "ipv4:10.0.0.1:1,10.0.0.2:1"),
        ("10.0.0.1:1,10.0.0.2:2", "ipv4:10.0.0.1:1,10.0.0.2:2"),
        ("10.0.0.1:1, 10.0.0.2:2", "ipv4:10.0.0.1:1,10.0.0.2:2"),
        ("[::1]:1,[2001:db8::1]:2", "ipv6:[::1]:1,[2001:db8::1]:2"),
    ],
)
def test_several_ip_addresses_are_one_target(address, target):
    assert target_of(address) == target


@pytest.mark.parametrize("address", ["a.example:1,b.example:1", "10.0.0.1:1,[::1]:1"])
def test_several_addresses_are_ip_addresses_of_one_version(address):
    with pytest.raises(ValueError, match="all IPv4 or all IPv6"):
        target_of(address)


@pytest.mark.parametrize(
    "address",
    ["", "localhost", "host:port", "127.0.0.1:99999", "10.0.0.1:1,", "http://a:1", "::1:50051"],
)
def test_what_cannot_be_an_address_is_refused(address):
    with pytest.raises(errors.InvalidAddress, match="write HOST:PORT"):
        target_of(address)


def test_the_secret_of_a_seat_is_no_api_key():
    check_key(None)
    check_key("tfk_id_secret")
    with pytest.raises(errors.ApiKeyInvalid, match="tfk_") as raised:
        check_key("hunter2")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("localhost:50051", ("localhost", 50051)),
        ("ipv6:[::1]:1", ("::1", 1)),
        ("localhost:\u0665\u0660", None),
        ("localhost:99999", None),
        ("localhost:" + "9" * 5000, None),
        ("localhost", None),
        ("10.0.0.1:1,10.0.0.2:1", None),
    ],
)
def test_a_port_has_ascii_digits_and_is_in_range(address, found):
    assert endpoint(address) == found


async def test_an_address_that_answers_is_used_if_several_are_given(address):
    nobody = f"127.0.0.1:{free_port()}"
    for several in (f"{nobody},{address}", f"{address},{nobody}"):
        async with Client(several) as client:
            for _ in range(5):
                assert await client.games()


def test_the_command_line_names_addresses_that_do_not_fit_together(taflhall):
    ran = taflhall("match", "list", "a.example:1,b.example:1")
    assert ran.status == 2
    assert "all IPv4 or all IPv6" in ran.err
