"""Symbol-wise F of AGRR-2019 (Smurov et al. 2019, `agrr_metrics.py`): characters of each element, cells pooled."""

from collections.abc import Callable, Mapping, Sequence

from data.answers.answer_type import AnswerType
from data.answers.spans import Spans
from data.errors import BadSetting

EPSILON = 1e-7
Places = Sequence[tuple[int, int]]


def symbol_f(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """The sum of F over the counted cells of one sentence and their number; a cell is one element of the sentence.

    As the script has it: nothing is counted where gold and answer both say "nothing here"; where one of them says so,
    every element is worth 0; else each element is worth the F of its characters (`cell_f`), also one that neither
    marks. "No answer" is worth 0 in every cell, of sentences without gapping as well: so the script treats a row
    whose class is empty.
    """
    return _pooled(symbol_f_by_element(answer.of(fields), gold, given))


def symbol_f_near(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """`symbol_f` where a place (V) that is one character off its gold counts as right; not in the script."""
    return _pooled(symbol_f_by_element(answer.of(fields), gold, given, tolerance=1))


def element_f(name: str) -> Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]:
    """Return `symbol_f` of one element alone."""

    def of_answer(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
        by_element = symbol_f_by_element(answer.of(fields), gold, given)
        if name not in by_element:
            raise BadSetting(f"There is no element {name!r} to mark; the elements are {', '.join(by_element)}.")
        return _pooled({name: by_element[name]})

    return of_answer


def symbol_f_by_element(
    answer: AnswerType, gold: str, given: str | None, *, tolerance: int = 0
) -> dict[str, float | None]:
    """The F of each element of one sentence, 0 to 1, None in a cell that is not counted.

    `tolerance` is how many characters a place may be off and still count as its gold.
    """
    if not isinstance(answer, Spans):
        raise BadSetting(f"The symbol-wise F needs answers that mark spans, got answers of kind {answer.kind!r}.")
    wanted, given_spans = answer.content(gold), answer.content(given) if given is not None else {}
    if given is not None and not wanted and not given_spans:
        return {element.name: None for element in answer.elements}
    if not wanted or not given_spans:
        return {element.name: 0.0 for element in answer.elements}
    return {
        element.name: cell_f(
            wanted.get(element.name, ()), given_spans.get(element.name, ()), tolerance=tolerance if element.point else 0
        )
        for element in answer.elements
    }


def cell_f(gold: Places, given: Places, *, tolerance: int = 0) -> float:
    """The F of the characters of two sets of spans [begin, end), as the script computes it, 0 to 1.

    A span of no length holds the one character at its place. 1e-7 is added to the counts and to the sum below, so that
    a perfect cell is worth 1 - 5e-8, and one that both leave empty as well. With a `tolerance`, a given span of no
    length moves to the nearest place of the gold that is so near.
    """
    wanted, answered = _characters(gold), _characters([_moved(span, gold, tolerance) for span in given])
    common = len(wanted & answered) + EPSILON
    precision, recall = common / (len(answered) + EPSILON), common / (len(wanted) + EPSILON)
    return 2 * precision * recall / (precision + recall + EPSILON)


def _pooled(values: Mapping[str, float | None]) -> tuple[float, float]:
    counted = [value for value in values.values() if value is not None]
    return sum(counted), float(len(counted))


def _characters(spans: Places) -> set[int]:
    return {place for begin, end in spans for place in range(begin, max(end, begin + 1))}


def _moved(span: tuple[int, int], gold: Places, tolerance: int) -> tuple[int, int]:
    begin, end = span
    near = [place for place, _ in gold if abs(place - begin) <= tolerance]
    if begin != end or not near:
        return span
    place = min(near, key=lambda end: abs(end - begin))
    return place, place
