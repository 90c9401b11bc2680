"""What the results page says of a study in which people write: nothing is right or wrong, others judge the texts."""

from baseline.comparison.results import Results
from baseline.output.facts import Fact
from baseline.output.tables import number
from data.answers.write import Write
from data.catalog import tasks
from data.task import Task


def is_writing(task: Task) -> bool:
    """Return whether people write in a task, so that nothing can be scored before others have judged it."""
    return isinstance(task.answer, Write)


def writing_facts(results: Results) -> list[Fact]:
    """Return the four facts of a study in which people write."""
    panel, answer = results.human.panel, results.study.task.answer
    counts, texts = panel.counts()["items"], len(panel.votes)
    entries = answer.entries if isinstance(answer, Write) else 1
    kept = len(panel.workers) - len(panel.excluded)
    return [
        Fact(
            name="Answers written",
            value=str(texts),
            beside=f"about {counts['answered']} of {counts['total']} items",
            kind="people",
            simulated=results.human.simulated > 0,
        ),
        Fact(name="Entries to be judged", value=str(texts * entries), beside=f"{entries} in each answer"),
        Fact(name="Writers", value=str(kept), beside="programs" if results.human.simulated else "people"),
        Fact(
            name="Likeness of answers",
            value=number(panel.agreement.similarity),
            beside="0 is nothing in common",
            title="ROUGE-L of every two answers to an item, on average, 0 to 1",
        ),
    ]


def judging_task(task: Task) -> str:
    """Return the id of the task of the catalogue that shows what is written in `task`, else a word to be replaced."""
    if not isinstance(task.answer, Write):
        return "TASK"
    pieces = {piece.name for piece in task.answer.pieces}
    known = pieces | {field.name for field in task.fields}
    for other in tasks().values():
        shown = {field.name for field in other.fields}
        if not is_writing(other) and shown <= known and shown & pieces:
            return other.id
    return "TASK"
