"""The worker's way as a table of facts, and what each stage allows."""

from dataclasses import replace

import pytest

from annotate.consent import passed
from annotate.worker.stages import ACTS, EnrolmentFacts, Stage, stage_of

READY = EnrolmentFacts(consented=True, instructed=True)


@pytest.mark.parametrize(
    ("facts", "stage"),
    [
        (EnrolmentFacts(), "consent"),
        (EnrolmentFacts(consented=True), "instructions"),
        (EnrolmentFacts(consented=True, training_left=True), "instructions"),
        (replace(READY, training_left=True), "training"),
        (replace(READY, training_left=True, explaining=True), "feedback"),
        (replace(READY, explaining=True, training_passed=False), "feedback"),
        (replace(READY, training_passed=False), "failed"),
        (replace(READY, training_passed=False, attempts_left=True), "again"),
        (replace(READY, attempts_left=True), "work"),
        (replace(READY, explaining=True, training_passed=False, attempts_left=True), "feedback"),
        (replace(READY, status="paused", training_passed=False, attempts_left=True), "on_hold"),
        (READY, "work"),
        (replace(READY, nothing_left=True), "done"),
        (replace(READY, status="failed"), "failed"),
        (replace(READY, status="excluded"), "stopped"),
        (replace(READY, study_open=False), "closed"),
        (EnrolmentFacts(study_open=False), "closed"),
        (replace(READY, status="excluded", study_open=False), "stopped"),
        (replace(READY, status="failed", study_open=False), "failed"),
    ],
)
def test_the_facts_put_a_worker_in_one_stage(facts: EnrolmentFacts, stage: Stage) -> None:
    assert stage_of(facts) == stage


@pytest.mark.parametrize("stage", ["done", "failed", "stopped", "closed"])
def test_at_an_end_there_is_nothing_left_to_do(stage: Stage) -> None:
    assert stage not in ACTS


@pytest.mark.parametrize(
    ("right", "answered", "mark", "expected"),
    [
        (4, 5, 0.8, True),
        (3, 5, 0.8, False),
        (0, 0, 0.8, True),
        (0, 3, 0.0, True),
        (3, 3, 1.0, True),
        (2, 3, 1.0, False),
    ],
)
def test_training_is_passed_at_its_mark_and_not_below(right: int, answered: int, mark: float, expected: bool) -> None:
    assert passed(right=right, answered=answered, mark=mark) is expected
