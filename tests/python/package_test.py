"""`import heddle`: machines, devices with kernels of PTX, programs, sweeps and experiments."""
import array
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import heddle
from heddle import _heddle

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["PROGRAM"]  # a CUDA program that checks its results

AXPY = (SOURCE / "examples" / "axpy.ptx").read_text()
KERNELS = """.version 7.0
.target sm_70
.address_size 64
.visible .entry spin()
{
again:
  bra again;
}
.visible .entry nothing()
{
  ret;
}
.visible .entry wild(.param .u64 at)
{
  .reg .b64 %d; .reg .b32 %r;
  ld.param.u64 %d, [at];
  ld.global.u32 %r, [%d];
  ret;
}
"""


class Machines(unittest.TestCase):
    def test_values_have_their_types(self):
        machine = heddle.Machine("lwm11", {"dcache.size": "32KiB", "dcache.ideal": True})
        self.assertEqual(machine["dcache.size"], 32768)
        self.assertIs(machine["dcache.ideal"], True)
        self.assertEqual(machine["core.formation"], "pdom")
        self.assertEqual(machine.changed({"core.formation": "lwm"})["core.formation"], "lwm")
        self.assertEqual(machine["core.formation"], "pdom")
        self.assertIn("dram.banks", machine)
        self.assertEqual(machine.describe("dcache.size")["unit"], "bytes")

    def test_errors_name_what_is_right(self):
        for call, message in ((lambda: heddle.Machine("lwm12"), "did you mean 'lwm10'"),
                              (lambda: heddle.Machine("lwm11", {"core.shceduler": "rr"}), "did you mean 'core.scheduler'"),
                              (lambda: heddle.Machine("lwm11", {"core.scheduler": "gtoo"}), "did you mean 'gto'")):
            with self.assertRaisesRegex(heddle.Error, message):
                call()
        with self.assertRaisesRegex(KeyError, "did you mean 'dcache.size'"):
            heddle.Machine("lwm11")["dcache.sise"]


