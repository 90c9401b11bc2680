"""Which hosts a model may be asked at: what the owner lists, and never an address that a machine keeps for itself."""

import socket
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from data.errors import BadSetting

Address = IPv4Address | IPv6Address
METADATA = frozenset(
    ip_address(address)
    for address in (
        "169.254.169.254",  # Amazon, Google, Azure, Oracle, DigitalOcean and others
        "169.254.170.2",  # Amazon's containers
        "100.100.100.200",  # Alibaba
        "168.63.129.16",  # Azure's agent
        "192.0.0.192",  # Oracle's older one
        "fd00:ec2::254",  # Amazon
        "fd20:ce::254",  # Google
    )
)
METADATA_NAMES = frozenset(
    ("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal")
)
NAT64 = IPv6Network("64:ff9b::/96")
COMPATIBLE = IPv6Network("::/96")
DOTS = str.maketrans("\u3002\uff0e\uff61", "...")  # what names of other alphabets write for a dot
NEVER = "a link-local or metadata address, and no model is ever asked there"
ADVICE = "the base URL begins with http:// or https:// and names a host, like 'https://api.openai.com/v1'"


@dataclass(frozen=True)
class ModelHosts:
    """The hosts that models are asked at.

    `listed` are those of ETALON_MODEL_HOSTS: names, addresses or `*.name`, each with a port or for all of them; empty
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
                f"{host!r} is none of the hosts that models may be asked at (ETALON_MODEL_HOSTS: "
                f"{', '.join(self.allowed)}); ask the owner of this server to add it"
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


def _inside(address: Address) -> tuple[Address, ...]:
    """Return the IPv4 address that an IPv6 address stands for: mapped, compatible, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return ()
    if address in NAT64 or address in COMPATIBLE:
        return (IPv4Address(int(address) & 0xFFFFFFFF),) if int(address) > 1 else ()
    teredo = address.teredo[1] if address.teredo else None
    return tuple(inner for inner in (address.ipv4_mapped, address.sixtofour, teredo) if inner)


def _fits(allowed: str, host: str, port: int) -> bool:
    name, _, number = allowed.rpartition(":")
    if not name or not number.isdecimal() or (name.count(":") and not name.startswith("[")):
        name, number = allowed, str(port)
    name = name.strip("[]")
    if number != str(port):
        return False
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
