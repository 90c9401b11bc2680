"""An item as staff see it: with its gold, the explanation and, where they are known, the votes."""

from collections.abc import Mapping

from markupsafe import Markup

from data.drawing.environment import environment
from data.drawing.form import Mark, parts
from data.task import Item, Task
from data.wording import Language, Wording

GOLD = Wording("Верный ответ", "Right answer")


def draw_review(task: Task, item: Item, language: Language, *, votes: Mapping[str, int] | None = None) -> Markup:
    """Return an item with its gold marked. `votes` (label -> how many people gave it) stand beside the options."""
    page = environment().get_template("review.html")
    marks = {item.gold: Mark(right=True, words=GOLD.within(language))} if item.gold is not None else {}
    most = max((votes or {}).values(), default=0)
    seen = parts(task, item.fields, language, given=item.gold or "", marks=marks)
    return Markup(page.render(**seen, answerable=False, locked=True, votes=votes, most=most, item=item))
