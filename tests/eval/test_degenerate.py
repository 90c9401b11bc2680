"""Studies with something missing: every public function gives a clear result or a clear sentence."""

import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.answers.choice import Choice
from data.errors import BadSetting
from data.human_rules import TIES
from data.wording import same
from eval import ballots
from eval import people_scores as humans
from eval.agreement.alpha import alpha, alpha_interval
from eval.agreement.at_chance import at_chance
from eval.agreement.beside_people import answers_of_each, everybody, measure_of, single_rows
from eval.agreement.by_label import categories
from eval.agreement.by_part import part_agreement
from eval.agreement.coefficients import agreement, coefficient_figures
from eval.agreement.equal_pairs import why_no_fleiss
from eval.agreement.of_votes import agreement_of, wider_agreement
from eval.agreement.peer_figures import peer_figures
from eval.comparison.alt_test import alternative_annotator
from eval.comparison.difference import difference, equivalence
from eval.comparison.majority_of_k import crowd_of, majority_of_k, plurality_of
from eval.comparison.peer_difference import between, from_one_person
from eval.consensus.agreed import answer_agreement
from eval.consensus.composite import unanimous
from eval.consensus.dawid_skene import dawid_skene, one_coin
from eval.consensus.expert import with_decisions
from eval.consensus.majority import majority, settle, skill_sums, voter_skills, votes_for
from eval.consensus.rules import CONSENSUS, METHODS, ConsensusRule, consensus_of
from eval.consensus.ties import WinningRule
from eval.gold import TaskItems, right_rows
from eval.gold_errors import gold_errors
from eval.intervals.clusters import Resampling
from eval.intervals.jackknife import (
    groups_of_people,
    judgment_mean,
    kinds_without_each,
    noise_of_votes,
    values_without_each,
    why_these_people,
    without_each,
)
from eval.intervals.other_people import wider, wider_scores, with_gold
from eval.metrics.table import metric_named
from eval.panel import Panel, PanelRules, StudyData, agreed_under, one_answer_is_mean, one_answer_of, panel
from eval.reanalysis import analysis, analysis_of, effect, individual_scores
from eval.scoring import score, values_of
from eval.sensitivity import rule_grid, sensitivity
from eval.tally import gold_codes
from eval.votes import COLUMNS, Votes, check_columns, check_listed, code_answers
from eval.workers.afterwards import StudyTables
from eval.workers.copying import departures
from eval.workers.disagreement import with_others
from eval.workers.scores import worker_mean
from eval.workers.table import checked_rules

Frames = tuple[pd.DataFrame, pd.DataFrame]
EVAL = Path(ballots.__file__).parent
METRICS = ["accuracy", "macro_f1", "mcc"]


def made(main: dict[str, str], gold: str, controls: dict[str, str] | None = None) -> Frames:
    """What each worker says to q0, q1, ...; gold letters, a dash for none; controls whose gold is always a."""
    rows = [
        (f"{letter}{place}", worker, label, role)
        for letter, role, said in (("q", "main", main), ("c", "control", controls or {}))
        for worker, labels in said.items()
        for place, label in enumerate(labels)
        if label != "."
    ]
    judged = pd.DataFrame(rows, columns=["item", "worker", "label", "role"], dtype=object)
    items = [(f"q{place}", "main", None if label == "-" else label) for place, label in enumerate(gold)]
    items += [(f"c{place}", "control", "a") for place in range(3)]
    frame = pd.DataFrame(items, columns=["item", "role", "gold"], dtype=object)
    return judged.assign(status="counted", reason="", seconds=1.0), frame


ONE_EACH = {"ann": "ab....", "bob": "..ba..", "cid": "....ab"}
ALL = {"ann": "ababab", "bob": "ababab", "cid": "abbaab"}
CONTROLS = {"ann": "aaa", "bob": "aab", "cid": "bbb"}
STUDIES: dict[str, Frames] = {
    "ordinary": made(ALL, "abbaab", CONTROLS),
    "no control": made(ALL, "abbaab"),
    "one vote per item": made(ONE_EACH, "abbaab", CONTROLS),
    "one worker": made({"ann": "ababab"}, "abbaab", {"ann": "aaa"}),
    "one label": made({"ann": "aaaaaa", "bob": "aaaaaa"}, "aaaaaa", {"ann": "aaa", "bob": "aaa"}),
    "all ties": made({"ann": "ababab", "bob": "bababa"}, "abbaab", CONTROLS),
    "no gold": made(ALL, "------", CONTROLS),
    "gold partly missing": made(ALL, "ab----", CONTROLS),
    "gold nobody could give": made(ALL, "zzzzzz", CONTROLS),
    "gold only where nobody answered": made({"ann": "ab....", "bob": "ba...."}, "----ab"),
    "controls only": made({}, "abbaab", CONTROLS),
    "nobody answered": made({}, "abbaab"),
    "no items": made({}, ""),
}


