"""Components of pages, built without a server."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import gradio as gr

T = TypeVar("T")


def built(build: Callable[[], T]) -> T:
    """Return what `build` builds on a page; Gradio makes one within a loop of events only."""

    async def page() -> T:
        with gr.Blocks():
            return build()

    return asyncio.run(page())
