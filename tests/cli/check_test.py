"""heddle check: what of PTX files cannot be executed, without a launch."""
import unittest

from case import COPY_PTX, Case

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"


class Check(Case):
    def test_a_good_file_says_nothing(self):
        self.assertEqual(self.assert_succeeds("check", self.write("copy.ptx", COPY_PTX)), "")

    def test_errors_and_what_is_not_executed_in_several_files(self):
        first = self.write("first.ptx", HEAD + "add.u32 %r1, %r2;\nmov.u32 %r1, -%r2;\nret;\n}\n")
        second = self.write("second.ptx", HEAD + "multimem.red.global.add.u32 [%r1], %r2;\nret;\n}\n")
        run = self.heddle("check", first, second)
        self.assertEqual(run.returncode, 1)
        for text in ("first.ptx:7:1: error: 'add.u32' takes 3 operands, not 2",
                     "first.ptx:8:14: error: '-' can not stand before '%r2'",
                     "second.ptx:7:1: error: 'multimem.red.global.add.u32' cannot be executed yet: it needs memory of "
                     "several devices"):
            self.assertIn(text, run.stdout)

    def test_a_missing_file(self):
        run = self.heddle("check", "nowhere.ptx")
        self.assertEqual(run.returncode, 2)
        self.assertIn("nowhere.ptx: there is no such file", run.stderr)


if __name__ == "__main__":
    unittest.main()
