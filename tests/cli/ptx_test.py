"""heddle ptx: arguments, dumps, results, limits and what it refuses."""
import json
import resource
import signal
import subprocess
import time
import unittest

from case import COPY_PTX, HEDDLE, SPIN_PTX, SOURCE, Case

WORDS = "hex=0100000002000000"


class Ptx(Case):
    def setUp(self):
        super().setUp()
        self.copy = self.write("copy.ptx", COPY_PTX)
        self.spin = self.write("spin.ptx", SPIN_PTX)
        self.shape = ["--grid", "1", "--block", "32"]

    def arguments(self, *specs):
        return [word for spec in specs for word in ("--arg", spec)]

    def test_copies_and_dumps(self):
        out = self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "--dump", 0)
        self.assertIn("dump 0: 0100000002000000\n", out)

    def test_the_file_may_stand_behind_options(self):
        """An option that may be repeated takes one word each time."""
        out = self.assert_succeeds("ptx", *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "--dump", 0,
                                   "-s", "core.scheduler=gto", self.copy)
        self.assertIn("dump 0: 0100000002000000\n", out)

    def test_files_in_and_out(self):
        (self.folder / "in").write_bytes(b"\1\2\3\4\5\6\7\10")
        self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", "buf:@in", "u32:2"), "--dump", "0:out")
        self.assertEqual((self.folder / "out").read_bytes(), b"\1\2\3\4\5\6\7\10")

    def test_bytes_by_value(self):
        out = self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "bytes:01000000"),
                                   "--dump", 0)
        self.assertIn("dump 0: 0100000000000000\n", out)

    def checked_result(self, name):
        checked = subprocess.run(["python3", SOURCE / "tests/cli/check_schema.py", SOURCE / "schema/result.schema.json",
                                  self.folder / name], capture_output=True, text=True)
        if checked.returncode == 2:
            self.skipTest("python3-jsonschema is not installed: the schema is not checked")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        return json.loads((self.folder / name).read_text())

    def test_divergence_over_time(self):
        copy = ["ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "--view", "heat-map"]
        out = self.summary(*copy, "-m", "maws-coherent", "-s", "views.interval=100", "--view", "divergence", "-o", "r.json")
        self.assertIn("(MAWS Table 2): ", out)
        views = self.checked_result("r.json")["views"]
        width = len(views["divergence"]["rows"])
        self.assertRegex(out, rf"   7 \|.{{{width}}}\|\n")
        self.assertIn("a column: 100 cycles", out)
        self.assertIn("no heat map: the cores of this machine do not look", self.summary(*copy))

    def test_result_follows_the_schema_and_repeats(self):
        results = []
        for name in ("a.json", "b.json"):
            self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "-m", "lwm11",
                                 "-o", name)
            results.append(self.checked_result(name))
        for result in results:
            del result["host"]
        self.assertEqual(*results)
        self.assertEqual(results[0]["kernels"][0]["grid"], [1, 1, 1])
        # Every issue slot has one cause, and a one-issue core has a slot a cycle.
        self.assertEqual(sum(results[0]["stalls"].values()), results[0]["totals"]["cycles"])
        self.assertEqual(sum(results[0]["active_lanes"]), results[0]["totals"]["cycles"])
        self.assertEqual(sum(results[0]["views"]["warp_sizes"].values()), results[0]["totals"]["cycles"])

    def test_host_threads_change_nothing_but_the_host(self):
        """As many as there are domains: 15 SMs and the memory; one SM is simulated by one, and so is what is not timed."""
        copy = ["ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "-o", "r.json"]
        for machine, expected in (["gtx480"], {1: 1, 3: 3, 2**64 - 1: 16}), (["gtx480", "--functional"], {1: 1, 3: 1}), \
                                 (["lwm11"], {1: 1, 3: 1}):
            results = []
            for asked, threads in expected.items():
                self.assert_succeeds(*copy, "-m", *machine, "--host-threads", asked)
                result = self.checked_result("r.json")
                self.assertEqual(result.pop("host")["threads"], threads)
                results.append(result)
            for result in results[1:]:
                self.assertEqual(result, results[0])

    def test_every_statistic_is_described(self):
        self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "-o", "r.json")
        described = self.assert_succeeds("describe", "statistics")
        for section, values in json.loads((self.folder / "r.json").read_text())["stats"].items():
            for name in values:
                self.assertIn(f"\n{section}.{name} ", described)

    def test_limit_of_cycles(self):
        out = self.summary("ptx", self.spin, *self.shape, "--max-cycles", 20000, "-o", "r.json")
        self.assertIn("stopped at the limit of cycles", out)
        self.assertRegex(out, r"heddle: kernel 'spin' was stopped; its threads stand at\n  32  \S*spin\.ptx:7:3  bra again;\n")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "max_cycles")

    def test_functional(self):
        self.assert_succeeds("ptx", self.copy, *self.shape, *self.arguments("buf:8", f"buf:{WORDS}", "u32:2"), "--functional",
                             "-o", "r.json")
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["totals"]["cycles"], 0)
        self.assertIsNone(result["views"]["classification"]["idle_intensity"])
        self.assertFalse(result["kernels"][0]["timed"])

    def test_interrupt_writes_partial_results(self):
        process = subprocess.Popen([HEDDLE, "ptx", self.spin, *self.shape, "-o", "r.json"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, out = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", out)
        self.assertIn("kernel 'spin' was stopped; its threads stand at", out)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "interrupted")

    def test_arguments_that_are_wrong(self):
        for spec, text in [("u32:12abc", "'12abc' is not a number"), ("u8:256", "does not fit into 8 bits"),
                           ("s8:-129", "does not fit into 8 bits"), ("i32:1", "there is no type 'i32'"), ("17", "not an argument"),
                           ("buf:0", "at least 1 byte"), ("buf:12KB", "not a size in bytes"), ("buf:hex=0", "pairs of digits"),
                           ("buf:hex=0g", "not a pair of hexadecimal digits"), ("buf:@none", "there is no file none"),
                           ("bytes:", "at least one pair"), ("f32:1.0x", "not a number")]:
            message = self.assert_refused(2, "ptx", self.copy, *self.shape, *self.arguments(spec))
            self.assertIn(f"--arg {spec}: ", message)
            self.assertIn(text, message)

    def test_a_buffer_beyond_the_device_takes_no_memory(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        result = self.heddle("ptx", self.copy, *self.shape, *self.arguments("buf:1000GiB", "buf:8", "u32:2"), preexec_fn=limit)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--arg buf:1000GiB: the device has no room for this buffer", result.stderr)

    def test_textures_that_are_wrong(self):
        for spec, reason in (("tex:f32:4", "a texture is tex:FORMAT:SIZE"), ("tex:f8:4:hex=00", "'f8' is no format"),
                             ("tex:u8x3:4:hex=00", "'u8x3' is no format"), ("tex:u8:0:hex=00", "sizes are whole numbers"),
                             ("tex:u8:2x2x2x2:hex=00", "a size is WIDTH"), ("tex:u8:x:hex=00", "'' is not a number"),
                             ("tex:u8:4:blur:hex=00", "'blur' is no option"), ("tex:u8:4x2:memory:hex=00", "one row"),
                             ("tex:u32:4x2:pitch=8:hex=00", "a pitch of at least a row"),
                             ("tex:u8:4:border,colour=1/2:hex=00", "a colour is R/G/B/A"), ("tex:u8:4:hex=0", "pairs"),
                             ("surf:u8:4:linear:hex=00", "a surface is surf:FORMAT:SIZE:CONTENT")):
            message = self.assert_refused(2, "ptx", self.copy, *self.shape, *self.arguments(spec))
            self.assertIn(reason, message)
        call = ["ptx", self.copy, *self.shape, *self.arguments("tex:u16:4x2:hex=00", "buf:8", "u32:1")]
        self.assertIn("1 bytes of content; 8 texels of 2 bytes are 16", self.assert_refused(2, *call))

    def test_arguments_that_do_not_fit(self):
        call = ["ptx", self.copy, *self.shape]
        self.assertIn("has 3 parameters, and 1 arguments", self.assert_refused(2, *call, *self.arguments("u32:1")))
        self.assertIn("8 bytes, but parameter 2 of entry 'copy' has 4 bytes",
                      self.assert_refused(2, *call, *self.arguments("buf:8", "buf:8", "u64:1")))
        fitting = self.arguments("buf:8", "buf:8", "u32:1")
        self.assertIn("counted from 0", self.assert_refused(2, *call, *fitting, "--dump", "3"))
        self.assertIn("is not a buffer", self.assert_refused(2, *call, *fitting, "--dump", "2"))
        self.assertIn("--dump x", self.assert_refused(2, *call, *fitting, "--dump", "x"))

    def test_shapes_that_are_wrong(self):
        for grid in ("0", "1,2,3,4", "a", "1,", "-1", "4294967296"):
            self.assertIn(f"--grid {grid}: write X[,Y[,Z]]", self.assert_refused(2, "ptx", self.copy, f"--grid={grid}", "--block=1"))
        self.assertIn("--block is required", self.assert_refused(2, "ptx", self.copy, "--grid", "1"))

    def test_files_that_are_wrong(self):
        self.assertIn("none.ptx: there is no such file", self.assert_refused(2, "ptx", "none.ptx", *self.shape))
        self.assertIn("not a file", self.assert_refused(2, "ptx", self.folder, *self.shape))
        empty = self.write("empty.ptx", "")
        self.assertIn("empty.ptx", self.assert_refused(1, "ptx", empty, *self.shape))
        truncated = self.write("truncated.ptx", COPY_PTX[: len(COPY_PTX) // 2])
        self.assertRegex(self.assert_refused(1, "ptx", truncated, *self.shape), r"truncated\.ptx:\d+:\d+: error: ")
        unknown = self.write("unknown.ptx", COPY_PTX.replace("mul.wide", "mull.wide"))
        self.assertRegex(self.assert_refused(1, "ptx", unknown, *self.shape), r"unknown\.ptx:13:\d+: error: .*mull")

    def test_entries(self):
        two = self.write("two.ptx", COPY_PTX + SPIN_PTX.split(".address_size 64\n")[1])
        self.assertIn("choose one with -e: copy, spin", self.assert_refused(2, "ptx", two, *self.shape))
        self.assertIn("has no entry 'cpy'", self.assert_refused(1, "ptx", two, *self.shape, "-e", "cpy"))
        self.assert_succeeds("ptx", two, *self.shape, "-e", "spin", "--max-cycles", 5000)

    def test_faults(self):
        words = ["ptx", self.copy, *self.shape, "--strict", "-o", "r.json"]
        message = self.assert_refused(1, *words, *self.arguments("buf:8", "buf:4", "u32:2"))
        self.assertIn("copy", message)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "failed")

    def test_accesses_that_a_gpu_lets_pass(self):
        run = self.heddle("ptx", self.copy, *self.shape, "-o", "r.json", *self.arguments("buf:8", "buf:4", "u32:2"), "--dump", 0)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("out-of-bounds load of 4 bytes at", run.stderr)
        self.assertIn("1 such access of", run.stderr)
        self.assertIn("dump 0: 0000000000000000\n", run.stdout)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "complete")


if __name__ == "__main__":
    unittest.main()
