"""MuSeRC as its authors distribute it: a record is a passage with all its questions, and so is an item."""

from collections.abc import Iterable, Mapping
from typing import Any

from data.answers.composite import unpacked
from data.formats.record_format import RecordFormat, Values


def unfold(values: Values) -> Iterable[Values]:
    """Return the passage as one row: its text, its questions with their options, a flag for each option where known.

    Questions keep their number (`idx`) and those of their options (`numbers`), which submissions name. A test set has
    no labels, so its rows have no gold. Raises ValueError for a record that is no passage.
    """
    if "questions" in values and isinstance(values.get("passage"), str):
        return (values,)
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or not isinstance(passage.get("questions"), list):
        raise ValueError('is no passage of MuSeRC; it needs {"idx", "passage": {"text", "questions": [...]}}')
    try:
        questions = [_question(question) for question in passage["questions"]]
        flags = [[answer.get("label") for answer in question["answers"]] for question in passage["questions"]]
        row: dict[str, Any] = {"id": str(values["idx"]), "passage": passage["text"], "questions": questions}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"is a passage of MuSeRC that lacks {error}") from error
    if all(flag is not None for is_right in flags for flag in is_right):
        row["label"] = flags
    return (row,)


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"question": question["question"], "options": [answer["text"] for answer in question["answers"]]}
    numbers = [answer.get("idx") for answer in question["answers"]]
    return asked if "idx" not in question or None in numbers else asked | {"idx": question["idx"], "numbers": numbers}


def submitted(values: Values) -> Values:
    """Return a record of the leaderboard's form, numbers and labels without texts, as an id and a prediction."""
    passage = values.get("passage")
    if not isinstance(passage, Mapping) or "text" in passage or "idx" not in values:
        return values
    return {"id": str(values["idx"]), "prediction": {"questions": passage.get("questions")}}


def ordered(answer: Any, fields: Mapping[str, str]) -> Any:
    """Return the labels of a submission as the flags of each question's options, found by their numbers.

    What is no submission is given back as it stands. Raises ValueError where the numbers are not those of the item.
    """
    if not isinstance(answer, Mapping) or not isinstance(answer.get("questions"), list):
        return answer
    try:
        labels = {
            (str(question["idx"]), str(each["idx"])): each["label"]
            for question in answer["questions"]
            for each in question["answers"]
        }
        asked = unpacked(fields["questions"])
        wanted = [
            [(str(asked_question["idx"]), str(number)) for number in asked_question["numbers"]]
            for asked_question in asked
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"is no submission about this passage: {error} is missing, here or among the items") from error
    missing = next((key for keys in wanted for key in keys if key not in labels), None)
    if missing:
        raise ValueError(f"has no label for answer {missing[1]} of question {missing[0]}; label every answer")
    return [[labels[key] for key in keys] for keys in wanted]


FORMAT = RecordFormat(unfold=unfold, submitted=submitted, ordered=ordered)