class Devices(unittest.TestCase):
    def setUp(self):
        self.reports = []
        self.device = heddle.Device("lwm11", report=self.reports.append)
        self.axpy = self.device.load_text(AXPY, "axpy.ptx")["axpy"]

    def test_a_kernel_computes(self):
        x = self.device.array(array.array("f", [1, 2, 3, 4]))
        y = self.device.array(array.array("f", [10, 20, 30, 40]))
        launch = self.axpy(1, 32, y, x, 0.5, 3)
        self.assertEqual(array.array("f", y.tobytes()).tolist(), [10.5, 21, 31.5, 40])
        # 9 instructions, the branch (which counts the threads that its guard lets pass), 7 for three threads, and ret.
        self.assertEqual((launch.warp_instructions, launch.thread_instructions), (18, 32 * 9 + 29 + 3 * 7 + 32))
        self.assertGreater(launch.cycles, 0)
        result = self.device.result()
        self.assertEqual((result.cycles, result.status), (self.device.cycles, "complete"))
        self.assertEqual(result.kernels[0]["name"], "axpy")

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        x = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
        y = self.device.zeros((3, 4), numpy.float32)
        self.axpy((1, 1), [32], y, self.device.array(x), numpy.float32(3), 12)
        self.assertTrue((y.numpy() == 3 * x).all())
        transposed = self.device.array(numpy.asfortranarray(x))  # is copied in the order of C
        self.assertEqual(transposed.tobytes(), x.tobytes())

    def test_the_same_as_the_command(self):
        """Cycles and counters of a launch are those of heddle ptx."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "r.json"
            heddle.command.call(["ptx", "-m", "lwm11", "-q", "-o", str(file), str(SOURCE / "examples" / "axpy.ptx"),
                                 "--grid", "4", "--block", "256", "--arg", "buf:4096", "--arg", "buf:4096", "--arg", "f32:2",
                                 "--arg", "u32:1024"], stdout=subprocess.DEVNULL)
            theirs = heddle.load(file)
        y, x = self.device.zeros(1024, "float32"), self.device.zeros(1024, "float32")
        self.axpy(4, 256, y, x, 2, 1024)
        self.assertEqual(self.device.result().numbers(), theirs.numbers())

    def test_arguments_that_do_not_fit(self):
        x = self.device.zeros(4, "float32")
        other = heddle.Device("lwm11").zeros(4, "float32")
        for arguments, message in (((x, x, 1), "has 4 parameters, not 3"),
                                   ((x, x, 1, 1.5), "1.5 is no value of a parameter of type .u32"),
                                   ((x, x, 1, 1 << 32), "does not fit the parameter, which has 4 bytes"),
                                   ((x, x, 1, b"abc"), "has 3 bytes, the parameter 4"),
                                   ((x, x, 1, None), "neither a number nor an Array"),
                                   ((x, other, 1, 1), "the array is on another device")):
            with self.assertRaisesRegex(heddle.Error, message):
                self.axpy(1, 32, *arguments)
        for grid, block, message in ((0, 32, "grid: 0"), (1, (1, 2, 3, 4), "one to three"), (1, 4096, "does not fit")):
            with self.assertRaisesRegex(heddle.Error, message):
                self.axpy(grid, block, x, x, 1, 4)
        with self.assertRaisesRegex(heddle.Error, "the array has 16 bytes, what is copied to it 4"):
            x.set(b"abcd")

    def test_files_that_are_no_ptx(self):
        for call, message in ((lambda: self.device.load("missing.ptx"), "missing.ptx: No such file"),
                              (lambda: self.device.load(_heddle.__file__), "not a text"),
                              (lambda: self.device.load_text("x"), "module.ptx:1:1: error: ")):
            with self.assertRaisesRegex(heddle.Error, message):
                call()
        with self.assertRaisesRegex(KeyError, "it has axpy"):
            self.device.load_text(AXPY)["axpi"]

    def test_a_fault_ends_the_device(self):
        kernels = self.device.load_text(KERNELS)
        with self.assertRaisesRegex(heddle.Fault, "out-of-bounds load of 4 bytes at 0x10 "):
            kernels["wild"](1, 1, 16)
        with self.assertRaisesRegex(heddle.Error, "launches need a new Device"):
            kernels["nothing"](1, 1)
        self.assertEqual(self.device.result().status, "failed")

    def test_warnings_are_reported(self):
        x = self.device.zeros(4, "float32")
        self.axpy(1, 32, x, x, 1, 8)
        self.assertRegex("\n".join(self.reports), "out-of-bounds load of 4 bytes")

    def test_ctrl_c_ends_a_launch(self):
        spin = self.device.load_text(KERNELS)["spin"]
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            spin(1, 32)
        timer.join()
        self.assertEqual(self.device.result().status, "interrupted")
        self.assertFalse(heddle.Device("lwm11").load_text(KERNELS)["nothing"](1, 32).stopped)

    def test_a_limit_ends_launches(self):
        device = heddle.Device("lwm11", max_cycles=1000)
        launch = device.load_text(KERNELS)["spin"](1, 32)
        self.assertTrue(launch.stopped)

    def test_other_threads_wait_for_a_launch(self):
        device = heddle.Device("lwm11", max_cycles=3_000_000)
        spin = device.load_text(KERNELS)["spin"]
        thread = threading.Thread(target=spin, args=(1, 32))
        thread.start()
        try:
            while thread.is_alive():
                device.result()
        except heddle.Error as error:
            self.assertIn("in a launch of another thread", str(error))
        thread.join()
        self.assertEqual(device.result().status, "max_cycles")

    def test_checker_and_time_line(self):
        device = heddle.Device("lwm11", check="leaks", timeline={"events": 5000}, report=self.reports.append)
        device.zeros(4, "float32", label="left")
        device.load_text(KERNELS)["nothing"](1, 32)
        device.finish_checks()
        self.assertRegex("\n".join(self.reports), "left")
        with tempfile.TemporaryDirectory() as folder:
            device.write_timeline(pathlib.Path(folder) / "t.json")
            self.assertIn("nothing", (pathlib.Path(folder) / "t.json").read_text())
        with self.assertRaisesRegex(heddle.Error, "timeline: there is no 'evnets'"):
            heddle.Device("lwm11", timeline={"evnets": 1})


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_run(self):
        result = heddle.run([PROGRAM, "--quick"], machine="lwm11", settings={"core.scheduler": "gto"}, profile=True, capture=True)
        self.assertIn("PASS", result.output)
        self.assertEqual(result["config"]["core.scheduler"]["value"], "gto")
        self.assertIn("profile", result)
        result.save(self.folder / "r.json")
        self.assertEqual(heddle.load(self.folder / "r.json").numbers(), result.numbers())

    def test_programs_that_fail(self):
        with self.assertRaisesRegex(heddle.Error, "there is no such program"):
            heddle.run("/nowhere/program")
        with self.assertRaisesRegex(heddle.Error, "never used the simulated device"):
            heddle.run("true")
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            heddle.run(["sh", "-c", f"{PROGRAM} --quick; exit 3"], capture=True)
        self.assertEqual((caught.exception.returncode, caught.exception.result.status), (3, "complete"))

    def test_sweep(self):
        axes = {"core.scheduler": ["rr", "gto"], "dcache.size": ["64KiB", "128KiB"]}
        runs = heddle.sweep([PROGRAM, "--quick"], axes, machine="lwm11", output=self.folder / "study", jobs=2)
        self.assertEqual([tuple(run.settings.values()) for run in runs],
                         [("rr", "64KiB"), ("rr", "128KiB"), ("gto", "64KiB"), ("gto", "128KiB")])
        one = heddle.run([PROGRAM, "--quick"], machine="lwm11", settings=runs[2].settings, capture=True)
        self.assertEqual(one.numbers(), runs[2].result.numbers())
        with self.assertRaisesRegex(heddle.Error, "did you mean 'gto'"):
            heddle.sweep(PROGRAM, {"core.scheduler": ["rr", "gtoo"]}, output=self.folder / "study")

    def test_experiment(self):
        experiment = heddle.Experiment(
            title="Two schedulers", machine="lwm11", value="totals.cycles",
            program=[{"name": "mine", "run": PROGRAM, "arguments": ["--quick"]}],
            settings={"round-robin": {}, "greedy": {"core.scheduler": "gto"}})
        figure = experiment.reproduce(self.folder / "study")[0]
        values = figure.by_series()
        self.assertEqual(list(values), ["round-robin", "greedy"])
        one = heddle.run([PROGRAM, "--quick"], machine="lwm11", settings={"core.scheduler": "gto"}, capture=True)
        self.assertEqual(values["greedy"]["mine"], one.cycles)
        with self.assertRaisesRegex(heddle.Error, "titel"):
            heddle.Experiment(title="x", value="totals.cycles", programs=["lwm.bfs"], titel="y").reproduce(self.folder / "other")


class Stubs(unittest.TestCase):
    def test_the_stub_names_what_there_is(self):
        text = (pathlib.Path(heddle.__file__).parent / "_heddle.pyi").read_text()
        for owner in (_heddle, _heddle.Machine, _heddle.Device):
            for name in vars(owner):
                if not name.startswith("_"):
                    self.assertRegex(text, rf"(?m)(def {name}\(|class {name}\b|^{name}: )", owner)

    def test_everything_public_is_described(self):
        for name in heddle.__all__:
            self.assertTrue(getattr(heddle, name).__doc__ or name in ("Error", "Fault"), name)


if __name__ == "__main__":
    unittest.main(verbosity=1)
