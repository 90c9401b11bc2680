"""The settings of a running study: which may change, and what each change does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.consent import version_of
from annotate.requesters.by_name import ByName
from annotate.requesters.study_creation import NO_CONTROLS, check_filled, check_reached, cleaned, titled
from annotate.workload import workload_of
from data.declared import shortened, validated
from data.errors import BadSetting
from db.engine import Session
from db.events import Cause, add_event
from db.items import raise_targets
from db.studies import Study, change_settings
from db.study_settings import AGREED, BONUS, NUMBERS, SETTINGS, StudySettings
from db.workers import anybody_agreed

CHANGEABLE = {
    name: setting for name, setting in SETTINGS.items() if setting.asked.change and not setting.asked.change.under
}


def fixed_words() -> str:
    """Return the sentence on what a running study keeps: its task, its items and the settings without a change."""
    titles = [setting.title for setting in SETTINGS.values() if setting.asked.change is None]
    return (
        f"Fixed since the study was created: the task, its items, {', '.join(map('“{}”'.format, titles))}. "
        "To change one of these, create another study."
    )


@dataclass(frozen=True)
class SettingsChange(ByName):
    """What requesters change of a study that people may be answering. `who` is the account that does."""

    def settings(self, name: str) -> dict[str, Any]:
        """Return the settings that may change, by name; raises UnknownName."""
        values = self._read(name, lambda _, study: study.settings)
        return {key: getattr(values, key) for key in CHANGEABLE}

    def change(
        self, name: str, given: Mapping[str, Any], *, who: str, shown: Mapping[str, Any] | None = None
    ) -> dict[str, list[Any]]:
        """Give a study other settings; return what changed, as name -> [before, after], and write an event.

        `shown` are the values of the form when it was opened: a field that still has its value was not touched, and
        keeps what another manager may have given it meanwhile.

        A price holds for answers from now on. What people have agreed to be paid for an answer never becomes less: once
        somebody has, a price may only grow, and answers of who is stopped stay paid. How much work there is may become
        less, as consent says. The bonus, which is reckoned over all answers, may only become easier to earn, and has to
        stay within reach. Another notice or consent text holds for who comes from now on: nobody is asked anew. The
        overlap may only grow: places that people have answered, or hold, are never taken back. Raises UnknownName, and
        BadSetting with the field as the form names it.
        """

        def work(session: Session, study: Study) -> dict[str, list[Any]]:
            before, workload = study.settings, workload_of(session, study)
            after = checked(study, {key: value for key, value in given.items() if not _untouched(key, value, shown)})
            _check_ways(before, after, {AGREED: anybody_agreed(session, study=study), BONUS: before.bonus > 0})
            if not before.bonus or workload.rewarded(before):
                check_reached(after, workload)
            changes = {
                key: [getattr(before, key), getattr(after, key)]
                for key in CHANGEABLE
                if getattr(before, key) != getattr(after, key)
            }
            if not changes:
                return {}
            change_settings(session, study=study, values={key: value for key, (_, value) in changes.items()})
            if "overlap" in changes:
                raise_targets(session, study=study, target=after.overlap)
            details: dict[str, Any] = {"settings": changes}
            versions = [version_of(settings, workload) for settings in (before, after)]
            if versions[0] != versions[1]:
                details["consent_version"] = versions
            cause = Cause(who, self.clock())
            add_event(session, study_id=study.id, kind="settings", cause=cause, details=details)
            return changes

        return self._write(name, work)


def change_rows(changes: Mapping[str, Sequence[Any]]) -> list[tuple[str, str, str]]:
    """Return the title, the value before and the value after of each setting of a change, as people read them."""
    return [
        (SETTINGS[name].title if name in SETTINGS else name, _read(before), _read(after))
        for name, (before, after) in changes.items()
    ]


def _read(value: Any) -> str:
    return "none" if value in (None, "") else str(shortened(value))


def _untouched(name: str, value: Any, shown: Mapping[str, Any] | None) -> bool:
    return shown is not None and name in shown and shown[name] == value


def checked(study: Study, given: Mapping[str, Any]) -> StudySettings:
    """Return the study's settings with these changed; raises BadSetting for what may not be."""
    if fixed := next((name for name in given if name not in CHANGEABLE), None):
        raise BadSetting(f"{fixed} of a study cannot be changed here. {fixed_words()}")
    check_filled(given)
    values = {name: cleaned(value) for name, value in given.items()}
    other = {name for name in values if values[name] != getattr(study.settings, name)}
    if study.origin == "imported" and not all(SETTINGS[name].asked.imported for name in other):
        may = [
            f"“{setting.title}”" for key, setting in SETTINGS.items() if setting.asked.imported and key not in NUMBERS
        ]
        raise BadSetting(
            f"This study was imported, so nobody answers in it. Besides the texts of the report, you can set "
            f"{', '.join(may)}."
        )
    made = validated(StudySettings, {**study.settings.model_dump(mode="json"), **values}, titled)
    if made.bonus and not made.page_controls:
        raise BadSetting(f"{SETTINGS['bonus'].title} {made.bonus:g}: {NO_CONTROLS}")
    return made


def _check_ways(before: StudySettings, after: StudySettings, holds: Mapping[str, bool]) -> None:
    """Refuse what goes another way than its setting declares while its conditions hold; `holds` says which do."""
    for name, setting in CHANGEABLE.items():
        change, old, new = setting.asked.change, getattr(before, name), getattr(after, name)
        if change and all(holds[way] for way in change.once) and not setting.allows_change(old, new):
            why = change.why.format(**before.model_dump())
            raise BadSetting(f"{setting.title}: {why}; it {setting.way}, got {new!r}. {change.advice}".strip())
