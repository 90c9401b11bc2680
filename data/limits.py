"""How much of what comes from outside is looked at: every ceiling in one place, in bytes, characters or pieces.

Whatever is larger is refused with a sentence that says the limit, before anything else looks at it.
"""

from collections.abc import Mapping

from data.errors import BadAnswer

KB, MB, GB = 1024, 1024**2, 1024**3

# Requests.
LARGEST_RESPONSE = 16 * MB  # of a server that is asked for a model's reply
LARGEST_HEADERS, MOST_HEADERS = 32 * KB, 100  # of a request: all of them together, and how many
MOST_COOKIES = 20  # of ours that a browser may bring
LARGEST_BODY = 4 * MB  # of anything but an upload
LONGEST_ACT = 64 * KB  # a worker's act, the answer in it included
DEEPEST_EVENT = 40  # lists and objects within one another, in an event of a staff page

# Answers, as somebody or a model gives them.
LONGEST_TEXT = 10_000  # characters of a text whose task sets no limit of its own
LONGEST_CHOICE = 5_000  # characters of an answer out of a list, beside the options it names
LONGEST_REPLY = 500_000  # characters of a model's reply, its thinking included
MOST_MARKS = 200  # stretches of one label that a model's reply may name
MOST_TRIES = 200  # braces in a model's reply at which JSON is looked for
LONGEST_NUMBER = 4096  # bits of a number that is sent as one: 1,233 digits
LONGEST_MESSAGE = 1_000  # characters of what a worker writes to the researchers
LONGEST_NOTE = 2_000  # characters of what an expert writes beside a decision
LONGEST_REASON = 500  # characters of why somebody did something to a worker, a study or a run
LONGEST_MARKDOWN = 30_000  # characters of a text beyond which it is shown as it stands
DEEPEST = 20  # lists and objects within one another, in an answer or a reply

# A file of predictions from outside.
LARGEST_SUBMISSION = 3 * MB
SUBMISSIONS_A_DAY = 5  # of an address
MOST_SUBMITTED = 50  # that wait in one study

# Uploads: a file, those of one person, those of all. One's own oldest make room for a new one; nobody else's do.
LARGEST_UPLOAD = 512 * MB
UPLOADS_OF_ONE, BYTES_OF_ONE = 24, 2 * GB
UPLOADS_IN_ALL, BYTES_IN_ALL = 480, 16 * GB
UPLOADS_LAST = 24 * 3600  # seconds after it was last used

# Files of items, answers and predictions.
LONGEST_LINE = 16 * MB  # of a record: a line of JSONL, a row of a table with its line ends
LONGEST_CELL = 8 * MB
LARGEST_WHOLE = 128 * MB  # of a file that is read as one: a JSON list, a book
MOST_VALUES = 10_000_000  # commas and brackets of a JSON file that is one object; what the lists of a Parquet file hold
MOST_IN_A_ROW = 100_000  # of the values in the lists of a Parquet file, for each of its rows
MOST_CELLS = 50_000_000  # of a Parquet file: rows times columns
FREE_ROWS, FREE_VALUES = 100_000, 1_000_000  # of a Parquet file, however small it is
VALUES_OF_A_BYTE = 8  # beyond them, as a file of other texts has; of rows one, as no form of text has as many
LONGEST_FIXED = 64  # bytes of a Parquet value whose length the column sets; texts have a length of their own
MOST_COLUMNS = 5_000
MOST_FIELDS = 20_000  # of a record of JSON, which may hold all answers of an annotator
MOST_ROWS = 2_000_000  # of any file: in Parquet a row can cost next to nothing, in JSONL three bytes
LARGEST_RESULTS = 8 * GB  # of a file of results of a batch, of which each line is looked at alone
LARGEST_UNPACKED = 2 * GB  # what a Parquet file or an archive holds; a text that many rows share counts for each
MOST_PROBLEMS = 10_000  # lines that cannot be read, after which nothing more of a file is
LARGEST_SHEET = 256 * MB  # what a workbook holds; its texts are in memory at once
LARGEST_MEMBER = 128 * MB  # of a file in an archive
LARGEST_TASK = MB  # of a task file
DEEPEST_KEY = 16  # parts of a dotted key in TOML


def nested(value: object) -> bool:
    """Return whether lists and objects stand within one another deeper than DEEPEST.

    >>> nested([[{"a": 1}]])
    False
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for holder in level for inner in _inside(holder)]
    return bool(level)


def characters(value: object) -> int:
    """Return about how many characters a value has as JSON; raises BadAnswer for what nobody can have meant.

    That is what is nested deeper than DEEPEST, and a number longer than LONGEST_NUMBER.
    """
    seen, level = 0, [value]
    for _ in range(DEEPEST + 1):
        for part in level:
            seen += len(part) + 2 if isinstance(part, str) else 4
            if isinstance(part, int) and part.bit_length() > LONGEST_NUMBER:
                raise BadAnswer("not_an_answer")
        level = [inner for holder in level for inner in _inside(holder)]
        if not level:
            return seen
    raise BadAnswer("not_an_answer")


def _inside(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, list | tuple) else []
