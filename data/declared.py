"""Settings that are declared once: a field of a pydantic model says what people are asked, told and allowed.

Forms, commands, documentation and lists of events are made of `settings_of(Model)`: a new setting is one more field.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from math import inf
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, Field, ValidationError, ValidationInfo
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from data.errors import BadSetting

Model = TypeVar("Model", bound=BaseModel)
LONGEST_QUOTED, LONGEST_SHOWN = 80, 60
STORED = {"stored": True}
"""The context of settings that were stored: they hold even where others like them would be refused today."""


@dataclass(frozen=True)
class Change:
    """What another value of a setting does while people answer, and which way it may go.

    `words` say what it does, "" where nothing has to be said. It may go `only` "up" or "down": a number, a switch (up
    is on), or a choice in the order in which choices are declared; where conditions are named in `once`, only while all
    of them hold. `why` is the clause that refuses another way, with {names} of settings for their values until now;
    `advice` is what to do then. What is changed in a form of its own has its name in `under`.
    """

    words: str = ""
    _: KW_ONLY
    only: Literal["", "up", "down"] = ""
    once: tuple[str, ...] = ()
    why: str = ""
    advice: str = ""
    under: str = ""


@dataclass(frozen=True)
class Asked:
    """How a setting is asked for, beside its title, its help and its bounds.

    Forms and documentation have it in the part `group`, beside the setting before it unless it begins a `new_row`.
    With it begins what the form of a new study folds under the words of `fold`: the rest of its part, rarely changed.
    `choices` are the values that a form offers with their words, or what returns them (by itself: those of a Literal),
    `lines` how many lines a text has. `option` is the command's own option for it; `--set` gives every setting. `typed`
    is the type of what people write where that is not the value itself, `placeholder` what stands in an empty field.
    `phrase` is what a list says of another value than the default, with {} for it. `change` says what another value
    does while people answer, None where it is fixed. `needs` is what a task must have for it to make sense. What is
    asked `afterwards` is said once there are answers; what is of an `imported` study too may be set where nobody
    answers.
    """

    group: str
    _: KW_ONLY
    new_row: bool = False
    fold: str = ""
    choices: Mapping[str, str] | Callable[[], Mapping[str, str]] = field(default_factory=dict)
    lines: int = 1
    option: str = ""
    typed: Any = None
    placeholder: str = ""
    phrase: str = ""
    change: Change | None = None
    needs: str = ""
    afterwards: bool = False
    imported: bool = False


@dataclass(frozen=True)
class Setting:
    """A setting of a model: what pydantic knows of its field, how it is asked for, and in which row."""

    name: str
    asked: Asked
    info: FieldInfo
    row: int = 0

    @property
    def title(self) -> str:
        """The name that people read, everywhere."""
        return str(self.info.title or self.name)

    @property
    def help(self) -> str:
        """A few words beside the title, or none."""
        return self.info.description or ""

    @property
    def default(self) -> Any:
        """The value where none is given."""
        return self.info.default

    @property
    def sentence(self) -> str:
        """Title and help as a command's help and the documentation have them."""
        return ". ".join(filter(None, (self.title, self.help))) + "."

    @property
    def kind(self) -> type:
        """What people write where it is not None: bool, int, float, str, a Path or what is `typed`."""
        if self.asked.typed is not None:
            return self.asked.typed  # type: ignore[no-any-return]
        kinds = [arg for arg in get_args(self.info.annotation) if arg is not NoneType] or [self.info.annotation]
        return str if get_origin(self.info.annotation) is Literal else kinds[0]

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        return NoneType in get_args(self.info.annotation)

    @property
    def may_be_empty(self) -> bool:
        """Whether its field may be left empty: it is optional, has no default, or is a text nobody has to write."""
        return self.optional or self.default in (None, "")

    @property
    def choices(self) -> dict[str, str]:
        """The values to choose from, each with its words."""
        literal = get_args(self.info.annotation) if get_origin(self.info.annotation) is Literal else ()
        choices = self.asked.choices
        return dict(choices() if callable(choices) else choices) or {value: value for value in literal}

    @property
    def way(self) -> str:
        """Which way it may go while people answer, in words, "" where it may go any way."""
        only = self.asked.change.only if self.asked.change else ""
        if not only:
            return ""
        if self.choices:
            return f"may only become “{list(self.choices.values())[-1 if only == 'up' else 0]}”"
        if self.kind is bool:
            return f"stays {'on' if only == 'up' else 'off'}"
        return f"may only {'grow' if only == 'up' else 'fall'}"

    def allows_change(self, before: Any, after: Any) -> bool:
        """Return whether it may go from one value to another."""
        if not self.way or self.asked.change is None:
            return True
        order = list(self.choices)
        first, then = (inf if each is None else order.index(each) if order else each for each in (before, after))
        return bool(then >= first if self.asked.change.only == "up" else then <= first)

    @property
    def options(self) -> list[tuple[str, str]]:
        """The choices as a list to choose from has them: words and value."""
        return [(words, value) for value, words in self.choices.items()]

    def bound(self, *names: str) -> Any:
        """Return the first of its bounds (ge, gt, le, lt, max_length, pattern) that it has, None for none."""
        bounds = (getattr(constraint, name, None) for name in names for constraint in self.info.metadata)
        return next((value for value in bounds if value is not None), None)

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return ", ".join(f"`{value}`" + f": {words}" * (words != value) for value, words in self.choices.items())
        if get_origin(self.kind) is list:
            return "several"
        if get_origin(self.info.annotation) is tuple:
            return "several, separated by commas"
        if self.kind is bool:
            return "yes or no"
        if self.kind is Path:
            return "file"
        if self.kind is str:
            if self.bound("pattern") and self.default:
                return f"text like {self.default}"
            longest = self.bound("max_length")
            return f"text of at most {longest:,} characters" if longest else "text"
        return " ".join(filter(None, ("whole number" if self.kind is int else "number", self.limits))) + (
            ", or nothing" if self.optional else ""
        )

    @property
    def limits(self) -> str:
        """The least and the most that a number may be, in words; "" where it has no bounds."""
        bounds = (("from", "ge"), ("above", "gt"), ("to", "le"), ("below", "lt"))
        return " ".join(f"{word} {limit:,}" for word, name in bounds if (limit := self.bound(name)) is not None)


