// Libraries: PTX that the program hands over while it runs.
// EXPECT: loaded: cudaSuccess, 2 kernels
// EXPECT: kernel: cudaSuccess, none: cudaErrorSymbolNotFound
// EXPECT: variable: cudaSuccess of 4 bytes, none: cudaErrorSymbolNotFound
// EXPECT: managed: cudaSuccess of 8 bytes, the other: cudaErrorSymbolNotFound
// EXPECT: launched: cudaSuccess, 100 101 102 103
// EXPECT: name: add, of 2: add set
// EXPECT: wrong text: cudaErrorInvalidPtx, a later version: cudaErrorUnsupportedPtxVersion
// EXPECT: machine code: cudaErrorInvalidKernelImage
// EXPECT: no file: cudaErrorFileNotFound, from a file: cudaSuccess
// EXPECT: cut short: cudaErrorInvalidKernelImage, a wrapper: cudaErrorInvalidKernelImage
// EXPECT: unloaded: cudaSuccess, twice: cudaErrorInvalidResourceHandle, launch then: cudaErrorInvalidDeviceFunction
// ERROR: error: unknown instruction 'addd'
// ERROR: error: PTX version 99.0 is not known
// ERROR: the embedded fat binary is cut short: its content needs 4096 bytes, 4 are left
// ERROR: points into the memory of a program
// ERROR: is machine code of a GPU; heddle runs PTX
#include <cstdio>
#include <cuda_runtime.h>
#include <string>
#include <unistd.h>

static const char* const kText = R"(.version 7.0
.target sm_70
.address_size 64
.visible .global .u32 offset = 100;
.visible .global .attribute(.managed) .u64 both;
.visible .entry add(.param .u64 to) {
    .reg .b64 %d<3>;
    .reg .b32 %r<3>;
    ld.param.u64 %d1, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r2, [offset];
    add.u32 %r2, %r2, %r1;
    st.global.u32 [%d1], %r2;
    ret;
}
.visible .entry set() { ret; }
)";

static const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

static cudaError_t load(cudaLibrary_t& library, const char* text) {
    return cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

static void use(cudaLibrary_t library, cudaKernel_t kernel) {
    void* offset = nullptr;
    size_t bytes = 0;
    const cudaError_t found = cudaLibraryGetGlobal(&offset, &bytes, library, "offset");
    std::printf("variable: %s of %zu bytes, none: %s\n", name(found), bytes,
                name(cudaLibraryGetGlobal(&offset, &bytes, library, "other")));
    const cudaError_t managed = cudaLibraryGetManaged(&offset, &bytes, library, "both");
    std::printf("managed: %s of %zu bytes, the other: %s\n", name(managed), bytes,
                name(cudaLibraryGetManaged(&offset, &bytes, library, "offset")));
    int* to;
    cudaMalloc(&to, 4 * sizeof(int));
    void* arguments[] = {&to};
    const void* const function = reinterpret_cast<const void*>(kernel);
    const cudaError_t launched = cudaLaunchKernel(function, dim3(1), dim3(4), arguments, 0, nullptr);
    int out[4] = {};
    cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("launched: %s, %d %d %d %d\n", name(launched), out[0], out[1], out[2], out[3]);
    const char *of_kernel = "", *second = "";
    cudaKernel_t all[2];
    cudaLibraryEnumerateKernels(all, 2, library);
    cudaFuncGetName(&of_kernel, function);
    cudaFuncGetName(&second, reinterpret_cast<const void*>(all[1]));
    std::printf("name: %s, of 2: %s %s\n", of_kernel, all[0] == kernel ? of_kernel : "?", second);
}

int main() {
    cudaLibrary_t library, other;
    unsigned count = 0;
    const cudaError_t loaded = load(library, kText);
    cudaLibraryGetKernelCount(&count, library);
    std::printf("loaded: %s, %u kernels\n", name(loaded), count);
    cudaKernel_t kernel, none;
    const cudaError_t found = cudaLibraryGetKernel(&kernel, library, "add");
    std::printf("kernel: %s, none: %s\n", name(found), name(cudaLibraryGetKernel(&none, library, "sub")));
    use(library, kernel);

    std::string wrong = kText;
    wrong.replace(wrong.find("add.u64"), 3, "addd");
    std::string later = kText;
    later.replace(later.find("7.0"), 3, "99.0");
    const cudaError_t of_wrong = load(other, wrong.c_str());
    std::printf("wrong text: %s, a later version: %s\n", name(of_wrong), name(load(other, later.c_str())));
    std::printf("machine code: %s\n", name(load(other, "\x7f"
                                                       "ELF")));
    const auto from_file = [&](const char* file) {
        return cudaLibraryLoadFromFile(&other, file, nullptr, nullptr, 0, nullptr, nullptr, 0);
    };
    const cudaError_t no_file = from_file("/nowhere/kernels.ptx");
    const std::string path = "/tmp/heddle-library-test." + std::to_string(getpid()); // the test may run twice at once
    std::FILE* const file = std::fopen(path.c_str(), "w");
    std::fputs(kText, file);
    std::fclose(file);
    std::printf("no file: %s, from a file: %s\n", name(no_file), name(from_file(path.c_str())));
    std::remove(path.c_str());

    const auto from_bytes = [&](const unsigned(&words)[5]) {
        std::FILE* const binary = std::fopen(path.c_str(), "wb");
        std::fwrite(words, 1, sizeof words, binary);
        std::fclose(binary);
        const cudaError_t error = from_file(path.c_str());
        std::remove(path.c_str());
        return error;
    };
    // A fat binary's header, and a wrapper of one at address 1
    const cudaError_t cut = from_bytes({0xba55ed50, 0x00100001, 4096, 0, 0});
    std::printf("cut short: %s, a wrapper: %s\n", name(cut), name(from_bytes({0x466243b1, 1, 1, 0, 0})));

    const cudaError_t unloaded = cudaLibraryUnload(library), twice = cudaLibraryUnload(library);
    void* arguments[] = {&count};
    const cudaError_t launched =
        cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, nullptr);
    std::printf("unloaded: %s, twice: %s, launch then: %s\n", name(unloaded), name(twice), name(launched));
    return 0;
}
