"""Lets Gradio be imported in half the time: it would write stubs of all its components anew, beside themselves."""

import inspect
import sys
from typing import Any

of_anything = inspect.getfile


def getfile(object: Any) -> str:
    """Say of a component, to what would write its stub, that there is no file to write it beside."""
    if sys._getframe(1).f_globals.get("__name__") == "gradio.component_meta":
        raise OSError("nothing is to be written")
    return of_anything(object)


inspect.getfile = getfile