def model_of(study: Panel) -> ballots.Ballots:
    """A model that says a to every second item and nothing usable to the others."""
    said = {item: "a" if place % 2 else None for place, item in enumerate(study.votes.items)}
    return ballots.answers(said, items=study.votes.items, labels=sorted({*study.votes.labels, "a"}))


def accuracy_of(study: Panel) -> Callable[[Votes], list[float]]:
    answer = one_answer_of(study)
    return lambda votes: values_of([metric_named("accuracy")], study.gold, answer(votes))


def on_panel(function: Callable[[Panel], object]) -> Callable[[Panel, Frames], object]:
    return lambda study, _frames: function(study)


def on_votes(function: Callable[..., object], **options: Any) -> Callable[[Panel, Frames], object]:
    return lambda study, _frames: function(study.votes, **options)


FEW = Resampling(draws=20)


def on_counts(function: Callable[..., object], **options: Any) -> Callable[[Panel, Frames], object]:
    return lambda study, _frames: function(study.votes.counts, **options)


def on_gold(function: Callable[..., object], **options: Any) -> Callable[[Panel, Frames], object]:
    return lambda study, _frames: function(study.gold, study.votes, **options)


def on_rows(function: Callable[..., object], **options: Any) -> Callable[[Panel, Frames], object]:
    return lambda _study, frames: function(frames[0], **options)


def skills(study: Panel) -> Any:
    return voter_skills(study.votes, study.controls)


def scores(study: Panel) -> dict[str, Any]:
    return score(METRICS, study.gold, study.consensus.ballots, FEW)


def on_rules(_study: Panel, frames: Frames) -> object:
    """Whom all the rules find, from very few answers on, everything pasted and skipped."""
    judged, items = frames
    few = {key: {"minimum": 2} for key in ("control", "constant", "disagreement", "copying", "attention")}
    told = {"fast": {"seconds": 2}, "pattern": {"minimum": 4, "longest": 2}, "skips": {"in_a_row": 2}}
    seen = judged.assign(pasted=True, away=False, skipped=True)
    asked = TaskItems(Choice({"a": same("a"), "b": same("b")}))
    found = StudyTables(seen, items, asked, seen).find(checked_rules(few | told).each())
    return {rule: [vars(one) for one in findings] for rule, findings in found.items()}


