"""Which hosts a model may be asked at: what the owner lists, and never an address that a machine keeps for itself."""

import socket
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from data.errors import BadSetting

Address = IPv4Address | IPv6Address
METADATA = {
    ip_address("169.254.169.254"),  # Amazon, Google, Azure, Oracle, DigitalOcean and others
    ip_address("169.254.170.2"),  # Amazon's containers
    ip_address("100.100.100.200"),  # Alibaba
    ip_address("168.63.129.16"),  # Azure's agent
    ip_address("192.0.0.192"),  # Oracle's older one
    ip_address("fd00:ec2::254"),  # Amazon
    ip_address("fd20:ce::254"),  # Google
}
METADATA_NAMES = "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"
EMBEDDING = {
    IPv6Network("::/96"): (96,),  # IPv4-compatible
    IPv6Network("::ffff:0:0/96"): (96,),  # IPv4-mapped
    IPv6Network("::ffff:0:0:0/96"): (96,),  # IPv4-translated
    IPv6Network("64:ff9b::/96"): (96,),  # NAT64
    IPv6Network("64:ff9b:1::/48"): (48, 56, 64, 96),  # NAT64 of a network's own, whose prefix may be any of these
}
"""The networks whose addresses hold an IPv4 address, and behind how many bits of prefix it stands (RFC 6052)."""
ISATAP = b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe"  # what stands before an IPv4 address in the second half
USUAL_PORTS = 443, 80  # the ports of a host that is listed without one
DOTS = str.maketrans("\u3002\uff0e\uff61", "...")  # what names of other alphabets write for a dot
NEVER = "a link-local or metadata address, and no model is ever asked there"
ADVICE = "the base URL begins with http:// or https:// and names a host, like 'https://api.openai.com/v1'"


@dataclass(frozen=True)
class ModelHosts:
    """The hosts that models are asked at.

    `listed` are those of ETALON_MODEL_HOSTS: names, addresses or `*.name`, each with a port or for USUAL_PORTS; empty
    means every host, loopback and private networks among them. `own` are the servers of the environment
    (OPENAI_BASE_URL), which its owner has chosen. Link-local and metadata addresses are refused even where they are
    listed.
    """

    allowed: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @staticmethod
    def of(setting: str, *own: str) -> "ModelHosts":
        """Return what a setting with commas between its hosts allows."""
        names = (host.strip().casefold() for host in setting.split(","))
        return ModelHosts(tuple(filter(None, names)), tuple(filter(None, own)))

    def check(self, url: str) -> None:
        """Refuse (BadSetting) an address that is none, not listed, or written as one that is never asked."""
        host = host_of(url)
        address = written(host)
        if host in METADATA_NAMES or (address and forbidden(address)):
            raise BadSetting(f"{host!r} is {NEVER}; give the base URL of a model's server")
        if self.allowed and not self.names(url):
            raise BadSetting(
                f"{host!r} at port {port_of(url)} is none of the hosts that models may be asked at "
                f"(ETALON_MODEL_HOSTS: {', '.join(self.allowed)}); ask the owner of this server to add it"
            )

    def names(self, url: str) -> bool:
        """Return whether the owner has named the host of an address: in the list, or as the environment's own."""
        host, port = host_of(url), port_of(url)
        if any((host, port) == (host_of(own_host), port_of(own_host)) for own_host in self.own):
            return True
        return any(_fits(listed_host, host, port) for listed_host in self.allowed)


EVERYWHERE = ModelHosts()


def host_of(url: str) -> str:
    """Return the host of an address as names are compared; raises BadSetting where there is none."""
    return (_parts(url).hostname or "").translate(DOTS).rstrip(".").casefold()


def port_of(url: str) -> int:
    """Return the port of an address."""
    parts = _parts(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def without_secrets(url: str) -> str:
    """Return the address without a user, a password and a query; raises BadSetting for what is no address."""
    parts = _parts(url)
    port = f":{parts.port}" if parts.port else ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path}"


def written(host: str) -> Address | None:
    """Return the address that a host is written as, in any of the forms that systems read; None for a name.

    >>> str(written("0xa9fea9fe")), str(written("2852039166")), written("example.com")
    ('169.254.169.254', '169.254.169.254', None)
    """
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host)) if host.isascii() and host[:1].isdigit() else None
    except OSError:
        return None


def forbidden(address: Address) -> bool:
    """Return whether nothing is ever asked there, also where another form of address holds it."""
    return any(part in METADATA or part.is_link_local or part.is_multicast for part in (address, *_inside(address)))


def is_internal(address: Address) -> bool:
    """Return whether an address is not one of the public internet."""
    return not all(part.is_global for part in _inside(address) or (address,))


def _inside(address: Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that an IPv6 address can stand for: embedded, ISATAP, 6to4, both of Teredo."""
    if isinstance(address, IPv4Address):
        return ()
    packed = address.packed
    ends = [end for network, lengths in EMBEDDING.items() if address in network for end in lengths]
    # The bits 64 to 71 stay empty: what would reach into them stands behind.
    held = [packed[12:] if end == 96 else (packed[:8] + packed[9:])[end // 8 :][:4] for end in ends]
    held += [packed[12:]] if packed[8:12] in ISATAP else []
    known = (address.sixtofour, *(address.teredo or ()))
    return (*map(IPv4Address, held), *filter(None, known))


def _fits(allowed: str, host: str, port: int) -> bool:
    name, _, number = allowed.rpartition(":")
    if not name or not number.isdecimal() or (name.count(":") and not name.startswith("[")):
        name, number = allowed, ""
    if port not in ((int(number),) if number else USUAL_PORTS):
        return False
    name = name.strip("[]")
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError as error:
        raise BadSetting(ADVICE) from error
    # Digits of other scripts become ours on the way: an address that is refused must not hide in them.
    if not usable or unicodedata.normalize("NFKC", parts.hostname or "") != parts.hostname:
        raise BadSetting(ADVICE)
    return parts
