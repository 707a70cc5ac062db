"""heddle-cc: its options; what the PTX says of loops that the source keeps from being unrolled."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE_CC = Path(__file__).resolve().parent.parent.parent / "tools/heddle-cc"
sys.path.insert(0, str(HEDDLE_CC.parent))
import compiler_options  # noqa: E402: after the line above

HEADER = """
template <class Step> __device__ void repeat(unsigned n, Step&& step) {
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i)
        step();
}
"""
KERNEL = """
#include "%s"
__global__ void kernel(float* values, unsigned n) {
    float x = values[0];
%s
    for (unsigned i = 0; i < n; ++i) {
        x = x * x + 1;
        __syncthreads(); // clang does not unroll the loop, whose rest would have a mark
    }
    values[0] = x;
    %s
}
"""


class Options(unittest.TestCase):
    def compile(self, *options):
        """The run and the PTX; None: there is none."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cu").write_text("__global__ void kernel() {}\n")
            run = subprocess.run([HEDDLE_CC, "--ptx", *options, "program.cu", "-o", "program.ptx"], cwd=folder,
                                 capture_output=True, text=True)
            ptx = Path(folder) / "program.ptx"
            return run, ptx.read_text() if ptx.exists() else None

    def target(self, *options):
        run, ptx = self.compile(*options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return re.search(r"^\.target (\w+)", ptx, re.MULTILINE)[1]

    def test_a_chip_that_does_not_exist_is_refused_in_one_line(self):
        run, ptx = self.compile("-arch=sm_999")
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stderr, r"^heddle-cc: error: no chip sm_999 is known: there are sm_70, .*, sm_121f\n$")
        self.assertIsNone(ptx)

    def test_chips_are_named_as_for_nvcc(self):
        self.assertEqual(self.target(), "sm_75")
        self.assertEqual(self.target("-arch=native"), "sm_75")
        self.assertEqual(self.target("-arch", "compute_70"), "sm_70")
        self.assertEqual(self.target("-arch=sm_90a"), "sm_90a")
        self.assertEqual(self.target("-gencode", "arch=compute_70,code=sm_70", "-gencode=arch=compute_80,code=[sm_80,compute_80]",
                                     "--generate-code", "arch=compute_75,code=sm_75"), "sm_80")

    def test_code_sees_the_chip_that_it_is_compiled_for(self):
        program = """
            #if __CUDA_ARCH__ == 900 && defined(__CUDA_ARCH_FEAT_SM90_ALL)
            __global__ void of_hopper() {}
            #elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 700
            #error another chip
            #endif
            constexpr int kChips[] = {__CUDA_ARCH_LIST__};
            static_assert(kChips[0] == 700 && kChips[1] == 900, "of both");
            __global__ void of_all() {}
        """
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cu").write_text(program)
            subprocess.run([HEDDLE_CC, "-c", "--keep", "kept", "-gencode", "arch=compute_90a,code=sm_90a", "-gencode", "arch=compute_70,code=sm_70",
                            "-gencode", "arch=compute_35,code=sm_35", "program.cu", "-o", "program.o"], cwd=folder, check=True)
            newest = (Path(folder) / "kept/program.ptx").read_text()
            self.assertRegex(newest, r"(?m)^\.version 8\.0\n\.target sm_90a\b")
            self.assertIn("of_hopper", newest)
            older = (Path(folder) / "kept/program.sm_70.ptx").read_text()
            self.assertRegex(older, r"(?m)^\.target sm_70\b")
            self.assertNotIn("of_hopper", older)
            both = (Path(folder) / "kept/program.fatbin").read_bytes()
            self.assertEqual([both.count(text.encode()) for text in (newest, older)], [1, 1])

    def test_options_of_nvcc_that_change_nothing(self):
        self.target("-lineinfo", "--expt-extended-lambda", "-Xptxas", "-v", "-Xptxas=-O3", "-m64", "-ccbin", "g++",
                    "-Xcompiler", "-Wall,-fPIC", "-Wno-deprecated-gpu-targets", "-t", "4", "-res-usage", "-Xcudafe", "--diag_suppress=177",
                    "-Xfatbin", "-compress-all", "-prec-div=false", "--prec-sqrt", "true", "--restrict", "-split-compile", "2", "-Werror",
                    "cross-execution-space-call", "-Werror=all-warnings", "-allow-unsupported-compiler", "-G", "--default-stream", "legacy")

    def test_macros_and_subnormal_numbers(self):
        program = """
            #if !defined(ONE) || defined(TWO) || !defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
            #error macros
            #endif
            __global__ void add(float* p) { p[0] = p[1] + p[2]; }
        """
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cpp").write_text(program)
            common = [HEDDLE_CC, "--ptx", "-x", "cu", "program.cpp", "--output-file", "program.ptx", "-DTWO", "-UTWO", "--define-macro", "ONE",
                      "--default-stream=per-thread", "--optimize", "1", "-MD", "-MT", "all"]
            for option, text in (("-ftz=true", "add.ftz.f32"), ("--ftz=false", "add.f32"), ("-use_fast_math", "add.ftz.f32")):
                subprocess.run([*common, option], cwd=folder, check=True)
                self.assertRegex((Path(folder) / "program.ptx").read_text(), rf"{text}|{text.replace('add', 'add.rn')}")
            self.assertRegex((Path(folder) / "program.d").read_text(), r"^all: program\.cpp ")

    def test_options_in_files_and_files_between_options(self):
        with tempfile.TemporaryDirectory() as folder:
            names = Path(folder) / "names.rsp"
            names.write_text('-DNAME="a\\ b"\n-I "/in c"')
            options = compiler_options.parse_arguments("", ["a.cu", "--options-file", str(names), "-o", "x", "b.o", "-lm", "c.a"])
            self.assertEqual((options.files, options.macros, options.include), (["a.cu", "b.o", "c.a"], ["-DNAME=a\\ b"], ["/in c"]))

    def test_options_that_are_not_known_may_be_for_the_host(self):
        options = compiler_options.parse_arguments("", ["-forward-unknown-to-host-compiler", "-march=native", "-c", "a.cu", '-Xcompiler=,"-g"'])
        self.assertEqual((options.files, options.host), (["a.cu"], ["-g", "-Wno-unused-command-line-argument", "-march=native"]))

    def test_an_older_standard_than_the_headers_need(self):
        self.target("-std=c++11", "-include", "cooperative_groups.h")

    def test_dependencies_alone(self):
        run, ptx = self.compile("-M", "-MT", "target", "-include", "stdio.h")
        self.assertRegex((run.stdout or ptx), r"^target: program\.cu ")

    def test_what_is_not_understood_is_refused(self):
        for options, message in [(["-arch=sm_x"], "-arch takes"), (["-gencode", "code=sm_80"], "-gencode takes"),
                                 (["-maxrregcount=few"], "argument -maxrregcount/--maxrregcount: takes a number of registers, not 'few'"),
                                 (["-maxrregcounts=32"], "unrecognized arguments: -maxrregcounts=32"),
                                 (["-cubin"], "argument -cubin: heddle-cc does not make machine code; --ptx makes PTX"),
                                 (["-lineinfo=1"], "takes no value"), (["-Xptxas"], "")]:
            run, _ = self.compile(*options)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(message, run.stderr)

    def test_files_that_are_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, options, message in [(b'-DX="a', ["--options-file", "it"], "argument --options-file: it is no list of options: No closing quotation"),
                                           (b"\x7fELF\xd0", ["--options-file", "it"], "it is no list of options"),
                                           (b"", ["-dlink", "it", "-o", "no/folder.o"], "heddle-cc: error: no/folder.o: No such file or directory"),
                                           (b"", ["-lib", "it", "-o", folder], f"heddle-cc: error: {folder}: Is a directory")]:
                (Path(folder) / "it").write_bytes(text)
                run = subprocess.run([HEDDLE_CC, *options], cwd=folder, capture_output=True, text=True)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(message, run.stderr)
                self.assertNotIn("Traceback", run.stderr)

    def test_maxrregcount_is_for_kernels_without_bounds(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cu").write_text(
                "__global__ void free(int* p) { *p = 1; }\n__global__ void __launch_bounds__(64) bounded(int* p) { *p = 2; }\n")
            for option in (["-maxrregcount=40"], ["--maxrregcount", "40"]):
                subprocess.run([HEDDLE_CC, "--ptx", *option, "program.cu", "-o", "program.ptx"], cwd=folder, check=True)
                ptx = (Path(folder) / "program.ptx").read_text()
                self.assertRegex(ptx, r"_Z4freePi\([^)]*\)\n\.maxnreg 40\n")
                self.assertEqual(ptx.count(".maxnreg"), 1)

    # clang has a runtime of OpenMP of its own: with that of g++ beside it, a thread gets its number from the wrong one.
    def test_openmp_comes_with_one_runtime(self):
        for option in (["-Xcompiler", "-fopenmp"], ["-fopenmp"]):
            options = compiler_options.parse_arguments("", [*option, "-lgomp", "-lm", "program.cu"])
            self.assertEqual((options.library, options.host, options.extra), (["m"], ["-fopenmp"], []))

    def test_options_of_the_host_and_of_the_linker_come_to_them(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cu").write_text("#ifndef HOST_ONLY\n#ifndef __CUDA_ARCH__\n#error host\n#endif\n#endif\n")
            common = [HEDDLE_CC, "-c", "program.cu", "-o", "program.o"]
            self.assertNotEqual(subprocess.run(common, cwd=folder, stderr=subprocess.DEVNULL).returncode, 0)
            self.assertEqual(subprocess.run([*common, "-Xcompiler", "-DHOST_ONLY"], cwd=folder).returncode, 0)


@unittest.skipUnless("HEDDLE_LIB_DIR" in os.environ, "no folder of the CUDA runtime")
class Libraries(unittest.TestCase):
    """What nvcc makes of several files, linked by g++ without it."""
    FILES = {
        "value.cu": "__device__ int value() { return 5; }\n",
        "kernel.cu": "__device__ int value();\n__global__ void kernel(int* p) { *p = value(); }\n"
                     "int run() { int* p; int v = 0; cudaMalloc(&p, 4); kernel<<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); return v; }\n",
        "main.cpp": "#include <cstdio>\nint run();\nint main() { std::printf(\"%d\\n\", run()); }\n",
    }

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.libraries = Path(os.environ["HEDDLE_LIB_DIR"])
        for name, text in self.FILES.items():
            (self.folder / name).write_text(text)

    def run_here(self, *words):
        run = subprocess.run(words, cwd=self.folder, capture_output=True, text=True,
                             env={**os.environ, "LD_LIBRARY_PATH": str(self.libraries)})
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_object_of_the_device_linker(self):
        self.run_here(HEDDLE_CC, "-dc", "value.cu", "kernel.cu")
        self.run_here(HEDDLE_CC, "-dlink", "value.o", "kernel.o", "-o", "device.o")
        self.run_here("g++", "main.cpp", "value.o", "kernel.o", "device.o", self.libraries / "libcudart.so.13", "-o", "program")
        self.assertEqual(self.run_here("./program"), "5\n")

    def test_static_library(self):
        self.run_here(HEDDLE_CC, "-rdc=true", "--lib", "value.cu", "kernel.cu", "-o", "libkernel.a")
        self.run_here(HEDDLE_CC, "-rdc=true", "main.cpp", "-L.", "-lkernel", "-lcudart_static", "-lcudadevrt", "-o", "program")
        self.assertEqual(self.run_here("./program"), "5\n")


class Loops(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "inner").mkdir()
        (self.folder / "inner/repeat.h").write_text(HEADER)

    def marks(self, pragma, more="", header="repeat.h", include="inner"):
        (self.folder / "program.cu").write_text(KERNEL % (header, pragma, more))
        run = subprocess.run([HEDDLE_CC, "--ptx", "-I", self.folder / include, "program.cu", "-o", "program.ptx"],
                             cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        ptx = (self.folder / "program.ptx").read_text()
        self.assertIn("program.cu", ptx)  # lines are those of the source
        return ptx.count('.pragma "nounroll"')

    def test_a_loop_without_a_pragma_has_no_mark(self):
        self.assertEqual(self.marks(""), 0)

    def test_unroll_1_is_marked_as_nvcc_does(self):
        self.assertEqual(self.marks("#pragma unroll 1"), 1)
        self.assertEqual(self.marks("#  pragma unroll (1)"), 1)
        self.assertEqual(self.marks("#pragma nounroll"), 1)

    def test_unroll_10_is_not(self):
        self.assertEqual(self.marks("#pragma unroll 10"), 0)

    def test_a_loop_of_a_header_is_marked(self):
        more = "repeat(n, [] { __syncthreads(); });"
        self.assertEqual(self.marks("", more), 1)
        self.assertEqual(self.marks("", more, header="../inner/repeat.h"), 1)


class ManagedVariables(unittest.TestCase):
    def compile(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "program.cu").write_text(text)
            run = subprocess.run([HEDDLE_CC, "--ptx", "program.cu", "-o", "program.ptx"], cwd=folder, capture_output=True, text=True)
            if run.returncode:
                return run.stderr
            run = subprocess.run([HEDDLE_CC, "-c", "program.cu"], cwd=folder, capture_output=True, text=True)
            return run.stderr or (Path(folder) / "program.ptx").read_text()

    def test_the_ptx_says_that_they_are_managed(self):
        ptx = self.compile("__managed__ int one = 5;\n__device__ int two;\n__global__ void kernel() { one += two; }\n")
        self.assertRegex(ptx, r"\.global \.attribute\(\.managed\) \.align 4 \.u32 one = 5;")
        self.assertRegex(ptx, r"\.global \.align 4 \.u32 two;")

    def test_an_address_that_another_variable_begins_with_is_refused(self):
        message = self.compile("__managed__ int one;\nint* pointer = &one;\n__global__ void kernel() { ++one; }\n")
        self.assertIn("error: program.cu: the first value of another variable is the address of the __managed__ variable one", message)

    def test_a_text_with_the_name_of_one_is_no_use_of_it(self):
        ptx = self.compile('__managed__ int one;\nconst char* mail = "who@one";\n__global__ void kernel() { ++one; }\n')
        self.assertIn(".attribute(.managed)", ptx)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "value.h").write_text("#define VALUE 5\n")
        (self.folder / "host.cpp").write_text("int value() { return VALUE; }\n")
        (self.folder / "device.cu").write_text("#ifndef __CUDACC__\n#error\n#endif\n__global__ void kernel(int* to) { *to = VALUE; }\n")

    def run_cc(self, *words):
        return subprocess.run([HEDDLE_CC, *words], cwd=self.folder, capture_output=True, text=True)

    def test_sources_of_both_kinds_become_objects(self):
        run = self.run_cc("-c", "host.cpp", "device.cu", "-include", "value.h")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue((self.folder / "host.o").exists() and (self.folder / "device.o").exists())

    def test_a_managed_variable_of_a_forced_header(self):
        (self.folder / "value.h").write_text("__managed__ int VALUE;\n")
        run = self.run_cc("--ptx", "device.cu", "-include", "value.h", "-o", "device.ptx")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn(".attribute(.managed)", (self.folder / "device.ptx").read_text())

    def test_what_c_does_not_take_is_refused(self):
        self.assertIn("error: -c compiles sources: value.h is none", self.run_cc("-c", "value.h").stderr)
        self.assertIn("error: -c and --ptx take -o with one file only", self.run_cc("-c", "host.cpp", "device.cu", "-o", "x.o").stderr)
        self.assertIn("error: --ptx takes .cu files", self.run_cc("--ptx", "host.cpp").stderr)


if __name__ == "__main__":
    unittest.main()
