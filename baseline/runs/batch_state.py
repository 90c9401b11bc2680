"""What a folder of Batch files keeps of itself, and whether requests of a stored run still wait in one."""

from pathlib import Path

from pydantic import BaseModel

from baseline.models.run_fields import Fact
from db.runs import Run

STATE, REQUESTS = "batches.json", "requests-*.jsonl"
WAITS = "its requests wait in Batch files"


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
    """Return the files of requests in a folder that results may still come of; none where there is no such folder."""
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
