"""What must hold after a load, read from the database: nothing too much, nothing lost, nothing that nobody sent."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Table, select

from annotate.accounts.signer import Signer
from bench.load_browser import Acknowledged
from db.engine import Database, Session, reading
from db.statuses import LIVE
from db.studies import Study
from db.tables import AssignmentRow, EnrolmentRow, ItemRow, JudgmentRow, table_of

ITEM, LEASE = table_of(ItemRow), table_of(AssignmentRow)
JUDGMENT, ENROLMENT = table_of(JudgmentRow), table_of(EnrolmentRow)
Rows = list[Any]
Key = tuple[int, int]  # a worker and an item


@dataclass(frozen=True)
class Findings:
    """What the database holds after a run. `wrong` names every rule that was broken, with how often."""

    items: int
    complete: int
    counted: int
    surplus: int
    control: int
    acknowledged: int
    expired: int
    wrong: Mapping[str, int]


def findings(database: Database, study: Study, signer: Signer, answers: Iterable[Acknowledged]) -> Findings:
    """Read everything of a study and hold it against what the people sent."""
    with reading(database) as session:
        items, leases, judgments, enrolments = (rows(session, one, study) for one in (ITEM, LEASE, JUDGMENT, ENROLMENT))
    sent = list(answers)
    main = {item.id: item for item in items if item.role == "main"}
    counted = Counter(row.item_id for row in judgments if row.item_id in main and row.status == "counted")
    roles = {item.id: item.role for item in items}
    people = {enrolment.id: enrolment.worker_id for enrolment in enrolments}
    wrong = counts_wrong(main, counted, leases) | answers_wrong(
        roles, judgments, Sent.of(sent, signer, {(one.enrolment_id, one.place): one for one in leases}, people)
    )
    return Findings(
        items=len(main),
        complete=sum(counted[key] == item.target for key, item in main.items()),
        counted=counted.total(),
        surplus=sum(row.status == "surplus" for row in judgments),
        control=sum(roles[row.item_id] == "control" for row in judgments),
        acknowledged=sum(one.arrived for one in sent),
        expired=sum(lease.status == "expired" for lease in leases),
        wrong={rule: number for rule, number in wrong.items() if number},
    )


def rows(session: Session, table: Table, study: Study) -> Rows:
    return list(session.execute(select(table).where(table.c.study_id == study.id)))


def counts_wrong(main: Mapping[int, Any], counted: Counter[int], leases: Rows) -> dict[str, int]:
    """Hold the counts of the items against the judgments and the leases they stand for."""
    held = Counter(lease.item_id for lease in leases if lease.status in LIVE and lease.item_id in main)
    return {
        "items with more judgments than wanted": sum(counted[key] > item.target for key, item in main.items()),
        "items whose `filled` is not their judgments": sum(item.filled != counted[key] for key, item in main.items()),
        "items whose `held` is not their leases": sum(item.held != held[key] for key, item in main.items()),
        "items whose `free` is not the rest": sum(
            item.free != item.target - item.filled - item.held for item in main.values()
        ),
    }


@dataclass
class Sent:
    """What was sent about each item by each worker: the labels, and the tokens of the answers that were confirmed."""

    labels: defaultdict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    confirmed: defaultdict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    unknown: int = 0
    still_open: int = 0

    @classmethod
    def of(
        cls, answers: Iterable[Acknowledged], signer: Signer, leases: Mapping[Key, Any], people: Mapping[int, int]
    ) -> "Sent":
        """Find the lease that each answer names. `leases` by enrolment and place, `people` by enrolment."""
        known = cls()
        for one in answers:
            named = signer.enrolment(one.cookie.partition("=")[2])
            enrolment = named.id if named else 0
            place = signer.place(enrolment, one.token)
            lease = None if place is None else leases.get((enrolment, place))
            if lease is None:
                known.unknown += one.arrived
                continue
            key = (people[enrolment], lease.item_id)
            known.labels[key].add(one.value)
            if one.arrived:
                known.confirmed[key].add(one.token)
                known.still_open += lease.status not in ("done", "shown")
        return known


def answers_wrong(roles: Mapping[int, str], judgments: Rows, sent: Sent) -> dict[str, int]:
    """Hold the judgments against the answers that were sent and those that were acknowledged."""
    stored: defaultdict[Key, list[str]] = defaultdict(list)
    for row in judgments:
        stored[row.worker_id, row.item_id].append(row.label)
    return {
        "acknowledged answers whose lease is not there": sent.unknown,
        "acknowledged answers whose lease is still open": sent.still_open,
        "acknowledged answers that are missing": sum(
            len(stored[key]) < (1 if roles[key[1]] == "main" else len(tokens)) for key, tokens in sent.confirmed.items()
        ),
        "judgments that nobody sent": sum(not set(labels) <= sent.labels[key] for key, labels in stored.items()),
        "items judged twice by one worker": sum(
            len(labels) > 1 and roles[key[1]] == "main" for key, labels in stored.items()
        ),
    }
