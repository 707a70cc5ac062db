// The linker takes object files and archives of them: here the program itself, whose sections are those of an object
// file, and an archive with it.
// OPTIONS: -lcuda
// EXPECT: object: CUDA_SUCCESS, linked: CUDA_SUCCESS, 42
// EXPECT: archive: CUDA_SUCCESS, linked: CUDA_SUCCESS, 42
// EXPECT: library of device code: CUDA_SUCCESS
// EXPECT: no PTX: CUDA_ERROR_NO_BINARY_FOR_GPU, cut short: CUDA_ERROR_NO_BINARY_FOR_GPU
// EXPECT: no archive: CUDA_ERROR_NO_BINARY_FOR_GPU
// ERROR: small.o has no PTX, and heddle runs no machine code
#include <algorithm>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <string>

extern "C" __global__ void store(int* to, int value) {
    *to = value;
}

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

static CUlinkState new_linker() {
    CUlinkState state;
    cuLinkCreate(0, nullptr, nullptr, &state);
    return state;
}

static CUresult add(CUlinkState state, CUjitInputType type, std::string bytes, const char* name) {
    return cuLinkAddData(state, type, bytes.data(), bytes.size(), name, 0, nullptr, nullptr);
}

static void finish(CUlinkState state) {
    void* image;
    size_t bytes;
    const CUresult linked = cuLinkComplete(state, &image, &bytes);
    int* value;
    cudaMallocManaged(&value, sizeof *value);
    *value = 0;
    CUmodule module;
    CUfunction function;
    if (linked == CUDA_SUCCESS && cuModuleLoadData(&module, image) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "store") == CUDA_SUCCESS) {
        int number = 42;
        void* arguments[] = {&value, &number};
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
        cudaDeviceSynchronize();
    }
    std::printf("linked: %s, %d\n", name(linked), *value);
    cuLinkDestroy(state);
}

// A file of an archive. Numbers stand in the header as texts.
static std::string member(const char* name, const std::string& content) {
    char header[61];
    std::snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644, content.size());
    return header + content + (content.size() % 2 != 0 ? "\n" : "");
}

// An ELF file without sections.
static std::string empty_object() {
    Elf64_Ehdr header = {};
    std::copy_n(ELFMAG, SELFMAG, header.e_ident);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    return {reinterpret_cast<const char*>(&header), sizeof header};
}

int main() {
    cudaFree(nullptr);
    std::ifstream in("/proc/self/exe", std::ios::binary);
    const std::string program{std::istreambuf_iterator<char>(in), {}};
    CUlinkState state = new_linker();
    std::printf("object: %s, ", name(cuLinkAddFile(state, CU_JIT_INPUT_OBJECT, "/proc/self/exe", 0, nullptr, nullptr)));
    finish(state);
    const std::string archive =
        "!<arch>\n" + member("/", "1234") + member("odd.txt/", "123") + member("program.o/", program);
    state = new_linker();
    std::printf("archive: %s, ", name(add(state, CU_JIT_INPUT_LIBRARY, archive, "archive.a")));
    finish(state);
    state = new_linker();
    const std::string library = "!<arch>\n" + member("launch.o/", empty_object() + "__cudaCDP2LaunchDeviceV2");
    std::printf("library of device code: %s\n", name(add(state, CU_JIT_INPUT_LIBRARY, library, "libcudadevrt.a")));
    std::printf("no PTX: %s, ", name(add(state, CU_JIT_INPUT_OBJECT, empty_object(), "small.o")));
    std::printf("cut short: %s\n", name(add(state, CU_JIT_INPUT_OBJECT, program.substr(0, 100), "short.o")));
    std::printf("no archive: %s\n", name(add(state, CU_JIT_INPUT_LIBRARY, program, "program")));
    cuLinkDestroy(state);
}
