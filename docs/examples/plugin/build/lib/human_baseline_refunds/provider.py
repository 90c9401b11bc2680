"""A baseline that looks for words: where one occurs it gives the second answer of a closed list, else the first."""

from human_baseline.baseline.models.model import Kind, Model, ModelContext, Question
from human_baseline.baseline.models.provider import Provider
from human_baseline.baseline.models.reply import Reply
from human_baseline.baseline.models.run_fields import AMOUNT, NoSettings, RunField


class KeywordSettings(NoSettings):
    """For what it looks."""

    keywords: str = RunField(AMOUNT, option="--keywords").setting("refund,money", "Words", "Separated by commas")


class Keywords(Model):
    """Reads for words alone."""

    kind: Kind = "naive"

    def __init__(self, name: str, settings: KeywordSettings, context: ModelContext) -> None:  # noqa: ARG002
        """Take the words; nothing is learnt from the context."""
        self.name, self.settings = name, {"keywords": settings.keywords}
        self._words = settings.keywords.lower().split(",")

    async def reply(self, question: Question) -> Reply:
        """Return the answer that the words speak for, as a person would write it."""
        fields = question.item.fields
        answer = question.task.answer_for(fields)
        text = " ".join(fields.values()).lower()
        return Reply(answer.show(answer.labels()[any(word in text for word in self._words)], fields))


KEYWORDS = Provider("keywords", "Words in the text", "human_baseline_refunds.provider:Keywords", KeywordSettings)
