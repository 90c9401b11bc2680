"""What was written, as a published script sees it: a reply as it came, a chosen answer in the form of files."""

from collections.abc import Mapping

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType, Typed
from data.answers.composite import unpacked
from data.option_names import names_in


def as_written(answer: AnswerType, given: str, fields: Mapping[str, str]) -> str:
    """Return a canonical answer as text: a typed one as it is, numbers with commas alone between them ("1,3").

    An option becomes the key by which models are asked to name it: published scripts compare such keys with the reply,
    so gold and answers alike are told by their keys. Where the file has names of its own for the options, as LIBRA's
    files have, those are what the script compares.

    Parameters
    ----------
    answer : AnswerType
        That of the task.
    given : str
        A canonical answer.
    fields : mapping of field to text
        Those of the item.

    Returns
    -------
    str

    Examples
    --------
    >>> from data.answers.text import Text
    >>> as_written(Text(), "Moscow", {})
    'Moscow'
    """
    own = answer.of(fields)
    names = names_in(fields)
    if names and isinstance(own, Offered):
        return names[own.offered(fields).index(given)][0]
    if isinstance(own, Typed):
        return given
    if own.kind == "sequence":
        return ",".join(unpacked(given))
    return own.show(given, fields)


def right_texts(answer: AnswerType, gold: str, fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return every text that a gold accepts, the best one first."""
    own = answer.of(fields)
    return own.accepted(gold) if isinstance(own, Typed) else (as_written(own, own.best(gold, fields), fields),)
