#!/usr/bin/env python3
"""Runs the blocks of pages and compares what they print with what the pages show (README.md beside this file).

    run_page.py --heddle build/release/bin/heddle README.md docs/trace.md     # fails where a page is stale
    run_page.py --heddle build/release/bin/heddle --update docs/trace.md      # writes the new output into the page
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import blocks
import compare

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
END = "\x1e"  # before the exit status of a command
LIMIT = 240   # seconds of a block


class Sandbox:
    """A folder that looks like the tree to commands, and in which they may write."""

    def __init__(self, heddle):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-docs-"))
        build = heddle.parent.parent
        for entry in SOURCE.iterdir():
            if entry.name not in (".git", "build", "results", "docs"):
                (self.folder / entry.name).symlink_to(entry)
        (self.folder / "build").mkdir()
        (self.folder / "build" / "release").symlink_to(build)
        shutil.copytree(SOURCE / "docs", self.folder / "docs")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE")}
        self.environment |= {"PATH": f"{build / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                             "PYTHONDONTWRITEBYTECODE": "1"}

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, commands):
        """Runs commands in one shell; their outputs as a terminal shows them, each with the exit status. Ends behind a
        command that ends the shell."""
        script = "exec 2>&1\n" + "".join(f"{command}\nprintf '{END}%d\\n' $?\n" for command in commands)
        result = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, timeout=LIMIT)
        text = result.stdout.decode(errors="replace").replace(f"{self.folder}/", "")
        out = []
        while END in text:
            output, _, rest = text.partition(END)
            status, _, text = rest.partition("\n")
            out.append((output.split("\n")[:-1] if output.endswith("\n") else output.split("\n") if output else [],
                        int(status)))
        return out


class PageRun:
    def __init__(self, page, heddle, update):
        self.page, self.update = page, update
        self.text = (SOURCE / page).read_text()
        self.problems, self.replaced = [], []  # replaced: (first line, line behind the last, new lines), from 0
        self.sandbox = Sandbox(heddle)

    def fail(self, block, message):
        self.problems.append(f"{block.place}: {message}")

    def all(self):
        """Runs every block. Returns the problems."""
        found = blocks.read(self.page, self.text)
        for place in blocks.unmarked(found):
            self.problems.append(f"{place}: this block has no mark that says how it is tested (tests/docs/README.md)")
        try:
            for block in found:
                if block.mark is not None:
                    self.block(block)
        finally:
            self.sandbox.remove()
        if self.update and self.replaced:
            self.rewrite()
        return self.problems

    def block(self, block):
        if not self.succeed(block, block.mark.before):
            return
        if block.mark.verb == "write":
            path = self.sandbox.folder / block.mark.text
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(block.lines) + "\n")
        elif block.mark.verb in ("run", "output of"):
            self.commands(block)
        self.succeed(block, block.mark.then)

    def succeed(self, block, commands):
        for command in commands:
            (output, status), = self.sandbox.run([command]) or [([], -1)]
            if status != 0:
                self.fail(block, f"`{command}` of the mark ends with status {status}:\n" + "\n".join(output[-20:]))
                return False
        return True

    def commands(self, block):
        steps = blocks.steps(block)
        commands = [block.mark.instead.get(blocks.without_comment(step.command), step.command) for step in steps]
        run = [(step, command) for step, command in zip(steps, commands) if not command.startswith("not run: ")]
        begin = time.monotonic()
        try:
            results = self.sandbox.run([command for _, command in run])
        except subprocess.TimeoutExpired:
            self.fail(block, f"the commands take more than {LIMIT} seconds")
            return
        print(f"{block.place}: {len(run)} of {len(steps)} commands, {time.monotonic() - begin:.1f} s", flush=True)
        for at, (step, command) in enumerate(run):
            if at == len(results):
                self.fail(block, f"`{command}` was not reached, or ended the shell")
                return
            output, status = results[at]
            expected_status = block.mark.status if at + 1 == len(run) else 0
            if status != expected_status:
                self.fail(block, f"`{command}` ends with status {status}, not {expected_status}:\n" + "\n".join(output[-20:]))
            elif step.expected is not None and command == step.command:
                self.output(block, step, output)
        printed = "\n".join(line for output, _ in results for line in output)
        for text in block.mark.prints:
            if text not in printed:
                self.fail(block, f"the output lacks '{text}':\n{printed}")

    def output(self, block, step, actual):
        expected = [*step.expected]
        while expected and not expected[-1].strip():
            expected.pop()  # an empty line before the next command
        while actual and not actual[-1].strip():
            actual.pop()
        if compare.matches(expected, actual, block.mark.masks):
            return
        new = compare.updated(expected, actual)
        if self.update and new is not None:
            first = block.line + step.at
            self.replaced.append((first, first + len(expected), new))
            return
        self.fail(block, f"`{step.command}` prints something else:\n{compare.explained(expected, actual, block.mark.masks)}")

    def rewrite(self):
        lines = self.text.split("\n")
        for first, end, new in sorted(self.replaced, reverse=True):
            lines[first:end] = new
        (SOURCE / self.page).write_text("\n".join(lines))
        print(f"{self.page}: {len(self.replaced)} outputs are new")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--heddle", type=pathlib.Path, required=True)
    arguments.add_argument("--update", action="store_true", help="write new outputs into the pages")
    arguments.add_argument("pages", nargs="+", help="pages, from the folder of the sources")
    options = arguments.parse_args()
    problems = []
    for page in options.pages:
        name = str((SOURCE / page).resolve().relative_to(SOURCE))
        try:
            problems += PageRun(name, options.heddle.resolve(), options.update).all()
        except blocks.PageError as error:
            problems.append(str(error))
    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
