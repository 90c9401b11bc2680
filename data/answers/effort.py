"""How long people take to read and to answer, as published; a study's own answers replace it once there are some."""

READ = 15.0
"""Characters read in a second, a little fewer than the 16 of silent reading (IReST; Trauzettel-Klosinski & Dietz 2012,
doi 10.1167/iovs.11-8284)."""
DECIDE = 4.0
"""Seconds for one choice: two decisions (M, 1.35 each) and a press on what was pointed at (P and B, 1.3), by the
keystroke-level model (Card, Moran & Newell 1980, doi 10.1145/358886.358895)."""
MARK = 5.0
"""Seconds to mark words that are found: to point at begin, end and label (P, 1.1 each), to press (B, 0.2 each), M."""
TYPED = 3.0
"""Characters typed in a second of what is known already: 36 words a minute on phones (Palin et al. 2019, doi
10.1145/3338286.3340120)."""
COMPOSED = 1.6
"""Characters written in a second where the words are still to be found: 19 words a minute (Karat et al. 1999, doi
10.1145/302979.303160)."""
EXAM = 240.0
"""Seconds for a task of an exam: half of the 210 minutes of the exam in Russian over the 26 tasks of its first part."""
USUAL_TEXT, USUAL_PIECE = 20, 50
"""Characters of a typed answer and of a written piece, where no example and no right answer tells."""
