"""Programs with a CUDA runtime that is linked into them, and programs that load the driver themselves."""
import json
import pathlib
import shutil
import subprocess
import unittest

from case import HEDDLE
from run_test import Programs, compiler

# Stands for a runtime that is linked in: its functions fail. cudaOwn() is a function of the program.
RUNTIME = r"""
#include <stddef.h>
typedef struct { unsigned x, y, z; } dim3;
int failed;
void* __cudaRegisterFatBinary(void* binary) { return failed += 1, binary; }
int cudaMalloc(void** pointer, size_t bytes) { failed += (int)bytes; *pointer = 0; return 90; }
int cudaLibraryLoadData(void** l, const void* p, void* a, void** b, unsigned c, void* d, void** e, unsigned f) {
    failed += (int)c + (int)f; *l = 0; (void)p; (void)a; (void)b; (void)d; (void)e; return 91; }
int cudaLibraryGetKernel(void** k, void* l, const char* n) { failed += n[0]; *k = 0; (void)l; return 92; }
int cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, void* t) {
    failed += (int)(g.x + b.x + s); (void)f; (void)a; (void)t; return 93; }
int cudaOwn(int number) { failed += number; return failed * 3; }
int device_code __attribute__((section(".nv_fatbin"))) = 1;
"""
PROGRAM = r"""
#include <stddef.h>
#include <stdio.h>
typedef struct { unsigned x, y, z; } dim3;
extern int failed;
int cudaMalloc(void**, size_t);
int cudaLibraryLoadData(void**, const void*, void*, void**, unsigned, void*, void**, unsigned);
int cudaLibraryGetKernel(void**, void*, const char*);
int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
int cudaOwn(int);
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry once() { ret; }\n";
static int early;
__attribute__((constructor)) static void before_main(void) { void* p = 0; early = cudaMalloc(&p, 64); }
int main(void) {
    void *library = 0, *kernel = 0, *memory = 0;
    dim3 blocks = {2, 1, 1}, threads = {64, 1, 1};
    int load = cudaLibraryLoadData(&library, ptx, 0, 0, 0, 0, 0, 0);
    int get = load ? load : cudaLibraryGetKernel(&kernel, library, "once");
    int launch = get ? get : cudaLaunchKernel(kernel, blocks, threads, 0, 0, 0);
    int allocate = cudaMalloc(&memory, 64);
    int own = cudaOwn(5);
    printf("%d %d %d %d, own %d %d\n", early, allocate, launch, memory != 0, own, failed);
    return 0;
}
"""
# Loads the driver and needs no runtime.
DRIVER = r"""
#include <dlfcn.h>
#include <stdio.h>
int device_code __attribute__((section(".nv_fatbin"))) = 1;
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry once() { ret; }\n";
int main(int argc, char** argv) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) return 9;
    int (*get)(const char*, void**, int, unsigned long long, int*) = dlsym(driver, "cuGetProcAddress_v2");
    int (*init)(unsigned), (*create)(void**, unsigned, int), (*load)(void**, const void*), (*function)(void**, void*, const char*);
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
    int (*table)(const void**, const void*);
    struct { const char* name; void* to; } all[] = {{"cuInit", &init}, {"cuCtxCreate", &create}, {"cuModuleLoadData", &load},
        {"cuModuleGetFunction", &function}, {"cuLaunchKernel", &launch}, {"cuGetExportTable", &table}};
    for (int i = 0; i < 6; ++i) if (get(all[i].name, (void**)all[i].to, 4000, 0, 0)) return 8;
    void *context, *module, *kernel;
    if (argc > 1) { const void* t = argv; return table(&t, "0123456789abcdef") == 500 && !t ? 0 : 6; }
    if (init(0) || create(&context, 0, 0) || load(&module, ptx) || function(&kernel, module, "once")) return 7;
    (void)argv;
    return launch(kernel, 2, 1, 1, 64, 1, 1, 0, 0, 0, 0);
}
"""


