"""The forms of one request: as it is asked for, as the server takes it, as earlier runs and versions sent it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from baseline.models.base import NOTHING_FOUND, Question, Request
from baseline.models.chat.parameters import REFUSED, SEED, SENT, Body, Parameters, Refusals, found_refused
from baseline.models.chat.schemas import FIELD, Schemas

NOTHING: Mapping[str, str | None] = MappingProxyType({})


class Forms:
    """Makes the requests to one model of one server, and the keys by which replies to them are known again.

    A key is a hash of the address, of every field that is sent and of the number of the sample. `found` is what is
    stored with a run where the server refuses something: the parameters that are really sent, and what it refuses.
    """

    def __init__(self, called: str, url: str, parameters: Parameters, schemas: Schemas) -> None:
        self.found: Mapping[str, Any] = NOTHING_FOUND
        self.settled = False
        self._called, self._url, self._parameters, self._schemas = called, url.rstrip("/"), parameters, schemas
        self._refusals = Refusals(parameters)
        self._samples, self._older = 1, False
        self._known: Sequence[Mapping[str, str | None]] = ()

    def remember(self, runs: Sequence[Mapping[str, Any]], *, fresh: bool, samples: int) -> None:
        """Begin a run with what earlier runs of the same model and server have found, the newest first."""
        told = [dict(run.get(REFUSED, NOTHING)) for run in runs]
        self._known = [one for place, one in enumerate([*told, {}]) if one not in told[:place]]
        self._older = any(SEED in run for run in runs)
        self._samples, self.settled = samples, False
        if fresh:
            self._refusals.now = NOTHING
        elif runs:
            self._refusals.now = found_refused(runs)
        self._note()

    def asked(self, question: Question) -> Body:
        """Return a request as it is asked for; raises BadTask and BadSetting where the prompt cannot be made."""
        fields = self._parameters.body(sample=question.sample, samples=question.samples)
        return self._schemas.added({"model": self._called, **fields, "messages": question.prompt.messages}, question)

    def taken(self, asked: Body) -> Body:
        """Return a request as the server takes it, as far as that is known by now."""
        return self._schemas.now(self._sent(asked))

    def refused(self, name: str, asked: Body, reason: str) -> Body:
        """Return what to send after the server refused a field by its name; raises Stopped where there is nothing."""
        # Of those that are under way, others may have met it before.
        if name in self.taken(asked):
            self._refusals.settle(name, reason)
            self.settled = True
            self._note()
        return self.taken(asked)

    def request(self, question: Question) -> Request:
        """Return the request of a question with all keys under which a reply to it may stand."""
        prompt, asked = question.prompt, self.asked(question)
        first = self._key(asked, question.sample)
        key = self._key(self._sent(asked), question.sample) if self._refusals.now else first
        words = sum(len(message["content"].split()) for message in prompt.messages)
        others = tuple(dict.fromkeys(self._others(asked, question))) if self._known or self._older else ()
        return Request(key, words, self._parameters.max_tokens, prompt.cut, first, others)

    def key_of(self, sent: Body, asked: Body, sample: int) -> str:
        """Return the key of a request that was answered; a schema that was wanted is part of it, taken or not."""
        return self._key(sent | ({FIELD: asked[FIELD]} if FIELD in asked else {}), sample)

    def _others(self, asked: Body, question: Question) -> Iterator[str]:
        """Yield the keys of the same request as other runs sent it, then as versions before this one did."""
        for refused in self._known:
            if refused != self._refusals.now:
                yield self._key(self._refusals.sent(asked, refused), question.sample)
        if self._older and self._parameters.known_before and question.samples == 1:
            yield self._key({**asked, SEED: question.sample}, question.sample)

    def _sent(self, asked: Body) -> Body:
        return self._refusals.sent(asked) if self._refusals.now else asked

    def _key(self, body: Body, sample: int) -> str:
        text = json.dumps([self._url, body, sample], ensure_ascii=False, sort_keys=True)
        # A lone surrogate in an item is sent as JSON escapes it; here it only has to tell requests apart.
        return hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()

    def _note(self) -> None:
        asked = self._parameters.body(samples=self._samples)
        refused, sent = self._refusals.named(asked), self._sent(asked)
        self.found = {SENT: sent, REFUSED: refused} if refused else NOTHING_FOUND
