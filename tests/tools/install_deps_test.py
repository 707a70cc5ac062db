"""tools/install-deps where packages are missing: whom it asks, and what it does without an answer.

dpkg-query, id, sudo and apt-get are scripts of the test: nothing is installed.
"""
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "install-deps"


class InstallDeps(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-deps-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.script("dpkg-query", "exit 1")  # no package is there
        self.script("sudo", f'echo "sudo $*" >> {self.calls}')
        self.script("apt-get", f'echo "apt-get $*" >> {self.calls}')

    def script(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run_as(self, user, *words, **options):
        self.script("id", f"echo {user}")
        return subprocess.run([TOOL, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              env=dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"), **options)

    def answer(self, text):
        master, terminal = pty.openpty()
        try:
            os.write(master, text.encode())
            return self.run_as(1000, stdin=terminal)
        finally:
            os.close(master)
            os.close(terminal)

    def test_no_terminal(self):
        done = self.run_as(1000, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no terminal to ask on; install them by: sudo apt-get install build-essential cmake", done.stdout)
        self.assertEqual(self.calls.read_text(), "")

    def test_yes(self):
        self.assertEqual(self.run_as(1000, "--yes", stdin=subprocess.DEVNULL).returncode, 0)
        self.assertRegex(self.calls.read_text(), r"^sudo env .*apt-get .*install .*cmake")

    def test_answers(self):
        for text in ("n\n", "\n", "\x04"):
            done = self.answer(text)
            self.assertEqual(done.returncode, 1)
            self.assertIn("nothing was installed", done.stdout)
            self.assertEqual(self.calls.read_text(), "")
        self.assertEqual(self.answer("y\n").returncode, 0)
        self.assertIn("install", self.calls.read_text())

    def test_root_is_not_asked(self):
        self.assertEqual(self.run_as(0, stdin=subprocess.DEVNULL).returncode, 0)
        self.assertRegex(self.calls.read_text(), r"^apt-get .*install .*cmake")

    def test_check(self):
        done = self.run_as(1000, "--check", stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("install-deps: missing: build-essential", done.stdout)
        self.assertEqual(self.calls.read_text(), "")


if __name__ == "__main__":
    unittest.main()
