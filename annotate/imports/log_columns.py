"""Which column of a log holds what, and the options by which a person says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.errors import BadFile, BadSetting, quoted_names


@dataclass(frozen=True)
class Wanted:
    """The columns that a person named, with or without their prefix; None and () leave it to the header.

    `of_pay` are those of price, times and page, by what they hold (`OF_PAY`).
    """

    fields: tuple[str, ...] = ()
    answer: str | None = None
    worker: str | None = None
    gold: str | None = None
    control: str | None = None
    clusters: tuple[str, ...] = ()
    of_pay: Mapping[str, str] = field(default_factory=dict)


NOTHING = Wanted()


@dataclass(frozen=True)
class LogColumns:
    """Where one file keeps what: field -> its column, and the columns of the rest, None where it has none.

    A cell in any of `controls` makes its row a control, and so does a yes in `control`; `golden` is the one of them
    with the right answer. `gold` holds the right answer of any row, `clusters` what binds its item to others.
    `item_id` is the column that names the item; `recognised` are those that only their names tell, by what they hold.
    """

    fields: Mapping[str, str]
    answer: str
    worker: str
    golden: str | None = None
    controls: tuple[str, ...] = ()
    control: str | None = None
    gold: str | None = None
    clusters: tuple[str, ...] = ()
    item_id: str | None = None
    page: str | None = None
    status: str | None = None
    price: str | None = None
    started: str | None = None
    submitted: str | None = None
    seconds: str | None = None
    recognised: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> set[str]:
        """Return every column that says something about an item, an answer or a worker."""
        of_pay = (self.page, self.price, self.started, self.submitted, self.seconds)
        others = filter(None, (self.gold, self.control, self.item_id, *of_pay))
        return {*self.fields.values(), *self.controls, *self.clusters, self.answer, self.worker, *others}


def named(header: Sequence[str], name: str, *, option: str, file: str, prefix: str = "") -> str:
    """Return the column that an option names, with or without its prefix; raises BadSetting with what there is."""
    for column in (name, prefix + name):
        if column in header:
            return column
    raise BadSetting(
        f"{file}: {option} names {name!r}, but there is no such column; the file has {quoted_names(header)}"
    )


def needed(header: Sequence[str], name: str, *, option: str, file: str) -> str:
    """Return a column that a log of this kind always has; raises BadFile with what there is."""
    if name not in header:
        raise BadFile(
            f"{file}: there is no column {name!r:.60}; name yours with {option}; the file has {quoted_names(header)}"
        )
    return name
