"""What the fuzzers have in common: where heddle is, and how it is run with a limit of time."""
import pathlib
import shutil
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Tools:
    """Paths of the source tree and of a build of heddle."""
    root: pathlib.Path
    build: pathlib.Path

    @property
    def heddle(self):
        return self.build / "bin" / "heddle"

    def missing_heddle(self):
        """Why the command cannot be run, or None."""
        return None if self.heddle.exists() else f"{self.heddle} is not there: run make build, or name a --build"


@dataclass(frozen=True)
class Ended:
    """How a command ended. `status` is negative for a signal, None if it ran out of time."""
    status: int
    output: bytes
    errors: str


def run(words, folder, seconds=60, **more):
    """Runs a command in `folder`, without a terminal, for at most `seconds`."""
    try:
        ended = subprocess.run([str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL, timeout=seconds,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    except subprocess.TimeoutExpired as late:
        return Ended(None, late.stdout or b"", (late.stderr or b"").decode(errors="replace"))
    return Ended(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace"))


def compiler(name):
    """The path of a compiler or assembler of the host, or None."""
    return shutil.which(name) or next(
        (str(path) for path in [pathlib.Path("/usr/local/cuda/bin") / name] if path.exists()), None)
