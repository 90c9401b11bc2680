"""Every answer type by its kind: their files are imported when a task is read or written."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema
from pydantic_core.core_schema import tagged_union_schema

from data.answers.answer_type import AnswerType


@cache
def answer_types() -> Mapping[str, type[AnswerType]]:
    """Return every answer type by its kind: in the file of this folder that is called so, the class of that kind."""
    types: dict[str, type[AnswerType]] = {}
    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        for member in vars(import_module(f"{__name__}.{file.stem}")).values():
            if isinstance(member, type) and issubclass(member, AnswerType) and getattr(member, "kind", "") == file.stem:
                types[file.stem] = member
    return types


class OfAnyKind:
    """Tells pydantic that an answer is of the type that its `kind` names."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {kind: handler.generate_schema(answer_type) for kind, answer_type in answer_types().items()}
        return tagged_union_schema(choices, discriminator="kind")


AnyAnswer = Annotated[AnswerType, OfAnyKind]


@cache
def _adapter() -> TypeAdapter[AnswerType]:
    return TypeAdapter(AnyAnswer)


def answer_values(answer: AnswerType) -> dict[str, Any]:
    """Return an answer type as plain data, its `kind` included."""
    values: dict[str, Any] = _adapter().dump_python(answer, mode="json")
    return values


def answer_from(values: object) -> AnswerType | None:
    """Return the answer type that such data describes, None where it describes none."""
    try:
        return _adapter().validate_python(values)
    except ValidationError:
        return None
