"""Programs that call libraries of NVIDIA: refused by name before they run, or run with heddle's replacements."""
import json
import unittest

from run_test import Programs

from case import RUNTIME

REPLACEMENT = RUNTIME.parent / "libcurand.so.10"

CALLS = r"""
#include <stdio.h>
int cudaMalloc(void**, unsigned long);
int FUNCTION(void);
int main(int argc, char** argv) {
    void* p = 0;
    (void)argv;
    return argc > 9 ? FUNCTION() : cudaMalloc(&p, 64);
}
"""
# What a program of an older toolkit calls; each version of the library stands on the runtime of that version.
AXPY = r"""
#include <stdio.h>
int cublasCreate_v2(void**);
int cublasGetVersion_v2(void*, int*);
int cublasSaxpy_v2(void*, int, const float*, const float*, int, float*, int);
int cublasSasum_v2(void*, int, const float*, int, float*);
int cudaMalloc(void**, unsigned long);
int cudaMemcpy(void*, const void*, unsigned long, int);
int main(void) {
    float there[4] = {1, 2, 3, 4}, factor = 2, sum = 0;
    void *handle, *x;
    int version = 0;
    if (cublasCreate_v2(&handle) || cudaMalloc(&x, 16) || cudaMemcpy(x, there, 16, 1)) return 9;
    if (cublasSaxpy_v2(handle, 4, &factor, x, 1, x, 1) || cublasSasum_v2(handle, 4, x, 1, &sum)) return 8;
    cublasGetVersion_v2(handle, &version);
    printf("version %d: %g\n", version / 10000, sum);
    return 0;
}
"""
DEVICE_CODE = 'int device_code __attribute__((section(".nv_fatbin"))) = 1;\n'


class Libraries(Programs):
    def library(self, soname, function):
        """A library with one function, as NVIDIA's is seen from outside."""
        return self.compile(soname, self.write(f"{function}.c", f"int {function}(void) {{ return 0; }}\n"), "-shared",
                            "-fPIC", f"-Wl,-soname,{soname}")

    def program_with(self, function, *files):
        return self.compile(f"calls_{function}", self.write("calls.c", CALLS), f"-DFUNCTION={function}", *files,
                            f"-Wl,-rpath,{self.folder}", "-L", RUNTIME.parent, f"-l:{RUNTIME.name}")

    def refused(self, program):
        return self.assert_refused(2, "run", "--", program)

    def test_called_by_the_program(self):
        for soname, function in (("libcufft.so.12", "cufftPlan1d"), ("libcusparse.so.12", "cusparseCreate"),
                                 ("libcusolver.so.11", "cusolverDnCreate"), ("libcudnn_ops.so.9", "cudnnCreate"),
                                 ("libnccl.so.2", "ncclGetUniqueId"), ("libcublasLt.so.13", "cublasLtMatmul")):
            with self.subTest(soname):
                message = self.refused(self.program_with(function, self.library(soname, function)))
                self.assertIn(f"the program calls {function} of {soname} ({self.folder}/{soname})", message)
                self.assertIn("its kernels are machine code of NVIDIA's GPUs", message)
                self.assertIn("code that carries PTX", message)

    def test_called_by_a_library_of_the_program(self):
        fft = self.library("libcufft.so.12", "cufftExecC2C")
        middle = self.compile("libmiddle.so", self.write("middle.c", "int cufftExecC2C(void); int middle(void) { return cufftExecC2C(); }\n"),
                              "-shared", "-fPIC", "-Wl,-soname,libmiddle.so", fft, f"-Wl,-rpath,{self.folder}")
        self.assertIn("calls cufftExecC2C of libcufft.so.12", self.refused(self.program_with("middle", middle, fft)))

    def test_loaded_and_not_called(self):
        fft = self.library("libcufft.so.12", "cufftExecC2C")
        self.assert_succeeds("run", "--", self.compile("loads", str(self.folder / "program.c"), "-Wl,--no-as-needed", fft,
                                                       f"-Wl,-rpath,{self.folder}", "-L", RUNTIME.parent, f"-l:{RUNTIME.name}"))

    def test_library_that_is_not_there(self):
        program = self.program_with("cufftPlan1d", self.library("libcufft.so.99", "cufftPlan1d"))
        (self.folder / "libcufft.so.99").unlink()
        self.assertIn("calls cufftPlan1d of libcufft.so.99, which", self.refused(program))

    @unittest.skipUnless(REPLACEMENT.exists(), f"{REPLACEMENT} is not built")
    def test_replaced_libraries(self):
        program = self.program_with("cublasCreate_v2", self.library("libcublas.so.10", "cublasCreate_v2"))
        self.assertIn("heddle has no libcublas of this version", self.refused(program))
        bound = self.program_with("curandGenerate", self.library(REPLACEMENT.name, "curandGenerate"),
                                  "-Wl,--disable-new-dtags")
        self.assertIn("link the program without an RPATH", self.refused(bound))

    @unittest.skipUnless(REPLACEMENT.exists(), f"{REPLACEMENT} is not built")
    def test_replacements_of_every_version(self):
        for version, runtime in ((11, "11.0"), (12, "12"), (13, "13")):
            with self.subTest(version):
                program = self.compile(f"axpy_{version}", self.write("axpy.c", AXPY), "-L", RUNTIME.parent,
                                       f"-l:libcublas.so.{version}", f"-l:libcudart.so.{runtime}")
                self.assertIn(f"version {version}: 30\n", self.assert_succeeds("run", "-o", "r.json", "--", program))
                kernels = json.loads((self.folder / "r.json").read_text())["kernels"]
                self.assertEqual([k["name"] for k in kernels], ["blas_axpy_f32", "blas_asum_f32"])

    def test_linked_statically(self):
        for function, advice in (("cublasCreate_v2", "link the program with -lcublas"), ("cufftDestroy", "replaces libcublas and libcurand only")):
            source = self.write("static.c", f"int {function}(void) {{ return 0; }}\n{DEVICE_CODE}")
            part = self.compile(f"{function}.o", source, "-c")
            message = self.refused(self.program_with(function, part))
            self.assertIn(f"_static is linked into the program (it has {function})", message)
            self.assertIn(advice, message)


if __name__ == "__main__":
    unittest.main()
