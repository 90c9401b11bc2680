"""TF-IDF and logistic regression, the baseline of RussianSuperGLUE (section 4.1.1), fitted on a train split."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from baseline.models.model import Kind, Model, ModelContext, Question, with_gold
from baseline.models.reply import Reply
from baseline.models.run_fields import CorpusSettings
from data.answers.choice import Choice
from data.errors import BadSetting
from data.files.text_files import read_text
from data.task import Item, Task

MAX_WORDS = 10_000


class Tfidf(Model):
    """A classifier of the joined texts into fixed labels, or of the item's own options into right and wrong.

    With fixed labels the texts of an item (all but the options) are joined and put into one of the classes.

    Options of the item are scored one at a time and the best one wins, the first of equals. What the options of an
    item share (its text, its words, its length) adds the same to each score and cancels out, so only three kinds of
    features are there: the words of the option (what right answers look like by themselves), the words it shares
    with the item's text (the product of both TF-IDF vectors, word by word), and their cosine (how much is shared,
    which is learnt from few items where single words are not). A relation between different words, which is what
    such tasks ask about, no linear model of words can see.

    As `published`, everything is joined, the options among it, and the class is the position of the right option: the
    weight of a word is the same wherever it stands, so it cannot do better than chance on options in random order.
    The words and their weights are those of `corpus` where it is given (the paper's are 20,000 texts of Wikipedia).
    """

    kind: Kind = "naive"

    def __init__(self, name: str, settings: CorpusSettings, context: ModelContext) -> None:
        self.name, published = name, name != "tfidf"
        task, seed = context.task, context.seed or 0
        known = with_gold(name, context.train)
        corpus = read_text(settings.corpus).splitlines() if settings.corpus else None
        self.settings: dict[str, object] = {"train": len(known), "seed": seed, "max_words": MAX_WORDS}
        if corpus:
            self.settings["corpus"] = hashlib.sha256("\n".join(corpus).encode()).hexdigest()[:12]
        options = _own_options(task)
        self._own_options, self._joined = (() if published else options), (options if published else ())
        # Words of one letter are kept: in Russian they are prepositions, and "я". The paper's program drops them.
        pattern = r"(?u)\b\w\w+\b" if published else r"\b\w+\b"
        self._words = TfidfVectorizer(max_features=MAX_WORDS, token_pattern=pattern)
        self._corpus = corpus
        self._classifier = LogisticRegression(max_iter=1000, random_state=seed)
        try:
            self._fit(task, known)
        except ValueError as error:
            raise BadSetting(
                f"the model {self.name!r} cannot learn from this train split ({error}); it needs words, and items with "
                "at least two different answers"
            ) from error

    async def reply(self, question: Question) -> Reply:
        """Return the class of the item's text, or the option with the best score."""
        task, fields = question.task, question.item.fields
        if self._own_options:
            texts = [option.words.for_models for option in task.answer.options(fields)]
            scores = self._classifier.decision_function(self._pairs([self._text(task, fields)] * len(texts), texts))
            label = task.answer.options(fields)[int(np.argmax(scores))].label
        else:
            label = str(self._classifier.predict(self._words.transform([self._text(task, fields)]))[0])
        return Reply(task.answer.show(label, fields))

    def _fit(self, task: Task, train: Sequence[Item]) -> None:
        texts = [self._text(task, item.fields) for item in train]
        if not self._own_options:
            self._words.fit(self._corpus or texts)
            self._classifier.fit(self._words.transform(texts), [item.gold for item in train])
            return
        pairs = [
            (text, option.words.for_models, option.label == item.gold)
            for text, item in zip(texts, train, strict=True)
            for option in task.answer.options(item.fields)
        ]
        self._words.fit(self._corpus or [*texts, *(option for _, option, _ in pairs)])
        features = self._pairs([text for text, _, _ in pairs], [option for _, option, _ in pairs])
        self._classifier.fit(features, [right for _, _, right in pairs])

    def _text(self, task: Task, fields: Mapping[str, str]) -> str:
        """Return the texts of an item that people see, and as published its options behind them, in one text."""
        return "\n".join([_text(task, fields), *(fields[name] for name in self._joined)])

    def _pairs(self, texts: Sequence[str], options: Sequence[str]) -> csr_matrix:
        """Return N rows of 2 x words + 1 features for N pairs of an item's text and one of its options."""
        left, right = self._words.transform(texts), self._words.transform(options)
        shared = left.multiply(right)
        return csr_matrix(hstack([right, shared, csr_matrix(shared.sum(axis=1))]))


def _own_options(task: Task) -> tuple[str, ...]:
    """Return the fields that hold the item's options, none where the labels are fixed; refuse other answer types."""
    if not isinstance(task.answer, Choice):
        raise BadSetting(
            f"the model 'tfidf' chooses one answer, and task {task.id!r} asks for {task.answer.kind!r}; "
            "use the model random"
        )
    return task.answer.option_fields


def _text(task: Task, fields: Mapping[str, str]) -> str:
    """Return the texts of an item that people see, in the order of the task's fields, without its options."""
    options = _own_options(task)
    seen = [f.name for f in task.fields if (f.above_question or f.kind == "question") and f.name not in options]
    return "\n".join(task.shown(name, fields[name]).for_models for name in seen)
