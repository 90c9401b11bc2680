"""What is wrong with what a worker sent, as the sentence that the worker reads."""

from data.errors import BadAnswer, brief
from data.limits import LONGEST_MESSAGE
from data.wording import Counted, Language, Wording, languages, texts


def known_language(value: object) -> Language:
    """Return a language the page speaks; raises BadAnswer."""
    spoken = next((known for known in languages() if known == value), None)
    if spoken is None:
        raise BadAnswer("unknown_language", allowed=", ".join(languages()))
    return spoken


def sentence(mistake: BadAnswer, language: Language) -> str:
    """Return the sentence that tells a worker what is wrong with an answer."""
    sentences = texts(language)
    said = {name: _filled(value, language) for name, value in mistake.parameters.items()}
    if "piece" in said:
        said["where"] = sentences["where"]["part" if "number" in said else "piece"].format_map(said)
    text: str = sentences["mistakes"][mistake.code]
    return brief(text.format_map(said))


def _filled(value: object, language: Language) -> object:
    """Return a parameter of a mistake as a sentence takes it."""
    if isinstance(value, Wording):
        return value.within(language)
    return Counted(value) if isinstance(value, int) else value


def checked_message(text: str) -> str:
    """Return what a worker writes to the researchers, as it is kept; raises BadAnswer for more than LONGEST_MESSAGE."""
    text = text.strip()
    if len(text) > LONGEST_MESSAGE:
        raise BadAnswer("text_too_long", length=len(text), limit=LONGEST_MESSAGE)
    if any((ord(sign) < 32 and sign not in "\n\r\t") or 0xD800 <= ord(sign) < 0xE000 for sign in text):
        raise BadAnswer("forbidden_character")
    return text
