"""The `$` forms of a body: what the engine would replace, and which of them rather belong to a shell or a price."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from skillui.core.substitution import Literal, substitute

if TYPE_CHECKING:
    from skillui.checks.markdown import Document, Fence

MAX_LIKELY: Final = 30
"""The highest number of an argument that free text has words for."""
_MAX_FORMS: Final = 2_000
# Most bodies that have a form at all have `$ARGUMENTS` alone.
_OTHER_FORM: Final = re.compile(r"\$(?!ARGUMENTS(?![\w\[]))")
# Each begins with its letter, what may not stand in front behind it: so a text is searched ten times as fast.
_ZERO: Final = re.compile(r"\$0(?<![\w$\\]\$0)(?![\w.,]*\d)")
_BARE: Final = re.compile(r"\$(?<![\w$\\]\$)([A-Za-z_][\w-]*)")
_AWK: Final = re.compile(r"\b(?:[gmn]?awk)\b[^\n]{0,200}'[^'\n]{0,500}\Z")
_OPEN_AWK: Final = re.compile(r"\b[gmn]?awk\b[^\n']{0,200}'[^']*\Z")
_IN_PERL: Final = re.compile(r"\b(?:perl|sed|rename|ruby|tr)\b[^\n]{0,200}'[^'\n]{0,500}\Z")
_SQL: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|VALUES|PREPARE|EXECUTE)\b", re.IGNORECASE)
_SHELL_FUNCTION: Final = re.compile(
    r"^[ \t]*(?:function[ \t]+[\w:-]+|[\w:-]+[ \t]*\(\))|^#!|\b(?:getopts|shift)\b|\bset[ \t]+--|\bcase[ \t]+\"?\$1|"
    r"\$[#@*]|\$\{[1-9#@]",
    re.MULTILINE,
)
_AMOUNT: Final = re.compile(
    r"(?:,\d{3})*(?:[.,]\d+|[kKmMbBtT]\b|[kKmM]?\+|[ ]?(?:million|billion|thousand)\b|"
    r"[ -]?(?:USD|EUR|dollars?|bucks?|cents?)\b|"
    r"[ ]?/[ ]?(?:\d+[ ]?)?(?:mo\b|month|yr\b|year|day|hour|hr\b|h\b|user|seat|unit|1?[kKmM]\b|token|call|run|"
    r"request|GB|item|lb|kg)|"
    r"[ ](?:per|a|an|each|off|credits?|fee|budget|max(?:imum)?|min(?:imum)?|monthly|annually|free)\b|"
    r"[ ]?[-–—][ ]?\$?\d|[ ]to[ ]\$\d|[ ]?%)",
)
_PRICE_BEFORE: Final = re.compile(
    r"(?:\b(?:cost(?:s|ing)?|pric(?:e|ed|ing)|pay(?:s|ing)?|paid|spend(?:ing)?|spent|budgets?|fees?|under|over|below|"
    r"above|worth|charges?|earn(?:s|ed)?|save[sd]?|raise[sd]?|revenue|salary|send|at least|at most|less than|"
    r"more than|only|up to)(?:[ ](?:of|is|at|for|a|the|about|around|only|just|under|over))?|"
    r"US|CA|AU|NZ|HK|[<>≤≥~≈+])[ :=]{0,3}\Z",
    re.IGNORECASE,
)
_SHELLS: Final = frozenset({"bash", "sh", "shell", "zsh", "console", "shell-session", "shellsession", "terminal", ""})
_TEXT: Final = frozenset({"text", "txt", "plaintext", "markdown", "md", "xml", "prompt", "none", "output", "example"})


@dataclass(frozen=True, slots=True)
class Form:
    """One `$` form of a body. `kind` is `number`, `index`, `all`, `name`, `zero` or `bare`."""

    kind: str
    text: str
    offset: int
    foreign: str | None = None
    """What it reads as where it is no placeholder of its author's: "awk", "a price"."""

    @property
    def number(self) -> int:
        """The number of a `number` or `index` form, 0 for others."""
        digits = self.text.strip("$ARGUMENTS[]")
        return int(digits[:9]) if digits.isdigit() else 0


