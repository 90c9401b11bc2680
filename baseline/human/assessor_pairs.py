"""Two assessors for each item of a study: their confusion tables by group, and the corpus on which they agree."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.form import Form
from data.errors import BadSetting
from data.files.saving import write_to
from data.submissions.agrr import GAPPING, NO_GAPPING, Sentence, brackets, columns
from data.tables import Table, table_of
from data.task import Breakdown, Task
from db import frames
from db.engine import Session
from db.items import list_items
from db.studies import Study
from eval.agreement.two_assessors import Admission, Assessment, admission, assess

POSITIVE, NEGATIVE = "1", "0"
WRITERS: dict[str, Callable[[list[Sentence]], str]] = {".tsv": columns, ".txt": brackets}


@dataclass(frozen=True)
class AssessorLabels:
    """The marks there are, in order, how one is read off an answer, and the words of those that have some."""

    labels: tuple[str, ...]
    of: Callable[[str], str]
    words: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Assessors:
    """A study whose items two people have judged.

    `whole` is over all items that exactly two have judged, `groups` over those of each value of the field that
    `breakdown` names (none without one). `answers` has both answers to each item as they were given, `fields` its
    fields. `left_out` counts the other items by how many have judged them. `admitted` is None where the marks are not
    those of the rule.
    """

    study: Study
    answer_labels: AssessorLabels
    overall: Assessment
    breakdown: Breakdown | None
    groups: Mapping[str, Assessment]
    answers: Mapping[str, tuple[str, str]]
    fields: Mapping[str, Mapping[str, str]]
    left_out: Mapping[int, int]
    admitted: Admission | None

    @property
    def doubted(self) -> tuple[str, ...]:
        """The marks on which agreement admits nothing to a corpus: both say there is something wrong."""
        return tuple(label for label in self.overall.labels if label not in (POSITIVE, NEGATIVE))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as `assessors --json` prints it."""

        def given(item: str) -> dict[str, str]:
            return dict(zip(("item", "first", "second"), (item, *self.answers[item]), strict=True))

        rule = self.admitted
        numbers = rule and {name: len(getattr(rule, name)) for name in ("positive", "negative", "rest")}
        return {
            "study": self.study.name,
            "task": self.study.task.id,
            "all": self.overall.as_dict(),
            "by": self.breakdown.field if self.breakdown else None,
            "groups": {name: confusion.as_dict() for name, confusion in self.groups.items()},
            "left_out": {str(votes): number for votes, number in sorted(self.left_out.items())},
            "both": {label: list(map(given, self.overall.unanimous(label))) for label in self.doubted},
            "admission": numbers,
        }


def assessors(session: Session, *, study: Study, by: str | None = None) -> Assessors:
    """Return the two assessors of each main item of a study, in the order in which their judgments were stored.

    Counted judgments of workers whom the study has not shut out are read; the rest is as `compared` says.
    """
    main = [stored.item for stored in list_items(session, study=study, role="main")]
    fields = {item.id: item.fields for item in main}
    judged = frames.judgments(session, study=study)
    out = frames.excluded_workers(session, study=study)
    counted = judged[(judged["status"] == "counted") & (judged["role"] == "main") & ~judged["worker"].isin(out)]
    given: dict[str, list[str]] = {item: [] for item in fields}
    for item, label in zip(counted["item"], counted["label"], strict=True):
        given[item].append(label)
    return compared(study, given, fields, by=by)


def compared(
    study: Study, given: Mapping[str, Sequence[str]], fields: Mapping[str, Mapping[str, str]], *, by: str | None = None
) -> Assessors:
    """Return the two assessors of items by the answers `given` to each, that of the first assessor first.

    `by` names the field to group by; None takes `genre`, or the first breakdown of the task, where there is one.
    Raises BadSetting where answers are open, no item has exactly two, or there is no such field.
    """
    marks, breakdown = assessor_labels(study.task), _breakdown(study.task, by)
    pairs = {item: (answers[0], answers[1]) for item, answers in given.items() if len(answers) == 2}
    left_out = Counter(len(answers) for answers in given.values() if len(answers) != 2)
    if not pairs:
        numbers = ", ".join(f"{number} have {votes}" for votes, number in sorted(left_out.items())) or "there are none"
        raise BadSetting(
            f"study {study.name!r}: no item has exactly two judgments ({numbers}), and two assessors are compared"
        )
    marked = {item: [marks.of(answer) for answer in each] for item, each in pairs.items()}
    overall = assess(marked, marks.labels)
    ruled = {POSITIVE, NEGATIVE} <= set(marks.labels)
    return Assessors(
        study=study,
        answer_labels=marks,
        overall=overall,
        breakdown=breakdown,
        groups=_groups(breakdown, marked, fields, marks.labels),
        answers=pairs,
        fields=fields,
        left_out=dict(left_out),
        admitted=admission(overall, positive=POSITIVE, negative=NEGATIVE) if ruled else None,
    )


