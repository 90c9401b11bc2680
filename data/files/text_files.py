"""A file of text: its lines, or all of it at once; of one that is not UTF-8 its encoding, and a copy of it in UTF-8."""

import io
import struct
import zipfile
import zlib
from codecs import lookup
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from charset_normalizer import from_bytes

from data.errors import BadFile, BadSetting
from data.limits import LARGEST_WHOLE, LONGEST_LINE, MB

ENCODINGS = {
    "windows-1251": "Windows-1251",
    "koi8-r": "KOI8-R",
    "cp866": "DOS 866",
    "windows-1252": "Windows-1252",
    "utf-16": "UTF-16",
}
"""What may be chosen: the name that Python knows, and what people call it."""
BLOCK = 64 * 1024  # bytes that are decoded at once, with the rest of the line in which they end
LOOKED_AT = 64 * 1024  # bytes from the first that is not UTF-8
OTHER_SHEETS = (".xlsm", ".xls", ".ods", ".numbers")
SAVE_AS = "open it in Excel or LibreOffice, choose File, Save as, “XLSX”, and give the file that this makes"


BROKEN_ARCHIVE = (
    OSError, EOFError, zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
"""What reading an archive raises that is damaged, encrypted, or packed in a way that is not known."""
COMMON = set("оеаинтсрвлкмдпу")  # four of five letters of a Russian text, small ones


IN_UTF8 = "-utf8"
"""What the name of a converted copy ends in."""


def uploaded(path: Path) -> Path:
    """Return the file of which a file is the converted copy; itself where it is none."""
    given = path.with_name(f"{path.stem.removesuffix(IN_UTF8)}{path.suffix}")
    return given if given.exists() else path


def foreign(path: Path) -> str:
    """Return what a file is whose first bytes say that it is no text in UTF-8, with what to do; "" for any other."""
    with path.open("rb") as file:
        head = file.read(2048)
    if head.startswith(b"PK\x03\x04"):
        return f"is a spreadsheet with another ending; {SAVE_AS}" if _is_sheet(path) else "is a ZIP archive; unpack it"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return f"is an old Excel workbook; {SAVE_AS}"
    return "is UTF-16; save the file as UTF-8, or have it converted" if _is_wide(head) else ""


def suspected(path: Path) -> str:
    """Return which of ENCODINGS a file that is not UTF-8 looks like, "" where it looks like none, or is UTF-8."""
    with path.open("rb") as file:
        head = file.read(2048)
        if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
            return ""
        if _is_wide(head):
            return "utf-16"
    piece = _first_foreign(path)
    if not piece or any(byte < 9 or 13 < byte < 32 for byte in piece):
        return ""
    known = {lookup(name).name: name for name in ENCODINGS if name != "utf-16"}
    matches = from_bytes(piece, cp_isolation=[*known])
    # A few words show no language yet: then common letters do.
    best = max(matches, key=lambda each: (each.coherence, sum(sign in COMMON for sign in str(each))), default=None)
    return known[lookup(best.encoding).name] if best else ""


def sample(path: Path, encoding: str) -> str:
    """Return the first characters that an encoding would read, from the first line on that is not UTF-8."""
    with path.open("rb") as file:
        head = file.read(400)
        if encoding != "utf-16" and (line := _first_foreign(path)):
            head = line[:400]
    return " ".join(head.decode(_codec(encoding, path), "ignore").lstrip("\ufeff").split())[:60]


def converted(path: Path, encoding: str, to: Path) -> Path:
    """Write a copy of a file in UTF-8 and return where; raises BadSetting for no encoding of ENCODINGS, and BadFile."""
    if encoding not in ENCODINGS:
        raise BadSetting(f"--encoding {encoding!r}: is not known here; use one of {', '.join(ENCODINGS)}")
    try:
        with opening(path):
            codec = _codec(encoding, path)
            with path.open(encoding=codec, newline="") as read, to.open("w", encoding="utf-8", newline="") as written:
                while piece := read.read(1 << 20):
                    written.write(piece.removeprefix("\ufeff"))
    except UnicodeError as error:
        raise BadFile(f"{path.name}: is not {ENCODINGS[encoding]} ({error}); choose another encoding") from error
    return to


def _codec(encoding: str, path: Path) -> str:
    if encoding != "utf-16":
        return encoding
    with path.open("rb") as file:
        head = file.read(2048)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"


def _is_wide(head: bytes) -> bool:
    """Whether bytes are UTF-16: a mark says so, or every other byte of many is 0 or the row of Cyrillic letters."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    halves = (head[::2], head[1::2])
    return len(head) >= 16 and any(sum(byte in (0, 4) for byte in half) > 0.9 * len(half) for half in halves)


def _is_sheet(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as packed:
            return bool({"[Content_Types].xml", "content.xml"} & set(packed.namelist()))
    except (zipfile.BadZipFile, OSError):
        return False


def _first_foreign(path: Path) -> bytes:
    """Return the first line that is not UTF-8 with what follows it, LOOKED_AT bytes at most; else b""."""
    with path.open("rb") as file:
        for line in file:
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return (line + file.read(LOOKED_AT))[:LOOKED_AT]
    return b""


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Raise BadFile where what is done meanwhile shows that a file cannot be opened."""
    try:
        yield
    except OSError as error:
        raise BadFile(f"{path}: cannot be opened ({error.strerror}); check the path") from error


def check_size(path: Path) -> int:
    """Return how many bytes a file has; raises BadFile for one that is not there, and for an empty one."""
    with opening(path):
        size = path.stat().st_size
    if not size:
        raise BadFile(f"{path.name}: the file is empty (0 bytes); it may have been cut off on its way here")
    return size


def read_text(path: Path) -> str:
    """Return the file as text exactly as it stands (line ends kept, a byte order mark dropped)."""
    if check_size(path) > LARGEST_WHOLE:
        raise BadFile(
            f"{path.name}: has more than {LARGEST_WHOLE // MB} MB, the most of a file that is read as a whole; a table "
            "may be larger as JSONL or CSV, which are read line by line"
        )
    return "".join(lines_of(path, longest=LARGEST_WHOLE))


def lines_of(path: Path, *, longest: int = LONGEST_LINE, newline: str = "\n") -> Iterator[str]:
    """Yield the lines of a file with their ends, one block of them in memory; raises BadFile for what is no text.

    `longest`: the bytes that a line may have. `newline`: what ends a line, as `open` has it; "" for a bare CR as well.
    """
    with opening(path):
        if reason := foreign(path):
            raise BadFile(f"{path.name}: {reason}")
        with path.open("rb") as file:
            number = 1
            while block := file.read(BLOCK) + file.readline(longest + 1):
                for text in _decoded(block, path, number, longest):
                    yield from io.StringIO(text, newline=newline)
                number += block.count(b"\n")


def _decoded(block: bytes, path: Path, number: int, longest: int) -> Iterator[str]:
    """Return the text of lines of which the first has this number: in one, or line by line where one is faulty."""
    if len(block) <= longest and b"\0" not in block:
        with suppress(UnicodeDecodeError):
            return iter([block.decode(_utf8(number))])
    return (_line(raw, path, at, longest) for at, raw in enumerate(io.BytesIO(block), number))


def _line(raw: bytes, path: Path, number: int, longest: int) -> str:
    if len(raw) > longest:
        raise BadFile(f"{path.name}, line {number}: has more than {longest // MB} MB; cut it")
    try:
        line = raw.decode(_utf8(number))
    except UnicodeDecodeError as error:
        byte = f"byte 0x{error.object[error.start]:02x}"
        what = _advice(path)
        raise BadFile(f"{path.name}, line {number}: not UTF-8 ({byte}); {what}") from error
    if "\0" in line:
        raise BadFile(f"{path.name}, line {number}: has a NUL character, which no database can keep; remove it")
    return line


def _utf8(number: int) -> str:
    """Return the encoding of a line: a byte order mark may stand before the first."""
    return "utf-8-sig" if number == 1 else "utf-8"


def _advice(path: Path) -> str:
    """Return what to do about a file that is not UTF-8, and what it looks like where that can be told."""
    if encoding := suspected(path):
        seen = f"it looks like {ENCODINGS[encoding]} and would read “{sample(path, encoding)}”"
        return f"{seen}; if that is right, convert it (the command `convert`), or save it as UTF-8"
    return "save the file as UTF-8 and try again"
