#!/usr/bin/env python3
"""tools/match-programs: distances by hand, the points of a grid, errors; and that experiments run what was chosen."""
import importlib.machinery
import importlib.util
import math
import pathlib
import re
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("match_programs", str(ROOT / "tools/match-programs"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("match_programs", loader))
loader.exec_module(tool)

CLASSES = {"limits": [20, 40], "classes": ["low", "medium", "high"], "least": 0.1}


class Distance(unittest.TestCase):
    def test_of_numbers(self):
        self.assertAlmostEqual(tool.distance({}, 4, 2), math.log(2))
        self.assertAlmostEqual(tool.distance({}, 1, 2), math.log(2))
        self.assertAlmostEqual(tool.distance({"least": 0.5}, 0.01, 1), math.log(2))

    def test_of_classes(self):
        for value in (20, 30, 40):
            self.assertEqual(tool.distance(CLASSES, value, "medium"), 0)
        self.assertAlmostEqual(tool.distance(CLASSES, 10, "medium"), math.log(2))
        self.assertAlmostEqual(tool.distance(CLASSES, 80, "medium"), math.log(2))
        self.assertAlmostEqual(tool.distance(CLASSES, 20, "high"), math.log(2))
        self.assertEqual(tool.distance(CLASSES, 0, "low"), 0)
        self.assertEqual(tool.distance(CLASSES, 99, "high"), 0)


class Points(unittest.TestCase):
    def test_every_combination_in_order(self):
        program = {"name": "p", "arguments": ["--suite", "x"],
                   "grid": {"variant": ["", "branches"], "--size": [4, 8], "--tiled": [False, True]}}
        points = list(tool.points_of(program))
        self.assertEqual(len(points), 8)
        self.assertEqual(points[0], ("usual --size 4", ["--suite", "x", "--size", "4"], ""))
        self.assertEqual(points[7], ("branches --size 8 --tiled", ["--suite", "x", "--size", "8", "--tiled"], "branches"))


class Errors(unittest.TestCase):
    def refused(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "g.toml"
            path.write_text(text)
            with self.assertRaises(SystemExit) as raised:
                tool.read_grids(path)
            return str(raised.exception)

    def test_of_files(self):
        self.assertIn("'machine' is missing", self.refused('paper = "P"\ncharacteristic = []\nprogram = []\n'))
        head = 'paper = "P"\nmachine = "lwm11"\ncharacteristic = []\n'
        self.assertIn("unknown key 'gird'", self.refused(head + '[[program]]\nname = "a"\ngird = {}\n'))
        self.assertIn("'--size' needs a list",
                      self.refused(head + '[[program]]\nname = "a"\nsilent = "s"\ngrid = { "--size" = 4 }\n'))
        self.assertIn("g.toml", self.refused("paper ="))


class Choices(unittest.TestCase):
    """programs.toml has what the page shows in bold."""

    def chosen(self, paper):
        page = (ROOT / "docs/workloads.md").read_text()
        table = page.split(f"<!-- {paper} -->")[1].split("<!-- end -->")[0]
        program, out = None, {}
        for line in table.splitlines():
            if match := re.match(r"\| `(\w+)` \| \*published\*", line):
                program = match[1]
            elif match := re.match(r"\| \| \*\*`(.*)`\*\*", line):
                out[program] = match[1]
        return out

    def test_are_what_experiments_run(self):
        sets = tomllib.loads((ROOT / "experiments/programs.toml").read_text())
        for paper, name in (("DWF07", "dwf"), ("LWM10", "lwm10"), ("MAWS", "maws")):
            grids = tool.read_grids(ROOT / f"workloads/inputs/{paper.lower()}.toml")
            programs = {program["name"]: program for program in sets[name]}
            chosen = self.chosen(paper)
            self.assertEqual(set(chosen), {program["name"] for program in grids["program"]}, paper)
            for program in grids["program"]:
                point = next(p for p in tool.points_of(program) if p[0] == chosen[program["name"]])
                run = programs[program["name"]]
                with self.subTest(paper=paper, program=program["name"]):
                    self.assertEqual(run.get("variant", ""), point[2])
                    self.assertEqual(run.get("arguments", []), point[1])


if __name__ == "__main__":
    unittest.main()
