"""heddle ptx -t and heddle run -t: the file for trace viewers, and the same as data."""
import json
import signal
import subprocess
import time
import unittest

from case import COPY_PTX, HEDDLE, SOURCE, SPIN_PTX, Case
from check_trace import problems


# A loop with divergence, a barrier, a shuffle, shared and global memory and an atomic in it.
LOOP_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry loop(.param .u64 x)
{
  .reg .b64 %d<4>; .reg .b32 %r<12>; .reg .pred %p<4>; .shared .align 4 .b8 s[512];
  ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r5, 0;
  mul.wide.u32 %d2, %r1, 132; add.u64 %d2, %d1, %d2;
  shl.b32 %r6, %r1, 2; mov.u32 %r7, s; add.u32 %r7, %r7, %r6;
L:
  ld.global.u32 %r2, [%d2]; st.shared.u32 [%r7], %r2; bar.sync 0;
  shfl.sync.bfly.b32 %r8, %r2, 1, 31, 0xffffffff;
  and.b32 %r3, %r1, 3; setp.gt.u32 %p1, %r3, %r5; @%p1 bra M;
  st.global.u32 [%d2], %r8; atom.global.add.u32 %r4, [%d1], 1;
M:
  add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 6; @%p2 bra L;
  ret;
}
"""


class TheCheckItself(unittest.TestCase):
    def found(self, *events):
        names = [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}},
                 {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "t"}}]
        return problems({"traceEvents": names + list(events)})

    def test_finds_what_is_wrong(self):
        x = {"ph": "X", "name": "a", "cat": "c", "ts": 10, "dur": 10, "pid": 1, "tid": 1}
        begin = {"ph": "b", "name": "a", "cat": "c", "id": "0x1", "ts": 10, "pid": 1}
        end = {**begin, "ph": "e", "ts": 20}
        counter = {"ph": "C", "name": "a", "ts": 10, "pid": 1, "args": {"v": 1}}
        self.assertEqual(self.found(x, {**x, "ts": 12, "dur": 3}, {**x, "ts": 20}, begin, end, counter), [])
        self.assertIn("crosses", self.found(x, {**x, "ts": 15})[0])
        self.assertIn("no dur", self.found({k: v for k, v in x.items() if k != "dur"})[0])
        self.assertIn("ts is -1", self.found({**x, "ts": -1})[0])
        self.assertIn("phase 'Q'", self.found({**x, "ph": "Q"})[0])
        self.assertIn("is b", self.found(begin)[0])
        self.assertIn("is eb", self.found(end, begin)[0])
        self.assertIn("ends before", self.found(begin, {**end, "ts": 5})[0])
        self.assertIn("goes back", self.found(counter, {**counter, "ts": 9})[0])
        self.assertIn("no number", self.found({**counter, "args": {"v": "1"}})[0])
        self.assertIn("has no name", self.found({**x, "tid": 2})[0])


class Timeline(Case):
    def setUp(self):
        super().setUp()
        self.copy = self.write("copy.ptx", COPY_PTX)
        self.call = ["ptx", self.copy, "--grid", "6", "--block", "96", "--arg", "buf:384", "--arg", "buf:384", "--arg", "u32:96"]

    def trace(self, name="t.json"):
        document = json.loads((self.folder / name).read_text())
        self.assertEqual(problems(document)[:5], [])
        return document

    def test_keeps_to_the_format_on_several_machines(self):
        for words in (["-m", "lwm11"], ["-m", "lwm10", "-s", "core.formation=tbc"], ["-m", "gtx480"],
                      ["-m", "dwf07", "-s", "core.formation=dwf", "-s", "core.scheduler=dmaj"],
                      ["-m", "lwm11", "-s", "core.formation=lwm"], ["-m", "lwm11", "-s", "core.formation=mimd"]):
            self.assert_succeeds(*self.call, *words, "-t", "t.json", "--timeline-sample", 50)
            events = self.trace()["traceEvents"]
            self.assertEqual(sum(e["ph"] == "X" and e["cat"] == "block" for e in events), 6, words)
            self.assertEqual(sum(e["ph"] == "X" and e["cat"] == "kernel" for e in events), 1)
            self.assertGreater(sum(e["ph"] == "b" for e in events), 0)

    def test_keeps_to_the_format_under_every_formation(self):
        loop = self.write("loop.ptx", LOOP_PTX)
        for formation in ("pdom", "serial", "dwf", "tbc", "lwm", "mimd"):
            machines = ("lwm11", "dwf07" if formation == "mimd" else "gtx480")
            for machine in machines:
                self.assert_succeeds("ptx", loop, "--grid", 9, "--block", 128, "--arg", "buf:32KiB", "-m", machine, "-s",
                                     f"core.formation={formation}", "-s", "lwm.size=128", "-s", "core.scheduler=" +
                                     ("dmaj" if formation == "dwf" else "gto"), "-t", "t.json", "--timeline-gap", 5)
                names = {e["name"] for e in self.trace()["traceEvents"] if e.get("cat") == "warp"}
                self.assertLessEqual({"running"} if formation == "dwf" else {"running", "barrier", "memory"}, names, formation)

    def test_the_same_as_data(self):
        self.assert_succeeds(*self.call, "-t", "t.json", "-o", "r.json", "--timeline-sample", 50)
        checked = subprocess.run(["python3", SOURCE / "tests/cli/check_schema.py", SOURCE / "schema/result.schema.json",
                                  self.folder / "r.json"], capture_output=True, text=True)
        if checked.returncode == 2:
            self.skipTest("python3-jsonschema is not installed: the schema is not checked")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        timeline = json.loads((self.folder / "r.json").read_text())["timeline"]
        drawn = [(e["name"], e["ts"], e["ts"] + e["dur"]) for e in self.trace()["traceEvents"] if e.get("cat") == "block"]
        self.assertEqual(drawn, [(f"block {b['block']}", b["start"], b["end"]) for b in timeline["blocks"]])
        drawn = [e["args"]["threads"] for e in self.trace()["traceEvents"] if e["name"] == "resident"]
        self.assertEqual(drawn, [s["threads"] for s in timeline["samples"]])

    def test_what_is_left_out_is_said(self):
        result = self.heddle("ptx", self.copy, "--grid", 300, "--block", 32, "--arg", "buf:384", "--arg", "buf:384", "--arg",
                             "u32:32", "-m", "lwm11", "-t", "t.json", "--timeline-events", 1000)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("50 blocks", result.stderr) # of 300 blocks a quarter of 1000 is kept
        self.assertIn("50 blocks", self.trace()["otherData"]["left_out"])

    def test_options_that_are_wrong(self):
        self.assertIn("there is no folder", self.assert_refused(2, *self.call, "-t", "none/t.json"))
        self.assertIn("a folder; name a file", self.assert_refused(2, *self.call, "-t", self.folder))
        self.assertIn("name one with --timeline", self.assert_refused(2, *self.call, "--timeline-sample", 10))
        self.assertIn("--timeline-sample 0: write a number from 1", self.assert_refused(2, *self.call, "-t", "t.json", "--timeline-sample", 0))
        self.assertIn("--timeline-events 10: write a number from 1000",
                      self.assert_refused(2, *self.call, "-t", "t.json", "--timeline-events", 10))
        self.assertIn("the same file", self.assert_refused(2, *self.call, "-t", "./t.json", "-o", "t.json"))

    def test_a_run_that_is_stopped(self):
        spin = self.write("spin.ptx", SPIN_PTX)
        self.assert_succeeds("ptx", spin, "--grid", 1, "--block", 64, "--max-cycles", 5000, "-t", "t.json")
        blocks = [e for e in self.trace()["traceEvents"] if e.get("cat") == "block"]
        self.assertEqual([(e["dur"], e["args"]["ended"]) for e in blocks], [(5000, False)])
        process = subprocess.Popen([HEDDLE, "ptx", spin, "--grid", "1", "--block", "64", "-t", "i.json"], cwd=self.folder,
                                   stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)
        self.assertEqual(self.trace("i.json")["otherData"]["status"], "interrupted")

    def test_a_fault(self):
        self.assert_refused(1, "ptx", "--strict", self.copy, "--grid", 1, "--block", 2, "--arg", "buf:8", "--arg", "buf:4", "--arg", "u32:2",
                            "-t", "t.json")
        self.assertEqual(self.trace()["otherData"]["status"], "failed")

    def test_without_it_the_results_are_the_same(self):
        self.assert_succeeds(*self.call, "-o", "a.json")
        self.assert_succeeds(*self.call, "-o", "b.json", "-t", "t.json")
        a, b = (json.loads((self.folder / name).read_text()) for name in ("a.json", "b.json"))
        del a["host"], b["host"], b["timeline"]
        self.assertEqual(a, b)


if __name__ == "__main__":
    unittest.main()