CALLS: dict[str, Callable[[Panel, Frames], object]] = {
    "agreement": on_counts(agreement, resampling=FEW),
    "why_no_fleiss": on_counts(why_no_fleiss),
    "alpha": on_counts(alpha),
    "alpha ordinal": on_counts(alpha, level="ordinal"),
    "alpha interval": on_panel(
        lambda s: alpha(s.votes.counts, level="interval", values=list(range(len(s.votes.labels))))
    ),
    "alpha_interval": on_counts(alpha_interval, resampling=FEW, level="ordinal"),
    "categories": on_votes(categories, resampling=FEW),
    "part_agreement": on_votes(part_agreement, resampling=FEW),
    "unanimous": on_panel(lambda s: unanimous(s.votes).tolist()),
    "voter_skills": on_panel(lambda s: voter_skills(replace(s.votes, skill=np.full(len(s.votes), 0.9)), s.controls)),
    "votes_for": on_panel(lambda s: [each.tolist() for each in votes_for(majority(s.votes), s.votes).values()]),
    "plurality_of": on_counts(plurality_of, k=2),
    "crowd_of": on_votes(crowd_of, k=2),
    "majority_of_k": on_panel(lambda s: majority_of_k(METRICS, s.gold, s.votes, FEW)),
    "dawid_skene": on_votes(dawid_skene),
    "one_coin": on_votes(one_coin),
    "settle": on_panel(lambda s: settle(s.votes, s.votes.counts)),
    "ballots_of_codes": on_panel(
        lambda s: (
            ballots.ballots_of_codes(
                s.votes, np.arange(len(s.votes.items))[:1], np.array([-1])[: len(s.votes.items)]
            ).scored
        )
    ),
    "with_decisions": on_panel(
        lambda s: with_decisions(s.consensus, s.votes, dict.fromkeys(s.votes.items[:1], "a")).number("won")
    ),
    "individual": on_panel(lambda s: score(METRICS, s.gold, ballots.individual(s.votes), FEW)),
    "leave_one_out": on_votes(humans.leave_one_out, resampling=FEW),
    "ceiling": on_votes(humans.ceiling, resampling=FEW),
    "item_weighted": on_gold(humans.item_weighted, resampling=FEW),
    "gold_codes": on_gold(gold_codes),
    "worker_mean": lambda s, _: [worker_mean(m, s.gold, s.votes, FEW, minimum=2) for m in METRICS],
    "wider_scores": on_panel(lambda s: wider_scores(scores(s), s.gold, s.votes, one_answer_of(s))),
    "analysis_of": on_panel(lambda s: analysis_of(s, METRICS)),
    "individual_scores": on_panel(lambda s: individual_scores(s, METRICS)),
    "wider": on_panel(lambda s: wider(humans.ceiling(s.votes), s.votes, lambda left: humans.ceiling(left).value)),
    "one_answer_is_mean": on_panel(lambda s: int(one_answer_is_mean(s))),
    "with_gold": on_panel(lambda s: len(with_gold(s.votes, s.gold))),
    "why_these_people": on_votes(why_these_people),
    "groups_of_people": on_panel(lambda s: groups_of_people(s.votes).tolist()),
    "kinds_without_each": on_panel(lambda s: [int(times.sum()) for _, times in kinds_without_each(s.votes)]),
    "without_each": on_panel(lambda s: list(map(len, without_each(s.votes)))),
    "noise_of_votes": on_panel(lambda s: noise_of_votes(s.votes, accuracy_of(s)).tolist()),
    "values_without_each": on_panel(lambda s: values_without_each(s.votes, accuracy_of(s), [0.0025]).tolist()),
    "wider_agreement": on_panel(
        lambda s: wider_agreement(
            agreement_of(s.votes, FEW), list(map(coefficient_figures, kinds_without_each(s.votes)))
        )
    ),
    "difference": on_panel(lambda s: [difference(m, s.gold, model_of(s), s.consensus.ballots, FEW) for m in METRICS]),
    "equivalence": on_panel(
        lambda s: [equivalence(m, s.gold, model_of(s), s.consensus.ballots, FEW, margin=0.1) for m in METRICS]
    ),
    "alternative_annotator": on_panel(lambda s: alternative_annotator(s.votes, dict.fromkeys(s.votes.items, "a"))),
    "panel": on_panel(lambda s: [s.counts(), s.notes, s.agreement.as_dict()]),
    "rules on workers": on_rules,
    "effect": lambda _, frames: effect(
        analysis(StudyData(*frames), METRICS, PanelRules(), draws=20),
        analysis(StudyData(*frames, excluded=frozenset({"ann"})), METRICS, PanelRules(), draws=20),
    ),
    "analysis": lambda _, frames: analysis(StudyData(*frames), METRICS, PanelRules(), draws=20),
    "skill_sums": on_panel(lambda s: skill_sums(s.votes, skills(s), "This").tolist()),
    "sensitivity": lambda _, frames: sensitivity("accuracy", StudyData(*frames), rule_grid(PanelRules()), draws=20),
    "consensus_of": on_panel(
        lambda s: [consensus_of(s.votes, ConsensusRule(consensus=c), skills=skills(s)) for c in CONSENSUS]
    ),
    "agreed_under ties": on_panel(
        lambda s: [agreed_under(PanelRules(ties=ties, min_votes=2), s.votes, skills(s), {})[0] for ties in TIES]
    ),
    "majority": on_panel(lambda s: majority(s.votes, WinningRule("skill"), skills=skills(s))),
    "score": on_panel(scores),
    "agreement_of": on_panel(lambda s: agreement_of(s.votes, FEW)),
    "check_columns": on_rows(lambda rows: check_columns(rows, COLUMNS, "judgments")),
    "check_listed": on_votes(lambda votes: None if votes.names is not None else check_listed(votes, "This")),
    "gold_errors": on_panel(lambda s: repr(gold_errors(s.votes, [], s.gold))),
    "answer_agreement": on_panel(lambda s: answer_agreement(s.consensus, s.votes, 0.6, 0.1)),
    "agreed_under": on_panel(lambda s: agreed_under(PanelRules(agreement_min=0.6), s.votes, None, {})),
    "measure_of": on_votes(lambda votes: list(measure_of(votes).names)),
    "answers_of_each": on_votes(lambda votes: list(answers_of_each(votes, range(len(votes.workers))))),
    "single_rows": on_panel(lambda s: len(single_rows(s.votes, model_of(s)).item)),
    "everybody": on_votes(lambda votes: len(everybody(votes).item)),
    "at_chance": on_votes(at_chance),
    "judgment_mean": on_votes(lambda votes: judgment_mean(votes, np.zeros(len(votes.label)), FEW)),
    "peer_figures": on_votes(lambda votes: peer_figures(everybody(votes), votes, FEW)),
    "from_one_person": on_panel(
        lambda s: from_one_person(s.votes, single_rows(s.votes, model_of(s)), everybody(s.votes), FEW)
    ),
    "between": on_panel(
        lambda s: between(s.votes, single_rows(s.votes, model_of(s)), single_rows(s.votes, model_of(s)), FEW)
    ),
    "departures": on_votes(lambda votes: [each.tolist() for each in departures(votes, 0)]),
    "with_others": on_votes(lambda votes: [each.tolist() for each in with_others(votes)]),
    "code_answers": lambda _, frames: code_answers(frames[0], items=None, labels=None, asked=None).counts.tolist(),
    "right_rows": lambda _, frames: right_rows(frames[0], frames[0]["label"], None).tolist(),
}
# What only open answers have: tests/eval/test_open.py and tests/eval/test_composite.py call these.
OPEN = {"asked_of", "by_units", "code_open", "crowd_by_units", "mean_similarities"}
OPEN |= {
    "open_agreement",
    "open_figures",
    "similarities_by_item",
    "sittings",
    "credit_of",
}
# What judges and rankings do with something missing stands in the tests of these folders.
OWN_TESTS = ("judges", "ranking")
NEEDS_CONTROLS = {"consensus_of", "agreed_under ties", "majority", "skill_sums"}


