"""Which lines ptxas and heddle accept."""
import re
import subprocess
from pathlib import Path

from lines import EPILOGUE, HEAD_LINES, PRELUDE

PTXAS_LINE = re.compile(r"line '?(\d+)'?(?:;|(?= which)) ?(error|fatal|which)\s*:? ?(.*)")
HEDDLE_LINE = re.compile(r"^(\S+):(\d+):\d+: error: (.*)", re.MULTILINE)
PTXAS_BATCH = 1500
HEDDLE_BATCH = 19  # heddle ends its messages after 20 errors of a text


def write(path, lines, target):
    path.write_text(PRELUDE.replace("TARGET", target) + "\n".join(lines) + "\n" + EPILOGUE)


def ptxas_messages(ptxas, lines, folder, target):
    """({line: message}, line of the last syntax error or None); None where ptxas crashes."""
    path = folder / "batch.ptx"
    # The last statement is an error that ends the run before code is made.
    write(path, lines + ["end_of_batch;"], target)
    run = subprocess.run([ptxas, f"-arch={target}", str(path), "-o", "/dev/null"], capture_output=True, text=True)
    if run.returncode < 0:
        return None
    refused, fatal = {}, None
    for number, kind, message in PTXAS_LINE.findall(run.stdout + run.stderr):
        index = int(number) - HEAD_LINES - 1
        if 0 <= index < len(lines):
            refused.setdefault(lines[index], message)
            fatal = index if kind == "fatal" else fatal
        elif kind == "fatal":
            raise RuntimeError(f"ptxas: line {number}: {message}")
    return refused, fatal


def ptxas_verdicts(ptxas, lines, folder, target):
    """{line: message} of the lines that ptxas refuses. A syntax error ends its run: the rest is read on its own."""
    refused = {}
    waiting = [lines[i:i + PTXAS_BATCH] for i in range(0, len(lines), PTXAS_BATCH)]
    while waiting:
        batch = waiting.pop()
        answer = ptxas_messages(ptxas, batch, folder, target)
        if answer is None:
            if len(batch) == 1:
                refused[batch[0]] = "ptxas crashes"
            else:
                waiting += [batch[:len(batch) // 2], batch[len(batch) // 2:]]
            continue
        messages, fatal = answer
        refused.update(messages)
        if fatal is not None and fatal + 1 < len(batch):
            waiting.append(batch[fatal + 1:])
    return refused


def heddle_verdicts(heddle, lines, folder, target):
    """{line: message} of the lines that heddle refuses or cannot execute."""
    refused = {}
    left = list(lines)
    while left:
        count = -(-len(left) // HEDDLE_BATCH)
        batches = [left[i::count] for i in range(count)]  # lines that differ in an operand lie in different texts
        paths = []
        for i, batch in enumerate(batches):
            paths.append(folder / f"{i}.ptx")
            write(paths[-1], batch, target)
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
