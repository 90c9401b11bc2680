"""What models are told of the way to answer, in the language they are asked in: `prompts.toml` of each language."""

from collections.abc import Sequence

from data.wording import Language, texts


def prompt_words(language: Language, kind: str, name: str, **places: object) -> str:
    """Return a sentence of an answer type with its places filled in."""
    words: str = texts(language)["prompts"][kind][name]
    return words.format(**places)


def alternatives(language: Language, keys: Sequence[str]) -> str:
    """Return keys as one of them is asked for: "1, 2 or 3"."""
    *others, last = keys
    return prompt_words(language, "choice", "either", others=", ".join(others), last=last) if others else last
