"""The OpenAI account in whose name requests are sent, and the address they go to."""

from db.settings import variable

PUBLIC = "https://api.openai.com/v1"
WHO_PAYS = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
"""Headers that a key of several organisations or projects needs, by the variables that hold them."""


def openai_headers(key: str) -> dict[str, str]:
    """Return in whose name OpenAI's API is asked."""
    paying = {header: variable(name) for header, name in WHO_PAYS.items() if variable(name)}
    return {"Authorization": f"Bearer {key}", **paying}
