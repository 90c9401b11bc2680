"""A text that may be one for all languages, or one in each."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Discriminator, Tag

from data.wording import Wording

BY_LANGUAGE = ("one text", "by language")
"""What pydantic names on its way to such a text."""


def _form(value: object) -> str:
    return BY_LANGUAGE[isinstance(value, Mapping)]


TextByLanguage = Annotated[
    Annotated[str, Tag(BY_LANGUAGE[0])] | Annotated[Wording, Tag(BY_LANGUAGE[1])], Discriminator(_form)
]
