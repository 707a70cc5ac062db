#!/usr/bin/env python3
"""--deal reaches the kernels, and each suite has its default: a run without the option takes the cycles of one of the
two, which differ.

    deal_test.py HEDDLE FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])

# Program and suite, the default. MAWS section 4 tiles its loops; threads of LWM11 section 4 stride.
CASES = [
    ("fft --suite maws", "tiles"),
    ("fft --suite dwf", "turns"),
    ("filter", "tiles"),
    ("hotspot --suite lwm", "turns"),
    ("hotspot --suite maws", "tiles"),
    ("kmeans20", "tiles"),
    ("lu --suite maws", "tiles"),
    ("lu --suite dwf", "turns"),
    ("merge", "tiles"),
    ("short", "tiles"),
    ("svm", "tiles"),
]


def cycles(command, *options):
    """With several items a thread. Caches are empty at first, and the same items cost the same cycles."""
    program, *arguments = command.split()
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        subprocess.run([HEDDLE, "run", "-o", result, "--", FOLDER / program, "--quick", "--threads", "32", "--block",
                        "32", *arguments, *options], capture_output=True, check=True)
        return json.loads(result.read_text())["totals"]["cycles"]


class Deal(unittest.TestCase):
    def test_defaults(self):
        for command, default in CASES:
            with self.subTest(command):
                dealt = {deal: cycles(command, "--deal", deal) for deal in ("tiles", "turns")}
                self.assertNotEqual(dealt["tiles"], dealt["turns"])
                self.assertEqual(cycles(command), dealt[default])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
