"""What the workers of the ten changes answer, by what stands in the item."""

MORNING, EVENING = ("Каша", "Яичница", "Сырники", "Овсянка"), ("Жаркое", "Уха", "Плов")
ALL_RIGHT = dict.fromkeys(MORNING, "morning") | dict.fromkeys(EVENING, "evening")
LAST_WRONG = ALL_RIGHT | {"Яичница": "evening", "Сырники": "evening"}
SURE = {"Жаркое": " 1 %", "Яичница": "80%", "Гусь": "1", "Ватрушка": "70", "Шашлык": "1%", "Пшённая": "90"}
