"""Opens the pages of a running server as a browser does, without one: what Gradio's own script does is done here.

A page's events are called over HTTP in the order in which a browser calls them, and what comes back is kept by
component; whatever a drawn page links to on the same server is fetched as well.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

CONFIG = re.compile(r"window\.gradio_config = (\{.*?\});</script>", re.DOTALL)
PRESS = re.compile(r"<(?:button|a|tr|div|select)\b[^>]*\sdata-[^>]*>")
DATASET = re.compile(r'\sdata-([a-z-]+)(?:="([^"]*)")?')
LINK = re.compile(r'\shref="(/[^"]+)"')
SESSIONS = itertools.count(1)


@dataclass
class Page:
    """One page opened in one browser: its components with their values, and what has been drawn since it was asked."""

    client: httpx2.Client
    address: str
    config: dict[str, Any] = field(init=False)
    values: dict[int, Any] = field(init=False)
    shown: list[str] = field(default_factory=list)
    session: str = field(default_factory=lambda: f"same-{next(SESSIONS)}")

    def __post_init__(self) -> None:
        written = CONFIG.search(self.client.get(self.address).text)
        if written is None:
            raise ValueError(f"{self.address!r} is no page made with Gradio")
        self.config = json.loads(written[1])
        self.values = {part["id"]: part["props"].get("value") for part in self.config["components"]}

    @property
    def components(self) -> dict[int, dict[str, Any]]:
        """The components by number."""
        return {part["id"]: part for part in self.config["components"]}

    def form(self) -> str:
        """Return every component with its kind and properties, in order, as the page declares them."""
        kept = [
            {"type": part["type"], **part["props"]} for part in self.config["components"] if part["type"] != "state"
        ]
        return "\n".join(json.dumps(part, ensure_ascii=False, indent=1) for part in kept)

    def load(self) -> str:
        """Do what happens when the page is opened; return what was drawn."""
        return self.fire(None, "load")

    def fire(self, component: int | None, event: str, data: Any = None) -> str:
        """Let an event happen (`component` None: to the page) with all that follows from it; return what was drawn."""
        self.shown = []
        self._fire(component, event, data)
        return "\n".join(self.shown)

    def tabs(self) -> list[tuple[str, int]]:
        """Return the label and the number of every tab."""
        return [
            (part["props"].get("label") or "", n) for n, part in self.components.items() if part["type"] == "tabitem"
        ]

    def buttons(self, words: str) -> list[int]:
        """Return the buttons that say these words."""
        return [
            n for n, part in self.components.items() if part["type"] == "button" and part["props"]["value"] == words
        ]

    def events(self, name: str) -> list[int]:
        """Return the components that have an event of that name."""
        targets = [target for function in self.config["dependencies"] for target in function["targets"]]
        return list(dict.fromkeys(number for number, event in targets if event == name and number is not None))

    def presses(self, component: int) -> list[dict[str, str]]:
        """Return the data of everything that can be pressed in what a component draws, each once."""
        tags = PRESS.findall(str(self.values[component] or ""))
        presses = [{key: unescape(text) for key, text in DATASET.findall(tag)} for tag in tags]
        return list({json.dumps(press, sort_keys=True): press for press in presses}.values())

    def links(self) -> list[str]:
        """Return the paths on this server that what is drawn leads to."""
        drawn = "\n".join(str(value) for value in self.values.values())
        return list(dict.fromkeys(map(unescape, LINK.findall(drawn))))

    def _fire(self, component: int | None, event: str, data: Any = None) -> None:
        for function in self.config["dependencies"]:
            if any(name == event and self._known(number) == component for number, name in function["targets"]):
                self._call(function, component, data)

    def _call(self, function: dict[str, Any], trigger: int | None, data: Any) -> None:
        if function["backend_fn"]:
            self._take(function, self._answer(function, trigger, data))
        for later in self.config["dependencies"]:
            if later.get("trigger_after") == function["id"]:
                self._call(later, trigger, data)

    def _answer(self, function: dict[str, Any], trigger: int | None, data: Any) -> dict[str, Any]:
        body = {
            "data": [None if self._is_state(number) else self.values[number] for number in function["inputs"]],
            "fn_index": function["id"],
            "event_data": data,
            "trigger_id": trigger,
            "session_hash": self.session,
        }
        page, query = self.address.partition("?")[::2]
        asked = dict(parse_qsl(query))
        if not function["queue"]:
            return dict(self.client.post(f"{page}gradio_api/run/predict", json=body, params=asked).json())
        sent = self.client.post(f"{page}gradio_api/queue/join", json=body, params=asked)
        sent.raise_for_status()
        for message in self._heard(page):
            if message["msg"] in ("process_completed", "unexpected_error"):
                return dict(message.get("output") or {}) | ({} if message.get("success") else {"failed": message})
        return {"failed": "nothing came"}

    def _heard(self, page: str) -> Iterator[dict[str, Any]]:
        with self.client.stream("GET", f"{page}gradio_api/queue/data", params={"session_hash": self.session}) as lines:
            for line in lines.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])

    def _known(self, number: int | None) -> int | None:
        return number if number in self.values else None  # else it is the page itself

    def _is_state(self, number: int) -> bool:
        return bool(self.components[number]["type"] == "state")

    def _take(self, function: dict[str, Any], answer: dict[str, Any]) -> None:
        if "data" not in answer:
            self.shown.append(f"=== failed: {json.dumps(answer, ensure_ascii=False, sort_keys=True)}")
            return
        for number, value in zip(function["outputs"], answer["data"], strict=False):
            self._keep(number, value)
        for number in answer.get("changed_state_ids") or ():
            self._fire(number, "change")

    def _keep(self, number: int, value: Any) -> None:
        props = self.components[number]["props"]
        if isinstance(value, dict) and value.get("__type__") == "update":
            value = changes_of(value)
            if not value:
                return
            self.values[number] = value.get("value", self.values[number])
        else:
            self.values[number] = value
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
        if not self._is_state(number):
            self.shown.append(f"=== {self.components[number]['type']} {props.get('label') or ''}\n{words}")


def changes_of(update: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an update changes of a component; that of a drawing has it one floor below."""
    below = update.get("props")
    inner = changes_of(below) if isinstance(below, dict) else {}
    return {key: value for key, value in update.items() if key not in ("__type__", "props")} | inner


def path_of(address: str) -> str:
    """Return a name for the file that holds what an address shows."""
    parts = urlsplit(address)
    return re.sub(r"[^\w.=-]+", "_", unescape(f"{parts.path}?{parts.query}" if parts.query else parts.path)).strip("_")
