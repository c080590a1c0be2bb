"""From the process's arguments to an exit code: the one place where faults become lines."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

import click

from skillui.cli import out
from skillui.cli.faults import BROKEN_PIPE, FAULT, INTERRUPTED, OK, Fault
from skillui.cli.group import PROGRAM, cli

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What writing fails with; a file that was opened would be named in the error."""
COMPLETE_VARIABLE = "_SKILLUI_COMPLETE"


def run(arguments: Sequence[str] | None) -> int:
    """Run the command line; never raises but for the end that a signal asks for."""
    _prepare_streams()
    try:
        with _ended_by_signals():
            code = _dispatch(list(sys.argv[1:] if arguments is None else arguments))
        out.stdout().flush()
        return code
    except click.ClickException as error:
        out.complain(_usage_line(error))
        return FAULT
    except Fault as fault:
        _settle_stdout()
        out.complain(str(fault))
        return FAULT
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _settle_stdout()
        return BROKEN_PIPE
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _NO_ROOM:
            _settle_stdout()
            out.complain(f"standard output cannot be written: {(error.strerror or '').lower()}")
            return FAULT
        return _report_crash(error)


def _dispatch(arguments: list[str]) -> int:
    if (instruction := os.environ.get(COMPLETE_VARIABLE)) is not None:
        from click.shell_completion import shell_complete  # only a shell asks for it

        try:
            return shell_complete(cli, {}, PROGRAM, COMPLETE_VARIABLE, instruction)
        except (KeyError, ValueError):
            raise Fault(f"{COMPLETE_VARIABLE} is for a shell, which sets COMP_WORDS and COMP_CWORD as well") from None
    try:
        with cli.make_context(PROGRAM, arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return code if isinstance(code, int) else OK


def _usage_line(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    path = PROGRAM if context.info_name is None or context.command.hidden else context.command_path
    return f"{message} (see `{path} --help`)"


def _prepare_streams() -> None:
    # A character that an encoding lacks must not end the program.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the program by an exception, so that what is temporary is removed."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    for number in numbers:
        with contextlib.suppress(ValueError):  # not in the main thread
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _settle_stdout() -> None:
    """Hand over what was printed; where that fails, point standard output at nothing: the interpreter tries again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        return
    except (OSError, ValueError):
        pass
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def _report_crash(error: Exception) -> int:
    """Put the traceback into the log and name the log."""
    what = f"something went wrong inside skillui ({type(error).__name__})"
    try:
        from skillui.workspace.folders import find_folders
        from skillui.workspace.log import close_log, open_log

        path = find_folders().log_file
        problem = open_log(path)
        logging.getLogger("skillui.cli").error("a command failed", exc_info=error)
        close_log()
    except Exception as second:
        problem, path = f"the log cannot be opened: {type(second).__name__}", ""
    out.complain(f"{what}; {problem or f'the details are in {path}'}")
    return FAULT
