"""CUDA programs on a simulated machine."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from . import _heddle, command
from .machine import Machine, Settings, setting_words
from .result import Result, load


def launch_words(*, functional: bool, strict: bool, profile: bool, max_cycles: int, max_instructions: int,
                 host_threads: int, kernels: Optional[Tuple[int, int]]) -> List[str]:
    """The options of `heddle run` for these."""
    words = [option for option, on in (("--functional", functional), ("--strict", strict), ("--profile", profile)) if on]
    for option, number in (("--max-cycles", max_cycles), ("--max-instructions", max_instructions)):
        if number:
            words += [option, str(number)]
    if kernels is not None:
        words += ["--kernels", f"{kernels[0]}-{kernels[1]}"]
    return [*words, "--host-threads", str(host_threads)]


def run(program: Union[str, Sequence[Union[str, "os.PathLike[str]"]]], *, machine: Union[Machine, str, None] = None,
        settings: Optional[Settings] = None, functional: bool = False, strict: bool = False, profile: bool = False,
        check: str = "", max_cycles: int = 0, max_instructions: int = 0, host_threads: int = 1,
        kernels: Optional[Tuple[int, int]] = None, timeline: Optional[str] = None,
        cwd: Union[str, "os.PathLike[str]", None] = None, environment: Optional[Mapping[str, str]] = None,
        input: Optional[str] = None, capture: bool = False) -> Result:
    """Runs a CUDA program, as `heddle run` does, and returns what was counted.

    program: its path, or the path and the arguments.
    settings: parameters over those of the machine: {"dcache.size": "32KiB"}.
    check: errors of the kernels to look for: "races,leaks" (docs/checker.md); reports go to standard error.
    kernels: the first and the last launch that is timed, from 0.
    timeline: a file for the time line (docs/timeline.md).
    capture: keeps the program's standard output as `result.output`.

    Raises Error when the program cannot be simulated, and subprocess.CalledProcessError when it ends with an exit status
    that is not 0; the error has the results as `result`, if there are any.
    """
    chosen = Machine.of(machine, settings)
    words = [os.fspath(program)] if isinstance(program, (str, os.PathLike)) else [os.fspath(word) for word in program]
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        file = Path(folder) / "result.json"
        options = ["run", "--quiet", "-m", chosen.source, "-o", str(file)]
        for setting in setting_words(chosen.settings):
            options += ["--set", setting]
        options += launch_words(functional=functional, strict=strict, profile=profile, max_cycles=max_cycles,
                                max_instructions=max_instructions, host_threads=host_threads, kernels=kernels)
        if check:
            options += ["--check", check]
        if timeline is not None:
            options += ["--timeline", timeline]
        done = command.call([*options, "--", *words], cwd=cwd, env=environment, input=input,
                            stdout=subprocess.PIPE if capture else None)
        result = load(file) if file.exists() else None
    sys.stderr.write(done.stderr)
    if result is not None:
        result.output = done.stdout
    if done.returncode != 0:
        error = subprocess.CalledProcessError(done.returncode, words, done.stdout, done.stderr)
        error.result = result  # type: ignore[attr-defined]
        raise error
    if result is None:
        raise _heddle.Error(f"{words[0]}: the program has launched no kernel")
    return result
