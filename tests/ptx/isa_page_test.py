"""docs/ptx-isa.md is what `heddle describe ptx-isa` prints.

usage: isa_page_test.py [--write]    HEDDLE: the command

--write writes the page instead.
"""
import difflib
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "ptx-isa.md"


def printed():
    return subprocess.run([os.environ["HEDDLE"], "describe", "ptx-isa"], capture_output=True, text=True, check=True).stdout


class Page(unittest.TestCase):
    def test_the_page_is_that_of_the_tables(self):
        differences = list(difflib.unified_diff(PAGE.read_text().splitlines(), printed().splitlines(), "docs/ptx-isa.md",
                                                "heddle describe ptx-isa", lineterm="", n=0))
        self.assertEqual(differences, [], "write it by tests/ptx/isa_page_test.py --write")

    def test_every_instruction_has_one_state(self):
        rows = [line.split("|") for line in printed().splitlines() if line.startswith("| `")]
        names = [row[1].strip() for row in rows]
        self.assertEqual(sorted(names), sorted(set(names)))
        for name in ("`cvt`", "`vmad`", "`multimem`", "`tcgen05`"):
            self.assertIn(name, names)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(printed())
    else:
        unittest.main()
