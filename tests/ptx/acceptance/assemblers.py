"""Which lines ptxas and heddle accept."""
import re
import subprocess
from pathlib import Path

from lines import EPILOGUE, HEAD_LINES, PRELUDE

PTXAS_LINE = re.compile(r"line (\d+); (error|fatal)\s*: (.*)")
HEDDLE_LINE = re.compile(r"^(\S+):(\d+):\d+: error: (.*)", re.MULTILINE)
PTXAS_BATCH = 1500
HEDDLE_BATCH = 19  # heddle ends its messages after 20 errors of a text


def write(path, lines):
    path.write_text(PRELUDE + "\n".join(lines) + "\n" + EPILOGUE)


def ptxas_verdicts(ptxas, lines, folder):
    """{line: message} of the lines that ptxas refuses. A syntax error ends its run, so that each is left out then and
    the rest is read again; the statement of an error that no kernel may hold ends the run before code is made."""
    refused = {}
    for begin in range(0, len(lines), PTXAS_BATCH):
        batch = lines[begin:begin + PTXAS_BATCH]
        while True:
            path = folder / "batch.ptx"
            write(path, ["" if line in refused else line for line in batch] + ["end_of_batch;"])
            run = subprocess.run([ptxas, "-arch=sm_90a", str(path), "-o", "/dev/null"], capture_output=True, text=True)
            again = False
            for number, kind, message in PTXAS_LINE.findall(run.stdout + run.stderr):
                index = int(number) - HEAD_LINES - 1
                if 0 <= index < len(batch):
                    refused[batch[index]] = message
                    again = again or kind == "fatal"
            if not again:
                break
    return refused


def heddle_verdicts(heddle, lines, folder):
    """{line: message} of the lines that heddle refuses or cannot execute."""
    refused = {}
    left = list(lines)
    while left:
        count = -(-len(left) // HEDDLE_BATCH)
        batches = [left[i::count] for i in range(count)]  # lines that differ in an operand lie in different texts
        paths = []
        for i, batch in enumerate(batches):
            paths.append(folder / f"{i}.ptx")
            write(paths[-1], batch)
        run = subprocess.run([heddle, "check"] + [p.name for p in paths], capture_output=True, text=True, cwd=folder)
        found = {}
        for name, number, message in HEDDLE_LINE.findall(run.stdout + run.stderr):
            index = int(number) - HEAD_LINES - 1
            batch = batches[int(Path(name).stem)]
            if not 0 <= index < len(batch):
                raise RuntimeError(f"heddle check: {name}:{number}: {message}\n{''.join(batch)}")
            found.setdefault(batch[index], message)
        if run.returncode not in (0, 1):
            raise RuntimeError(run.stderr)
        refused.update(found)
        if not found:
            break
        # An error hides others of its text: what came through is read again with its like.
        touched = {int(Path(name).stem) for name, _, _ in HEDDLE_LINE.findall(run.stdout + run.stderr)}
        left = [line for i in touched for line in batches[i] if line not in refused]
    return refused