def setting(asked: Asked, default: Any, title: str, help: str = "", **bounds: Any) -> Any:
    """Return the field of a setting: `help` stands beside its title, `bounds` are those of pydantic's `Field`.

    It must be one of its `choices` where these are what a function returns, as a Literal must.
    """
    info = Field(default, title=title, description=help, **bounds)
    info.metadata.append(asked)
    if callable(asked.choices):
        info.metadata.append(AfterValidator(_offered(asked.choices)))
    return info


def asked_in(file: Path, made: Callable[..., Asked] = Asked) -> Callable[..., Any]:
    """Return what makes the fields of settings that a TOML file asks for: `field(name, default, **bounds)`.

    A table of the file is a group. In it each setting has its title, its `help`, its `change`, and other values of what
    is `made` of it; its `choices` and what is `typed` may be given beside its bounds.
    """
    tables = tomllib.loads(file.read_text("utf8"))
    known = {name: {"group": group, **values} for group, named in tables.items() for name, values in named.items()}

    def field_of(name: str, default: Any, **given: Any) -> Any:
        values = known[name] | {each: given.pop(each) for each in ("choices", "typed") if each in given}
        title, words = values.pop("title"), values.pop("help", "")
        if "change" in values:
            change = values["change"]
            values["change"] = Change(**change | {"once": tuple(change.get("once", ()))})
        return setting(made(**values), default, title, words, **given)

    return field_of


def option(
    flag: str, default: Any, title: str, help: str = "", *, group: str = "", typed: Any = None, **bounds: Any
) -> Any:
    """Return the field of what only a command asks for, by its option."""
    return setting(Asked(group, option=flag, typed=typed), default, title, help, **bounds)


def _offered(choices: Callable[[], Mapping[str, str]]) -> Callable[[str, ValidationInfo], str]:
    def checked(value: str, info: ValidationInfo) -> str:
        if value not in choices() and info.context != STORED:
            known = " or ".join(map(repr, choices()))
            raise PydanticCustomError("choice", "Input should be {known}", {"known": known})
        return value

    return checked


def settings_of(model: type[BaseModel]) -> dict[str, Setting]:
    """Return the settings that a model declares, by name, in their order."""
    settings: dict[str, Setting] = {}
    row = 0
    for name, info in model.model_fields.items():
        for asked in (annotation for annotation in info.metadata if isinstance(annotation, Asked)):
            row += asked.new_row
            settings[name] = Setting(name, asked, info, row)
    return settings


def rows_of(settings: Mapping[str, Setting]) -> dict[str, list[list[Setting]]]:
    """Return settings by their groups, row by row."""
    groups: dict[str, dict[int, list[Setting]]] = {}
    for setting in settings.values():
        groups.setdefault(setting.asked.group, {}).setdefault(setting.row, []).append(setting)
    return {group: list(rows.values()) for group, rows in groups.items()}


def validated(model: type[Model], given: Mapping[str, Any], called: Callable[[str, object], str]) -> Model:
    """Return the model of these values; raises BadSetting for the first that is refused.

    `called` is given its name and its value, and says what a person knows them as.
    """
    try:
        return model(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise BadSetting(f"{called(name, first['input'])}: {message}") from error


def quoted(value: object) -> str:
    """Return a value as a sentence about it names it; of a long text the beginning."""
    return repr(value) if len(repr(value)) <= LONGEST_QUOTED else f"{repr(value)[:LONGEST_QUOTED]}…"


def shortened(value: Any) -> Any:
    """Return a value as a list of changes shows it: of a long text the beginning, yes or no for a switch."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value[:LONGEST_SHOWN]}…" if isinstance(value, str) and len(value) > LONGEST_SHOWN else value


def change_words(setting: Setting) -> str:
    """Return what a change of a setting does while people answer and which way it may go, "" for nothing to be said."""
    change = setting.asked.change
    if change is None:
        return ""
    way = " ".join(filter(None, (setting.way, " and ".join(change.once))))
    words = "; ".join(filter(None, (change.words, way, change.under and f"changed under {change.under}")))
    return words[:1].upper() + words[1:]
