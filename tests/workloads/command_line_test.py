#!/usr/bin/env python3
"""What the workloads do before they use a device: help, wrong options, malformed graph files.

    command_line_test.py FOLDER PROGRAM...
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv[1])
PROGRAMS = sys.argv[2:]

# File name, content, what the message must hold after "bfs: error: ".
GRAPHS = [
    ("missing.gr", None, "missing.gr: cannot be opened"),
    ("name.txt", "1 2\n", "name.txt: the name of a graph file ends in .gr (DIMACS) or .mtx (Matrix Market)"),
    ("empty.gr", "", "empty.gr:0: no 'p sp NODES EDGES' line"),
    ("early.gr", "c x\na 1 2 3\n", "early.gr:2: an edge before the 'p sp NODES EDGES' line"),
    ("problem.gr", "p max 2 1\n", "problem.gr:1: expected one 'p sp NODES EDGES' line"),
    ("twice.gr", "p sp 2 1\np sp 2 1\n", "twice.gr:2: expected one 'p sp NODES EDGES' line"),
    ("nodes.gr", "p sp 0 1\n", "nodes.gr:1: the number of nodes is 0, not within 1 to 1073741824"),
    ("huge.gr", "p sp 99999999999999999999 1\n", "huge.gr:1: the number of nodes is '99999999999999999999'"),
    ("range.gr", "p sp 2 1\na 1 3 1\n", "range.gr:2: the edge's second node is 3, not within 1 to 2"),
    ("word.gr", "p sp 2 1\na 1 2x 1\n", "word.gr:2: the edge's second node is '2x'"),
    ("short.gr", "p sp 2 1\na 1\n", "short.gr:2: the edge's second node is missing"),
    ("few.gr", "p sp 2 2\na 1 2 1\n", "few.gr:2: the file ends after 1 of 2 edges"),
    ("many.gr", "p sp 2 1\na 1 2 1\na 2 1 1\n", "many.gr:3: more than the 1 edges of the 'p' line"),
    ("kind.gr", "p sp 2 1\ne 1 2\n", "kind.gr:2: unknown line 'e 1 2'"),
    ("empty.mtx", "", "empty.mtx:0: the file is empty"),
    ("banner.mtx", "1 1 1\n", "banner.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"),
    ("skew.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", "skew.mtx:1: symmetry 'skew-symmetric'"),
    ("size.mtx", "%%MatrixMarket matrix coordinate pattern general\n% x\n",
     "size.mtx:2: no 'ROWS COLUMNS ENTRIES' line"),
    ("square.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n", "square.mtx:2: the matrix is not square"),
    ("row.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n",
     "row.mtx:3: the row is 3, not within 1 to 2"),
    ("few.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n",
     "few.mtx:3: the file ends after 1 of 2 edges"),
    ("many.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n2 1\n",
     "many.mtx:4: more than the 1 entries of the size line"),
]


def run(program, *arguments, cwd=None):
    return subprocess.run([FOLDER.resolve() / program, *arguments], capture_output=True, text=True, check=False, cwd=cwd)


class CommandLines(unittest.TestCase):
    def test_help_lists_the_options(self):
        for program in PROGRAMS:
            with self.subTest(program):
                result = run(program, "--help")
                self.assertEqual(result.returncode, 0, result.stderr)
                for option in ("--help", "--quick", "--size"):
                    self.assertIn(option, result.stdout)
                self.assertEqual(result.stderr, "")

    def assert_refused(self, result, *texts):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        for text in ("error: ", *texts):
            self.assertIn(text, result.stderr)

    def test_wrong_options_are_named(self):
        for program in PROGRAMS:
            for arguments in (["--bogus"], ["--size"], ["--size", "12abc"], ["--size", "-1"], ["--size", "0"],
                              ["extra"]):
                with self.subTest(program, arguments=arguments):
                    self.assert_refused(run(program, *arguments), f"{program}: error: ", arguments[0],
                                        f"{program} --help")

    def test_values_out_of_range(self):
        for arguments in (["--block", "0"], ["--block", "1025"], ["--threads", "0"], ["--seed", "x"],
                          ["--suite", "maws"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(run("matmul", *arguments), arguments[0])

    def test_a_deal_that_is_none(self):
        self.assert_refused(run("filter", "--deal", "heaps"), "--deal", "heaps", "tiles", "turns")
        self.assert_refused(run("bfs", "--deal", "tiles"), "--deal")

    def test_malformed_graphs_are_refused_with_their_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content, message in GRAPHS:
                with self.subTest(name):
                    if content is not None:
                        (pathlib.Path(folder) / name).write_text(content, encoding="ascii")
                    self.assert_refused(run("bfs", "--graph", name, cwd=folder), f"bfs: error: {message}")

    def test_source_outside_the_graph(self):
        self.assert_refused(run("bfs", "--quick", "--source", "16385"), "--source 16385: the graph has 16384 nodes")

    def test_sizes_that_do_not_fill_blocks(self):
        for program, size, message in (("aes", "100", "the number of bytes must be a multiple of 16"),
                                       ("backprop", "100", "the number of input units must be a multiple of 16"),
                                       ("convsep", "100", "the number of rows must be a multiple of 128"),
                                       ("histograms", "100", "the number of bytes must be a multiple of 16")):
            with self.subTest(program):
                self.assert_refused(run(program, "--size", size), f"{program}: error: --size {size}: {message}")

    def test_more_rows_than_fit(self):
        self.assert_refused(run("pathfinder", "--iterations", "2685"),
                            "pathfinder: error: --iterations 2685: with 100000 cells a row at most 2684 rows")

    def test_points_that_are_no_power_of_two(self):
        for arguments in (["--size", "1000"], ["--size", "3"], ["--size", "8388608"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(run("fft", *arguments), "fft: error: ", "--size", "4")
        self.assert_refused(run("fft", "--size", "1000"), "--size 1000: the number of points must be a power of two, "
                                                          "such as 1024")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
