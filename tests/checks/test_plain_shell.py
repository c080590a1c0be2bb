"""Plain shell scripts: whatever is taken for one is one to a real shell."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillui.checks.plain_shell import surely_parses

BASH = shutil.which("bash")
PARTS = (
    "echo", "a", "b.sh", "'x y'", "'", '"q $x"', '"', "$x", "$1", "$@", "$(", "`", "if", "then", "fi", "for", "in",
    "do", "done", "time", "!", "{", "}", "(", ")", "[", "[[", "&&", "||", "|", ";", ";;", "&", ">", ">>", "2>", "2>&1",
    ">&2", "<", "<<", "#c", "# don't", "=", "x=1", "~", "*", "\\", "\n", "\n", " ", " ", "\t", "\r", "case", "esac",
    "function", "select", "coproc", "-", "%", "é", "\0", "@(", "a#b", ":",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("", True), ("\n\n", True),
        ("#!/bin/sh\nset -eu\npython3 \"$1\" 'two words' > out.txt 2>&1  # it's fine\n", True),
        ("cd /tmp && ls -l | wc -l; echo done\n", True), ("A=1 B=2 env\n", True), ("scripts/run.sh of a skill", True),
        ("if true\n", False), ("echo $(date)\n", False), ("echo 'open\n", False), ("a ||\n", False), ("; a\n", False),
        ("a >\n", False), ("f() { a; }\n", False), ("a | then\n", False), ("cat <<E\nx\n", False), ("a \\\n", False),
        ("b >>&2\n", False), ("a &\n", False), ("echo \"${x}\"\n", False), ("a\r\n", False),
    ],
)  # fmt: skip
def test_what_counts_as_plain(text: str, plain: bool) -> None:
    assert surely_parses(text) is plain


@pytest.mark.skipif(BASH is None, reason="no bash to ask")
@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(["", " "])), max_size=9))
@example([("b.sh", " "), (">>", ""), (">&2", "")])
@example([("a", ""), ("#c", "\n"), ("then", "")])
def test_bash_parses_what_is_plain(parts: list[tuple[str, str]]) -> None:
    text = "".join(part + blank for part, blank in parts)
    if surely_parses(text):
        done = subprocess.run(
            [str(BASH), "--norc", "--noprofile", "-n"], input=text.encode(), capture_output=True,
            env={"LC_ALL": "C", "PATH": ""}, check=False,
        )  # fmt: skip
        assert done.stderr == b""


@pytest.mark.parametrize("part", ["a ", "'", '"$x', "a\n", "a && ", "# ", "a #", ">", "a=", "$"])
def test_a_long_script_is_told_at_once(part: str) -> None:
    surely_parses(part * (400_000 // len(part)))  # linear, or this test would not end
