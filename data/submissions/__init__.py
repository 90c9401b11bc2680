"""Answers as the files that leaderboards take; `family.toml` of a benchmark names the format, a module here."""

from collections.abc import Sequence

from data.catalogue.families import families
from data.errors import BadSetting, UnknownName
from data.submissions import agrr, mera, russian_superglue
from data.submissions.leaderboard import Leaderboard, SubmissionFormat, SubmissionSheet

FORMATS: dict[str, SubmissionFormat] = {
    "russian_superglue": russian_superglue.FORMAT,
    "mera": mera.FORMAT,
    "agrr": agrr.FORMAT,
}


def leaderboards() -> list[Leaderboard]:
    """Return the leaderboards there are, in the order of their formats; raises UnknownName for an unknown format."""
    named = [family.submission for family in families().values() if family.submission]
    if unknown := next((name.format for name in named if name.format not in FORMATS), None):
        raise UnknownName("submission format", unknown, FORMATS)
    return [Leaderboard(takes, form) for name, form in FORMATS.items() for takes in named if takes.format == name]


def leaderboard_of(task_id: str) -> Leaderboard | None:
    """Return the leaderboard that takes this task, None where none does."""
    return next((board for board in leaderboards() if task_id in board.takes.files), None)


def needed_leaderboard(task_id: str) -> Leaderboard:
    """Return the leaderboard that takes this task; raises BadSetting where none does."""
    if board := leaderboard_of(task_id):
        return board
    known = ", ".join(name for board in leaderboards() for name in board.takes.files)
    raise BadSetting(f"the task {task_id!r} has no leaderboard to send a file to; these have one: {known}")


def submission(sheets: Sequence[SubmissionSheet]) -> bytes:
    """Return the file of one or more sheets; raises BadSetting for tasks of two benchmarks, and for a task twice."""
    board, met = needed_leaderboard(sheets[0].task.id), [sheet.task.id for sheet in sheets]
    for place, name in enumerate(met):
        if name not in board.takes.files:
            raise BadSetting(f"{name} is no task of {board.takes.title}; a submission holds tasks of one benchmark")
        if name in met[:place]:
            raise BadSetting(f"two studies are of {name}; a submission holds each task once")
    return board.form.write(board.takes, sheets)
