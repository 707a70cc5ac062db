"""Jobs on a Slurm of two nodes (slurm_cluster.py): whatever goes wrong, all runs get results, or are listed with a cause."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import slurm_cluster
from case import HEDDLE
from logged_runs import PROFILE, SINGLE, LoggedRuns


@unittest.skipIf(slurm_cluster.missing(), slurm_cluster.missing())
class Slurm(LoggedRuns):
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
        return self.reproduce(file, "--on", "slurm", "--site", self.profile, *words)

    def begin(self, file, *words):
        return subprocess.Popen([HEDDLE, "reproduce", file, "-o", "out", "--on", "slurm", "--site", self.profile, *words],
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

    # Slurm still lists the tasks of the first batch, which have ended.
    def test_a_second_batch_in_the_folder(self):
        self.on(self.experiment([(i, 0) for i in range(3)]))
        file = self.experiment([(i, 1) for i in range(3, 6)])
        done = self.on(file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.starts(), {str(i): 1 for i in range(6)})

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
    unittest.main()
