"""Which URLs and addresses the recorder may ask: policy only, as one table and one grammar.

A URL is parsed once, here, into parts that are used as they are; its host is resolved once, every
address is checked, and the connection goes to a checked address.

Must not: open a socket, resolve a name by itself, or show a URL in an error (it may hold a password).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from mosaic_env.core.errors import BlockedError, shorten

MAX_URL = 8_192

#: Ranges nobody outside may be reached through, from the IANA special-purpose registries and the
#: clouds' metadata services. Python's ``is_global`` is not used: its answers differ by release.
BLOCKED_NETWORKS: tuple[tuple[str, str], ...] = (
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "shared by carriers"),
    ("127.0.0.0/8", "loopback"),
    ("168.63.129.16/32", "cloud metadata"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "protocol assignments"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "6to4"),
    ("192.168.0.0/16", "private"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::/96", "IPv4-compatible"),
    ("64:ff9b::/96", "NAT64"),
    ("64:ff9b:1::/48", "NAT64"),
    ("100::/64", "discard"),
    ("2001::/32", "Teredo"),
    ("2001::/23", "protocol assignments"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "segment routing"),
    ("fc00::/7", "private"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "site-local"),
    ("ff00::/8", "multicast"),
)
_BLOCKED = tuple((ipaddress.ip_network(network), rule) for network, rule in BLOCKED_NETWORKS)
_GLOBAL_UNICAST_6 = ipaddress.ip_network("2000::/3")

_URL = re.compile(r"(?i:(https?))://([^/?#]*)([/?][^#]*)?(?:#.*)?")
_PRINTABLE = re.compile(r"[!-\[\]-~]+")  # without the backslash, which browsers read as a slash
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::([1-9][0-9]{0,4}))?")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_QUAD = re.compile(rf"(?:{_OCTET}\.){{3}}{_OCTET}")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "localdomain", "arpa")

Resolver = Callable[[str, int], Iterable[str]]


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """An accepted URL in parts; connect and send from these, never from the text again.

    Args:
        scheme: ``http`` or ``https``.
        host: Lower-case name, dotted quad, or IPv6 address without brackets.
        port: 1 to 65535.
        target: Path and query as written, at least ``/``; the fragment is gone.
        is_address: The host is an address, already checked, and needs no resolving.
    """

    scheme: str
    host: str
    port: int
    target: str
    is_address: bool

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: credentials must not follow a redirect that changes any."""
        return self.scheme, self.host, self.port


def check_url(url: str, *, ports: Collection[int] = (80, 443)) -> ParsedUrl:
    """Parse a URL by a strict grammar, or refuse it.

    Refused: other schemes than http and https, user names and passwords, other ports, hosts that
    are neither plain dotted names nor strict addresses (``127.1``, ``0x7f.1``, ``2130706433``,
    ``0127.0.0.1``), names of local networks, backslashes, anything but printable ASCII, more than
    8,192 bytes. Other writing systems come as ``xn--`` and percent escapes.

    Raises: BlockedError (ME-NET-01) naming the rule.
    """
    if len(url) > MAX_URL or not _PRINTABLE.fullmatch(url):
        raise _blocked("URL text", "the URL is empty, too long, or has more than printable ASCII")
    parts = _URL.fullmatch(url)
    if parts is None:
        raise _blocked("scheme", f"the URL begins with {shorten(url[:8])}")
    scheme, authority, target = parts[1].lower(), parts[2], parts[3] or "/"
    if "@" in authority:
        raise _blocked("credentials", "the URL has a user name or password")
    split = _AUTHORITY.fullmatch(authority)
    if split is None:
        raise _blocked("host", f"{shorten(authority)} is not a host with a plain port")
    port = int(split[2]) if split[2] else (443 if scheme == "https" else 80)
    if port not in ports:
        raise _blocked("port", f"the port is {port}")
    host, is_address = _check_host(split[1].lower())
    return ParsedUrl(scheme, host, port, target if target.startswith("/") else f"/{target}", is_address)


def check_address(ip: str) -> None:
    """Refuse an address that is not plainly public; IPv4 inside IPv6 is unwrapped first.

    Raises: BlockedError (ME-NET-01) naming the rule, also for text that is no strict address.
    """
    try:
        address = ipaddress.ip_address(str(ip))  # it would take numbers and packed bytes as well
    except ValueError:
        raise _blocked("address", f"{shorten(ip)} is not an address") from None
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            raise _blocked("address", f"{shorten(ip)} names a network interface")
        address = address.ipv4_mapped or address
    rule = next((rule for network, rule in _BLOCKED if address in network), "")
    if not rule and address.version == 6 and address not in _GLOBAL_UNICAST_6:
        rule = "not global unicast"
    if rule:
        raise _blocked(rule, f"the address {address} is not public")


def resolve(url: ParsedUrl, resolver: Resolver) -> tuple[str, ...]:
    """Return the addresses to connect to, asked for once and all checked.

    One blocked address refuses the host: a name that also leads inside is not to be trusted.

    Args:
        resolver: ``(host, port) -> addresses``; called once, and not at all for an address.
    Raises: BlockedError (ME-NET-01).
    """
    if url.is_address:
        check_address(url.host)
        return (url.host,)
    addresses = tuple(dict.fromkeys(resolver(url.host, url.port)))
    if not addresses:
        raise _blocked("resolution", f"{url.host} has no address")
    for address in addresses:
        check_address(address)
    return addresses


def _check_host(host: str) -> tuple[str, bool]:
    if host.startswith("["):
        if ":" not in host:
            raise _blocked("host", f"{shorten(host)} is not an IPv6 address")
        check_address(host[1:-1])
        return host[1:-1], True
    if _QUAD.fullmatch(host):
        check_address(host)
        return host, True
    labels = host.split(".")
    if len(host) > 253 or len(labels) < 2 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _blocked("host", f"{shorten(host)} is not a plain dotted name")
    if _NUMBER.fullmatch(labels[-1]):
        raise _blocked("host", f"{shorten(host)} is a number that resolvers read as an address")
    if labels[-1] in _LOCAL_NAMES:
        raise _blocked("local name", f"{shorten(host)} is a name of a local network")
    return host, False


def _blocked(rule: str, what: str) -> BlockedError:
    return BlockedError(
        "ME-NET-01",
        f"{what} (rule: {rule})",
        expected="http or https, a public host, an allowed port, no credentials",
        fix="Record only from public addresses; allow further ports in the recorder's configuration",
    )
