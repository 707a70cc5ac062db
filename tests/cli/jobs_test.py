"""Plans, heddle work, heddle collect, and jobs on this computer: nothing is lost, and nothing runs twice but what was cut."""
import json
import os
import pathlib
import subprocess
import time
import unittest

from case import HEDDLE, RUNTIME
from logged_runs import LoggedRuns
from run_test import compiler
from steps import STEPS


class Plan(LoggedRuns):
    def test_a_plan_is_worked_in_parts_and_collected(self):
        file = self.experiment([(i, 0) for i in range(6)])
        planned = self.call("reproduce", file, "--plan", "plan.jsonl")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        lines = (self.folder / "plan.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(json.loads(lines[2])["arguments"], [str(self.folder), "2", "0"])
        self.assertEqual(json.loads(lines[2])["inputs"], [])
        first = self.call("work", "plan.jsonl", "--range", "2-3")
        self.assertIn("2 of 2 runs have results", first.stdout)
        self.assertEqual(self.starts(), {"1": 1, "2": 1})
        rest = self.call("work", "plan.jsonl", "-j", "2")
        self.assertIn("6 of 6 runs have results", rest.stdout)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(6)})
        (self.folder / "out").mkdir()
        collected = self.call("collect", "plan.jsonl.results", "--store", "out/runs.sqlite")
        self.assertIn("6 results are in out/runs.sqlite", collected.stdout)
        self.assertEqual(self.reproduce(file).stderr, "", "nothing is left to run")

    def test_a_failure_is_a_result(self):
        self.call("reproduce", self.experiment([(999, 0)]), "--plan", "plan.jsonl")
        self.assertIn("1 of 1 runs have results", self.call("work", "plan.jsonl").stdout)
        (self.folder / "out").mkdir()
        collected = self.call("collect", "plan.jsonl.results", "--store", "out/runs.sqlite")
        self.assertIn("1 of them failures", collected.stdout)
        self.assertIn("ended with exit status 3", self.reproduce("t.toml").stdout)

    def test_a_damaged_result_is_made_again(self):
        self.call("reproduce", self.experiment([(1, 0), (2, 0)]), "--plan", "plan.jsonl")
        self.call("work", "plan.jsonl")
        victim = sorted((self.folder / "plan.jsonl.results").glob("*.run"))[0]
        content = bytearray(victim.read_bytes())
        content[len(content) // 2] ^= 0x40
        victim.write_bytes(content)
        (self.folder / "out").mkdir()
        collected = self.call("collect", "plan.jsonl.results", "--store", "out/runs.sqlite", "--keep")
        self.assertEqual(collected.returncode, 1)
        self.assertIn(f"{victim.name}: not a whole result file", collected.stderr)
        self.assertEqual(self.call("work", "plan.jsonl").returncode, 0)
        self.assertEqual(sum(self.starts().values()), 3)
        self.assertIn("2 results are", self.call("collect", "plan.jsonl.results", "--store", "out/runs.sqlite").stdout)

    def test_a_changed_program_or_input_is_not_run(self):
        text = pathlib.Path(self.experiment([(1, 0)])).read_text() + 'inputs = ["data"]\n'
        self.write("data", "one")
        self.write("t.toml", text)
        self.call("reproduce", "t.toml", "--plan", "plan.jsonl")
        self.write("data", "two")
        self.call("work", "plan.jsonl")
        self.assertEqual(self.starts(), {})
        (self.folder / "out").mkdir()
        self.call("collect", "plan.jsonl.results", "--store", "out/runs.sqlite")

    def test_refused(self):
        self.call("reproduce", self.experiment([(1, 0)]), "--plan", "plan.jsonl")
        refused = lambda *words: self.call(*words)
        for words, message in [(("work", "none"), "none: there is no such plan"),
                               (("work", "plan.jsonl", "--range", "3-2"), "is not a range of lines"),
                               (("work", "plan.jsonl", "--range", "0-2"), "is not a range of lines"),
                               (("work", "plan.jsonl", "--range", "2-4"), "there is no line 2; the plan has 1 runs"),
                               (("work", self.write("bad.jsonl", "{}\n")), "bad.jsonl:1: not a planned run"),
                               (("work", "plan.jsonl", "--results", "/proc/none"), "not a folder that can be written to"),
                               (("collect", "none"), "none: there is no such folder"),
                               (("reproduce", "t.toml", "--on", "slrum"), "did you mean 'slurm'?"),
                               (("reproduce", "t.toml", "--detach"), "--detach needs --on ENGINE"),
                               (("reproduce", "t.toml", "--on", "local", "-j", "2"), "-j is of runs that heddle starts itself"),
                               (("reproduce", "t.toml", "--plan", "p", "--dry-run"), "--dry-run excludes --plan"),
                               (("reproduce", "t.toml", "--on", "local", "--site", self.write("p.toml", "minuets = 3\n")),
                                "did you mean 'minutes'?"),
                               (("reproduce", "t.toml", "--on", "script", "--detach", "--site", self.write("q.toml", "poll_seconds = 1e300\n")),
                                "q.toml:1:16: poll_seconds: must be above 0 and at most 86400")]:
            with self.subTest(words):
                result = refused(*words)
                self.assertIn(result.returncode, (1, 2), result.stderr)
                self.assertIn(message, result.stderr)
        other = json.loads((self.folder / "plan.jsonl").read_text())
        other["revision"] = "another"
        self.write("other.jsonl", json.dumps(other) + "\n")
        self.assertIn("the plan is of revision another", self.call("work", "other.jsonl").stderr)

    def test_commands_of_a_dry_run_can_be_pasted(self):
        lines = self.reproduce(self.experiment([(1, 0), (2, 0)]), "--dry-run").stdout
        shell = subprocess.run(["sh", "-e"], input=lines, text=True, cwd=self.folder, capture_output=True,
                               env={**os.environ, "PATH": f"{HEDDLE.parent}:{os.environ['PATH']}"})
        self.assertEqual(shell.returncode, 0, shell.stderr)
        self.assertEqual(self.starts(), {"1": 1, "2": 1})
        self.assertEqual(len(list(self.folder.glob("*.json"))), 2)

    def test_two_calls_share_the_work(self):
        file = self.experiment([(i, 0.4) for i in range(6)])
        calls = [subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "-j", "1"], cwd=self.folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        texts = [one.communicate(timeout=60) for one in calls]
        self.assertEqual(self.starts(), {str(i): 1 for i in range(6)}, "each run once")
        self.assertEqual(texts[0][0], texts[1][0])


class OnThisComputer(LoggedRuns):
    def on(self, engine, file, *words):
        return self.reproduce(file, "--on", engine, "--site", self.profile, *words)

    def test_local(self):
        file = self.experiment([*((i, 0) for i in range(8)), (999, 0)])
        done = self.on("local", file)
        self.assertEqual(done.returncode, 1, done.stderr)  # one has failed
        self.assertIn("ended with exit status 3", done.stdout)
        self.assertEqual(self.starts(), {str(i): 1 for i in [*range(8), 999]})
        self.assertFalse((self.folder / "out" / "batch").exists())
        local = self.reproduce(file, folder="other")
        self.assertEqual(local.stdout.replace("other/", "out/"), done.stdout)

    def test_compare(self):
        settings = ["--with", "dcache.size=32KiB", "--with", "dcache.size=64KiB", "--with", "dcache.size=3"]
        words = ["--", "./program", self.folder, 1, 0]
        here = self.call("compare", *settings, *words)
        there = self.call("compare", *settings, "-o", "out", "--on", "local", "--site", self.profile, *words)
        self.assertEqual(there.returncode, here.returncode, there.stderr)
        self.assertEqual(there.stdout.replace("\nresults and outputs: out\n", ""), here.stdout)
        self.assertEqual(len(list((self.folder / "out").glob("*.json"))), 2)
        self.assertIn("--on needs -o DIR", self.call("compare", *settings, "--on", "local", *words).stderr)

    def test_the_limit_of_cycles_goes_with_the_runs(self):
        source = self.write("steps.c", STEPS)
        subprocess.run([compiler(), source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}", "-o", self.folder / "steps"], check=True)
        self.write("t.toml", 'title = "T"\nvalue = "totals.cycles"\n[[program]]\nname = "spins"\nrun = "./steps"\n'
                             'arguments = ["spin"]\n')
        done = self.on("local", "t.toml", "--max-cycles", "1000")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("stopped early: max_cycles", done.stdout)
        self.assertIn("--max-cycles 1000", self.reproduce("t.toml", "--dry-run", "--rerun", "--max-cycles", "1000").stdout)

    def test_jobs_that_a_call_looks_after_are_not_cancelled_beside_it(self):
        file = self.experiment([(1, 3)])
        call = subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "--on", "local", "--site", self.profile],
                                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not self.starts() and time.monotonic() < deadline:
            time.sleep(0.1)
        refused = self.call("jobs", "out", "--cancel")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("another call of heddle looks after these jobs", refused.stderr)
        self.assertEqual(call.wait(timeout=60), 0)
        self.assertEqual(self.starts(), {"1": 1})

    def test_detached_jobs_are_found(self):
        file = self.experiment([(i, 1) for i in range(4)])
        self.assertEqual(self.on("local", file, "--detach").returncode, 0)
        self.assertIn("heddle-", self.call("jobs", "out").stdout)
        done = self.on("local", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(4)})
        self.assertIn("no jobs", self.call("jobs", "out").stdout)

    def test_cancelled_jobs_end(self):
        file = self.experiment([(i, 60) for i in range(4)])
        self.on("local", file, "--detach")
        deadline = time.monotonic() + 20
        while not self.starts() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertIn("jobs are cancelled", self.call("jobs", "out", "--cancel").stdout)
        self.assertIn("no jobs", self.call("jobs", "out").stdout)
        time.sleep(0.5)
        self.assertLessEqual(len(self.starts()), 2)

    def test_a_script_that_the_user_starts(self):
        file = self.experiment([(i, 0) for i in range(5)])
        first = self.on("script", file)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("start tasks 1 to ", first.stderr)
        self.assertEqual(self.starts(), {})
        job = self.folder / "out" / "batch" / "jobs" / "1"
        self.assertEqual({path.name for path in job.iterdir()} >= {"task.sh", "pbs.sh", "condor.sub", "parallel.sh",
                                                                   "kubernetes.yaml"}, True)
        tasks = len(json.loads((job / "job.json").read_text())["tasks"])
        for task in range(1, tasks + 1):
            subprocess.run(["sh", job / "task.sh", str(task)], check=True, capture_output=True)
        self.assertEqual(self.on("script", file).returncode, 0)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(5)})

    def test_pbs_and_its_kin_number_tasks_from_one(self):
        self.on("script", self.experiment([(i, 0) for i in range(2)]))
        job = self.folder / "out" / "batch" / "jobs" / "1"
        subprocess.run(["sh", job / "pbs.sh"], check=True, capture_output=True, env={**os.environ, "PBS_ARRAY_INDEX": "1"})
        self.assertIn("0", self.starts())

    def test_the_call_is_killed(self):
        file = self.experiment([(i, 0.3) for i in range(8)])
        call = subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "--on", "local", "--site", self.profile],
                                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        call.kill()
        call.wait()
        done = self.on("local", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(8)})


if __name__ == "__main__":
    unittest.main()
