#!/usr/bin/env python3
"""tools/measured-kernels: sums by hand over the launches of a profiler's table, names, errors."""
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools/measured-kernels"
TABLE = '''==PROF== Connected to process 1
"ID","Kernel Name","launch__registers_per_thread","sm__cycles_elapsed.max","smsp__inst_executed.sum"
"","","register/thread","cycle","inst"
"0","void <unnamed>::step<double>(double *, int)","96","1,000","2,500"
"1","validation::empty_kernel()","16","2735","2"
"2","void merge<(int)64>(unsigned int *, void (*)(int))","16","300","40"
"3","void <unnamed>::step<double>(double *, int)","96","2000.4","3,500"
'''


class MeasuredKernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "table.csv"

    def run_tool(self, text, program="lbm --size 8="):
        self.file.write_text(text)
        word = f"{program}{self.file}" if program else "table.csv"
        return subprocess.run([sys.executable, TOOL, word], capture_output=True, text=True, check=False)

    def test_sums_over_the_launches(self):
        done = self.run_tool(TABLE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(tomllib.loads(f"workloads = [\n{done.stdout}]")["workloads"], [{
            "program": "lbm", "arguments": "--size 8", "kernels": [
                {"kernel": "step<double>", "launches": 2, "cycles": 3000, "instructions": 6000, "registers": 96},
                {"kernel": "merge<64>", "launches": 1, "cycles": 300, "instructions": 40, "registers": 16},
            ]}])

    def test_errors(self):
        for text, program, message in ((TABLE, "", "'table.csv': expected \"PROGRAM ARGUMENTS=FILE.csv\""),
                                       ("==ERROR== no kernels\n", "lbm=", "no table of ncu --csv --page raw with"),
                                       (TABLE.replace("sm__cycles", "gpc__cycles"), "lbm=", "no table of ncu")):
            done = self.run_tool(text, program)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
