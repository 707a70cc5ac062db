#!/usr/bin/env python3
"""tools/debian-graph on small package lists, with the edges worked out by hand."""
import gzip
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "debian-graph"

# Nodes in order of name: alpha 1, beta 2, gamma 3, mail-a 4, mail-b 5.
MAIN = """Package: gamma
Version: 1.0
Depends: alpha (>= 1), missing

Package: alpha
Version: 1:1.0~rc1-1
Pre-Depends: gamma:any
Depends: beta | mail-server, alpha
Description: line
 continued: Depends: gamma

Package: mail-a
Version: 1
Provides: mail-server (= 2), other

Package: mail-b
Version: 1
Provides: mail-server
"""
# Newer than the rc of MAIN, and no longer in need of gamma; an older gamma, which does not count.
UPDATES = """Package: alpha
Version: 1:1.0-1
Depends: beta | mail-server

Package: beta
Version: 2

Package: gamma
Version: 0.9
Depends: beta
"""
NEEDS = ["1 2", "1 4", "1 5", "3 1"]


class DebianGraph(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "lists").mkdir()

    def write_lists(self):
        (self.folder / "lists" / "a_main_Packages").write_text(MAIN, encoding="ascii")
        (self.folder / "lists" / "b_updates_Packages.gz").write_bytes(gzip.compress(UPDATES.encode()))
        (self.folder / "lists" / "c_InRelease").write_text("Package: no\n", encoding="ascii")

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOL, "--lists", self.folder / "lists", *arguments],
                              capture_output=True, text=True, check=False)

    def edges(self, *arguments):
        result = self.run_tool(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "%%MatrixMarket matrix coordinate pattern general")
        self.assertTrue(lines[1].startswith("% "))
        return lines[2], lines[3:]

    def test_edges(self):
        self.write_lists()
        self.assertEqual(self.edges(), ("5 5 4", NEEDS))

    def test_directions(self):
        self.write_lists()
        self.assertEqual(self.edges("--direction", "needed-by"), ("5 5 4", ["1 3", "2 1", "4 1", "5 1"]))
        self.assertEqual(self.edges("--direction", "both"),
                         ("5 5 8", ["1 2", "1 3", "1 4", "1 5", "2 1", "3 1", "4 1", "5 1"]))

    def test_closure_renumbers(self):
        self.write_lists()
        self.assertEqual(self.edges("--from", "alpha"), ("4 4 3", ["1 2", "1 3", "1 4"]))

    def test_dimacs_file(self):
        self.write_lists()
        target = self.folder / "out.gr"
        self.assertEqual(self.run_tool("-o", target).returncode, 0)
        lines = target.read_text(encoding="ascii").splitlines()
        self.assertTrue(lines[0].startswith("c "))
        self.assertEqual(lines[1:], ["p sp 5 4", *(f"a {edge} 1" for edge in NEEDS)])

    def test_errors(self):
        result = self.run_tool()
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("run 'apt-get update' first", result.stderr)
        self.write_lists()
        self.assertIn("--from nosuch: no list has this package", self.run_tool("--from", "nosuch").stderr)
        self.assertIn("must end in .mtx or .gr", self.run_tool("-o", "x.txt").stderr)


if __name__ == "__main__":
    unittest.main()
