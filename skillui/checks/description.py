"""Rules over the description of one skill: DSC-01."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillui.checks.rule import Family, Finding, Rule
from skillui.checks.subject import Subject
from skillui.core.problems import Severity
from skillui.core.skill import model_may_invoke

MIN_WORDS: Final = 5
"""Words below which a description is a stub."""
_SAYS_WHEN: Final = re.compile(
    r"\b(?:when(?:ever)?|whenever|if|before|after|while|during|upon|once|unless|until|prior\s+to|as\s+soon\s+as|"
    r"every\s+time|any\s?time|in\s+case|in\s+response\s+to|where|always|mandatory|never|"
    r"use|uses\s+(?:this|when|for)|used|using\s+this|useful|usable|usage|use[-\s]cases?|"
    r"triggers?|triggered|triggering|invoke[ds]?|activate[ds]?|activates\s+(?:on|for|when)|load(?:ed)?\s+(?:this|first|by|for|when|on)|"
    r"call(?:ed)?\s+(?:this|by|when|for|from)|run\s+(?:this|it|when|to)|consult|reach\s+for|read\s+this|follow\s+this|"
    r"apply|applies\s+(?:to|when|for)|appl(?:icable|ied)|adopt|prefer(?:red)?|choose|pick\s+this|"
    r"asks?|asked|asking|mentions?|mentioned|requests?|requested|says|wants?|needs?|needed|needing|"
    r"ideal|best\s+(?:for|suited)|suitable|suited|perfect\s+for|great\s+for|good\s+for|handy|helpful\s+(?:for|when|in)|"
    r"intended\s+(?:for|to)|designed\s+(?:for|to)|meant\s+(?:for|to|as)|made\s+for|built\s+for|aimed\s+at|geared\s+to|"
    r"recommended|required|relevant|appropriate|necessary|entry\s+point|router?|default\s+(?:for|way)|"
    r"on\s+(?:demand|request)|for\s+(?:use|users?|any|all|every|tasks?|requests?|questions?|work(?:ing)?|when)|"
    r"when_to_use|keywords?|scenarios?|situations?|cases\s+such\s+as|working\s+(?:with|on|in)|dealing\s+with|"
    r"must|should|do\s+not|don't|not\s+for|instead\s+of|part\s+of)\b",
    re.IGNORECASE,
)
# The commonest words of English: a text with none of them in a dozen is in another language, or a list of names.
_ENGLISH: Final = re.compile(
    r"(?:the|an?|and|or|of|to|in|on|with|for|from|by|as|at|is|are|be|this|that|your|its|into|via|using|not|no|it|"
    r"helps?|skill|guide|tool)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:TODO|TBD|FIXME|lorem\s+ipsum)\b|\A\W*(?:a\s+)?(?:skill\s+)?description(?:\s+(?:here|goes\s+here|of\s+the\s+skill))?\W*\Z|"
    r"\A\W*(?:replace|fill\s+in|your)\b.{0,40}\bdescription\b",
)
_LOOKED_AT: Final = 4_000


def check_description(subject: Subject) -> Iterator[Finding]:
    """DSC-01: the description is more than a stub and says when to use the skill."""
    text = subject.parsed.description.strip()[:_LOOKED_AT]
    if not text:
        return  # the engine says so
    words = _WORD.findall(text)
    if _is_stub(text, words):
        yield subject.at_field(
            "description", "the description is a stub: a model cannot tell from it when the skill helps",
            hint="say what the skill does and when to use it: `Compares notes. Use when a release is due.`",
        )  # fmt: skip
    elif _is_english(text, words) and not _says_when(subject, text):
        yield subject.at_field(
            "description", "the description says what the skill does, but not when to use it",
            hint="add a sentence such as `Use when ...` with the words people will ask in",
        )  # fmt: skip


def _is_stub(text: str, words: list[str]) -> bool:
    if _PLACEHOLDER.search(text):
        return True
    if not text.isascii() and sum(char.isalpha() and not char.isascii() for char in text) > len(text) // 10:
        return False  # many scripts write no blanks between words, and a few signs say much
    return len(words) < MIN_WORDS


def _is_english(text: str, words: list[str]) -> bool:
    """Tell whether a text is surely English: others are no finding, for nobody here can read them."""
    foreign = sum(char.isalpha() and not char.isascii() for char in text)
    if foreign * 50 > len(text):
        return False
    common = sum(_ENGLISH.fullmatch(word) is not None for word in words)
    return common * 12 >= len(words)


def _says_when(subject: Subject, text: str) -> bool:
    fields = subject.parsed.frontmatter
    if not model_may_invoke(fields):
        return True  # a person calls it by name: no model has to choose it
    if any(
        fields.get(key) for key in ("when_to_use", "when-to-use", "whenToUse", "triggers", "trigger", "paths", "globs")
    ):
        return True
    return _SAYS_WHEN.search(text) is not None


RULES: tuple[Rule, ...] = (
    Rule(
        "DSC-01", Family.DSC, Severity.WARNING, "the description is a stub, or does not say when to use the skill",
        "The description is all a model sees when it decides whether a skill helps. Say what the skill does and when "
        "to use it, in the words that people will ask in. A skill that only people may call, by "
        "`disable-model-invocation`, needs no such sentence; a description in another language than English is not "
        "judged.",
        check_description,
        valid="description: Drafts notes from merged changes. Use when the user asks for a changelog.",
        invalid="description: Helps with notes.",
    ),
)  # fmt: skip
