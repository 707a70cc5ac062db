"""heddle's folder in the place of a CUDA toolkit: projects of CMake and makefiles that are written for nvcc, with no nvcc there."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from case import HEDDLE

TOOLKIT = HEDDLE.parent.parent / "heddle-cuda"

# Device code of one target is in a static library, whose object no host code calls for. Its program is linked by g++.
PROJECT = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.20)
project(of_nvcc LANGUAGES CXX CUDA)
find_package(CUDAToolkit 12 REQUIRED)

add_library(values STATIC values.cu)
add_executable(separable main.cpp kernel.cu)
target_link_libraries(separable PRIVATE values CUDA::cudart)
set_target_properties(values separable PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 14)

add_executable(plain plain.cu)
target_compile_definitions(plain PRIVATE "TEXT=\\"a b\\"")
target_compile_options(plain PRIVATE -rdynamic --expt-relaxed-constexpr -Xcompiler=-Wall)
target_link_libraries(plain PRIVATE CUDA::cublas CUDA::curand CUDA::cuda_driver)
set_target_properties(plain PROPERTIES CUDA_ARCHITECTURES native CUDA_RUNTIME_LIBRARY Static)
""",
    "values.cu": "__device__ int offset = 3;\n__device__ int value(int i) { return i * i + offset; }\n",
    "kernel.cu": """
#include <cuda_runtime.h>
__device__ int value(int);
__global__ void kernel(int* p) { p[threadIdx.x] = value(threadIdx.x); }
int value_of(int i) {
    int v = 0, *p;
    cudaMalloc(&p, 32 * sizeof(int));
    kernel<<<1, 32>>>(p);
    cudaMemcpy(&v, p + i, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}
""",
    "main.cpp": """
#include <cstdio>
#include <cuda_runtime_api.h>
int value_of(int);
int main() {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    std::printf("%d, %d device\\n", value_of(5), devices);
}
""",
    "plain.cu": """
#include <cstdio>
#include <cublas_v2.h>
#include <cuda.h>
#include <curand.h>
int main() {
    float x[] = {1, 2, 3}, result = 0, *d;
    cudaMalloc(&d, sizeof x);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    cublasHandle_t blas;
    cublasCreate(&blas);
    cublasSdot(blas, 3, d, 1, d, 1, &result);
    curandGenerator_t random;
    int created = curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT), begun = cuInit(0);
    std::printf("%s, %g, %d %d\\n", TEXT, result, created, begun);
}
""",
    "Makefile": """
NVCC = $(CUDA_HOME)/bin/nvcc
program: main.o kernel.o values.o device.o
	$(CXX) -o $@ $^ -L$(CUDA_HOME)/lib64 -lcudadevrt -lcudart_static -lrt -lpthread -ldl
device.o: kernel.o values.o
	$(NVCC) -arch=sm_80 -dlink -o $@ $^ -lcudadevrt
by_nvcc: main.o kernel.o values.o
	$(NVCC) -o $@ $^ -L$(CUDA_HOME)/lib64 -lcudart
%.o: %.cu
	$(NVCC) -arch=sm_80 -code=sm_80 --keep --keep-dir kept -Xcompiler "-O1 -Wall" -rdc=true -c -o $@ $<
%.o: %.cpp
	$(CXX) -I$(CUDA_HOME)/include -c -o $@ $<
""",
}


class Toolkit(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-toolkit-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, text in PROJECT.items():
            (self.folder / name).write_text(text)

    def run_here(self, *words, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CUDA", "NVCC"))}
        done = subprocess.run(list(map(str, words)), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**environment, "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": f"{TOOLKIT}/lib64", **variables})
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_project_of_cmake(self):
        self.run_here("cmake", "-S", ".", "-B", "b", f"-DCMAKE_CUDA_COMPILER={TOOLKIT}/bin/nvcc")
        variables = self.run_here("cmake", "-L", "-N", "b")
        self.assertIn("CMAKE_CUDA_ARCHITECTURES:STRING=75\n", variables)
        log = self.run_here("cmake", "--build", "b", "--verbose")
        self.assertNotIn("warning:", log)
        self.assertEqual(self.run_here("b/separable"), "28, 1 device\n")
        self.assertEqual(self.run_here("b/plain"), "a b, 14, 0 0\n")
        self.assertEqual(self.run_here(HEDDLE, "run", "-q", "-m", "gtx480", "--", "b/plain"), "a b, 14, 0 0\n")
        (self.folder / "kernel.cu").touch()
        again = self.run_here("cmake", "--build", "b", "--", "--dry-run")
        self.assertIn("Building CUDA object CMakeFiles/separable.dir/kernel.cu.o", again)
        self.assertNotIn("plain.cu.o", again)

    def test_makefile(self):
        self.run_here("make", "program", "by_nvcc", CUDA_HOME=str(TOOLKIT))
        self.assertEqual(self.run_here("./program"), "28, 1 device\n")
        self.assertEqual(self.run_here("./by_nvcc", LD_LIBRARY_PATH=""), "28, 1 device\n") # by the path that nvcc gave it
        self.assertTrue((self.folder / "kept/kernel.ptx").exists())

    def test_version(self):
        """That of the headers, as FindCUDAToolkit reads it."""
        header = (TOOLKIT / "include/cuda.h").read_text()
        self.assertIn("#define CUDA_VERSION 12090\n", header)
        self.assertRegex(self.run_here(TOOLKIT / "bin/nvcc", "--version"), r"nvcc: NVIDIA \(R\) Cuda compiler driver\n.*release 12\.9, V12\.9\.\d+\n")


if __name__ == "__main__":
    unittest.main()
