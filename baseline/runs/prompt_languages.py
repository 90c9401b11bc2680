"""In which language models are asked: that of a study, of a run, and the one that its prompt is written in."""

from collections.abc import Mapping, Sequence
from typing import Any

from data.task import Task
from data.wording import AS_PEOPLE_READ, MODEL_LANGUAGE, MODELS_READ, Language, english_name
from db.studies import Study


def language_of_people(study: Study) -> Language:
    """Return the language in which people read what a task says: that of the study, or what its texts fall back to."""
    return study.task.instruction.language_read(study.settings.language)


def prompt_language(study: Study, variant: int = 0) -> Language:
    """Return the language in which models are asked of a study: what its settings say, else that of people.

    Where a prompt is written in other languages it is the nearest of these. Wordings from 1 are then in MODELS_READ; a
    prompt that is one text for all languages, and its wordings, are filled in with what people read.
    """
    chosen, prompt = study.settings.model_language, study.task.prompt
    if chosen != AS_PEOPLE_READ:
        return chosen
    if isinstance(prompt, str):
        return language_of_people(study)
    return MODELS_READ if variant else prompt.language_read(language_of_people(study))


def template_language(task: Task, variant: int, language: Language) -> Language:
    """Return the language in which the prompt of that number is written that is asked in `language`."""
    if isinstance(task.prompt, str):
        return language
    return MODELS_READ if variant else task.prompt.language_read(language)


def mixed_words(written: Sequence[Language]) -> str:
    """Return the sentence on prompts, from 0, that are written in these languages; "" where they are in one."""
    first, *others = written
    apart = [other for other in others if other != first]
    if not apart:
        return ""
    return (
        f"prompt 0 is written in {english_name(first)}, the wordings from 1 in {english_name(apart[0])}, so "
        "their spread includes the language"
    )


def language_asked(settings: Mapping[str, Any]) -> Language:
    """Return the language that a stored run was asked in."""
    return str(settings.get(MODEL_LANGUAGE, MODELS_READ))


def variant_of(settings: Mapping[str, Any]) -> int:
    """Return the number of the prompt that a run was asked with."""
    number = settings.get("variant")
    return number if isinstance(number, int) else 0