def plain(result: Any) -> Any:
    """What would be shown of a result, as JSON takes it."""
    if hasattr(result, "as_dict"):
        return result.as_dict()
    if isinstance(result, dict):
        return {str(key): plain(value) for key, value in result.items()}
    if isinstance(result, list | tuple):
        return [plain(value) for value in result]
    return result if isinstance(result, str | int | bool | None) else repr(result)


@cache
def panel_of(name: str) -> Panel:
    return panel(StudyData(*STUDIES[name]), PanelRules(), draws=20)


@pytest.mark.parametrize("call", CALLS)
def test_a_study_with_something_missing_has_a_clear_result(call: str) -> None:
    for name in STUDIES:
        check(name, call)


def check(name: str, call: str) -> None:
    study, frames = panel_of(name), STUDIES[name]
    if call in NEEDS_CONTROLS and study.controls.empty:
        with pytest.raises(BadSetting, match=r"needs answers to control items; .*\.$"):
            CALLS[call](study, frames)
    else:
        assert json.dumps(plain(CALLS[call](study, frames)), allow_nan=False)


def public_functions() -> Iterator[tuple[str, inspect.Signature]]:
    for path in sorted(set(EVAL.rglob("*.py")) - {own for name in OWN_TESTS for own in (EVAL / name).rglob("*.py")}):
        module = import_module(".".join(path.relative_to(EVAL.parent).with_suffix("").parts).removesuffix(".__init__"))
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                yield name, inspect.signature(value)


def test_no_function_over_votes_or_judgments_is_left_out() -> None:
    over = {
        name
        for name, signature in public_functions()
        if any(given.annotation in (Votes, pd.DataFrame, StudyData) for given in signature.parameters.values())
    }
    by_consensus_of = {method.scores.__name__ for method in METHODS.values()}
    lacking = over - {"code"} - OPEN - by_consensus_of - set(CALLS)
    assert not lacking, f"call these in CALLS, or name those of open answers in OPEN: {sorted(lacking)}"


@pytest.mark.parametrize("name", ["no gold", "nobody answered", "no items", "controls only"])
def test_what_cannot_be_scored_is_no_number(name: str) -> None:
    study = panel_of(name)
    values = [each.value for each in scores(study).values()]
    assert all(np.isnan(value) for value in values)
    assert majority_of_k(["accuracy"], {}, study.votes) == {}


def test_votes_of_nothing_are_still_votes() -> None:
    study = panel_of("nobody answered")
    assert isinstance(study.votes, Votes)
    assert study.consensus.number("empty") == 6
