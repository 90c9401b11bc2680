"""What the page of models calls its fields."""

LABELS = {
    "base_url": "Base URL",
    "model": "Model",
    "key": "API key",
    "limit": "Items at most",
    "samples": "Answers per item",
    "concurrency": "Requests at once, at most",
    "seed": "Seed",
    "temperature": "Temperature",
    "max_tokens": "Tokens of a reply at most",
    "reasoning_effort": "Reasoning effort",
    "params": "Other parameters",
    "prompts": "Prompts",
    "shots": "Worked examples",
    "context": "Tokens of a prompt at most",
    "structured": "Structured output",
    "train": "Train split",
    "max_cost": "Pay at most",
}
REREAD = "Read all replies anew"
