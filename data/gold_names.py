"""How columns of right answers are called: one table, in Russian and English, for whoever guesses and whoever warns."""

import re

ANYWHERE = re.compile(
    r"(?:gold|label|target|truth|correct|expected|expert|эталон|эксперт|метк|разметк|правильн|верный|верная|верное)\w*"
    r"|answers?|ответы?|keys?|ключи?|verdicts?|вердикты?|sentiments?|тональност[ьи]"
)
"""Words that say so wherever they stand in a name."""
ALONE = re.compile(
    r"class(?:es)?|класс[ыа]?|y|outputs?|solutions?|решени[ея]|scores?|ratings?|grades?|оценк[аи]|references?|верно"
)
"""Words that say so where nothing else stands in the name but what FILLING lists."""
FILLING = frozenset({"id", "idx", "index", "true", "name"})


def like_gold(name: str) -> bool:
    """Return whether a column is called as columns of right answers are: "Метка эксперта / gold", "goldLabel", "y"."""
    parted = re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", name)
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", parted)]
    if any(ANYWHERE.fullmatch(word) for word in words):
        return True
    rest = [word for word in words if word not in FILLING]
    return len(rest) == 1 and ALONE.fullmatch(rest[0]) is not None
