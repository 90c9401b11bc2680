"""A folder of Batch files: those of requests, those of results beside them, and what is known of each batch."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copyfile

from pydantic import ValidationError

from baseline.models.chat.batch_format import MOST_BYTES, MOST_LINES, key_of_request
from baseline.runs.batch_state import REQUESTS, STATE, BatchFile, BatchFolderState, folder_of, waiting_in
from baseline.runs.planned_runs import PlannedRun
from data.errors import BadFile, BadSetting
from data.files.saving import write_to
from data.limits import LARGEST_WHOLE

PART = ".part"


class BatchFolder:
    """The files of one run. A request of a file that has not ended is waited for, and is never written again."""

    def __init__(self, path: Path, planned: PlannedRun) -> None:
        self.path = path
        self._state = self._read()
        run = known_as(planned)
        if self._state.run and self._state.run != run:
            raise BadSetting(f"{path}: holds the batches of another run; give this one a folder of its own")
        self._state.run = run
        for part in path.glob(f"{REQUESTS}{PART}"):
            part.unlink()

    def requests(self) -> list[Path]:
        """Return the files of requests, the first one first."""
        return sorted(self.path.glob(REQUESTS))

    @property
    def run(self) -> str:
        """What tells the run of these files from others."""
        return self._state.run

    def results(self) -> list[Path]:
        """Return all other files of lines that were not read as they are now: those of new results.

        Where a request is asked again, what became of it before says nothing of the file that it stands in now.
        """
        others = sorted(set(self.path.glob("*.jsonl")) - set(self.requests()))
        return [path for path in others if self._state.read.get(path.name) != path.stat().st_size]

    def have_read(self, results: Iterable[Path]) -> None:
        """Take note that all that stands in these files is stored."""
        self._state.read |= {path.name: path.stat().st_size for path in results}

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

    def save(self) -> None:
        """Keep what is known."""
        part = self.path / f".{STATE}{PART}"
        write_to(part, self._state.model_dump_json(indent=1).encode())
        part.replace(self.path / STATE)

    def write(self, lines: Iterator[bytes]) -> list[Path]:
        """Write lines into as many new files as are needed, each of which appears when it is complete."""
        made: list[Path] = []
        number = max((int(path.stem.rpartition("-")[2]) for path in self.requests()), default=0)
        line = next(lines, None)
        while line is not None:
            number += 1
            path = self.path / REQUESTS.replace("*", f"{number:04d}")
            line = _filled(path.with_name(path.name + PART), line, lines)
            path.with_name(path.name + PART).replace(path)
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


def refuse_waited_for(planned: PlannedRun) -> None:
    """Refuse (BadSetting) to ask live what stands in files of requests that were written on this machine."""
    earlier = planned.among(planned.runs)
    if earlier and (folder := folder_of(earlier)) and (files := waiting_in(folder)):
        raise BadSetting(
            f"requests of run {earlier.id} wait for their results in {folder} ({', '.join(files)}), and would be paid "
            f"twice if they were asked live; collect them first (--batch {folder} --collect, or go on with the run on "
            "/models), or remove the files that nothing will come of"
        )


def keys_of(requests: Path) -> Iterator[str]:
    """Yield the keys of the requests of a file."""
    with requests.open("rb") as file:
        yield from map(key_of_request, file)


def _filled(path: Path, line: bytes, lines: Iterator[bytes]) -> bytes | None:
    """Fill a file, and return the first line that has no place in it, None where all have."""
    number = size = 0
    following: bytes | None = line
    with path.open("wb", buffering=1 << 20) as file:
        while following is not None and number < MOST_LINES and size + len(following) <= MOST_BYTES:
            number, size = number + 1, size + file.write(following)
            following = next(lines, None)
    if not number:
        path.unlink()
        raise BadSetting(f"a request has {len(line)} bytes, and a batch takes {MOST_BYTES}; cut the texts (--context)")
    return following


def known_as(planned: PlannedRun) -> str:
    """Return what tells the run of these files from others."""
    parts = [planned.study.name, planned.model.name, planned.identity]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
