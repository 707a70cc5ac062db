#!/usr/bin/env python3
"""The kernels of the pro suite in their default size have the thread blocks of PRO Table II.

    pro_blocks_test.py HEDDLE FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])

# Program; part of the kernel's mangled name, blocks of PRO Table II.
TABLE = {
    "aes": {"encrypt": 257},
    "bfs --suite pro": {"expand_level": 256},
    "cp": {"sum_potential": 256},
    "lps": {"smooth": 100},
    "nn": {"convolveILi1E": 168, "convolveILi6E": 1400, "connectILi1250E": 2800, "connectILi100E": 280},
    "ray": {"render": 512},
    "sto": {"hash_windows": 384},
    "backprop": {"forward": 4096, "adjust": 4096},
    "btree": {"find_range": 6000, "4findPi": 10000},
    "hotspot --suite pro": {"step_tiled": 1849},
    "pathfinder": {"advance": 463},
    "convsep": {"convolve_rows": 18432, "convolve_columns": 9216},
    "histograms": {"count64": 4370, "mergeILi64E": 64, "count256": 240, "mergeILi256E": 256},
    "montecarlo": {"sample_normal": 128, "price": 256},
    "scalarprod": {"scalar_products": 128},
}


def launches(command):
    """The kernels of a run, as RESULT.json has them."""
    program, *arguments = command.split()
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        subprocess.run([HEDDLE, "run", "-m", "gtx480-pro", "--functional", "-o", result, "--", FOLDER / program,
                        *arguments], stdout=subprocess.DEVNULL, check=True)
        return json.loads(result.read_text())["kernels"]


def launched(command):
    """Mangled names of the kernels that a run launches, and their blocks."""
    return {(kernel["name"], x * y * z) for kernel in launches(command) for x, y, z in [kernel["grid"]]}


class Blocks(unittest.TestCase):
    def test_blocks_of_table_2(self):
        for command, expected in TABLE.items():
            with self.subTest(command):
                kernels = launched(command)
                found = {part: blocks for name, blocks in kernels for part in expected if part in name}
                self.assertEqual(found, expected)
                self.assertEqual(len(kernels), len(expected), kernels)

    def test_shared_memory_of_a_block(self):
        # Two arrays of 4-byte numbers, 16 and 16x16; one of a number a thread, sized at the launch.
        for command, sizes in (("backprop --quick", [4 * 16 * 17, 0]), ("pathfinder --quick", [4 * 256] * 2)):
            with self.subTest(command):
                self.assertEqual([kernel["shared_bytes"] for kernel in launches(command)], sizes)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
