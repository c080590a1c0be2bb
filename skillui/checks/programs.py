"""Parsers that other programs bring: `bash -n` and node's compiler. They read a text and never run it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from skillui.checks.parsers import MAX_PARSED, SyntaxFault
from skillui.checks.plain_shell import surely_parses

MAX_SECONDS: Final = 5.0
"""Time one program may take; what takes longer passes."""

_BASH_LINE: Final = re.compile(r"line (\d+): (?:syntax error: ?|syntax error )?(.*)")
# Compiles each text as what its name says, and where that says nothing as either kind; nothing is evaluated.
_COMPILE: Final = """
const vm = require('node:vm');
const files = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const out = {};
const kinds = {
  script: (code) => vm.compileFunction(code, [], { filename: 'x' }),
  module: (code) => new vm.SourceTextModule(code, { identifier: 'x' }),
};
const line_of = (error) => {
  const line = /^x:(\\d+)/m.exec(String(error.stack));
  return line ? Number(line[1]) : null;
};
const in_function = (code, fault) => {  // a module's fault has no line: find it again in a function's body
  const plain = code.replace(/^[ \\t]*(?:import\\b[^\\n(]*$|export(?:[ \\t]+default)?\\b)/gm, '');
  try { vm.compileFunction('(async () => {' + plain + '\\n})', [], { filename: 'x' }); } catch (error) {
    return error.message === fault.message ? line_of(error) : null;
  }
  return null;
};
for (const [name, { code, accept }] of Object.entries(files)) {
  let fault = null;
  for (const kind of accept) {
    try { kinds[kind](code); fault = null; break; } catch (error) {
      if (error.name === 'SyntaxError' && !fault) fault = error;
    }
  }
  if (fault) out[name] = { reason: String(fault.message), line: line_of(fault) ?? in_function(code, fault) };
}
process.stdout.write(JSON.stringify(out));
"""


@lru_cache(maxsize=8)
def _program(name: str) -> str | None:
    return shutil.which(name)


@lru_cache(maxsize=1024)
def shell_fault(text: str) -> SyntaxFault | None:
    """Return why a text is no shell script by `bash -n`, None where bash is missing."""
    if len(text) > MAX_PARSED or surely_parses(text):
        return None
    errors = _filtered("bash", ("--norc", "--noprofile", "-n"), text)
    if errors is None or not errors[1]:
        return None
    lines = [match for line in errors[0].splitlines() if (match := _BASH_LINE.search(line))]
    if not lines:
        return None
    return SyntaxFault(lines[0][2] or "syntax error", int(lines[0][1]))


def javascript_faults(texts: Mapping[str, str]) -> dict[str, SyntaxFault]:
    """Return why JavaScript files do not compile, by path; empty where node is missing."""
    files = {
        path: {"code": _without_shebang(text), "accept": _kinds(path)}
        for path, text in texts.items()
        if len(text) <= MAX_PARSED
    }
    if not files:
        return {}
    answer = _filtered("node", ("--experimental-vm-modules", "--no-warnings", "-e", _COMPILE), json.dumps(files))
    try:
        found = json.loads(answer[2]) if answer else {}
    except ValueError:
        return {}
    return {path: SyntaxFault(str(fault["reason"]), fault["line"]) for path, fault in found.items()}


def _kinds(path: str) -> list[str]:
    return {"mjs": ["module"], "cjs": ["script"]}.get(path.rpartition(".")[2], ["module", "script"])


def _without_shebang(text: str) -> str:
    text = text.removeprefix("\ufeff")
    return "//" + text[2:] if text.startswith("#!") else text


def _filtered(name: str, arguments: tuple[str, ...], text: str) -> tuple[str, int, str] | None:
    """Run a program over a text on its standard input; return (errors, exit code, output), None where it cannot."""
    import subprocess

    program = _program(name)
    if program is None:
        return None
    try:
        # No variable of ours goes along: BASH_ENV or NODE_OPTIONS could make either program run something.
        done = subprocess.run(
            [program, *arguments], input=text.encode("utf-8", "replace"), capture_output=True, timeout=MAX_SECONDS,
            env={"LC_ALL": "C", "PATH": ""}, cwd="/", check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stderr.decode("utf-8", "replace"), done.returncode, done.stdout.decode("utf-8", "replace")
