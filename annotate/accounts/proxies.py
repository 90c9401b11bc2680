"""Trusted proxies: whose forwarded headers tell the address of a client, and whose are ignored."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.types import Scope

from data.errors import BadSetting

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

ANYBODY = "*"
MOST_HOPS = 20  # of a chain that are looked at; a longer one is somebody's joke
HOUSE = 64  # leading bits that the addresses of one household or machine have in common in IPv6
CHAIN, SCHEME = b"x-forwarded-for", b"x-forwarded-proto"
LONGEST_KNOWN = 200  # characters of a chain that is remembered
FORWARDED = frozenset(
    {CHAIN, SCHEME, b"forwarded", b"x-real-ip", b"x-gradio-server"}
    | {f"x-forwarded-{what}".encode() for what in ("host", "port", "prefix", "server", "ssl", "scheme", "path", "uri")}
)
"""What proxies tell with and clients forge. Nobody behind the guard gets to see any of it: Gradio would believe it."""


@dataclass(frozen=True, eq=False)
class Proxies:
    """The proxies before this server: `networks` by address, or `anybody` who speaks to it, and then that one alone."""

    networks: tuple[Network, ...] = ()
    anybody: bool = False

    @classmethod
    def of(cls, setting: str) -> "Proxies":
        """Return the proxies that ETALON_PROXIES names: addresses and networks with commas, or "*"; raises BadSetting.

        With "*" whoever speaks to the server is taken for its one proxy, and of the chain only the last address is
        believed: the one that this proxy wrote. With addresses the chain is followed from its end for as long as it
        leads through trusted ones.
        """
        if setting.strip() == ANYBODY:
            return cls(anybody=True)
        named = [network.strip() for network in setting.split(",") if network.strip()]
        try:
            return cls(tuple(ip_network(network) for network in named))
        except ValueError as error:
            allowed = "write addresses or networks (10.0.0.0/8) with commas between them, or * alone"
            raise BadSetting(f"ETALON_PROXIES {setting!r}: {error}; {allowed}") from error

    def trusts(self, address: Address) -> bool:
        """Return whether what comes from this address is believed."""
        return self.anybody or any(address in network for network in self.networks)

    def seen(self, scope: Scope) -> Scope:
        """Return a request as it is: from whom and by which scheme its trusted proxies say, and nobody else's word."""
        forwarded = [(name, value) for name, value in scope["headers"] if name in FORWARDED]
        if not forwarded:
            return scope
        seen = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in FORWARDED]}
        chain, schemes = (_in_words(forwarded, name) for name in (CHAIN, SCHEME))
        peer = scope["client"][0] if scope.get("client") else ""
        client = (_client if len(chain) <= LONGEST_KNOWN else _client.__wrapped__)(self, peer, chain)
        if client is None:
            return seen
        scheme = schemes.rpartition(",")[2].strip()
        if scheme in ("http", "https"):
            seen["scheme"] = scheme
        if client != peer:
            seen["client"] = (client, 0)
        return seen


def address_of(text: str) -> Address | None:
    """Return the address a hop of a chain names, with or without a port; None for anything else."""
    bare = text.strip()
    if bare.startswith("[") or bare.count(":") == 1:
        bare = hostname(bare)
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_of(host: str) -> str:
    """Return by what an address is counted: itself, in IPv6 the network that its household or machine chooses from."""
    address = address_of(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSE), strict=False))
    return str(address) if address else host


@lru_cache(maxsize=4096)  # the same people come through the same proxies again and again
def _client(proxies: Proxies, peer: str, chain: str) -> str | None:
    """Return from where a request comes that `peer` hands on with this chain, None where nothing of it is believed."""
    client = address_of(peer)
    if client is None or not proxies.trusts(client):
        return None
    hops = [hop_text for hop_text in chain.split(",") if hop_text.strip()]
    for hop in reversed(hops[-1:] if proxies.anybody else hops[-MOST_HOPS:]):
        hop_address = address_of(hop) if proxies.trusts(client) else None
        if hop_address is None:
            break
        client = hop_address
    return str(client)


def _in_words(headers: list[tuple[bytes, bytes]], wanted: bytes) -> str:
    """Return what all headers of that name say, with commas, in their order: each proxy adds to the end."""
    return ",".join(value.decode("latin1") for name, value in headers if name == wanted)


def hostname(text: str) -> str:
    """Return the host of `host:port`, "" where it is none."""
    try:
        return urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""