def assessor_labels(task: Task) -> AssessorLabels:
    """Return the marks of a task: its labels, or those of the first part of its form that has a closed list."""
    if labels := task.answer.labels():
        return AssessorLabels(labels, lambda answer: answer, _words(task.answer))
    if isinstance(task.answer, Form) and not task.answer.over:
        form = task.answer
        part = next((part for part in form.scored if part.answer.labels() and part.when is None), None)
        if part is not None:
            name = part.name
            return AssessorLabels(part.answer.labels(), lambda answer: form.sets(answer)[0][name], _words(part.answer))
    raise BadSetting(
        f"task {task.id!r}: two assessors are compared by marks of a closed list, and its answers have none"
    )


def _words(answer: AnswerType) -> dict[str, str]:
    choices = answer.choices if isinstance(answer, Choice) else None
    return {label: words.for_requesters for label, words in (choices or {}).items()}


def admit(assessors: Assessors, path: Path) -> None:
    """Write the corpus that both assessors admit, as eight columns (.tsv) or in brackets (.txt).

    Both said POSITIVE: a sentence with its marks; both NEGATIVE: one without gapping. Raises BadSetting for a task
    whose sentences carry no marks in brackets, and another ending.
    """
    marked = next((field.name for field in assessors.study.task.fields if field.kind == "markup"), None)
    if assessors.admitted is None or marked is None:
        raise BadSetting(
            f"task {assessors.study.task.id!r}: a corpus is admitted from marked sentences (agrr/validate)"
        )
    check_corpus(path)
    admitted, texts = assessors.admitted, assessors.fields
    classes = dict.fromkeys(admitted.positive, GAPPING) | dict.fromkeys(admitted.negative, NO_GAPPING)
    corpus = [
        _sentence(item, texts[item][marked], classes[item]) for item in assessors.overall.first if item in classes
    ]
    try:
        content = WRITERS[path.suffix.lower()](corpus)
    except ValueError as error:
        raise BadSetting(f"{path}: a sentence cannot be written there: {error}") from error
    write_to(path, content.encode())


def check_corpus(path: Path) -> None:
    """Refuse (BadSetting) a file whose ending names no form of a corpus."""
    if path.suffix.lower() not in WRITERS:
        raise BadSetting(f"{path}: a corpus ends in .tsv (columns with offsets) or .txt (brackets); name the file so.")


def _breakdown(task: Task, by: str | None) -> Breakdown | None:
    names = {field.name: field for field in task.fields}
    if by is not None and by not in names:
        raise BadSetting(f"task {task.id!r} has no field {by!r}; it has {', '.join(names)}")
    declared = {each.field: each for each in task.breakdowns}
    name = by or ("genre" if "genre" in names else next(iter(declared), None))
    return None if name is None else declared.get(name) or Breakdown(name, names[name].title)


def _groups(
    breakdown: Breakdown | None,
    marks: Mapping[str, list[str]],
    fields: Mapping[str, Mapping[str, str]],
    labels: tuple[str, ...],
) -> dict[str, Assessment]:
    """Return the assessment of each group that occurs, in order of the groups; an item of no group is under ""."""
    if breakdown is None:
        return {}
    members: dict[str, dict[str, list[str]]] = {}
    for item, given in marks.items():
        for group in breakdown.groups(fields[item]) or ("",):
            members.setdefault(group, {})[item] = given
    return {group: assess(each, labels) for group, each in sorted(members.items())} if set(members) != {""} else {}


def _sentence(item: str, marked: str, label: str) -> Sentence:
    try:
        return Sentence.of_brackets(marked, label)
    except ValueError as error:
        raise BadSetting(f"item {item!r}: its brackets cannot be read: {error}") from error


def label_words(assessors: Assessors, label: str) -> str:
    """Return a mark with its words, where the task has some: `2 (Incorrect)`."""
    words = assessors.answer_labels.words.get(label, label)
    return label if words == label else f"{label} ({words})"


def assessment_table(assessed: Assessment, assessors: Assessors) -> Table[Sequence[object]]:
    """Return how many items have which two marks: a row for each mark of the first assessor, columns for the second."""
    lines = zip(assessed.labels, assessed.matrix.tolist(), strict=True)
    rows = [(label_words(assessors, label), *numbers) for label, numbers in lines]
    return table_of("", ["first \\ second", *assessed.labels], rows)
