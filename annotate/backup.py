"""Backups: the database, the secret and the uploads in one folder or archive, checked when written and when read."""

import hashlib
import json
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotate.accounts.installation_secret import begin_epoch, split_secret, write_secret
from data.errors import BadSetting
from db.backups import check_copy, copy_database, put_back, refuse_to_overwrite
from db.clock import now
from db.engine import opened, reading
from db.erasure import clear_files, forget_again
from db.installation import Installation, get_installation
from db.settings import Settings

MANIFEST, SECRET, UPLOADS, ARCHIVE = "manifest.json", "secret", "uploads", (".tar.gz", ".tgz")


def back_up(settings: Settings, to: Path) -> dict[str, int]:
    """Write a backup to a new folder, or to a new archive where the name is one; return the rows of each table.

    It has its name only when it is whole and was read again. Raises BadSetting.
    """
    if to.exists():
        raise BadSetting(f"{to} is there already; name a new folder, or a new file that ends in .tar.gz")
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=to.parent, prefix=f".{to.name}-") as place:
        folder = Path(place, "backup")
        folder.mkdir(mode=0o700)
        rows = copy_database(settings.database, folder)
        if settings.secret is None:
            write_secret(folder / SECRET, (settings.home / SECRET).read_text("ascii"))
        _copy_uploads(settings.home / UPLOADS, folder / UPLOADS)
        for file in _files(folder):
            file.chmod(0o600)
        digests = {file.relative_to(folder).as_posix(): _digest(file) for file in _files(folder)}
        manifest = {"made_at": now().isoformat(), "rows": rows, "files": digests}
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf8")
        written = folder
        if to.name.endswith(ARCHIVE):
            written = Path(place, to.name)
            written.touch(mode=0o600)
            with tarfile.open(written, "w:gz") as archive:
                archive.add(folder, ".")
        with _unpacked(written) as again:
            _checked(again)
        written.rename(to)
    return rows


def restore(settings: Settings, source: Path, *, force: bool) -> int:
    """Overwrite this installation with a backup; return how many people are forgotten again. Raises BadSetting.

    Nothing is changed before the backup was read to its end. An epoch begins, so that whoever came after the backup is
    a stranger, and everybody on the list of erasures who is in the backup is forgotten again.
    """
    with _unpacked(source) as folder:
        manifest = _checked(folder)
        refuse_to_overwrite(settings.database, folder, force=force)
        if settings.secret is None and not (folder / SECRET).exists():
            raise BadSetting("the backup holds no secret, as it was in ETALON_SECRET; set that, and restore again")
        put_back(settings.database, folder, manifest["rows"])
        with opened(settings.database) as database:
            with reading(database) as session:
                known = get_installation(session)
            if settings.secret is None and not _fits(settings, known):
                write_secret(settings.home / SECRET, (folder / SECRET).read_text("ascii"))
            _copy_uploads(folder / UPLOADS, settings.home / UPLOADS)
            begin_epoch(database, settings)
            again = forget_again(database, settings.home, now())
            if again:
                clear_files(database)
    return again


def _fits(settings: Settings, known: Installation | None) -> bool:
    """Return whether the secret that is here is that of the restored database, or replaced it since."""
    path = settings.home / SECRET
    if known is None or not path.exists():
        return False
    current, earlier = split_secret(path.read_text("ascii", "replace"))
    return known.secret_among([current, *earlier]) is not None


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Say in one sentence why a backup cannot be written or read there."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        which = getattr(error, "filename", None)
        where = f"{path} ({which})" if which else f"{path}"
        raise BadSetting(f"{where}: {reason.lower()}; see to that and try again") from error


@contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """Give the folder of a backup."""
    if source.is_dir():
        yield source
        return
    with TemporaryDirectory(prefix="etalon-") as folder:
        try:
            with tarfile.open(source) as archive:
                _extract(archive, Path(folder).resolve())
        except (OSError, tarfile.TarError, EOFError, zlib.error) as error:
            raise BadSetting(f"{source} cannot be read as a backup ({error})") from error
        yield Path(folder)


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the files of an archive below a folder; `filter="data"` does, but not in the Python 3.11.2 of Debian 12."""
    for member in archive:
        path, file = (folder / member.name).resolve(), archive.extractfile(member) if member.isfile() else None
        if file and path.is_relative_to(folder):
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as target:
                shutil.copyfileobj(file, target)


def _checked(folder: Path) -> dict[str, Any]:
    """Return the manifest of a backup that is as it was written; raises BadSetting for any other."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf8"))
        expected, rows = dict(manifest["files"]), manifest["rows"]
    except (OSError, ValueError, KeyError) as error:
        raise BadSetting(f"{folder} is no backup: its {MANIFEST} is missing or damaged") from error
    here = {file.relative_to(folder).as_posix(): _digest(file) for file in _files(folder)}
    here.pop(MANIFEST)
    if here != expected:
        changed = sorted(name for name, _ in here.items() ^ expected.items())
        raise BadSetting(f"the backup was changed or cut short: {', '.join(changed)[:200]}; take another one")
    check_copy(folder, rows)
    return manifest


def _copy_uploads(source: Path, target: Path) -> None:
    for file in _files(source):
        path = target / file.relative_to(source)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileNotFoundError):  # an upload that was too old went meanwhile
            shutil.copyfile(file, path)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