class Placeholders:
    """All `$` forms of a body, each told apart once."""

    def __init__(self, body: Document, declared: frozenset[str]) -> None:
        self._body = body
        self._declared = declared
        self._of_fence: dict[int, tuple[bool, bool]] = {}
        self._assigned: dict[tuple[int, str], bool] = {}

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """What the engine takes for a placeholder, in order, at most two thousand."""
        literals = substitute(self._body.text, None).literals if _OTHER_FORM.search(self._body.text) else ()
        engine = [
            Form(literal.kind, literal.text, literal.start, self._foreign(literal))
            for literal in islice((item for item in literals if item.kind != "all"), _MAX_FORMS)
        ]
        return tuple(engine)

    @cached_property
    def all_at(self) -> int | None:
        """Where `$ARGUMENTS` stands for the first time."""
        match = re.search(r"\$ARGUMENTS(?![\w\[])", self._body.text)
        return match.start() if match else None

    @cached_property
    def meant(self) -> tuple[Form, ...]:
        """The numbered forms that their author means as arguments; without a first one, numbers are amounts."""
        numbers = [form for form in self.forms if form.kind in ("number", "index") and form.foreign is None]
        first = any(form.text in ("$1", "$ARGUMENTS[0]", "$ARGUMENTS[1]") for form in numbers)
        return tuple(numbers) if first else tuple(form for form in numbers if form.kind == "index")

    @cached_property
    def zeros(self) -> tuple[Form, ...]:
        """Where `$0` stands."""
        return tuple(Form("zero", "$0", match.start()) for match in islice(_ZERO.finditer(self._body.text), _MAX_FORMS))

    def bare(self, name: str) -> int | None:
        """Return where `$name` stands for the first time."""
        for match in islice(_BARE.finditer(self._body.text), _MAX_FORMS):
            if match[1] == name:
                return match.start()
        return None

    def _foreign(self, literal: Literal) -> str | None:
        if literal.kind == "number":
            return self._foreign_number(literal)
        if literal.kind == "name" and literal.text[2:-1] in self._declared:
            fence = self._body.fence_at(literal.start)
            if fence is not None and self._sets(fence, literal.text[2:-1]):
                return "a variable that the shell sets"
        return None

    def _sets(self, fence: Fence, name: str) -> bool:
        """Tell whether a block gives a shell variable of this name its value."""
        key = fence.start, name
        if key not in self._assigned:
            name = re.escape(name)
            pattern = rf"(?:^|[\s;]){name}=|\bfor[ \t]+{name}[ \t]+in\b|\bread[ \t]+(?:-\w[ \t]+){{0,3}}{name}\b"
            self._assigned[key] = re.search(pattern, self._body.content(fence), re.MULTILINE) is not None
        return self._assigned[key]

    def _nature(self, fence: Fence) -> tuple[bool, bool]:
        """Tell whether a block defines or is a shell function or script, and whether it holds a query."""
        if fence.start not in self._of_fence:
            content = self._body.content(fence)
            is_shell = _SHELL_FUNCTION.search(content) is not None and bool(fence.language or "\n" in content.strip())
            self._of_fence[fence.start] = is_shell, _SQL.search(content) is not None
        return self._of_fence[fence.start]

    def _foreign_number(self, literal: Literal) -> str | None:
        body, start = self._body, literal.start
        end = start + len(literal.text)
        if _is_price(body.text, start, end):
            return "a price"
        if body.text[start - 1 : start] == "\\" and body.in_code(start):
            return "an escape of the shell"
        line = body.text[body.text.rfind("\n", max(0, start - 600), start) + 1 : start]
        if _AWK.search(line):
            return "a column of awk"
        fence = body.fence_at(start)
        if fence is None:
            return "a group of a pattern" if body.in_code(start) and _IN_PERL.search(line) else None
        before = body.text[max(fence.start, start - 2_000) : start]
        is_shell, is_query = self._nature(fence)
        return _foreign_in_fence(fence.language, is_shell, is_query, line, before)


def _is_price(text: str, start: int, end: int) -> bool:
    if _AMOUNT.match(text, end):
        return True
    return _PRICE_BEFORE.search(text[max(0, start - 30) : start]) is not None


def _foreign_in_fence(language: str, is_shell: bool, is_query: bool, line: str, before: str) -> str | None:
    # An awk program of several lines: the quote before the form is open, and awk opened it.
    if language in ("awk", "gawk") or (before.count("'") % 2 and _OPEN_AWK.search(before)):
        return "a column of awk"
    if _IN_PERL.search(line):
        return "a group of a pattern"
    if language in _SHELLS:
        if is_shell:
            return "an argument of a shell function or script"
        return "a parameter of a query" if _SQL.search(line) else None
    if language in _TEXT:
        return None
    return "a parameter of a query" if language == "sql" or is_query else f"code ({language[:20]})"
