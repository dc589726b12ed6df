"""Which host a call counts for: an address, or the network of one IPv6 subscriber."""

import pytest

from taflhall_service.rpc.hosts import host_of_address, host_of_peer


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:127.0.0.1", "127.0.0.1"),
        ("ipv4:", "ipv4:"),
        ("other:10.0.0.1:5", "other:10.0.0.1:5"),
    ],
)
def test_a_peer_without_a_port_or_an_address_counts_for_a_host(peer: str, host: str):
    assert host_of_peer(peer) == host


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (" 10.0.0.1 ", "10.0.0.1"),
        ("[2001:db8:1:2:ffff::]", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("localhost", "localhost"),
        (" " + "x" * 65, "x" * 64),
        ("", ""),
    ],
)
def test_an_address_counts_for_itself_or_its_network(address: str, host: str):
    assert host_of_address(address) == host
