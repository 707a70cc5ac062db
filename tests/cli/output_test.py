"""Files and streams that cannot be written, and files that are none."""
import json
import os
import subprocess
import unittest

from case import COPY_PTX, HEDDLE
from steps import Steps


class Output(Steps):
    def commands(self):
        self.write("copy.ptx", COPY_PTX)
        self.assert_succeeds("run", "-o", "run.json", "--", self.steps, "once")
        self.write("e.toml", 'title = "T"\nvalue = "totals.cycles"\n[[program]]\nname = "p"\nrun = "./steps"\n'
                             'arguments = ["mark", "once"]\n')
        return {
            "run": ["run", "--", self.steps, "mark", "once"],
            "compare": ["compare", "--with", "core.formation=serial", "--", self.steps, "mark", "once"],
            "oracle": ["oracle", "--", self.steps, "mark", "once"],
            "reproduce": ["reproduce", "e.toml"],
            "ptx": ["ptx", "copy.ptx", "--grid", "1", "--block", "2", "--arg", "buf:8", "--arg", "buf:8", "--arg", "u32:2"],
            "cost": ["cost"],
            "report": ["report", "run.json"],
        }

    def test_full_standard_output(self):
        reproduced = ["reproduce", "-o", "out"]
        calls = [[*words] for words in self.commands().values()]
        more = {"reproduce": reproduced, "run": ["run", "-o", "-"], "ptx": ["ptx", "-o", "-"]}
        calls = [more.get(words[0], words[:1]) + words[1:] for words in calls]
        calls += [["describe", "machines"], ["reproduce"], ["--help"], ["run", "--help"], ["--version"]]
        for words in calls:
            with open("/dev/full", "w") as full, self.subTest(words[0]):
                run = subprocess.run([HEDDLE, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=60)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, r"(?m)^heddle: error: standard output cannot be written(: No space left on device)?$")

    def test_closed_standard_output(self):
        run = self.call(["bash", "-c", '"$0" run -o - -- "$1" once >&-', HEDDLE, self.steps])
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("standard output cannot be written", run.stderr)

    def test_unwritable_outputs_are_refused_before_the_work(self):
        self.write("file", "")
        for name, words in self.commands().items():
            folder = name in ("compare", "reproduce")
            targets = {"file/x": "", "none/x": "there is no folder", ".": "a folder", "x" * 300: "File name too long"}
            for target, reason in {"file": "not a folder", "file/x": "not a folder", "/proc/x": "not a folder"}.items() if folder \
                    else targets.items():
                with self.subTest(f"{name} -o {target}"):
                    message = self.assert_refused(2, words[0], "-o", target, *words[1:])
                    self.assertIn(reason, message)
                    self.assertIn(target, message)
                    self.assertFalse((self.folder / "ran").exists())
        self.assertIn("there is no folder", self.assert_refused(2, *self.commands()["ptx"], "--dump", "0:none/x"))

    @unittest.skipIf(os.geteuid() == 0, "root writes everything")
    def test_outputs_without_permission(self):
        (self.folder / "closed").mkdir(mode=0o555)
        for name, words in self.commands().items():
            target = "closed" if name in ("compare", "reproduce") else "closed/x"
            self.assertIn("Permission denied", self.assert_refused(2, words[0], "-o", target, *words[1:]))
            self.assertFalse((self.folder / "ran").exists())

    def test_results_through_a_pipe(self):
        run = self.call(["bash", "-c", '"$0" run -o >(cat > piped) -- "$1" once; wait $!; "$0" cost -o /dev/stdout', HEDDLE, self.steps])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.result("piped")["status"], "complete")
        self.assertIn('"formation"', run.stdout)

    def test_results_among_the_output(self):
        out = self.folder / "out"
        with open(out, "w") as file:
            run = subprocess.run([HEDDLE, "run", "-o", "/dev/stdout", "--", self.steps, "ready", "once"], stdout=file,
                                 stderr=subprocess.PIPE, text=True, cwd=self.folder, check=True, timeout=60)
        text = out.read_text()
        self.assertTrue(text.startswith("ready\n{"), text[:20])
        result, rest = json.JSONDecoder().raw_decode(text[len("ready\n"):])
        self.assertEqual(result["status"], "complete")
        self.assertEqual(text[len("ready\n") + rest:].strip(), "")
        self.assertIn("machine ", run.stderr)

    def test_a_program_without_results_leaves_the_old_ones(self):
        self.write("r.json", "old")
        self.assert_refused(1, "run", "-o", "r.json", "--", "true")
        message = self.assert_refused(1, "run", "-o", "r.json", "--", self.steps, "once", "skip")
        self.assertIn("without results", message)
        self.assertEqual((self.folder / "r.json").read_text(), "old")


if __name__ == "__main__":
    unittest.main()
