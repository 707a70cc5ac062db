"""Plans, heddle work, heddle collect, and jobs on an engine: nothing is lost, and nothing runs twice but what was cut."""
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_cluster
from case import HEDDLE, RUNTIME, Case
from run_test import compiler

# Writes its name to the log of a folder, uses the device, and sleeps as long as its third argument says; with a fourth
# argument only the first time.
PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int cudaMalloc(void**, size_t);
int main(int argc, char** argv) {
    void* p = 0;
    char line[64], path[500];
    snprintf(path, sizeof path, "%s/log.txt", argv[1]);
    int log = open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
    snprintf(line, sizeof line, "%s\n", argv[2]);
    if (write(log, line, strlen(line)) < 0) return 8;
    close(log);
    if (cudaMalloc(&p, 64)) return 9;
    if (argc > 4) {
        snprintf(path, sizeof path, "%s/mark", argv[1]);
        if (access(path, F_OK) == 0) return 0;
        close(open(path, O_WRONLY | O_CREAT, 0666));
    }
    usleep((useconds_t)(atof(argv[3]) * 1e6));
    return atoi(argv[2]) == 999 ? 3 : 0;
}
"""

PROFILE = """poll_seconds = 0.3
unknown_minutes = 0.05
unknown_megabytes = 300
"""
# Each run is a task.
SINGLE = PROFILE.replace("0.05", "1")


@unittest.skipUnless(compiler(), "no C compiler")
@unittest.skipUnless(RUNTIME.exists(), f"{RUNTIME} is not built")
class Batch(Case):
    environment = None

    def setUp(self):
        super().setUp()
        source = self.write("program.c", PROGRAM)
        self.log = self.folder / "log.txt"
        subprocess.run([compiler(), source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}", "-o", self.folder / "program"],
                       check=True)
        self.profile = self.write("profile.toml", PROFILE)

    def experiment(self, arguments):
        """A file whose runs are one for each list of arguments after the folder."""
        text = 'title = "T"\nvalue = "totals.cycles"\n'
        for one in arguments:
            words = ", ".join(json.dumps(str(word)) for word in [self.folder, *one])
            text += f'[[program]]\nname = "p{one[0]}"\nrun = "./program"\narguments = [{words}]\n'
        return self.write("t.toml", text)

    def call(self, *words, **options):
        return subprocess.run([str(HEDDLE), *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=240,
                              env=self.environment, **options)

    def reproduce(self, file, *words, folder="out"):
        return self.call("reproduce", file, "-o", folder, *words)

    def stored(self, folder):
        """All that is stored of each run but the time of its host."""
        rows = json.loads(self.call("query", "SELECT key, version, label, failure, document(run) AS result FROM runs ORDER BY key",
                                    "--json", "--store", f"{folder}/runs.sqlite").stdout)
        for row in rows:
            row["result"] = json.loads(row["result"])
            del row["result"]["host"]
        return rows

    def starts(self):
        return collections.Counter(self.log.read_text().split()) if self.log.exists() else collections.Counter()


class Plan(Batch):
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
                               (("reproduce", "t.toml", "--on", "local", "--profile", self.write("p.toml", "minuets = 3\n")),
                                "did you mean 'minutes'?")]:
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


class OnThisComputer(Batch):
    def on(self, engine, file, *words):
        return self.reproduce(file, "--on", engine, "--profile", self.profile, *words)

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
        there = self.call("compare", *settings, "-o", "out", "--on", "local", "--profile", self.profile, *words)
        self.assertEqual(there.returncode, here.returncode, there.stderr)
        self.assertEqual(there.stdout.replace("\nresults and outputs: out\n", ""), here.stdout)
        self.assertEqual(len(list((self.folder / "out").glob("*.json"))), 2)
        self.assertIn("--on needs -o DIR", self.call("compare", *settings, "--on", "local", *words).stderr)

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
        call = subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "--on", "local", "--profile", self.profile],
                                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        call.kill()
        call.wait()
        done = self.on("local", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(8)})


@unittest.skipIf(slurm_cluster.missing(), slurm_cluster.missing())
class Slurm(Batch):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = tempfile.mkdtemp(prefix="heddle-slurm-")
        cls.cluster = slurm_cluster.Cluster(cls.place)
        try:
            cls.cluster.__enter__()
        except RuntimeError as e:
            shutil.rmtree(cls.place, ignore_errors=True)
            raise unittest.SkipTest(f"Slurm does not come up here: {e}")
        cls.environment = cls.cluster.environment

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()
        shutil.rmtree(cls.place, ignore_errors=True)

    def on(self, file, *words):
        return self.reproduce(file, "--on", "slurm", "--profile", self.profile, *words)

    def begin(self, file, *words):
        return subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "--on", "slurm", "--profile", self.profile, *words],
                                cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, done, what):
        deadline = time.monotonic() + 60
        while not done():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.05)

    def worker(self):
        """A process of heddle work for this test."""
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_text().split("\0")
            except OSError:  # it has ended
                continue
            if "work" in words[1:2] and any(str(self.folder) in word for word in words):
                return int(path.parent.name)
        self.fail("no worker")

    def assert_whole(self, file, names, *, again=()):
        """All runs have results, equal to those of this computer; only runs in `again` may have been made twice."""
        starts = self.starts()
        self.assertEqual(set(starts), {str(name) for name in names})
        twice = {name for name, count in starts.items() if count > 1}
        self.assertLessEqual(twice, {str(name) for name in again} if again != "any" else twice)
        self.log.unlink()
        self.reproduce(file, folder="here")
        here, there = ((self.folder / folder / "figures.json").read_bytes() for folder in ("here", "out"))
        self.assertEqual(here, there)
        self.assertEqual(self.stored("here"), self.stored("out"))

    def test_two_hundred_runs(self):
        file = self.experiment([(i, 0) for i in range(200)])
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_whole(file, range(200))

    def test_cancelled_tasks_and_a_killed_worker_are_made_again(self):
        self.write("profile.toml", SINGLE)
        file = self.experiment([(i, 0.6) for i in range(12)])
        call = self.begin(file)
        self.wait_for(lambda: len(self.cluster.running_tasks()) == 2 and self.starts(), "two tasks")
        task, _ = self.cluster.running_tasks()[0]
        self.cluster.ask("scancel", task)
        os.kill(self.worker(), signal.SIGKILL)
        out, errors = call.communicate(timeout=120)
        self.assertEqual(call.returncode, 0, out + errors)
        self.assertIn("they are submitted again", errors)
        self.assert_whole(file, range(12), again="any")

    def test_a_node_goes_down(self):
        self.write("profile.toml", SINGLE)
        file = self.experiment([(i, 0.6) for i in range(12)])
        call = self.begin(file)
        self.wait_for(lambda: len(self.cluster.running_tasks()) == 2, "two tasks")
        node = self.cluster.running_tasks()[0][1]
        self.cluster.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
        time.sleep(1)
        self.cluster.ask("scontrol", "update", f"nodename={node}", "state=resume")  # if it is not back by itself
        out, errors = call.communicate(timeout=120)
        self.assertEqual(call.returncode, 0, out + errors)
        self.assert_whole(file, range(12), again="any")

    def test_the_call_is_killed_and_made_again(self):
        file = self.experiment([(i, 0.3) for i in range(16)])
        for pause in (0.1, 0.4, 0.7):
            call = self.begin(file)
            time.sleep(pause)
            call.kill()
            call.communicate()
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_whole(file, range(16))

    def test_a_full_disk(self):
        mark = self.folder / "mark"
        self.write("profile.toml", PROFILE + f'setup = ["[ -e {mark} ] || {{ : > {mark}; ulimit -f 0; }}"]\n')
        file = self.experiment([(i, 0) for i in range(4)])
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("they are submitted again", done.stderr)
        self.assert_whole(file, range(4), again="any")

    def test_a_damaged_result(self):
        file = self.experiment([(i, 0.5) for i in range(4)])
        self.on(file, "--detach")
        results = self.folder / "out" / "batch" / "results"
        self.wait_for(lambda: list(results.glob("*.run")), "a result")
        victim = next(results.glob("*.run"))
        victim.write_bytes(victim.read_bytes()[:-9])
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(self.starts().values()), [1, 1, 1, 2])

    def test_a_time_limit_that_is_too_short(self):
        self.write("profile.toml", PROFILE + '[slurm]\nleast_minutes = 1\nsignal_seconds = 50\n')
        file = self.experiment([(1, 200, "once"), (2, 0)])
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_whole(file, [1, 2], again=[1])

    def test_what_never_ends_well_is_listed_with_its_cause(self):
        self.write("profile.toml", PROFILE + 'attempts = 2\nsetup = ["echo the module is not there; exit 7"]\n')
        done = self.on(self.experiment([(1, 0)]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no result after 2 attempts: the task ended; the module is not there", done.stdout)

    def test_ctrl_c_twice_cancels(self):
        self.write("profile.toml", SINGLE)
        file = self.experiment([(i, 30) for i in range(4)])
        call = self.begin(file)
        self.wait_for(lambda: len(self.cluster.running_tasks()) == 2, "two tasks")
        call.send_signal(signal.SIGINT)
        time.sleep(0.5)
        call.send_signal(signal.SIGINT)
        _, errors = call.communicate(timeout=30)
        self.assertEqual(call.returncode, 130)
        self.assertIn("the jobs are cancelled", errors)
        self.wait_for(lambda: not self.cluster.running_tasks(), "the end of the tasks")

    def test_ctrl_c_once_leaves_the_jobs(self):
        self.write("profile.toml", SINGLE)
        file = self.experiment([(i, 2) for i in range(2)])
        call = self.begin(file)
        self.wait_for(lambda: len(self.cluster.running_tasks()) == 2, "two tasks")
        call.send_signal(signal.SIGINT)
        _, errors = call.communicate(timeout=30)
        self.assertEqual(call.returncode, 130)
        self.assertIn("the jobs go on", errors)
        self.assertEqual(self.on(file).returncode, 0)
        self.assert_whole(file, range(2))

    def test_slurm_is_not_there(self):
        self.environment = {**self.environment, "SLURM_CONF": "/nonexistent"}
        done = self.on(self.experiment([(1, 0)]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Slurm cannot be asked", done.stderr)


if __name__ == "__main__":
    # Without names: all but Slurm's, which are a test of their own (cli/CMakeLists.txt).
    unittest.main(defaultTest=None if len(sys.argv) > 1 else ["Plan", "OnThisComputer"])