class StaticRuntime(Programs):
    def build(self, *options):
        runtime = self.compile("runtime.o", self.write("runtime.c", RUNTIME), "-O1", "-c")
        return self.compile("static", self.write("static.c", PROGRAM), runtime, *options)

    def kernels(self, name="r.json"):
        result = json.loads((self.folder / name).read_text())
        return [(k["name"], k["grid"], k["block"]) for k in result["kernels"]]

    def test_its_functions_are_those_of_the_simulator(self):
        # Of the program's own functions none has changed, and no function of its runtime has run.
        out = self.assert_succeeds("run", "-o", "r.json", "--", self.build())
        self.assertIn("0 0 0 1, own 15 5\n", out)
        self.assertEqual(self.kernels(), [("once", [2, 1, 1], [64, 1, 1])])

    def test_at_fixed_addresses(self):
        self.assertIn("0 0 0 1, own 15 5\n", self.assert_succeeds("run", "--", self.build("-no-pie")))

    def test_beside_the_driver(self):
        # heddle's driver brings heddle's runtime with it, which is not that of the program.
        driver = HEDDLE.parent.parent / "lib" / "libcuda.so.1"
        program = self.build("-Wl,--no-as-needed", str(driver), f"-Wl,-rpath-link,{driver.parent}")
        out = self.assert_succeeds("run", "-o", "r.json", "--", program)
        self.assertIn("0 0 0 1, own 15 5\n", out)
        self.assertEqual(self.kernels(), [("once", [2, 1, 1], [64, 1, 1])])

    def test_in_a_library_of_the_program(self):
        parts = [self.compile(f"{name}.o", self.write(f"{name}.c", text), "-c", "-O1", "-fPIC", "-fvisibility=hidden", *options)
                 for name, text, options in (("runtime", RUNTIME, []), ("use", PROGRAM, ["-Dmain=__attribute__((visibility(\"default\")))part"]))]
        library = self.folder / "libpart.so"
        subprocess.run([compiler(), "-shared", *parts, "-o", library], check=True)
        main = self.write("main.c", "int part(void); int main(void) { return part(); }\n")
        program = self.compile("with_library", main, library, f"-Wl,-rpath,{self.folder}")
        self.assertIn("0 0 0 1, own 15 5\n", self.assert_succeeds("run", "--", program))

    def test_started_by_a_script(self):
        program = self.build()
        self.assertIn("0 0 0 1, own 15 5\n", self.assert_succeeds("run", "-o", "r.json", "--", "sh", "-c", program))
        self.assertEqual(len(self.kernels()), 1)

    def test_compare(self):
        self.assertIn("core.formation=serial",
                      self.assert_succeeds("compare", "--with", "core.formation=serial", "--", self.build()))

    def test_without_symbols(self):
        message = self.heddle("run", "--", self.build("-s")).stderr
        self.assertIn("never used the simulated device", message)
        self.assertIn("no symbol table", message)

    def test_without_any_library(self):
        message = self.assert_refused(2, "run", "--", self.build("-static"))
        self.assertIn("link it without -static", message)

    @unittest.skipUnless(shutil.which("nvcc"), "no nvcc")
    def test_same_results_as_the_shared_runtime(self):
        source = pathlib.Path(__file__).parent.parent / "shim" / "programs" / "volume.cu"
        found = []
        for kind in ("static", "shared"):
            program = self.folder / kind
            subprocess.run(["nvcc", "-cudart", kind, "-Wno-deprecated-gpu-targets", "-gencode",
                            "arch=compute_75,code=compute_75", source, "-o", program], check=True)
            self.assert_succeeds("run", "-o", f"{kind}.json", "--", str(program))
            result = json.loads((self.folder / f"{kind}.json").read_text())
            found.append((result["kernels"], result["totals"]))
        self.assertEqual(found[0], found[1])
        self.assertTrue(found[0][0])


class Driver(Programs):
    def setUp(self):
        super().setUp()
        self.loader = self.compile("driver", self.write("driver.c", DRIVER), "-w")

    def test_program_that_loads_the_driver(self):
        self.assert_succeeds("run", "-o", "r.json", "--", self.loader)
        kernels = json.loads((self.folder / "r.json").read_text())["kernels"]
        self.assertEqual([k["name"] for k in kernels], ["once"])

    def test_internal_tables(self):
        message = self.heddle("run", "--", self.loader, "table").stderr
        self.assertIn(f"{self.loader} asks for an internal table of NVIDIA's driver", message)
        self.assertIn("-cudart shared", message)
