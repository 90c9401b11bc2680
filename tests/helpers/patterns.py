"""Every regular expression of the program, found in its source, and texts that are the worst for each."""

import ast
import importlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).parents[2]
ROOMS = ("data", "eval", "db", "annotate", "baseline")
CALLS = {"compile", "search", "match", "fullmatch", "split", "sub", "subn", "findall", "finditer"}
CALLED = re.compile(rf"(?<![\w.])(\w+)\.({'|'.join(CALLS)})\b")
EVERYWHERE = " \n\ta1.*-"
CATEGORIES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " \n",
    codes.CATEGORY_WORD: "aя_",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a*",
    codes.CATEGORY_NOT_WORD: "* ",
}
MOST_PAIRS = 260
END = "\x01"  # which few patterns can match


@dataclass(frozen=True)
class Use:
    """One pattern as one place of the source uses it."""

    where: str
    line: int
    pattern: re.Pattern[str]
    how: frozenset[str]


class Unknown(Exception):
    """A pattern that is made while the program runs, of parts that nobody gave."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every module."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            yield name, path.read_text("utf8")


def inventory(parts: Mapping[str, Mapping[str, Any]]) -> list[Use]:
    """Return all patterns; `parts` gives what those are made of that are made while the program runs, by function."""
    texts = dict(modules())
    methods: dict[str, set[str]] = {}
    for text in texts.values():
        for name, method in CALLED.findall(text):
            methods.setdefault(name, set()).add(method)
    asking = [name for name, text in texts.items() if re.search(r"^\s*import re$", text, re.MULTILINE)]
    return [use for name in asking for use in _uses(name, ast.parse(texts[name]), methods, parts)]


def _uses(
    module: str, tree: ast.Module, methods: Mapping[str, set[str]], parts: Mapping[str, Mapping[str, Any]]
) -> Iterator[Use]:
    space = vars(importlib.import_module(module))
    named = {id(call): target for call, target in _assigned(tree)}
    for function, call in _calls(tree):
        where = f"{module}:{function}" if function else module
        how = {call.func.attr} if call.func.attr != "compile" else methods.get(named.get(id(call), ""), {"finditer"})  # type: ignore[attr-defined]
        for given in _evaluated(call, space, parts.get(where, {}), where):
            yield Use(where, call.lineno, given, frozenset(how))


def _evaluated(
    call: ast.Call, space: dict[str, Any], parts: Mapping[str, Any], where: str
) -> Iterator[re.Pattern[str]]:
    position = {"split": 3, "sub": 4, "subn": 4, "compile": 1}.get(call.func.attr, 2)  # type: ignore[attr-defined]
    flags = next((one.value for one in call.keywords if one.arg == "flags"), None)
    flags = flags or (call.args[position] if len(call.args) > position else ast.parse("0", mode="eval").body)
    names = {node.id for node in ast.walk(call.args[0]) if isinstance(node, ast.Name)}
    local = {name: value for name, value in parts.items() if name in names}
    try:
        for values in itertools.product(*(value if isinstance(value, list) else [value] for value in local.values())):
            scope = {**space, **dict(zip(local, values, strict=True))}
            text, bits = (eval(ast.unparse(node), scope) for node in (call.args[0], flags))
            yield re.compile(text, bits)
    except NameError as error:
        raise Unknown(f"{where}, line {call.lineno}: say in PARTS what {error.name!r} may be") from error


def _assigned(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.value, node.targets[0].id


def _calls(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of `re` with the function they stand in."""
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, ast.FunctionDef) else function
        if isinstance(node, ast.Call) and isinstance(asked := node.func, ast.Attribute) and asked.attr in CALLS:
            yield from [(function, node)] if isinstance(asked.value, ast.Name) and asked.value.id == "re" else ()
        yield from _calls(node, inside)


@dataclass(frozen=True)
class Attack:
    """A text made of something repeated, with a head before it and a tail after it."""

    head: str
    repeated: str
    tail: str = ""

    def text(self, size: int) -> str:
        """Return it with about so many characters."""
        return self.head + self.repeated * (size // len(self.repeated)) + self.tail


def attacks(pattern: re.Pattern[str]) -> Iterator[Attack]:
    """Yield what is most likely to make a pattern try again and again, made of what it looks for itself."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    signs = "".join(dict.fromkeys("".join(_signs(tree)) + EVERYWHERE))[:40]
    least = _least(tree)[:60]
    words = [word for word in dict.fromkeys(_words(tree)) if len(word) > 1][:30]
    heads = [least[: len(least) // 2], least, *(least[:cut] for cut in range(1, min(len(least), 6)))]
    pieces = [piece for piece in dict.fromkeys([*heads, *words]) if piece]
    for sign in signs:
        yield Attack("", sign)
        yield Attack("", sign, END)
        yield from (Attack(piece, sign, END) for piece in pieces)
    for piece in pieces:
        yield Attack("", piece, END)
        yield from (Attack("", piece + sign, END) for sign in signs)
    for first, second in itertools.islice(itertools.permutations(signs, 2), MOST_PAIRS):
        yield Attack("", first + second, END)


def _signs(tree: Any) -> Iterator[str]:
    for code, value in _leaves(tree):
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(value) if code == codes.LITERAL else "z"
        elif code == codes.ANY:
            yield "x"
        elif code == codes.IN:
            yield _inside(value)


def _inside(given: list[Any]) -> str:
    found = ""
    for code, value in given:
        if code == codes.LITERAL:
            found += chr(value)
        elif code == codes.RANGE:
            found += chr(value[0])
        elif code == codes.CATEGORY:
            found += CATEGORIES[value]
        elif code == codes.NEGATE:
            found += "x é"
    return found


def _leaves(tree: Any) -> Iterator[tuple[Any, Any]]:
    for code, value in tree:
        inner = _inner(code, value)
        if inner:
            for one in inner:
                yield from _leaves(one)
        else:
            yield code, value


def _inner(code: Any, value: Any) -> list[Any]:
    """Return the trees that stand in one."""
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code == codes.SUBPATTERN:
        return [value[3]]
    if code == codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code == codes.ATOMIC_GROUP else []


def _words(tree: Any) -> Iterator[str]:
    """Yield what stands in a pattern letter by letter."""
    word = ""
    for code, value in tree:
        if code == codes.LITERAL:
            word += chr(value)
            continue
        yield word
        word = ""
        for one in _inner(code, value):
            yield from _words(one)
    yield word


def _least(tree: Any) -> str:
    """Return a short text that a pattern most likely matches."""
    found = ""
    for code, value in tree:
        if code == codes.LITERAL:
            found += chr(value)
        elif code == codes.IN:
            found += (_inside(value) or "x")[0]
        elif code in (codes.ANY, codes.NOT_LITERAL):
            found += "x"
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            found += _least(value[2]) * min(max(value[0], 1), 3)
        elif code in (codes.SUBPATTERN, codes.BRANCH, codes.ATOMIC_GROUP):
            found += _least(_inner(code, value)[0])
    return found
