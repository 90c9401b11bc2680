"""How much of what comes from outside is looked at: every ceiling in one place, in bytes, characters or pieces.

Whatever is larger is refused with a sentence that says the limit, before anything else looks at it.
"""

KB, MB, GB = 1024, 1024**2, 1024**3

# Requests.
LARGEST_BODY = 4 * MB  # of anything but an upload
LONGEST_ACT = 64 * KB  # a worker's act, the answer in it included
DEEPEST_EVENT = 40  # lists and objects within one another, in an event of a staff page

# Uploads: a file, those of one person, those of all. One's own oldest make room for a new one; nobody else's do.
LARGEST_UPLOAD = 512 * MB
UPLOADS_OF_ONE, BYTES_OF_ONE = 24, 2 * GB
UPLOADS_IN_ALL, BYTES_IN_ALL = 480, 16 * GB
UPLOADS_LAST = 24 * 3600  # seconds after it was last used
