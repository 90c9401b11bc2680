"""The words in which the tables say how something stands."""

from typing import Literal

StudyStatus = Literal["draft", "open", "paused", "closed"]
EventKind = Literal[
    "opened", "paused", "closed", "archived", "unarchived", "rules", "settings", "let_in", "rule", "excluded",
    "on_hold", "restored", "retried", "appealed", "replied", "forgotten", "paid", "retention", "run_pinned",
    "run_unpinned", "run_deleted", "downloaded", "corrected", "renamed", "items_added",
    "published", "unpublished", "run_accepted", "queued", "upheld", "dismissed",
]  # fmt: skip
EnrolmentStatus = Literal["active", "finished", "paused", "failed", "excluded", "forgotten"]
LIVE = ("held", "reserved")  # of a lease that keeps a place of its item
OUT = ("failed", "excluded")  # of an enrolment whose answers to main items do not count
AssignmentStatus = Literal["reserved", "held", "shown", "done", "expired", "skipped", "left", "undone"]
JudgmentStatus = Literal["counted", "surplus", "void"]
MAKING, ABANDONED = "making", "abandoned"  # a study that is not there yet, and one that never will be: nobody finds it
RunStatus = Literal["running", "complete", "incomplete", "deleted", "submitted"]
