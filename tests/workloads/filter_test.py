#!/usr/bin/env python3
"""PGM files of the filter workload: edges of small images worked out by hand, both formats, malformed files.

    filter_test.py HEDDLE FILTER DATA       DATA: the folder of the images in the repository
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE, FILTER, DATA = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:4])

# Content, what the message must hold after "filter: error: in.pgm".
MALFORMED = [
    (None, ": cannot be opened"),
    (b"", ": is empty or cannot be read"),
    (b"P6\n1 1\n255\n...", ":1: a PGM file begins with P2 or P5"),
    (b"P", ":1: a PGM file begins with P2 or P5"),
    (b"P25 1 1 255 0", ":1: white space must stand behind P2"),
    (b"P2\n# 3 3 255\n", ":3: the file ends before the width"),
    (b"P2\n3\n", ":3: the file ends before the height"),
    (b"P2\n3 3", ":2: the file ends before the value of white"),
    (b"P2\n0 3 255\n", ":2: the width is 0, not within 1 to 16384"),
    (b"P2\n3\n16385 255\n", ":3: the height is 16385, not within 1 to 16384"),
    (b"P2\n99999999999999999999 3 255\n", ":2: the width is '99999999999999999999', not a whole number"),
    (b"P2\n3 -3 255\n", ":2: the height is '-3', not a whole number from 1 to 16384"),
    (b"P2\n3 3\n256\n", ":3: the value of white is 256, not within 1 to 255"),
    (b"P5\n3 3\n65535\n", ":3: the value of white is '65535', not a whole number from 1 to 255"),
    (b"P2\n2 2\n9\n1 2\n3\n", ":6: the file ends before the pixel"),
    (b"P2\n2 2\n9\n1 2\n3 10\n", ":5: the pixel is 10, not within 0 to 9"),
    (b"P2\n2 2\n9\n1 2\nx 4\n", ":5: the pixel is 'x', not a whole number from 0 to 9"),
    (b"P2\n2 2\n9\n1 2\n3 4\n5\n", ":6: more than the pixels of one image"),
    (b"P5 2 2 9#\n1234", ":1: one white space must stand between the header and the pixels"),
    # The header has 9 bytes, so the fourth pixel is byte 12 of the file, counted from 0.
    (b"P5 2 2 9\n\1\2\3", ": byte 12: 3 bytes of pixels instead of 4"),
    (b"P5 2 2 9\n\1\2\3\4\5", ": byte 13: 5 bytes of pixels instead of 4"),
    (b"P5 2 2 9\n\1\2\3\12", ": byte 12: the pixel is 10, above the header's 9"),
    (b"P5 16384 16384 255\n", ": byte 19: 0 bytes of pixels instead of 268435456"),
]


class Filter(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_filter(self, *arguments, device=True):
        front = [HEDDLE, "run", "--"] if device else []
        return subprocess.run([*front, FILTER, *arguments], capture_output=True, text=True, check=False,
                              cwd=self.folder)

    def edges(self, content):
        """The file that the program makes of `content`."""
        (self.folder / "in.pgm").write_bytes(content)
        result = self.run_filter("--input", "in.pgm", "--output", "out.pgm")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("PASS", result.stdout.splitlines())
        return (self.folder / "out.pgm").read_bytes()

    def test_a_vertical_step(self):
        # At both sides of the step the columns beside a pixel differ by 30, weighted 1 + 2 + 1: 120. Rows do not.
        self.assertEqual(self.edges(b"P2 4 3 200  10 10 40 40  10 10 40 40  10 10 40 40"),
                         b"P2\n4 3\n200\n0 120 120 0\n0 120 120 0\n0 120 120 0\n")

    def test_a_horizontal_step_is_cut_off_at_white(self):
        self.assertEqual(self.edges(b"P2 2 3 100  10 10  10 10  40 40"), b"P2\n2 3\n100\n0 0\n100 100\n100 100\n")

    def test_a_dot(self):
        # A corner has the dot in one corner of its neighbourhood: |9| + |9|. A pixel beside the dot has it in the
        # middle of a side: 2 * 9 in one direction, nothing in the other. The dot itself does not count.
        self.assertEqual(self.edges(b"P2 3 3 255  0 0 0  0 9 0  0 0 0"),
                         b"P2\n3 3\n255\n18 18 18\n18 0 18\n18 18 18\n")

    def test_opposite_slopes_do_not_cancel(self):
        # Falling by 5 a column and rising by 1 a row: the neighbours differ by 10 and by 2, weighted 4: 40 + 8.
        out = self.edges(b"P2 3 3 255  20 15 10  21 16 11  22 17 12").split()
        self.assertEqual(out[4 + 4], b"48")

    def test_one_pixel(self):
        self.assertEqual(self.edges(b"P2 1 1 255 77"), b"P2\n1 1\n255\n0\n")

    def test_bytes_that_look_like_a_header(self):
        # The dot once more, '\t' on '#': 9 on 35. Edges of 2 * 26 = 52, the code of '4'.
        self.assertEqual(self.edges(b"P5\n# a comment\n3 # another\n3 255\n####\t####"), b"P5\n3 3\n255\n4444\x004444")
        # The first pixel is a white space.
        self.assertEqual(self.edges(b"P5 2 1 255\n\n\n"), b"P5\n2 1\n255\n\0\0")

    def test_comments_and_lines_of_plain_images(self):
        with_comments = b"P2#\n2#x\n2 # 7 7 7\n100\n1 #2\n#\n2 3\n\n4"
        self.assertEqual(self.edges(with_comments), self.edges(b"P2 2 2 100 1 2 3 4"))

    def test_what_is_written_can_be_read(self):
        header = b"P2 40 2 255 "
        out = self.edges(header + b"0 255 " * 40)
        self.assertLessEqual(max(map(len, out.splitlines())), 70)
        self.assertEqual(len(out.split()), 4 + 80)
        self.edges(out)

    def test_the_image_of_the_repository(self):
        result = self.run_filter("--input", str(pathlib.Path(DATA) / "heddle.pgm"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("36x28 pixels", result.stdout)

    def test_malformed_images_are_refused_with_their_place(self):
        for content, message in MALFORMED:
            with self.subTest(message):
                if content is not None:
                    (self.folder / "in.pgm").write_bytes(content)
                result = self.run_filter("--input", "in.pgm", device=False)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertIn(f"filter: error: in.pgm{message}", result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_file_that_cannot_be_written(self):
        result = self.run_filter("--size", "8", "--output", "nosuch/out.pgm")
        self.assertEqual(result.returncode, 1)
        self.assertIn("filter: error: nosuch/out.pgm: cannot be written", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
