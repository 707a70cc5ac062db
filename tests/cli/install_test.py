"""An installed heddle: moved to another place, its programs, its manual pages and completions, and plug-ins built against it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from case import HEDDLE, SOURCE

BUILD = HEDDLE.parent.parent
SAXPY = """#include <cstdio>
__global__ void saxpy(float a, const float* x, float* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
int main() {
    float x[32], y[32], *dx, *dy;
    for (int i = 0; i < 32; ++i) { x[i] = i; y[i] = 1; }
    cudaMalloc(&dx, sizeof x); cudaMalloc(&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
    saxpy<<<1, 32>>>(2, dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    std::printf("%g %g\\n", y[1], y[31]);
}
"""


def run(*words, **options):
    return subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # As a package is made, and then to a place that it was not made for.
        done = run("cmake", "--install", BUILD, "--prefix", "/usr", env=dict(os.environ, DESTDIR=str(cls.folder / "root")))
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        cls.prefix = cls.folder / "moved"
        (cls.folder / "root/usr").rename(cls.prefix)
        cls.heddle = cls.prefix / "bin/heddle"

    def assert_succeeds(self, *words, **options):
        done = run(*words, **options)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_is_found_from_its_own_place(self):
        self.assertEqual(self.assert_succeeds(self.heddle, "--version"), self.assert_succeeds(HEDDLE, "--version"))
        libraries = self.assert_succeeds("ldd", self.heddle)
        self.assertIn(f"libheddle.so.0 => {self.prefix}/bin/../lib/libheddle.so.0", libraries)
        self.assertIn(f"{self.prefix}/", self.assert_succeeds("ldd", self.prefix / "lib/heddle/libcudart.so.13"))
        self.assertIn("lwm11-8", self.assert_succeeds(self.heddle, "reproduce", "lwm11", "--figure", "8", "--dry-run",
                                                      "-o", self.folder / "results"))

    def test_nothing_is_outside_the_prefix(self):
        self.assertEqual([p for p in (self.folder / "root").rglob("*") if not p.is_dir()], [])

    def test_no_file_names_the_build(self):
        """Neither what the loader reads, nor the PTX in a program, nor a text."""
        files = [file for file in self.prefix.rglob("*") if file.is_file()]
        self.assertGreater(len(files), 100)
        for file in files:
            content = file.read_bytes()
            for folder in (SOURCE, BUILD):
                self.assertFalse(f"{folder}/".encode() in content, f"{file} names {folder}")

    def test_programs_name_their_sources_as_the_tree_does(self):
        self.assertRegex((self.prefix / "lib/heddle/workloads/bfs").read_bytes(), rb'\.file\t\d+ "\./workloads/bfs/bfs\.cu"')

    def test_a_workload(self):
        workload = self.prefix / "lib/heddle/workloads/micro-divergence"
        self.assertIn("IPC", self.assert_succeeds(self.heddle, "run", "--max-cycles", "20000", "--", workload).upper())
        self.assertIn("=> " + str(self.prefix), self.assert_succeeds("ldd", workload))

    def test_python(self):
        package = self.prefix / "lib/python3/dist-packages"
        if not package.exists():
            self.skipTest("heddle was built without its Python package")
        program = ("import heddle, heddle.command\n"
                   "print(heddle.Machine('lwm11')['core.width'], heddle.command.path())\n")
        done = run("/usr/bin/python3", "-c", program, env=dict(os.environ, PYTHONPATH=str(package)))
        self.assertEqual(done.stdout, f"32 {self.heddle}\n")

    def test_heddle_cc(self):
        source = self.folder / "saxpy.cu"
        source.write_text(SAXPY)
        program = self.folder / "saxpy"
        self.assert_succeeds(self.prefix / "bin/heddle-cc", source, "-o", program)
        self.assertTrue(self.assert_succeeds(self.heddle, "run", "--", program).startswith("3 63\n"))
        self.assertEqual(self.assert_succeeds(program), "3 63\n")
        self.assertIn(f"[{self.prefix}/lib/heddle]", self.assert_succeeds("readelf", "-d", program))

    def test_nvcc_of_the_toolkit(self):
        toolkit = self.prefix / "lib/heddle-cuda"
        self.assertIn("nvcc: NVIDIA (R) Cuda compiler driver", self.assert_succeeds(toolkit / "bin/nvcc", "--version"))
        self.assertIn(f"#$ TOP={toolkit}\n", run(toolkit / "bin/nvcc", "-v", "no file").stdout)
        source = self.folder / "of_nvcc.cu"
        source.write_text(SAXPY)
        program = self.folder / "of_nvcc"
        self.assert_succeeds(toolkit / "bin/nvcc", f"-I{toolkit}/include", source, "-o", program, f"-L{toolkit}/lib64", "-lcudart")
        self.assertEqual(self.assert_succeeds(program), "3 63\n")

    def test_cuda_programs_by_cmake(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "saxpy.cu").write_text(SAXPY)
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
                                                "find_package(heddle REQUIRED)\nheddle_cuda_program(saxpy saxpy.cu)\n")
        self.assert_succeeds("cmake", "-S", project, "-B", project / "b", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assert_succeeds("cmake", "--build", project / "b")
        self.assertTrue(self.assert_succeeds(self.heddle, "run", "--", project / "b/workloads/saxpy").startswith("3 63\n"))

    def test_pkg_config(self):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig"))
        flags = self.assert_succeeds("pkg-config", "--cflags", "--libs", "heddle", env=environment).split()
        source = self.folder / "names.cpp"
        source.write_text('#include <cstdio>\n#include "sched/scheduler.h"\n'
                          "int main() { for (auto& n : heddle::sched::schedulers().names()) std::puts(n.c_str()); }\n")
        program = self.folder / "names"
        self.assert_succeeds("c++", source, "-o", program, *flags, f"-Wl,-rpath,{self.prefix}/lib")
        self.assertIn("gto\n", self.assert_succeeds(program))

    def test_headers_of_plugins_need_no_other_package(self):
        """They include each other, and headers of the C and C++ library alone."""
        headers = re.findall(r"`([a-z_/]+\.h)`", (SOURCE / "docs/plug-ins.md").read_text())
        self.assertGreater(len(headers), 9)
        source = self.folder / "headers.cpp"
        source.write_text("".join(f'#include "{header}"\n' for header in [*headers, "config/plugin.h", "runtime/device.h"]))
        files = self.assert_succeeds("c++", "-std=c++20", f"-I{self.prefix}/include/heddle", "-M", source)
        self.assertIn(f"{self.prefix}/include/heddle/sched/scheduler.h", files)
        for package in ("fmt", "nlohmann", "hwy", "boost", "toml++", "CLI"):
            self.assertNotIn(f"/{package}/", files)

    def test_pages(self):
        commands = re.findall(r"^  ([a-z-]+) ", self.assert_succeeds(self.heddle, "--help").partition("Subcommands:")[2], re.M)
        self.assertIn("run", commands)
        for command in commands:
            name = command.replace("-", "\\-")
            self.assertIn(f"heddle\\-{name} \\- ", (self.prefix / f"share/man/man1/heddle-{command}.1").read_text())
        text = (self.prefix / "share/man/man1/heddle-run.1").read_text()
        self.assertIn("\\-\\-max\\-cycles", text)
        if shutil.which("man"):
            page = run("man", "--warnings", "-l", self.prefix / "share/man/man1/heddle-run.1",
                       env=dict(os.environ, MANPAGER="cat", MANWIDTH="100"))
            self.assertNotIn("warning", page.stdout)
            self.assertIn("--machine", page.stdout)

    def test_completion_of_bash(self):
        script = self.prefix / "share/bash-completion/completions/heddle"

        def complete(*words):
            line = " ".join(f"'{w}'" for w in words)
            out = self.assert_succeeds("bash", "-c", f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                                       "compopt() { :; }; _heddle; printf '%s\\n' \"${COMPREPLY[@]}\"",
                                       env=dict(os.environ, PATH=f"{self.heddle.parent}:{os.environ['PATH']}"))
            return out.split()

        self.assertEqual(complete("heddle", "repr"), ["reproduce"])
        self.assertEqual(complete("heddle", "run", "--max-c"), ["--max-cycles"])
        self.assertEqual(complete("heddle", "run", "-m", "lwm1"), ["lwm10", "lwm11"])
        self.assertEqual(complete("heddle", "run", "-s", "dcache.si"), ["dcache.size="])
        for shell, file in [("zsh", "share/zsh/vendor-completions/_heddle"), ("fish", "share/fish/vendor_completions.d/heddle.fish")]:
            self.assertTrue((self.prefix / file).exists())
            if shutil.which(shell):
                self.assert_succeeds(shell, "-n", self.prefix / file)

    def test_plugins(self):
        done = run(sys.executable, pathlib.Path(__file__).with_name("plugins_test.py"),
                   env=dict(os.environ, HEDDLE=str(self.heddle), HEDDLE_PREFIX=str(self.prefix)))
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
