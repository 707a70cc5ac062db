#!/usr/bin/env python3
"""Text and sequences that histogram, needleman and hmmer read: results by hand, the files of the repository, malformed
ones.

    inputs_test.py HEDDLE PROGRAMS WORKLOADS    WORKLOADS: the folder of the sources
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE, PROGRAMS, WORKLOADS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])

# Program, content, what the message must hold after "PROGRAM: error: in".
MALFORMED = [
    ("histogram", None, ": cannot be opened"),
    ("histogram", b"", ": is empty or cannot be read"),
    ("histogram", b"one\ntwo \xc3\xa4\n", ":2: the byte 0xc3 is no ASCII character"),
    ("needleman", None, ": cannot be opened"),
    ("needleman", b"", ": is empty or cannot be read"),
    ("needleman", b"\n\n", ":2: the file holds no sequence"),
    ("needleman", b"ACGT\n", ":1: a FASTA file begins with '>'"),
    ("needleman", b">one\nACGT\n>two\nAC\nGU\n", ":5: 'U' is none of the letters ACGT"),
    ("needleman", b">one\nAC\x01\n", ":2: the byte 1 is none of the letters ACGT"),
    ("needleman", b">one\n>two\nACGT\n", ":1: the sequence 'one' has no letters"),
    ("needleman", b">one\nA\n>two words\n\n", ":3: the sequence 'two' has no letters"),
    ("needleman", b">one\nACGT\n", ": has 1 sequence, not two"),
    ("needleman", b">1\nA\n>2\nA\n>3\nA\n", ": has 3 sequences, not two"),
    ("needleman", b">one\n" + b"A" * 8192 + b"\nA\n", ":3: the sequence 'one' has more than 8192 letters"),
    ("hmmer", b">one\nMKVB\n", ":2: 'B' is none of the letters ACDEFGHIKLMNPQRSTVWYX"),
    ("hmmer", b">one\n" + b"M" * 4097 + b"\n", ":2: the sequence 'one' has more than 4096 letters"),
]


class Inputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, program, *arguments, device=True):
        front = [HEDDLE, "run", "--"] if device else []
        return subprocess.run([*front, PROGRAMS / program, *arguments], capture_output=True, text=True, check=False,
                              cwd=self.folder)

    def passed(self, program, content, *arguments):
        """The first line that the program prints of a file that it must take."""
        (self.folder / "in").write_bytes(content)
        result = self.run_program(program, "--input", "in", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("PASS", result.stdout.splitlines())
        return result.stdout.splitlines()[0]

    def test_malformed_files_are_refused_with_their_place(self):
        for program, content, message in MALFORMED:
            with self.subTest(program, message=message):
                (self.folder / "in").unlink(missing_ok=True)
                if content is not None:
                    (self.folder / "in").write_bytes(content)
                result = self.run_program(program, "--input", "in", device=False)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(result.stderr, f"{program}: error: in{message}\n")

    def test_different_characters(self):
        self.assertIn(" 5 characters, 3 of them different", self.passed("histogram", b"abba\n"))
        # All 128, and a rest that fills no word.
        self.assertIn(" 130 characters, 128 of them different", self.passed("histogram", bytes(range(128)) + b"\0\0"))

    def test_alignments_by_hand(self):
        def summary(first, second):
            return self.passed("needleman", f">1\n{first}\n>2\n{second}\n".encode()).split(": ")[2]
        # A pair of the same letter counts 1, of different ones -1, a letter alone -2.
        self.assertEqual(summary("ACGT", "ACGT"), "score 4, 4 letters are the same, 0 differ, 0 are alone")
        self.assertEqual(summary("ACGT", "AGT"), "score 1, 3 letters are the same, 0 differ, 1 are alone")
        self.assertEqual(summary("GATTACA", "GCATGCT"), "score -1, 3 letters are the same, 4 differ, 0 are alone")
        self.assertEqual(summary("A", "TTTTT"), "score -9, 0 letters are the same, 1 differ, 4 are alone")

    def test_the_form_of_sequences(self):
        plain = self.passed("needleman", b">1\nACGTACGT\n>2\nACGGT\n")
        self.assertEqual(self.passed("needleman", b">1 x\r\nAcgT\r\n\r\n ac gt\r\n>2\r\nacg\tgt"), plain)
        self.assertIn("1 sequences, 24 nodes, best: only with", self.passed("hmmer", b"> only one\nmkvx\n"))

    def test_the_files_of_the_repository(self):
        pair = (WORKLOADS / "needleman/data/pair.fa").read_bytes()
        self.assertIn("150 and 150 letters", self.passed("needleman", pair))
        proteins = (WORKLOADS / "hmmer/data/proteins.fa").read_bytes()
        self.assertIn("12 sequences, 9 nodes", self.passed("hmmer", proteins, "--nodes", "9"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
