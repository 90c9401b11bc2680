"""How each program asks the local server, as scripts for environments of their own: nothing of ours is in those.

Every script gets `address`, `number`, `at_once` and `prompt`, and leaves `ask`, which returns how many were answered.
"""

PROMPT = "\n\n".join(
    [
        "Назовите цвет предмета.",
        "Предмет: предмет {}",
        "1. Красный\n2. Зелёный",
        "Ответь только номером варианта: 1 или 2.",
    ]
)

OURS = """
from baseline.runs.planned_runs import Access, plan_runs
from baseline.runs.runner import run
from baseline.runs.run_settings import run_settings
from data.answers.choice import Choice
from data.task import Field, Item, Task
from data.wording import Wording, same
from db.engine import open_database, writing
from db.items import add_items
from db.studies import create_study
from db.study_settings import StudySettings

# A study in SQLite, every reply parsed and stored, as `python app.py run` does it.
task = Task(
    id="bench/colour", title=same("Цвет"), description=same(""), fields=(Field("thing", same("Предмет")),),
    question=same("Какого он цвета?"), instruction=same("Назовите цвет предмета."), prompt="", metrics=("accuracy",),
    answer=Choice(choices={"red": Wording(ru="Красный", en="Red"), "green": Wording(ru="Зелёный", en="Green")}),
)
database = open_database("sqlite:///bench.db")
with writing(database) as session:
    study = create_study(session, name="colours", task=task, settings=StudySettings())
    items = [Item(f"i{n}", {"thing": f"предмет {n}"}, "red") for n in range(number)]
    add_items(session, study=study, items=items)
settings = run_settings("openai:test", {"base_url": address, "concurrency": at_once})
(planned,) = plan_runs(database, "colours", settings, Access())

def ask():
    return run(database, planned).statuses["ok"]
"""

OPENAI = """
import asyncio
from openai import AsyncOpenAI, DefaultAioHttpClient

# The bare package with its aiohttp transport: nothing is read in the replies and nothing is kept.
async def all_of_them():
    turns = asyncio.Semaphore(at_once)
    async with AsyncOpenAI(api_key="none", base_url=address, http_client=DefaultAioHttpClient()) as client:
        async def one(place):
            async with turns:
                messages = [{"role": "user", "content": prompt.format(place)}]
                reply = await client.chat.completions.create(model="test", messages=messages, temperature=0)
            return reply.choices[0].message.content == "1"

        return sum(await asyncio.gather(*map(one, range(number))))

def ask():
    return asyncio.run(all_of_them())
"""

INSPECT = """
import os
os.environ |= {"OPENAI_API_KEY": "none", "INSPECT_DISPLAY": "none", "INSPECT_LOG_LEVEL": "error"}
from inspect_ai import Task, eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

# An evaluation with a scorer and a log file, as its documentation shows.
task = Task([Sample(prompt.format(n), target="1") for n in range(number)], solver=generate(), scorer=match())
config = GenerateConfig(temperature=0, max_connections=at_once)
model = get_model("openai-api/local/test", base_url=address, api_key="none", config=config)

def ask():
    (log,) = evaluate(task, model=model, max_samples=at_once, log_dir="logs")
    if log.error:
        raise SystemExit(log.error.message)
    return len(log.samples or [])
"""

LM_EVAL = """
import json
import os
os.environ["OPENAI_API_KEY"] = "none"
from lm_eval.api.instance import Instance
from lm_eval.models.api_models import JsonChatStr
from lm_eval.models.openai_completions import LocalChatCompletion

# Its client alone, without a task around it and without its cache.
model = LocalChatCompletion(
    model="test", base_url=f"{address}/chat/completions", num_concurrent=at_once, tokenizer_backend=None
)
asked = []
for place in range(number):
    text = JsonChatStr(json.dumps([{"role": "user", "content": prompt.format(place)}]))
    asked.append(Instance("generate_until", {}, (text, {"until": ["\\n\\n"], "max_gen_toks": 16}), place))

def ask():
    return len(model.generate_until(asked, disable_tqdm=True))
"""

MEASURED = """
startup, cpu, moment = time.time() - begun, time.process_time(), time.perf_counter()
answered = ask()
cpu, seconds = time.process_time() - cpu, time.perf_counter() - moment
if answered != number:
    raise SystemExit(f"{answered} of {number} answered")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpu": cpu, "seconds": seconds, "peak": peak, "startup": startup}))
"""

HEAD = """
import json, resource, sys, time
address, prompt = sys.argv[1], sys.argv[5]
number, at_once, begun = int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
"""

SCRIPTS = {"ours": OURS, "openai": OPENAI, "inspect": INSPECT, "lm_eval": LM_EVAL}


def script(name: str) -> str:
    """Return the whole program that asks as `name` does and prints what it took; `peak` is in MB, the rest seconds."""
    return HEAD + SCRIPTS[name] + MEASURED
