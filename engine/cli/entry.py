"""The entry of the command line: it runs what the arguments ask for, and gives the exit code."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from engine.cli.console import complain
from engine.cli.plain import run_plainly
from graph.errors import CrossfactError, DamagedStore
from graph.faults import DEBUGGING, INTERNAL, REMEDY


def run() -> NoReturn:
    """Run the command that the arguments name and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = exit_code()
    if _is_alone():
        # Taking every object apart at its end would cost the interpreter a thirtieth of a short run.
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit(code)
    gc.freeze()  # at its end the interpreter would look through all objects once more, for a tenth of a short run
    sys.exit(code)


def _is_alone() -> bool:
    """Whether nothing waits for the interpreter's own end: no other thread, and nobody who watches this one."""
    threading = sys.modules.get("threading")
    others = threading is not None and threading.active_count() > 1
    return not (others or sys.getprofile() or sys.gettrace())


def exit_code(*, again: bool = False) -> int:
    """Run the command that the arguments name; gives the code to exit with. `again`: the store was put aside before."""
    try:
        code = run_plainly(sys.argv[1:])
        if code is None:
            from engine.cli.main import run_command

            code = run_command()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except DamagedStore as error:
        # Damage inside the file shows only when that part is read; nothing was printed before.
        return _complained(error) if again else _recovered(error)
    except CrossfactError as error:
        return _complained(error)
    except BrokenPipeError:
        # The reader of our output has seen enough.
        _close_output()
        return 0
    except KeyboardInterrupt:
        _end_workers()
        return 130
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF):
            if os.environ.get(DEBUGGING):
                raise
            return _internal(error)
        _close_output()
        complain(f"the output cannot be written: {error.strerror}", "Check the free space of where it goes.")
        return 2
    except Exception as error:
        if os.environ.get(DEBUGGING):
            raise
        return _internal(error)


def _complained(error: CrossfactError) -> int:
    complain(str(error), error.remedy)
    return error.exit_code


def _recovered(error: DamagedStore) -> int:
    from engine.cli.console import tell
    from engine.project import put_aside

    try:
        put_aside(Path(error.place), tell)
    except OSError:
        return _complained(error)
    return exit_code(again=True)


def _end_workers() -> None:
    """End the processes that read for this one: those that were only just started wait for work which never comes, and
    the interpreter would wait for them."""
    processes = sys.modules.get("multiprocessing.process")
    for child in processes.active_children() if processes else ():
        child.kill()


def _close_output() -> None:
    """Nothing may be written any more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _internal(error: Exception) -> int:
    complain(
        f"internal error: {type(error).__name__}: {error}",
        REMEDY,
    )
    return INTERNAL
