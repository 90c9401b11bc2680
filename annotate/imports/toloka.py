"""Toloka's pools and logs: the columns INPUT, OUTPUT, GOLDEN, ASSIGNMENT."""

from collections.abc import Sequence

from annotate.imports.log_columns import LogColumns, Wanted, named, needed
from data.errors import BadFile, quoted_names

INPUT, OUTPUT, GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
WORKER = "ASSIGNMENT:worker_id"


def is_toloka(header: Sequence[str]) -> bool:
    """Whether the columns carry Toloka's prefixes."""
    return any(column.startswith((INPUT, OUTPUT)) for column in header)


def toloka_columns(header: Sequence[str], wanted: Wanted, file: str) -> LogColumns:
    """Return where a pool keeps what; every INPUT column is a field of the item unless fields are named."""
    fields = [named(header, name, option="--fields", file=file, prefix=INPUT) for name in wanted.fields]
    fields = fields or [column for column in header if column.startswith(INPUT)]
    if not fields:
        raise BadFile(
            f"{file}: there is no INPUT column; name the item's with --fields; the file has {quoted_names(header)}"
        )
    answer = _answer(header, wanted, file)
    of_pay = _of_pay(header, wanted, file)
    controls = tuple(column for column in header if column.startswith(GOLDEN))
    return LogColumns(
        fields={column.removeprefix(INPUT): column for column in fields},
        answer=answer,
        worker=_worker(header, wanted, file),
        golden=_golden(header, answer, controls),
        controls=controls,
        gold=named(header, wanted.gold, option="--gold-column", file=file, prefix=GOLDEN) if wanted.gold else None,
        control=named(header, wanted.control, option="--control-column", file=file) if wanted.control else None,
        clusters=tuple(named(header, name, option="--cluster", file=file, prefix=INPUT) for name in wanted.clusters),
        status=_present(header, "status"),
        page=of_pay["page"],
        price=of_pay["price"],
        started=of_pay["started"],
        submitted=of_pay["submitted"],
        seconds=of_pay.get("seconds"),
    )


def _of_pay(header: Sequence[str], wanted: Wanted, file: str) -> dict[str, str | None]:
    """Return the columns of price, times and page: as they are named, else as Toloka names them."""
    usual = {"page": "assignment_id", "price": "reward", "started": "started", "submitted": "submitted"}
    typed = {
        use: named(header, column, option=f"--{use}", file=file, prefix="ASSIGNMENT:")
        for use, column in wanted.of_pay.items()
    }
    return {use: _present(header, name) for use, name in usual.items()} | typed


def _answer(header: Sequence[str], wanted: Wanted, file: str) -> str:
    if wanted.answer:
        return named(header, wanted.answer, option="--answer", file=file, prefix=OUTPUT)
    outputs = [column for column in header if column.startswith(OUTPUT)]
    if not outputs:
        raise BadFile(
            f"{file}: there is no OUTPUT column; name the answer's with --answer; it has {quoted_names(header)}"
        )
    if len(outputs) > 1:
        raise BadFile(f"{file}: has several answers, {quoted_names(outputs)}; choose one with --answer")
    return outputs[0]


def _worker(header: Sequence[str], wanted: Wanted, file: str) -> str:
    if wanted.worker:
        return named(header, wanted.worker, option="--worker", file=file, prefix="ASSIGNMENT:")
    return needed(header, WORKER, option="--worker", file=file)


def _golden(header: Sequence[str], answer: str, controls: Sequence[str]) -> str | None:
    """Return the column with the right answers: the one named like the answer, or the only pair there is."""
    same_name = GOLDEN + answer.removeprefix(OUTPUT)
    if same_name in controls:
        return same_name
    outputs = [column for column in header if column.startswith(OUTPUT)]
    return controls[0] if len(controls) == len(outputs) == 1 else None


def _present(header: Sequence[str], name: str) -> str | None:
    column = f"ASSIGNMENT:{name}"
    return column if column in header else None
