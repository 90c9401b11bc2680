"""A folder of OpenAI's Batch files: requests, results beside them, what is known of each batch, and who waits for it.

What Batch files may hold is in OpenAI's documentation of the Batch API.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shutil import copyfile
from typing import Any

from pydantic import BaseModel, ValidationError

from baseline.models.chat.wire_format import as_json
from baseline.models.reply import KEY_LENGTH
from baseline.models.run_fields import Fact
from data.errors import BadFile, BadSetting
from data.files.saving import taking_place
from data.limits import LARGEST_WHOLE
from db.runs import Run

STATE, REQUESTS = "batches.json", "requests-*.jsonl"
WAITS = "its requests wait in Batch files"
MOST_LINES, MOST_BYTES = 50_000, 200_000_000
KEY_START = b'{"custom_id":"'


class BatchFile(BaseModel):
    """What is known of a file of requests: the batch that was made of it, and whether nothing more will come of it."""

    batch: str = ""
    state: str = ""
    begun: bool = False
    ended: bool = False


class BatchFolderState(BaseModel):
    """What a folder keeps: of which run it is, its files of requests, and the bytes of results that were read."""

    run: str = ""
    files: dict[str, BatchFile] = {}
    read: dict[str, int] = {}


def waiting_in(folder: Path) -> list[str]:
    """Return the files of requests in a folder that results may still come of."""
    state = folder / STATE
    files = BatchFolderState.model_validate_json(state.read_bytes()).files if state.exists() else {}
    return [path.name for path in sorted(folder.glob(REQUESTS)) if not files.get(path.name, BatchFile()).ended]


def folder_of(run: Run) -> Path | None:
    """Return the folder in which requests of a run were written, None where there is none on this machine."""
    folder = Path(str(run.settings.get(Fact.BATCH, "")))
    return folder if Fact.BATCH in run.settings and folder.is_dir() else None


def waits(run: Run) -> bool:
    """Return whether results of Batch files may still come for a run: none came yet, or files here wait for theirs."""
    if run.status != "incomplete":
        return False
    return run.settings.get(Fact.ENDED) == WAITS or bool((folder := folder_of(run)) and waiting_in(folder))


def refuse_waited_for(earlier: Run | None) -> None:
    """Refuse (BadSetting) to ask live what stands in files of requests that were written on this machine."""
    if earlier and (folder := folder_of(earlier)) and (files := waiting_in(folder)):
        raise BadSetting(
            f"requests of run {earlier.id} wait for their results in {folder} ({', '.join(files)}), and would be paid "
            f"twice if they were asked live; collect them first (--batch {folder} --collect, or go on with the run on "
            "/models), or remove the files that nothing will come of"
        )


def request_line(key: str, url: str, body: Mapping[str, Any]) -> bytes:
    """Return the line of a request, with its end."""
    return as_json({"custom_id": key, "method": "POST", "url": url, "body": body}) + b"\n"


def keys_of(requests: Iterable[Path]) -> Iterator[str]:
    """Yield the keys of the requests of files, each at the start of a line that `request_line` wrote."""
    key = slice(len(KEY_START), len(KEY_START) + KEY_LENGTH)
    for path in requests:
        with path.open("rb") as file:
            yield from (line[key].decode("ascii", "replace") for line in file)


class BatchFolder:
    """The files of one run. A request of a file that has not ended is waited for, and is never written again."""

    def __init__(self, path: Path, run: str) -> None:
        self.path, self.run = path, run
        self._state = self._read()
        if self._state.run not in ("", run):
            raise BadSetting(f"{path}: holds the batches of another run; give this one a folder of its own")
        self._state.run = run

    def requests(self) -> list[Path]:
        """Return the files of requests, the first one first."""
        return sorted(self.path.glob(REQUESTS))

    def results(self) -> list[Path]:
        """Return all other files of lines that were not read as they are now: those of new results.

        Where a request is asked again, what became of it before says nothing of the file that it stands in now.
        """
        others = sorted(set(self.path.glob("*.jsonl")) - set(self.requests()))
        return [path for path in others if self._state.read.get(path.name) != path.stat().st_size]

    def of(self, requests: Path) -> BatchFile:
        """Return what is known of a file of requests, to be changed and saved."""
        return self._state.files.setdefault(requests.name, BatchFile())

    def waiting(self) -> list[Path]:
        """Return the files of requests that results may still come of."""
        return [path for path in self.requests() if not self.of(path).ended]

    def take(self, results: Iterable[Path]) -> None:
        """Copy files of results into the folder, under names that are not there yet."""
        for path in results:
            number = sum(1 for _ in self.path.glob("results-*.jsonl")) + 1
            copyfile(path, self.path / f"results-{number:04d}-taken.jsonl")

    def save(self, read: Iterable[Path] = ()) -> None:
        """Keep what is known, and that all that stands in the files `read` is stored."""
        self._state.read |= {path.name: path.stat().st_size for path in read}
        with taking_place(self.path / STATE) as part:
            part.write_bytes(self._state.model_dump_json(indent=1).encode())

    def write(self, lines: Iterator[bytes]) -> list[Path]:
        """Write lines into as many new files as are needed, each of which appears when it is complete."""
        made: list[Path] = []
        number = max((int(path.stem.rpartition("-")[2]) for path in self.requests()), default=0)
        line = next(lines, None)
        while line is not None:
            number += 1
            path = self.path / REQUESTS.replace("*", f"{number:04d}")
            with taking_place(path) as part:
                line = _filled(part, line, lines)
            made.append(path)
        return made

    def _read(self) -> BatchFolderState:
        path = self.path / STATE
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                return BatchFolderState()
            if path.stat().st_size > LARGEST_WHOLE:
                raise BadFile(f"{path}: is too large; it is none of ours")
            return BatchFolderState.model_validate_json(path.read_bytes())
        except OSError as error:
            raise BadSetting(f"{self.path}: cannot be used ({error.strerror}); choose another folder") from error
        except ValidationError as error:
            raise BadFile(f"{path}: is not what was written there; put back the file, or use a new folder") from error


def _filled(path: Path, line: bytes, lines: Iterator[bytes]) -> bytes | None:
    """Fill a file, and return the first line that has no place in it, None where all have."""
    number = size = 0
    following: bytes | None = line
    with path.open("wb", buffering=1 << 20) as file:
        while following is not None and number < MOST_LINES and size + len(following) <= MOST_BYTES:
            number, size = number + 1, size + file.write(following)
            following = next(lines, None)
    if not number:
        raise BadSetting(f"a request has {len(line)} bytes, and a batch takes {MOST_BYTES}; cut the texts (--context)")
    return following
