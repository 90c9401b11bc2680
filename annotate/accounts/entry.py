"""The plain pages around an account: signing in, choosing a password, being somewhere one may not be."""

from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response

from annotate.pieces import TEMPLATES
from data.drawing.environment import environment
from data.wording import Language, Wording
from db.accounts import OWNER, Account, Role
from db.passwords import SHORTEST_PASSWORD

HOME, RESULTS = "/manage/", "/results/"
NO_STORE = {"Cache-Control": "no-store"}

WRONG = Wording(
    "Имя или пароль не подошли. Проверьте раскладку и Caps Lock и попробуйте ещё раз.",
    "That name and password do not fit. Check the keyboard layout and Caps Lock and try again.",
)
FOREIGN = Wording(
    "Форма пришла с другого адреса, и войти по ней нельзя. Откройте эту страницу заново и войдите здесь.",
    "The form came from another address and cannot sign you in. Open this page again and sign in here.",
)
TOO_OFTEN = Wording(
    "Слишком много неудачных попыток. Подождите 15 минут и попробуйте ещё раз.",
    "Too many failed attempts. Wait 15 minutes and try again.",
)
BUSY = Wording(
    "Сейчас входит слишком много людей сразу. Подождите минуту и попробуйте ещё раз.",
    "Too many people are signing in at once. Wait a minute and try again.",
)
WEAK = Wording(
    f"Пароль короче {SHORTEST_PASSWORD} знаков или из тех, что угадывают первыми. Придумайте другой.",
    f"That password is shorter than {SHORTEST_PASSWORD} characters or among the first that are guessed. "
    "Choose another one.",
)
UNLIKE = Wording("Пароли не совпали. Введите новый дважды.", "The two passwords differ. Type the new one twice.")
NOT_YOURS = Wording("Нынешний пароль не подошёл.", "That is not your present password.")
CHANGED = Wording(
    "Пароль изменён. На других устройствах нужно войти заново.",
    "The password is changed. Sign in anew on your other devices.",
)
GONE = Wording(
    "Ссылка уже использована или устарела. Попросите владельца прислать новую.",
    "This link was used already or is too old. Ask an owner for a new one.",
)
WORDS = {
    "heading": Wording("Вход для исследователей", "Sign in"),
    "lead": Wording("Исследования, разметка и результаты.", "Studies, collection and results."),
    "name": Wording("Имя", "Name"),
    "password": Wording("Пароль", "Password"),
    "enter": Wording("Войти", "Sign in"),
    "lost": Wording(
        "Забыли пароль? Попросите владельца прислать ссылку для нового.",
        "Lost the password? Ask an owner for a link to set a new one.",
    ),
    "lost_owner": Wording(
        "Владелец задаёт новый в переменной ETALON_OWNER_PASSWORD и перезапускает сервер.",
        "An owner sets ETALON_OWNER_PASSWORD and restarts the server.",
    ),
    "choose": Wording("Придумайте пароль", "Choose a password"),
    "choose_lead": Wording("Он откроет вам страницы исследований.", "It opens the pages of the studies to you."),
    "own": Wording("Ваша учётная запись", "Your account"),
    "present": Wording("Нынешний пароль", "Present password"),
    "new": Wording("Новый пароль", "New password"),
    "again": Wording("Новый пароль ещё раз", "New password again"),
    "least": Wording(f"Не меньше {SHORTEST_PASSWORD} знаков.", f"At least {SHORTEST_PASSWORD} characters."),
    "save": Wording("Сохранить", "Save"),
    "change": Wording("Сменить пароль", "Change the password"),
    "leave": Wording("Выйти", "Sign out"),
    "leave_all": Wording("Выйти на всех устройствах", "Sign out everywhere"),
    "back": Wording("К исследованиям", "Back to the pages"),
    "refused": Wording("Эта страница вам не открыта", "This page is not open to you"),
    "gone": Wording("Ссылка не действует", "This link does not work"),
    "to_login": Wording("Ко входу", "To the sign-in page"),
}
ROLE_WORDS: dict[Role, Wording] = {
    "viewer": Wording("наблюдатель", "viewer"),
    "manager": Wording("менеджер", "manager"),
    "owner": Wording("владелец", "owner"),
}
ROLE_LEADS: dict[Role, Wording] = {
    "viewer": Wording("видит результаты и скачивает их", "sees the results and downloads them"),
    "manager": Wording("проводит исследования и запускает модели", "runs studies and asks models"),
    "owner": Wording("управляет ещё и учётными записями", "also manages the accounts"),
}


def login_page(
    language: Language,
    next_page: str,
    name: str = OWNER,
    mistake: Wording | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Return the form for signing in."""
    return _page("login.html", language, status, mistake, name=name, next=local(next_page))


def account_page(
    language: Language,
    account: Account,
    mistake: Wording | None = None,
    done: Wording | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Return the page on which somebody who is signed in changes the password."""
    role, lead = ROLE_WORDS[account.role].within(language), ROLE_LEADS[account.role].within(language)
    home = HOME if account.may("manager") else RESULTS
    told = done.within(language) if done else ""
    return _page(
        "account.html", language, status, mistake, name=account.name, role=role, what=lead, done=told, home=home
    )


def password_page(
    language: Language, key: str, name: str, mistake: Wording | None = None, status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Return the page of a one-time link, on which somebody chooses a password."""
    return _page("new_password.html", language, status, mistake, key=key, name=name)


def gone_page(language: Language) -> Response:
    """Return the page of a link that does not work any more."""
    return _page(
        "refused.html", language, HTTPStatus.GONE, None, heading="gone", lines=[GONE.within(language)], home=""
    )


def refused_page(language: Language, account: Account, least: Role, owners: list[str]) -> Response:
    """Return the page of somebody whose role does not open what was asked for: what it takes, and who can help."""
    role, needed = ROLE_WORDS[account.role].within(language), ROLE_WORDS[least].within(language)
    names = ", ".join(owners)
    lines = {
        "ru": [
            f"Вы вошли как {account.name}, ваша роль: {role}. Страницу открывает роль: {needed}.",
            f"Роль может изменить владелец: {names}.",
        ],
        "en": [
            f"You are signed in as {account.name}, a {role}. The page takes the role: {needed}.",
            f"An owner can change your role: {names}.",
        ],
    }[language]
    home = RESULTS if not account.may("manager") else HOME
    return _page("refused.html", language, HTTPStatus.FORBIDDEN, None, heading="refused", lines=lines, home=home)


def local(address: str) -> str:
    """Return `address` if it is a path of this server, else the requesters' first page.

    Browsers read a backslash as a slash and drop control characters, and two slashes name another server.
    """
    plain = address.isprintable() and "\\" not in address
    inside = address.startswith("/") and not address.startswith("//")
    return address if plain and inside else HOME


def spoken(request: HTTPConnection) -> Language:
    """Return the language a browser asks for: Russian where it is named before English, or is the only one named."""
    wanted = request.headers.get("accept-language", "").lower()
    places = {tongue: wanted.find(tongue) for tongue in ("ru", "en")}
    return "ru" if places["ru"] >= 0 and (places["en"] < 0 or places["ru"] < places["en"]) else "en"


def _page(template: str, language: Language, status: HTTPStatus, mistake: Wording | None, **seen: object) -> Response:
    words = {key: wording.within(language) for key, wording in WORDS.items()}
    told = mistake.within(language) if mistake else ""
    drawn = environment(TEMPLATES).get_template(template)
    return HTMLResponse(drawn.render(language=language, words=words, mistake=told, **seen), status, NO_STORE)
