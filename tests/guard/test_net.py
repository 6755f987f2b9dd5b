"""Addresses: a table of URLs and addresses, and the one resolution."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_env.core.errors import BlockedError
from mosaic_env.guard import net

ALLOWED = [
    ("http://example.org", ("http", "example.org", 80, "/")),
    ("https://example.org/", ("https", "example.org", 443, "/")),
    ("HTTPS://Example.ORG/A?b=c#d", ("https", "example.org", 443, "/A?b=c")),
    ("http://example.org:443/", ("http", "example.org", 443, "/")),
    ("https://example.org?q=a@b", ("https", "example.org", 443, "/?q=a@b")),
    ("https://example.org/@user", ("https", "example.org", 443, "/@user")),
    ("https://xn--bcher-kva.example/%C3%BC", ("https", "xn--bcher-kva.example", 443, "/%C3%BC")),
    ("https://a.b.c.d.example.co.uk/x", ("https", "a.b.c.d.example.co.uk", 443, "/x")),
    ("https://1.example.org/", ("https", "1.example.org", 443, "/")),
    ("http://8.8.8.8/", ("http", "8.8.8.8", 80, "/")),
    ("http://[2606:4700::1111]:80/", ("http", "2606:4700::1111", 80, "/")),
    ("http://[::ffff:8.8.8.8]/", ("http", "::ffff:8.8.8.8", 80, "/")),
    ("https://example.org#frag", ("https", "example.org", 443, "/")),
]

BLOCKED = [
    ("", "URL text"),
    ("http://example.org/a b", "URL text"),
    ("http://example.org/\n", "URL text"),
    ("http://example.org/\0", "URL text"),
    ("http://example.org\\@10.0.0.1/", "URL text"),
    ("http://b\u00fccher.example/", "URL text"),
    ("http://example.org/\u202e", "URL text"),
    ("http://\u2460\u2461\u2466.0.0.1/", "URL text"),
    ("http://example\u3002org/", "URL text"),
    ("http://example.org/" + "a" * 9_000, "URL text"),
    (" http://example.org", "URL text"),
    ("file:///etc/passwd", "scheme"),
    ("ftp://example.org/", "scheme"),
    ("gopher://example.org/", "scheme"),
    ("data:text/html,x", "scheme"),
    ("javascript:alert(1)", "scheme"),
    ("//example.org/", "scheme"),
    ("example.org", "scheme"),
    ("http:example.org", "scheme"),
    ("http:/example.org", "scheme"),
    ("httpx://example.org", "scheme"),
    ("jar:http://example.org!/", "scheme"),
    ("ws://example.org", "scheme"),
    ("http://me@example.org/", "credentials"),
    ("http://me:pw@example.org/", "credentials"),
    ("http://example.org@10.0.0.1/", "credentials"),
    ("http://@example.org/", "credentials"),
    ("http://example.org:22/", "port"),
    ("http://example.org:8080/", "port"),
    ("http://example.org:65536/", "port"),
    ("http://example.org:0080/", "host"),
    ("http://example.org:/", "host"),
    ("http://example.org:+80/", "host"),
    ("http://example.org:80:80/", "host"),
    ("http:///a", "host"),
    ("http://?a", "host"),
    ("http://#", "host"),
    ("http://[::1", "host"),
    ("http://::1/", "host"),
    ("http://[]/", "host"),
    ("http://[1.2.3.4]/", "host"),
    ("http://localhost/", "host"),
    ("http://intranet/", "host"),
    ("http://example.org./", "host"),
    ("http://localhost./", "host"),
    ("http://.example.org/", "host"),
    ("http://example..org/", "host"),
    ("http://-a.example/", "host"),
    ("http://a-.example/", "host"),
    ("http://a_b.example/", "host"),
    ("http://" + "a" * 64 + ".example/", "host"),
    ("http://" + "a." * 130 + "example/", "host"),
    ("http://exa%6dple.org/", "host"),
    ("http://127.0.0.1%2f.example/", "host"),
    ("http://app.localhost/", "local name"),
    ("http://printer.local/", "local name"),
    ("http://metadata.google.internal/", "local name"),
    ("http://router.home.arpa/", "local name"),
    ("http://0x7f.1/", "host"),
    ("http://2130706433/", "host"),
    ("http://127.1/", "host"),
    ("http://0127.0.0.1/", "host"),
    ("http://0177.0.0.1/", "host"),
    ("http://127.0.0.01/", "host"),
    ("http://127.0.0.1.5/", "host"),
    ("http://256.1.1.1/", "host"),
    ("http://1.2.3.0x4/", "host"),
    ("http://0x7f000001/", "host"),
    ("http://example.org.0x1/", "host"),
    ("http://127.0.0.1./", "host"),
    ("http://017700000001/", "host"),
    ("http://127.0.0.1/", "loopback"),
    ("http://127.255.255.254:443/", "loopback"),
    ("http://0.0.0.0/", "this network"),
    ("http://10.1.2.3/", "private"),
    ("http://172.31.0.1/", "private"),
    ("http://192.168.1.1/", "private"),
    ("http://169.254.169.254/latest/meta-data/", "link-local"),
    ("http://100.100.100.200/", "shared by carriers"),
    ("http://168.63.129.16/", "cloud metadata"),
    ("http://192.0.0.100/", "protocol assignments"),
    ("http://224.0.0.1/", "multicast"),
    ("http://255.255.255.255/", "reserved"),
    ("http://[::1]/", "loopback"),
    ("http://[::]/", "unspecified"),
    ("http://[::ffff:127.0.0.1]/", "loopback"),
    ("http://[::ffff:7f00:1]/", "loopback"),
    ("http://[::127.0.0.1]/", "IPv4-compatible"),
    ("http://[64:ff9b::7f00:1]/", "NAT64"),
    ("http://[64:ff9b:1::1]/", "NAT64"),
    ("http://[2002:7f00:1::]/", "6to4"),
    ("http://[2001:0:1::1]/", "Teredo"),
    ("http://[fec0::1]/", "site-local"),
    ("http://[fe80::1]/", "link-local"),
    ("http://[fe80::1%25eth0]/", "host"),
    ("http://[fd00:ec2::254]/", "private"),
    ("http://[ff02::1]/", "multicast"),
    ("http://[2001:db8::1]/", "documentation"),
    ("http://[::ffff:0:127.0.0.1]/", "not global unicast"),
    ("http://[4000::1]/", "not global unicast"),
    ("http://[5f00::1]/", "segment routing"),
    ("http://[100::1]/", "discard"),
]

ADDRESSES_ALLOWED = [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "198.17.255.255", "198.20.0.0",
    "2000::", "2001:200::1", "2003::1", "2606:4700::1111", "::ffff:1.1.1.1",
    "223.255.255.255",
]  # fmt: skip

NO_ADDRESSES = [
    "", "localhost", "1.2.3", "01.2.3.4", "1.2.3.4 ", "1.2.3.4/32", "::1%1", "2606::1%eth0", "0x7f.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize(("url", "expected"), ALLOWED)
def test_allowed(url: str, expected: tuple[str, str, int, str]) -> None:
    parsed = net.check_url(url)
    assert (parsed.scheme, parsed.host, parsed.port, parsed.target) == expected
    assert parsed.origin == expected[:3]


@pytest.mark.parametrize(("url", "rule"), BLOCKED, ids=[ascii(url)[:50] for url, _ in BLOCKED])
def test_blocked_by_the_rule(url: str, rule: str) -> None:
    with pytest.raises(BlockedError, match=rf"\(rule: ({rule})\)") as caught:
        net.check_url(url)
    assert caught.value.code == "ME-NET-01"


def test_there_are_at_least_80_rows() -> None:
    assert len({url for url, _ in BLOCKED}) >= 80


def test_other_ports_by_configuration() -> None:
    assert net.check_url("http://example.org:8080/", ports=(8080,)).port == 8080
    with pytest.raises(BlockedError, match="port is 80"):
        net.check_url("http://example.org/", ports=(8080,))


def test_an_error_shows_no_password() -> None:
    for url in (
        "http://me:CANARY@example.org/",
        "http://example.org:99/?token=CANARY",
        "x://me:CANARY@example.org",
    ):
        with pytest.raises(BlockedError) as caught:
            net.check_url(url)
        assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize("ip", ADDRESSES_ALLOWED)
def test_public_addresses(ip: str) -> None:
    net.check_address(ip)


@pytest.mark.parametrize("ip", NO_ADDRESSES)
def test_text_that_is_no_strict_address(ip: str) -> None:
    with pytest.raises(BlockedError, match="rule: address"):
        net.check_address(ip)


@pytest.mark.parametrize("ip", [2130706433, b"\x7f\0\0\1", b"\x08\x08\x08\x08"])
def test_numbers_and_packed_bytes_are_no_addresses(ip: Any) -> None:
    with pytest.raises(BlockedError, match="rule: address"):
        net.check_address(ip)


@pytest.mark.parametrize(("network", "rule"), net.BLOCKED_NETWORKS)
def test_first_and_last_address_of_every_blocked_network(network: str, rule: str) -> None:
    block = ipaddress.ip_network(network)
    for address in (block[0], block[-1]):
        with pytest.raises(BlockedError):
            net.check_address(str(address))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_nothing_is_allowed_that_python_calls_private(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    try:
        net.check_address(str(ip))
    except BlockedError:
        return
    inner = getattr(ip, "ipv4_mapped", None) or ip
    assert inner.is_global
    assert not inner.is_multicast


def test_a_name_is_resolved_once_and_every_address_checked() -> None:
    asked: list[tuple[str, int]] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["1.1.1.1", "2606:4700::1111", "1.1.1.1"] if len(asked) == 1 else ["127.0.0.1"]

    url = net.check_url("https://example.org/")
    assert net.resolve(url, rebinding) == ("1.1.1.1", "2606:4700::1111")
    assert asked == [("example.org", 443)]
    with pytest.raises(BlockedError, match="loopback"):
        net.resolve(url, rebinding)


@pytest.mark.parametrize("addresses", [["1.1.1.1", "10.0.0.1"], ["fe80::1%eth0"], []])
def test_one_bad_address_blocks_the_name(addresses: list[str]) -> None:
    with pytest.raises(BlockedError):
        net.resolve(net.check_url("http://example.org/"), lambda host, port: addresses)


def test_an_address_is_not_resolved() -> None:
    def never(host: str, port: int) -> list[str]:
        raise AssertionError("asked")

    assert net.resolve(net.check_url("http://8.8.8.8/"), never) == ("8.8.8.8",)
    with pytest.raises(BlockedError, match="loopback"):
        net.resolve(net.ParsedUrl("http", "127.0.0.1", 80, "/", True), never)
