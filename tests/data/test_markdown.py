"""What models write: Markdown and chats are drawn as written, and no text of theirs does anything to a page."""

import pytest

from data.answers.answer_type import packed
from data.answers.pairwise import Pairwise
from data.drawing.answer_form import draw_form
from data.drawing.written import TAGS, markdown
from data.errors import BadTask
from data.field_text import as_text
from data.files.item_files import field_value
from data.limits import LONGEST_MARKDOWN
from data.task import Field, PublicItem, Task
from data.wording import same
from tests.data.test_drawing import Reader

REPLIES = Task(
    id="test/replies",
    title=same("Replies"),
    fields=(
        Field("asked", same("Chat"), kind="chat"),
        Field("left", same("1"), kind="markdown"),
        Field("right", same("2"), kind="markdown"),
        Field("notes", same("Notes"), kind="markdown"),
    ),
    question=same("Which is better?"),
    instruction=same("."),
    answer=Pairwise(option_fields=("left", "right")),
    metrics=("accuracy",),
)
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1)>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'></object><embed src='//evil.example'>",
    "<a href='javascript:alert(1)' autofocus onfocus=alert(1)>x</a>",
    "<form action='//evil.example'><input name=answer value=0><button>Next</button></form>",
    "</form></fieldset></label></div></main><h1>Other page</h1>",
    "<style>* { display: none }</style>",
    "<link rel=stylesheet href=//evil.example/a.css><meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href='//evil.example/'>",
    "<!-- <script>alert(1)</script> -->",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<div style='position:fixed;inset:0;background:url(//evil.example)'>x</div>",
    "![picture](https://evil.example/beacon.png)",
    "![](//evil.example/beacon.png)",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
    "[![x](https://evil.example/a.png)](https://evil.example)",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&#58;alert(1))",
    "[click](\u0001javascript:alert(1))",
    "[click](vbscript:msgbox) [click](data:text/html,<script>alert(1)</script>)",
    "<javascript:alert(1)>",
    "<https://evil.example/\"onmouseover=alert(1)>",
    '[x](https://evil.example "\\" onmouseover=alert(1)")',
    "[r]\n\n[r]: javascript:alert(1) '<script>alert(1)</script>'",
    "```\"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```",
    "```html onload=alert(1)\n<img src=x onerror=alert(1)>\n```",
    "`</code><img src=x onerror=alert(1)>`",
    "| a |\n|---|\n| </td></table><script>alert(1)</script> |",
    "# <img src=x onerror=alert(1)>\n## </h2><script>alert(1)</script>",
    "$</p><script>alert(1)</script>$ and \\(<img src=x onerror=alert(1)>\\)",
    "$$\n<script>alert(1)</script>\n$$",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
    "\u202e<script>\u2066alert(1)\u0000</scr\u0000ipt>{{ 7 * 7 }} ${7}",
]  # fmt: skip


def item_of(text: str) -> PublicItem:
    chat = [{"role": "user", "content": text}, {"role": "assistant", "content": text}]
    return PublicItem({"asked": packed(chat), "left": text, "right": text, "notes": text})


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_markdown_becomes_texts_in_elements_that_do_nothing(text: str) -> None:
    plain = Reader(draw_form(REPLIES, item_of("x"), "en")).tags
    drawn = Reader(draw_form(REPLIES, item_of(text), "en")).tags
    inert = [(tag, given) for tag, given in drawn if tag in TAGS and not given]
    others = [(tag, given) for tag, given in drawn if (tag, given) not in inert]
    assert others == [(tag, given) for tag, given in plain if tag not in TAGS or given]


def test_markdown_is_drawn_as_written() -> None:
    assert markdown("# Title\none\ntwo **b**\n\n3. x") == (
        '<h3>Title</h3><p>one<br>\ntwo <strong>b</strong></p>\n<ol start="3">\n<li>x</li>\n</ol>\n'
    )
    assert markdown("```python\na<b\n```") == "<pre><code>a&lt;b\n</code></pre>\n"
    assert markdown("[here](https://a.example) ![chart](https://a.example/c.png) <https://a.example>") == (
        "<p>here (https://a.example) chart (https://a.example/c.png) https://a.example</p>\n"
    )


def test_mathematics_stays_text() -> None:
    assert markdown("$a*b*c$, \\(x_1 \\* y\\), from $5 to $10 *more*") == (
        "<p>$a*b*c$, \\(x_1 \\* y\\), from $5 to $10 <em>more</em></p>\n"
    )
    assert (
        markdown("so\n$$\n- x\n= y\n$$\n- z")
        == "<p>so</p>\n<p>$$<br>\n- x<br>\n= y<br>\n$$</p>\n<ul>\n<li>z</li>\n</ul>\n"
    )


def test_a_text_too_long_to_be_taken_apart_is_shown_as_it_stands() -> None:
    assert markdown("*" * (LONGEST_MARKDOWN + 1)) == f"<pre>{'*' * (LONGEST_MARKDOWN + 1)}</pre>"


def test_turns_of_a_chat_stand_under_who_says_them_and_models_read_the_same() -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "**Hi**"}]
    found = Reader(draw_form(REPLIES, PublicItem({**item_of("x").fields, "asked": packed(chat)}), "en")).found
    assert found["label"][:3] == ["Chat", "System prompt", "User"]
    assert as_text(REPLIES.fields[0], {"asked": packed(chat)}, "en") == "System prompt: Be brief.\n\nUser: **Hi**"


@pytest.mark.parametrize("cell", ["Hi", "[]", [{"role": "judge", "content": "x"}], [{"role": "user"}], [["user", "x"]]])
def test_what_is_no_chat_is_refused(cell: object) -> None:
    with pytest.raises(ValueError, match=r"is not JSON|at least one|field of kind 'chat'"):
        field_value(REPLIES.fields[0], cell)


def test_an_option_is_drawn_once_and_asked_once() -> None:
    found = Reader(draw_form(REPLIES, item_of("*so*"), "en")).found
    assert found["words as-written"] == ["so\n", "so\n"]
    with pytest.raises(BadTask, match="an option is a text; use the kind 'markdown'"):
        Task(**{**vars(REPLIES), "answer": Pairwise(option_fields=("asked", "left"))})
