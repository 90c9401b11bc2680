"""What the workers of the ten changes answer, by what stands in the item."""

MORNING, EVENING = ("Каша", "Яичница", "Сырники", "Овсянка"), ("Жаркое", "Уха", "Плов")
ALL_RIGHT = dict.fromkeys(MORNING, "morning") | dict.fromkeys(EVENING, "evening")
LAST_WRONG = ALL_RIGHT | {"Яичница": "evening", "Сырники": "evening"}
HOURS = [
    {"Запеканка": ["9", "11"], "Борщ": ["12", "16"], "Гуляш": ["18", "13"]},
    {"Запеканка": ["8", "12"], "Борщ": ["12", "16"], "Гуляш": ["13", "18"]},
    {"Запеканка": ["9", "12"], "Борщ": ["12", "16"], "Гуляш": ["14", "17"]},
]
"""Of three workers; one types the later hour first."""
REST = {"Оладьи": ["7", "11"], "Бефстроганов": ["14", "20"], "Мюсли": ["6", "10"]}
SURE = {"Жаркое": " 1 %", "Яичница": "80%", "Гусь": "1", "Ватрушка": "70", "Шашлык": "1%", "Пшённая": "90"}
