"""heddle validate: the published values of each machine that has some are met, but for the failures that it names."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

from case import HEDDLE, Case

PROGRAMS = pathlib.Path(HEDDLE).parent.parent / "validation" / "programs"
SHORT = [word for program in ("arithmetic", "memory_latency", "conflicts", "tensor", "warpgroup") for word in ("--program", program)]


@unittest.skipUnless(PROGRAMS.is_dir(), "this build has no microbenchmarks")
class Validate(Case):
    longest = 600  # all benchmarks of v100 take two minutes beside other tests

    def test_v100(self):
        text = self.assert_succeeds("validate", "-m", "v100", "-o", "table.csv", "--page", "v100.html")
        self.assertRegex(text, r"\d+ of \d+ published values are met")
        rows = (self.folder / "table.csv").read_text().splitlines()
        self.assertEqual(rows[0], "benchmark,unit,here,published,percent_off,within,source,fails")
        self.assertTrue(any(row.startswith("throughput.wmma.m16n16k16.f32,") and ",known," in row for row in rows))

        page = (self.folder / "v100.html").read_text()
        for figure in ("latency, cycles", "throughput, results/cycle/SM", "bandwidth, GB/s"):
            self.assertIn(figure, page)

    def test_the_other_machines(self):
        """Without their bandwidths, which take minutes."""
        for machine in ("rtx2060", "a100", "a6000", "rtx3080", "h100", "h200"):
            self.assert_succeeds("validate", "-m", machine, *SHORT)

    def test_describe_machines_says_how_many_values_are_published(self):
        lines = {line.split()[0]: line for line in self.assert_succeeds("describe", "machines").splitlines()}
        for file in (PROGRAMS.parent / "published").glob("*.toml"):
            values = file.read_text().count("benchmark =")
            self.assertIn(f" {values}: docs/modern-machines.md ", lines[file.stem])
        self.assertNotIn("modern-machines", lines["gtx480"])

    def test_lost_accuracy_is_a_failure(self):
        done = self.heddle("validate", "-m", "v100", "--program", "memory_latency", "-s", "dcache.latency=40")
        self.assertEqual(done.returncode, 1)
        self.assertIn("latency.l1 is outside of its tolerance", done.stderr)

    def test_a_failure_that_is_gone_is_one(self):
        done = self.heddle("validate", "-m", "v100", "--program", "tensor", "-s", "tensor.f16_f32=480")
        self.assertEqual(done.returncode, 1)
        self.assertIn("throughput.wmma.m16n16k16.f32 is within its tolerance, but ", done.stderr)

    def test_interrupted(self):
        process = subprocess.Popen([HEDDLE, "validate", "-m", "h200", "--program", "bandwidth"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("heddle: interrupted in 'bandwidth'; the table has what was measured before", errors)
        self.assertNotIn("nothing is published", out)

    def test_a_machine_without_published_values(self):
        text = self.assert_succeeds("validate", "-m", "gtx480", "--program", "memory_latency")
        self.assertIn("nothing is published of this machine", text)

    def test_kernels_of_published_cycles(self):
        """Of those of gv100 one that takes seconds, and one whose schedule decides."""
        text = self.assert_succeeds("validate", "--kernels", "-m", "gv100", "--program", "backprop", "--program", "product")
        self.assertRegex(text, r"kernel\.backprop\.adjust +32578 ")
        done = self.heddle("validate", "--kernels", "-m", "gv100", "--program", "arithmetic")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no kernel 'arithmetic'; valid: backprop, binomial, flash2, flash3, hopper_gemm, hopper_matmul, hopper_sum, ladder, product, quasirandom, walsh, wmma", done.stderr)

    def test_kernels_for_hopper_compute_the_right_results(self):
        """In their smallest size: they compare their results with the host's."""
        for name in ("flash2", "flash3", "hopper_gemm", "hopper_matmul", "hopper_sum"):
            text = self.assert_succeeds("run", "-m", "h100", "--", str(PROGRAMS / "kernels" / name), "--quick")
            self.assertIn(f"kernel.{name}.", text)

    def with_nvcc(self, script, *words):
        """heddle validate --on-gpu with an nvcc of this test."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "nvcc").write_text("#!/bin/sh\n" + script)
        (folder / "nvcc").chmod(0o755)
        return self.heddle("validate", "--on-gpu", "-m", "v100", "--program", "arithmetic", *words,
                           env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"})

    def test_on_a_gpu(self):
        """A compiler that makes a program of two lines of output, of the source that it gets last."""
        done = self.with_nvcc('test -f "$8" && grep -q include "$8" || exit 3\n'
                              "printf '#!/bin/sh\\necho latency.int_add 4.25 cycles\\necho a line that is none\\n' > $5\nchmod +x $5\n",
                              "-o", "gpu.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"latency\.int_add +4\.00 +4\.25 +\+6\.2 % +cycles +yes")
        self.assertIn("latency.int_add,cycles,4.25,4,", (self.folder / "gpu.csv").read_text())

    def test_on_hopper(self):
        """nvcc has a target of its own for it; a program measures longer than in a simulation."""
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / "nvidia-smi").write_text("#!/bin/sh\necho 9.0\n")
        (folder / "nvidia-smi").chmod(0o755)
        done = self.with_nvcc('test "$3" = -gencode=arch=compute_90a,code=sm_90a || exit 3\n'
                              "printf '#!/bin/sh\\necho latency.int_add 4 $1\\n' > $5\nchmod +x $5\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"latency\.int_add +4\.00 +4\.00 .*--long")

    def test_on_a_gpu_that_fails(self):
        done = self.with_nvcc("echo it knows no such GPU\nexit 1\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"arithmetic\.cu: nvcc ended with exit status 1\n.*it knows no such GPU")
        done = self.with_nvcc("printf '#!/bin/sh\\necho no device; exit 4\\n' > $5\nchmod +x $5\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"arithmetic on the GPU of this computer ended with exit status 4\n.*no device")

    def test_an_unknown_program(self):
        done = self.heddle("validate", "-m", "v100", "--program", "arithmatic")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no microbenchmark 'arithmatic'; valid: arithmetic, bandwidth, bulk_copies, clusters, conflicts, "
                      "control, launches, memory_latency, network, tensor, warpgroup; did you mean 'arithmetic'?", done.stderr)


if __name__ == "__main__":
    unittest.main()
