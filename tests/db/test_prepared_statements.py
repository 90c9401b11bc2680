"""Statements handed to the driver as they are give what SQLAlchemy gives, and fail as it does."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from db.engine import Database, execute, reading, writing
from db.tables import DECISION, EVENT, ITEM, STUDY, word
from tests.helpers.collection import make_study

MOMENT = datetime(2026, 11, 21, 12, 30, 15, 250_000, UTC)
_ADD = insert(EVENT)
_EVENTS = select(EVENT).where(EVENT.c.kind == bindparam("kind"), EVENT.c.who != "nobody")
_ITEMS = select(ITEM).where(ITEM.c.role.in_((word("main"), word("control")))).order_by(ITEM.c.id)
_NAME = select(STUDY.c.name).where(STUDY.c.id == bindparam("key"))


def test_values_come_out_as_sqlalchemy_gives_them(engine: Database) -> None:
    study = make_study(engine, main=3)
    told = {"a": [1, "д"], "nothing": None}
    values = {"study_id": study.id, "kind": "rule", "who": "somebody", "details": told, "at": MOMENT}
    with writing(engine) as session:
        execute(session, _ADD, **values, rule="", reason="")
    with reading(engine) as session:
        for statement, given in ((_EVENTS, {"kind": "rule"}), (_ITEMS, {})):
            mine, theirs = execute(session, statement, **given).all(), session.execute(statement, given)
            assert [row._asdict() for row in mine] == [dict(row) for row in theirs.mappings()]
        (event,) = execute(session, _EVENTS, kind="rule")
        assert (event.details, event.worker_id) == (told, None)
        assert isinstance(event.at, datetime)


def test_an_update_gives_back_the_row_it_changed(engine: Database) -> None:
    make_study(engine, main=2)
    changed = update(ITEM).where(ITEM.c.place == bindparam("at")).values(held=ITEM.c.held + 1).returning(ITEM)
    with writing(engine) as session:
        row = execute(session, changed, at=1).one()
    assert (row.held, row.place, type(row.fields)) == (1, 1, dict)


def test_one_row_is_one_row(engine: Database) -> None:
    study = make_study(engine, main=2)
    with reading(engine) as session:
        assert execute(session, _NAME, key=study.id).scalar() == study.name
        assert execute(session, _NAME, key=-1).first() is execute(session, _NAME, key=-1).scalar() is None
        with pytest.raises(NoResultFound):
            execute(session, _NAME, key=-1).scalar_one()


def test_a_refusal_of_the_database_is_the_one_that_sqlalchemy_raises(engine: Database) -> None:
    study = make_study(engine, main=1)
    told = {"study_id": study.id, "item_id": -1, "who": "ann", "label": "1", "note": "", "blind": True}
    with pytest.raises(IntegrityError), writing(engine) as session:
        execute(session, insert(DECISION), **told, decided_at=MOMENT)
    with reading(engine) as session:
        assert execute(session, _NAME, key=study.id).scalar() == study.name


def test_other_values_than_it_was_prepared_for_and_lists_of_them_are_refused(engine: Database) -> None:
    with reading(engine) as session:
        execute(session, _NAME, key=1)
        with pytest.raises(TypeError, match=r"prepared for the values \['key'\], got \['name'\]"):
            execute(session, _NAME, name=1)
        with pytest.raises(TypeError, match="lists of values"):
            execute(session, _NAME.where(STUDY.c.id.in_([1, 2])), key=1)
