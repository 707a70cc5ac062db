#!/usr/bin/env python3
"""What workloads refuse when they know the device.

    refused_test.py HEDDLE FOLDER
"""
import pathlib
import subprocess
import sys
import unittest

HEDDLE = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])

# Machine, program and options, standard error. A block of maws-bulk holds its 32 threads an SM, one
# of maws-coherent 64 (MAWS Table 4).
TILED = "hotspot: error: suite pro: the tiled kernel runs in blocks of 256 threads, "
SHAPE = " runs in blocks of {} threads, a block of this device holds at most {}\n"
CASES = [
    ("maws-bulk", "hotspot --quick --suite pro", TILED + "a block of this device holds at most 32\n"),
    ("lwm11", "hotspot --quick --suite pro --block 128", TILED + "--block is 128\n"),
    ("maws-bulk", "backprop --quick", "backprop: error: each kernel" + SHAPE.format(256, 32)),
    ("maws-coherent", "convsep --quick", "convsep: error: the column filter" + SHAPE.format(128, 64)),
    ("maws-bulk", "histograms --quick", "histograms: error: merge" + SHAPE.format(256, 32)),
    ("maws-coherent", "nn --quick", "nn: error: the first layer" + SHAPE.format(169, 64)),
    ("lwm11", "aes --quick --block 30", "aes: error: --block 30: the number of threads must be a multiple of 4\n"),
    ("lwm11", "pathfinder --quick --block 2",
     "pathfinder: error: --block 2: a cell and a margin of one on each side take 3 threads\n"),
    ("maws-bulk", "merge --quick --block 64", "error: --block 64: a block of this device holds at most 32 threads\n"),
]


class Refused(unittest.TestCase):
    def test_one_message(self):
        for machine, command, message in CASES:
            with self.subTest(machine, command=command):
                program, *options = command.split()
                result = subprocess.run([HEDDLE, "run", "--quiet", "-m", machine, "--", FOLDER / program, *options],
                                        capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertNotIn("PASS", result.stdout)
                self.assertEqual(result.stderr, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
