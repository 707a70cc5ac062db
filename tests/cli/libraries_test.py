"""Programs that call libraries of NVIDIA without PTX are refused by name before they run."""
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
                self.assertIn("no PTX", message)
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

    def test_linked_statically(self):
        for function, advice in (("cublasCreate_v2", "link the program with -lcublas"), ("cufftDestroy", "replaces libcublas and libcurand only")):
            source = self.write("static.c", f"int {function}(void) {{ return 0; }}\n{DEVICE_CODE}")
            part = self.compile(f"{function}.o", source, "-c")
            message = self.refused(self.program_with(function, part))
            self.assertIn(f"_static is linked into the program (it has {function})", message)
            self.assertIn(advice, message)


if __name__ == "__main__":
    unittest.main()
