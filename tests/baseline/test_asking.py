"""What a prompt holds: worked examples that are never test items, texts cut to fit, wordings from a file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from baseline.models.prompts import PromptOptions, prompt_hash, prompt_of, without_end
from baseline.models.run_fields import Fact
from baseline.runs.run_prompts import (
    asked_task,
    choose_shots,
    kept_shots,
    kept_with,
    stored_templates,
    templates_of,
    with_prompts,
)
from data.catalogue.catalog import get_task, samples
from data.errors import BadFile, BadSetting, BadTask
from data.task import Item, PublicItem, as_dict, from_dict
from tests.helpers.asking_models import ITEMS, chat_model
from tests.helpers.collection import TASK

PASSKEY = get_task("libra/passkey")
TEXT = " ".join(f"слово{n}" for n in range(1000))
LONG = {field.name: "" for field in PASSKEY.fields} | {"context": TEXT, "input": "Какой ключ спрятан?"}


def words(item: dict[str, str], asking: PromptOptions) -> tuple[int, str, bool]:
    prompt = prompt_of(PASSKEY, PublicItem(item), asking)
    text = prompt.messages[-1]["content"]
    return len(text.split()), text, prompt.cut


def test_a_shot_is_a_question_with_its_answer_before_the_item() -> None:
    shots = (Item("t", {"thing": "трава"}, "green"),)
    prompt = prompt_of(TASK, ITEMS[0].public(), PromptOptions(shots=shots))
    assert [message["role"] for message in prompt.messages] == ["user", "assistant", "user"]
    assert "трава" in prompt.messages[0]["content"]
    assert TASK.answer.parse(prompt.messages[1]["content"], {}) == "green"
    assert prompt.messages[2:] == prompt_of(TASK, ITEMS[0].public(), PromptOptions()).messages


def test_shots_are_never_items_of_the_study_and_are_drawn_by_the_seed() -> None:
    train = [
        *(replace(item, id=f"again-{item.id}") for item in ITEMS),
        *(replace(item, id=f"loud-{item.id}", fields={"thing": f"{item.fields['thing'].upper()} !"}) for item in ITEMS),
        *(Item(f"t{n}", {"thing": f"вещь {n}"}, "red") for n in range(9)),
    ]
    for seed in range(5):
        chosen = choose_shots(4, task=TASK, train=train, asked=ITEMS, seed=seed)
        assert {shot.id[0] for shot in chosen} == {"t"}
        assert chosen == choose_shots(4, task=TASK, train=train, asked=ITEMS, seed=seed)
    with pytest.raises(BadSetting, match="9 items with an answer that are not in the study"):
        choose_shots(10, task=TASK, train=train, asked=ITEMS)
    with pytest.raises(BadSetting, match="a train split; give one"):
        choose_shots(1, task=TASK, train=None, asked=ITEMS)


def test_examples_kept_with_a_run_are_the_same_again_and_stay_outside_the_study() -> None:
    train = [Item(f"t{n}", {"thing": f"трава {n}"}, "green") for n in range(5)]
    shots = choose_shots(3, task=TASK, train=train, asked=ITEMS)
    kept = kept_shots(json.loads(json.dumps({Fact.EXAMPLES: kept_with(shots)})))
    assert kept == shots
    assert PromptOptions(shots=kept).settings == PromptOptions(shots=shots).settings
    assert choose_shots(3, task=TASK, train=None, asked=ITEMS, kept=kept) == shots
    assert kept_shots({"shots": 3, "shots_hash": "0123"}) == ()
    with pytest.raises(BadSetting, match="a train split; give one"):
        choose_shots(2, task=TASK, train=None, asked=ITEMS, kept=kept)
    with pytest.raises(BadSetting, match="not in the study"):
        choose_shots(3, task=TASK, train=None, asked=[*ITEMS, kept[0]], kept=kept)


def test_examples_too_long_to_be_kept_are_refused() -> None:
    train = [Item(f"t{n}", {"thing": f"{n}" * 600_000}, "green") for n in range(2)]
    assert len(choose_shots(1, task=TASK, train=train, asked=ITEMS)) == 1
    with pytest.raises(BadSetting, match="have 1200000 characters"):
        choose_shots(2, task=TASK, train=train, asked=ITEMS)


@pytest.mark.parametrize("name", ["libra/ru_trec", "libra/ru_gsm100"])
def test_tasks_whose_texts_carry_their_shots_take_no_others(name: str) -> None:
    task = get_task(name)
    assert from_dict(as_dict(task)).shots is False
    train = [Item("t", {field.name: "x" for field in task.fields}, "1")]
    with pytest.raises(BadTask, match="ask for none"):
        choose_shots(1, task=task, train=train, asked=[])


def test_a_task_stored_before_takes_shots() -> None:
    stored = as_dict(TASK)
    del stored["shots"]
    assert from_dict(stored).shots is True


def test_a_text_over_the_limit_is_cut_at_its_end_and_the_question_stays() -> None:
    whole, text, cut = words(LONG, PromptOptions())
    assert (cut, TEXT in text) == (False, True)
    assert words(LONG, PromptOptions(context=3 * whole)) == (whole, text, False)
    number, text, cut = words(LONG, PromptOptions(context=300))
    assert (number, cut) == (100, True)
    assert LONG["input"] in text
    assert PASSKEY.answer.answer_format(LONG) in text
    kept = 1000 - (whole - 100)
    assert f"слово{kept - 1}" in text
    assert f"слово{kept}" not in text.split()


def test_as_published_the_end_of_the_whole_prompt_goes() -> None:
    _, before, _ = words(LONG, PromptOptions())
    number, text, cut = words(LONG, PromptOptions(context=600, fertility=2.0, as_published=True))
    assert (number, cut) == (300, True)
    assert before.startswith(text)


def test_shots_take_room_from_the_text() -> None:
    shot = Item("t", LONG | {"context": "Ключ 12345. " * 5}, '["12345"]')
    prompt = prompt_of(PASSKEY, PublicItem(LONG), PromptOptions(shots=(shot,), context=600))
    assert sum(len(message["content"].split()) for message in prompt.messages) == 200
    assert "слово0" in prompt.messages[-1]["content"]


def test_what_cannot_be_cut_to_fit_is_refused() -> None:
    with pytest.raises(BadSetting, match="allow a prompt more tokens"):
        prompt_of(TASK, ITEMS[0].public(), PromptOptions(context=6))
    with pytest.raises(BadSetting, match="allow a prompt more tokens"):
        words(LONG, PromptOptions(context=30))


@pytest.mark.parametrize(("number", "left"), [(0, " а  б\nв "), (1, " а  б"), (2, " а"), (3, ""), (9, "")])
def test_words_go_from_the_end(number: int, left: str) -> None:
    assert without_end(" а  б\nв ", number) == (left if number else " а  б\nв")


def test_prompts_from_a_file_stand_in_for_the_tasks_own(tmp_path: Path) -> None:
    file = tmp_path / "prompts.toml"
    file.write_text('"test/colour" = ["Цвет: {thing}?", "{thing} каков?"]\n"a/b" = "x"\n', "utf8")
    task = with_prompts(TASK, file)
    asked = [prompt_of(task, ITEMS[0].public(), PromptOptions(variant=n)).messages[0]["content"] for n in range(2)]
    assert asked == ["Цвет: предмет 0?", "предмет 0 каков?"]
    for wrong in ("= 1", '"a/b" = "x"', '"test/colour" = 5', '"test/colour" = []'):
        file.write_text(wrong, "utf8")
        with pytest.raises(BadFile, match=r"prompts\.toml.*test/colour"):
            with_prompts(TASK, file)


def test_a_run_is_put_again_in_the_words_that_are_stored_with_it() -> None:
    own = replace(TASK, prompt="Цвет: {thing}?", variants={"": ("{thing} каков?",)})
    use = get_task("use")
    item = next(item for item in samples(use) if item.role == "main")
    for task, asked in ((own, ITEMS[0]), (use, item)):
        for variant in (0, 1):
            settings = {Fact.TEMPLATES: templates_of(task, variant), "variant": variant}
            bare = replace(task, prompt="{other}", variants={})
            again = asked_task(bare, settings)
            assert prompt_hash(again, asked.public(), variant) == prompt_hash(task, asked.public(), variant)
    assert templates_of(own, 1) == {"": "{thing} каков?"}
    assert len(templates_of(use, 1)) == len(use.variants)
    assert stored_templates({"variant": 1}) is None
    assert asked_task(own, {"variant": 1}) is own


def test_the_key_of_a_request_tells_servers_models_fields_and_samples_apart() -> None:
    from baseline.models.model import Question

    def key(item: Item = ITEMS[0], sample: int = 0, model: str = "m", url: str = "http://a/v1", **settings: int) -> str:
        asked = Question(TASK, item.public(), item.id, sample)
        return chat_model(model, base_url=url, **settings).request(asked).key  # type: ignore[arg-type]

    same = [key(), key(url="http://a/v1/"), key(replace(ITEMS[0], id="another"))]
    others = [
        key(ITEMS[1]), key(sample=1), key(model="n"), key(url="http://b/v1"), key(max_tokens=5), key(seed=1),
    ]  # fmt: skip
    assert len(set(same)) == 1
    assert len({*same, *others}) == 1 + len(others)
