"""Structured output: the JSON schema of an answer in the request, and plain text where a server does not take it."""

from collections.abc import Mapping
from typing import Any

from baseline.models.base import Question, Stopped, Structured
from baseline.models.chat.failures import Trouble

FIELD = "response_format"
Body = dict[str, Any]


class Schemas:
    """What is known of one server: it takes schemas, or it does not; found out by the first requests of a run.

    A server that takes no schema says so (400, 422); the same question is asked again without one. Where that is
    answered and no schema was ever taken, nothing is sent with one any more. Where others were taken, the fault lies
    with that one schema, and the next question has its own again. A server that ignores the field replies in plain
    text, which answer types read as well.
    """

    def __init__(self, wanted: Structured) -> None:
        self._wanted = wanted
        self._taken = self._plain = False

    def added(self, body: Body, question: Question) -> Body:
        """Return a request with the schema of its answer, if one is wanted; it is what the request is known by."""
        if self._wanted == "off":
            return body
        fields = question.item.fields
        schema = question.task.answer_for(fields).schema(fields)
        return {
            **body,
            FIELD: {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}},
        }

    def now(self, body: Body) -> Body:
        """Return the request as this server takes it."""
        return _plain(body) if self._plain else body

    def instead(self, sent: Mapping[str, Any], met: Trouble, reason: str) -> Body | None:
        """Return what to send in the place of a request that failed, None where it is not for its schema.

        Raises Stopped where the schema is wanted and the server says that it does not take it.
        """
        if FIELD not in sent or not met.form:
            return None
        if self._wanted == "auto":
            return _plain(sent)
        if any(word in reason.casefold() for word in (FIELD, "schema", "structured")):
            raise Stopped(f"the server takes no schema of answers ({reason}); set structured output to auto or off")
        return None

    def answered(self, sent: Mapping[str, Any]) -> None:
        """Take note of a reply to what was sent."""
        if FIELD in sent:
            self._taken = True
        elif self._wanted == "auto" and not self._taken:
            self._plain = True

    def forget(self) -> None:
        """Forget what was found out: the next run finds it out anew."""
        self._taken = self._plain = False


def _plain(body: Mapping[str, Any]) -> Body:
    return {name: value for name, value in body.items() if name != FIELD}
