"""The runner must let right results pass and name wrong ones."""
import re
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import case_file  # noqa: E402
from values import BadValue, expand, matches, pack, parse_bits  # noqa: E402

CASE = """\
case three words
block 4
arg out buf:16
arg n u32:7
body
    st.global.u32 [slot], n;
end
expect out u32 7 ? 2*7
"""


def formations_of(case):
    """What --in-turn runs of a file of cases, as (case, formation)."""
    fake = "test $1 = describe || exit 1; printf 'name\\npdom x\\ndwf x\\ntbc x\\nits x\\n'"
    status, output = run(case, fake, ["--in-turn"])
    return status, re.findall(r"^FAILED .*: (.*) \[(.*)\]$", output, re.MULTILINE)


def run(case, fake, options=("--formation", "pdom")):
    """Runs the runner on a case with a stand-in for heddle whose script is `fake`; (status, output)."""
    with tempfile.TemporaryDirectory() as folder:
        heddle = Path(folder) / "heddle"
        heddle.write_text("#!/bin/sh\n" + textwrap.dedent(fake))
        heddle.chmod(heddle.stat().st_mode | stat.S_IXUSR)
        file = Path(folder) / "x.case"
        file.write_text(case)
        words = [sys.executable, HERE / "run_cases.py", "--heddle", heddle, *options, file]
        done = subprocess.run(words, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class Runner(unittest.TestCase):
    def test_right_result_passes(self):
        status, output = run(CASE, "echo 'dump 0: 07000000ffffffff0700000007000000'")
        self.assertEqual(status, 0, output)

    def test_wrong_word_is_named(self):
        status, output = run(CASE, "echo 'dump 0: 07000000ffffffff0700000008000000'")
        self.assertEqual(status, 1)
        self.assertIn("[3] is 8 (0x00000008), expected 7", output)

    def test_in_turn(self):
        one = "case {}\nblock 4\narg out buf:4\nbody\nret;\nend\nexpect out u32 0\n"
        cases = one.format("a") + one.format("b") + one.format("c").replace("block 4", "formations dwf") + one.format("d")
        self.assertEqual(formations_of(cases), (1, [("a", "pdom"), ("a", "dwf"), ("b", "pdom"), ("b", "tbc"), ("c", "dwf"),
                                                    ("d", "pdom"), ("d", "tbc")]))

    def test_missing_dump_short_buffer_and_failure(self):
        self.assertIn("no line 'dump 0", run(CASE, "true")[1])
        self.assertIn("the buffer ends before element 2", run(CASE, "echo 'dump 0: 0700000007000000'")[1])
        self.assertIn("ended with status 3", run(CASE, "exit 3")[1])

    def test_expected_error(self):
        case = CASE + "error ~ out of .*bounds\n"
        case = case.replace("expect out u32 7 ? 2*7\n", "")
        self.assertEqual(run(case, "echo 'out of any bounds' >&2; exit 1")[0], 0)
        self.assertIn("status 0; an error was expected", run(case, "echo 'out of any bounds' >&2")[1])
        self.assertIn("no error message with", run(case, "echo other >&2; exit 1")[1])
        self.assertIn("died of a signal", run(case, "echo 'out of any bounds' >&2; kill -SEGV $$")[1])

    def test_result_numbers(self):
        case = CASE.replace("expect out u32 7 ? 2*7", "result kernels.0.cycles = 9")
        write = "while [ $1 != -o ]; do shift; done; echo '{\"kernels\": [{\"cycles\": %d}]}' > $2"
        self.assertEqual(run(case, write % 9)[0], 0)
        self.assertIn("kernels.0.cycles is 8; expected = 9", run(case, write % 8)[1])
        self.assertIn("result file", run(case, "true")[1])

    def test_no_case_is_no_success(self):
        self.assertEqual(run("# nothing\n", "true")[0], 1)


class Values(unittest.TestCase):
    def test_patterns(self):
        self.assertEqual(parse_bits("f32", "1.0"), 0x3F800000)
        self.assertEqual(parse_bits("f32", "0x3f800001"), 0x3F800001)
        self.assertEqual(parse_bits("f32", "0x1.000002p0"), 0x3F800001)
        self.assertEqual(parse_bits("f32", "-0.0"), 0x80000000)
        self.assertEqual(parse_bits("s8", "-1"), 0xFF)
        self.assertEqual(pack("u16", ["1", "0xffff"]), b"\x01\0\xff\xff")
        for kind, text in [("u8", "256"), ("s32", "x"), ("f32", "0x1.0000001p0"), ("f64", "1,5")]:
            with self.assertRaises(BadValue):
                parse_bits(kind, text)

    def test_lists(self):
        self.assertEqual(expand(["3*5", "0..2", "-1", "2*?", "2*0..1"]), "5 5 5 0 1 2 -1 ? ? 0 1 0 1".split())

    def test_matching(self):
        one, nan = pack("f32", ["1.0"]), pack("f32", ["0x7fffffff"])
        self.assertTrue(matches("f32", one, "1.0") and matches("f32", one, "?") and matches("f32", one, "1.1~0.1"))
        self.assertTrue(matches("f32", one, "0.9+-0.11") and matches("f32", nan, "nan"))
        self.assertTrue(matches("f32", nan, "0x7fffffff"))
        self.assertFalse(matches("f32", one, "nan") or matches("f32", nan, "1.0~0.1") or matches("f32", one, "1.1"))
        self.assertFalse(matches("f32", pack("f32", ["-0.0"]), "0.0"))


class Reading(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.case"
            file.write_text(text)
            return case_file.read(file)

    def test_table_fills_whole_warps_and_a_part(self):
        (case,) = self.read("case t\ntable a:u8 -> d:u16\n    cvt.u16.u8 d, a;\nrows\n    1 -> 1 # one\n    255 -> 255\n")
        self.assertEqual(case.block, "34")
        self.assertEqual([a.name for a in case.arguments], ["p_a", "p_d"])
        self.assertEqual(case.arguments[0].spec, "buf:hex=" + "01ff" * 17)
        self.assertEqual(case.expectations[0].words, ["1", "255"] * 17)

    def test_a_case_like_another(self):
        first, second = self.read("case a\nblock 4\nset x=1\narg out buf:4\nbody\n    exit;\nend\nexpect out u32 0\n"
                                  "case b\nlike a\nblock 8\nset y=2\nexpect out u16 1\n")
        self.assertEqual((first.name, first.block, first.settings), ("a", "4", ["x=1"]))
        self.assertEqual((second.name, second.line, second.block, second.settings), ("b", 9, "8", ["x=1", "y=2"]))
        self.assertEqual(second.ptx(), first.ptx())
        self.assertEqual([e.words for e in second.expectations], [["0"], ["1"]])
        self.assertEqual(len(first.expectations), 1)

    def test_mistakes_are_refused(self):
        for text in ["block 3\n", "case a\nnonsense\n", "case a\nbody\n    ret;\n", "case a\nbody\n    ret;\nend\nexpect x u32 1\n",
                     "case a\ntable a:u32 -> d:u32\n    mov.u32 d, a;\nrows\n    1 2 -> 3\n",
                     "case a\ntable a:u9 -> d:u32\nrows\n", "case a\nbody\n    ret;\nend\n",
                     "case a\nlike b\n", "case a\nlike a\n"]:
            with self.assertRaises(case_file.CaseError, msg=text):
                self.read(text)


if __name__ == "__main__":
    unittest.main()
