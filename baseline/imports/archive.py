"""The JSON files inside a zip archive, those packed with Zstandard as well, which Python reads from 3.14 on only."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from data.errors import BadFile
from data.limits import GB, LARGEST_MEMBER, LARGEST_UNPACKED, MB

ZSTANDARD = 93  # APPNOTE.TXT of PKWARE, section 4.4.5
LOCAL_HEADER = 30  # bytes before the file's name, section 4.3.7; the lengths of name and extra field are its last four


def members(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the content of each JSON file of an archive that is wanted, in the archive's order.

    Raises BadFile for what is no archive, a file that is too large, damaged, no JSON, or holds a NUL character.
    """
    unpacked = 0
    try:
        with path.open("rb") as source, zipfile.ZipFile(source) as archive:
            for member in archive.infolist():
                if member.filename.endswith(".json") and wanted(member.filename):
                    unpacked += member.file_size
                    if unpacked > LARGEST_UNPACKED:
                        raise ValueError(f"it holds more than {LARGEST_UNPACKED // GB} GB")
                    yield member.filename, _read(archive, source, member)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, struct.error) as error:
        raise BadFile(f"{path.name}: cannot be read as an archive of JSON files ({error}); give it whole") from error


def _read(archive: zipfile.ZipFile, source: IO[bytes], member: zipfile.ZipInfo) -> Any:
    if member.file_size > LARGEST_MEMBER:
        raise ValueError(f"{member.filename} is larger than {LARGEST_MEMBER // MB} MB")
    packed = member.compress_type == ZSTANDARD
    text = (_unpacked(source, member) if packed else archive.read(member)).decode("utf8")
    if "\0" in text:
        raise ValueError(f"{member.filename} has a NUL character, which no database can keep")
    return json.loads(text)


def _unpacked(source: IO[bytes], member: zipfile.ZipInfo) -> bytes:
    source.seek(member.header_offset)
    name, extra = struct.unpack("<HH", source.read(LOCAL_HEADER)[-4:])
    source.seek(name + extra, io.SEEK_CUR)
    with pa.CompressedInputStream(io.BytesIO(source.read(member.compress_size)), "zstd") as stream:
        return bytes(stream.read(LARGEST_MEMBER))
