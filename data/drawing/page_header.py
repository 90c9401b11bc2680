"""What stands at the head of every requesters' page: the name, the way to the other pages, the way out."""

from markupsafe import Markup

from data.drawing.environment import environment

PLACES = {
    "Studies": "/manage/",
    "Models": "/models/",
    "Results": "/results/",
    "Board": "/board-submissions",
    "Accounts": "/accounts/",
}
SHEETS = ("look", "items", "requesters", "comparison", "form")
STYLES = (*(f"/static/look/{name}.css" for name in SHEETS), "/account/places.css")
ICON = '<link rel="icon" href="/static/look/icon.svg" type="image/svg+xml">'
SCRIPT = '<script type="module" src="/static/look/dropdowns.js"></script>'
HEAD = ICON + "".join(f'<link rel="stylesheet" href="{address}">' for address in STYLES) + SCRIPT
"""What goes into the head of a requesters' page."""


def draw_masthead(here: str) -> Markup:
    """Return the head of the page that is called `here` in PLACES."""
    return Markup(environment().get_template("masthead.html").render(places=PLACES, here=here))
