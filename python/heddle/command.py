"""The command `heddle` that belongs to this package."""
from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, List, Sequence

from . import _heddle


def path() -> str:
    """Beside the library: <prefix>/bin/heddle. Raises Error when there is none."""
    for folder in Path(_heddle.__file__).resolve().parents:
        command = folder / "bin" / "heddle"
        if os.access(command, os.X_OK):
            return str(command)
    found = shutil.which("heddle")
    if found is None:
        raise _heddle.Error(f"there is no command bin/heddle in a folder above {_heddle.__file__}, and none in PATH")
    return found


def call(words: Sequence[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Runs the command. Its errors, which are on standard error, become Error."""
    done = subprocess.run([path(), *words], text=True, stderr=subprocess.PIPE, check=False, **options)
    lines: List[str] = [line for line in done.stderr.splitlines() if line.startswith("heddle: error: ")]
    if lines:
        raise _heddle.Error("\n".join(line[len("heddle: error: "):] for line in lines))
    return done
