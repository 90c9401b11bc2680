"""What the page of models calls its fields, and sentences about a command's options said with these words."""

import re

LABELS = {
    "base_url": "Base URL",
    "model": "Model",
    "key": "API key",
    "limit": "Items at most",
    "samples": "Answers per item",
    "concurrency": "Requests at once, at most",
    "seed": "Seed",
    "prompts": "Prompts",
    "shots": "Worked examples",
    "context": "Tokens of a prompt at most",
    "structured": "Structured output",
    "train": "Train split",
    "max_cost": "Pay at most",
}
REREAD = "Read all replies anew"
OPTIONS = {
    "give one with --train FILE": f"choose its file under “{LABELS['train']}”",
    "--train": f"“{LABELS['train']}”",
    "leave --shots out": f"set “{LABELS['shots']}” to 0",
    "--shots": f"“{LABELS['shots']}”",
    "--context": f"“{LABELS['context']}”",
    "--structured": f"“{LABELS['structured']}”",
    "--base-url": f"“{LABELS['base_url']}”",
    "--max-cost": f"“{LABELS['max_cost']}”",
    "--model random": "“Random”",
    "--model": f"“{LABELS['model']}”",
    "OPENAI_API_KEY": f"“{LABELS['key']}”",
    "run the same command again": "press “Go on”",
    "`rescore` reads its replies anew": f"press “{REREAD}” to read its replies again",
}
"""What sentences say at a terminal, and what they say on the page; a longer one stands before what begins it."""
NAMED = re.compile("|".join(rf"{re.escape(words)}(?![\w-])" for words in OPTIONS))


def page_words(sentence: str) -> str:
    """Return a sentence as the page says it.

    >>> page_words("the server has no such model; check --model and --base-url")
    'the server has no such model; check “Model” and “Base URL”'
    """
    return NAMED.sub(lambda found: OPTIONS[found[0]], sentence)
