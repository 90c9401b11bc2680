"""Which settings may change while people answer, and what was promised them: which way each may go from now on."""

from data.declared import Change

AGREED, BONUS = "once somebody has agreed", "while there is a bonus"
"""Under which conditions a promise holds."""
_PRICE = "{%s:g} was promised to workers who have already agreed"
_LESS = "To pay less, close this study and create another."
_REWARD = "{bonus:g} for {bonus_accuracy:g} of {bonus_after} controls or more was promised"

ANYHOW = Change()
FOR_NEWCOMERS = Change("For newcomers only: nobody is asked again")
UNDER_RULES = Change(under="Rules")
OVERLAP_GROWS = Change(only="up", why="{overlap} were promised", advice="To have fewer, close the study.")
PRICE_GROWS = Change("For answers from now on", only="up", once=(AGREED,), why=_PRICE % "price", advice=_LESS)
PRACTICE_GROWS = Change("From now on", only="up", once=(AGREED,), why=_PRICE % "training_price", advice=_LESS)
BONUS_GROWS = Change(only="up", once=(BONUS,), why=_REWARD)
BONUS_EASIER = Change(only="down", once=(BONUS,), why=_REWARD)
OWED_STAYS = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed to be paid for every answer they send, stopped or not",
    advice="To decide about it, create another study, whose consent says so.",
)
LATE_STAYS_PAID = Change(
    only="up",
    once=(AGREED,),
    why="people have agreed to be paid for answers that come late as well",
    advice="To change that, create another study.",
)
ERASURE_STAYS = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed, and were told that they are erased after {retention_days} days",
)
TEXTS_STAY = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed who were not told that models read what they write",
    advice="Create another study, whose consent says so.",
)
CONTROLS_STAY = Change(
    only="up",
    once=(AGREED, BONUS),
    why="a bonus for answers to controls was promised, which fewer of them would make harder to earn",
)
