"""What columns are called in tables of other people: for each thing that one may hold, the names it is known by."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

Named = Literal["id", "explanation", "cluster", "group", "options", "question", "ignored"]
"""What a column of a table of items may be for, where its name tells."""
OF_ITEMS: Mapping[Named, tuple[str, ...]] = {
    "id": ("id", "idx", "item_id", "qid", "uid", "uuid", "№", "номер"),
    "explanation": ("explanation", "rationale", "reason", "hint", "why", "пояснение", "объяснение", "почему"),
    "cluster": ("cluster", "passage_id", "text_id", "doc_id", "document", "family"),
    "group": ("group", "category", "domain", "topic", "subject", "группа", "категория", "тема", "предмет"),
    "options": ("options", "choices", "variants", "answers", "варианты", "ответы"),
    "question": ("question", "query", "вопрос"),
    "ignored": ("split", "source", "url", "date", "timestamp", "created_at", "licence", "license", "источник", "дата"),
}
"""Columns of a table of items, by what they are for; the first name goes before the others."""
COMMENTS = ("comment", "comments", "remark", "remarks", "комментарий", "комментарии", "примечание", "примечания")
"""Columns in which whoever made a table says something beside its texts."""
OF_ANSWERS: Mapping[str, tuple[str, ...]] = {
    "item": (
        "task", "item", "item_id", "task_id", "example_id", "sample_id", "question_id", "pair_id", "id", "idx", "uid",
    ),
    "worker": (
        "worker", "worker_id", "workerid", "userid", "annotator", "annotator_id", "rater", "rater_id", "user",
        "user_id", "coder", "assessor", "performer", "participant", "participant_id", "respondent", "разметчик",
        "аннотатор",
    ),
    "answer": (
        "label", "answer", "result", "response", "annotation", "judgment", "judgement", "vote", "choice", "verdict",
        "winner", "rating", "score", "class", "value", "ответ", "метка", "оценка",
    ),
    "gold": (
        "gold", "golden", "gold_label", "gold_answer", "true_label", "correct_label", "correct_answer",
        "ground_truth", "truth", "expected", "expected_answer", "expected_label", "right_answer", "эталон",
        "правильный_ответ", "верный_ответ",
    ),
    "control": ("control", "is_control", "honeypot", "is_honeypot", "контроль", "контрольное"),
    "skill": ("skill", "skill_value", "weight"),
    "price": ("price", "reward", "pay", "payment", "cost", "оплата", "цена"),
    "started": ("started", "started_at", "start_time", "start", "начало"),
    "submitted": ("submitted", "submitted_at", "submit_time", "finished_at", "end_time", "completed_at", "конец"),
    "seconds": ("seconds", "duration", "duration_seconds", "time_spent", "lead_time", "секунды"),
    "page": ("page", "page_id", "assignment", "assignment_id", "hit_id"),
    "ignored": (
        *OF_ITEMS["ignored"], "role", "status", "reason", "repeat", "day", "skill", "simulated", "pasted", "away",
        "time", "comment",
    ),
}  # fmt: skip
"""Columns of a log, which has a row for each answer, by what they hold; what is ignored says nothing of the item."""
OF_PAY = ("price", "started", "submitted", "seconds", "page")
"""What a log tells of pay and time: what was paid, when, for how long, and for which answers together."""


def plain_name(name: str) -> str:
    """Return the name of a column as the lists above write names: "Correct answer" is `correct_answer`."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def column_of(header: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the column that bears the first of these names, None where none is there."""
    there = {plain_name(column): column for column in reversed(list(header))}
    return next((there[name] for name in names if name in there), None)
