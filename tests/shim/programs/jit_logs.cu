// What a program is told of the PTX that it loads or links: messages, their sizes, the time.
// OPTIONS: -lcuda
// EXPECT: good: CUDA_SUCCESS, 0 bytes of information, 0 of errors, time set
// EXPECT: bad: CUDA_ERROR_INVALID_PTX, 0 bytes of information, errors end at their size, time set
// EXPECT: the message names the instruction
// EXPECT: a buffer of 8: 7 bytes of the same message
// EXPECT: library: CUDA_ERROR_INVALID_PTX, the message names the instruction
// EXPECT: linker, a bad part: CUDA_ERROR_INVALID_PTX, the message names the instruction
// EXPECT: linker, nobody defines it: CUDA_SUCCESS, whole: CUDA_ERROR_INVALID_PTX, the message names the function
// ERROR: heddle: cuLinkAddData: bad_part:
// ERROR: heddle: cuLinkComplete:
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <string>

#define HEAD ".version 7.5\n.target sm_70\n.address_size 64\n"
static const char kGood[] = HEAD ".visible .entry k() { ret; }\n";
static const char kBad[] = HEAD ".visible .entry k() { nonsense; ret; }\n";
static const char kCaller[] = HEAD ".extern .func missing;\n.visible .entry k() { call missing; ret; }\n";

// The outputs of one compilation.
struct Log {
    explicit Log(unsigned room) {
        std::memset(information, '?', sizeof information);
        std::memset(errors, '?', sizeof errors);
        values[1] = values[3] = reinterpret_cast<void*>(static_cast<std::size_t>(room));
        const float unset = -1;
        std::memcpy(&values[4], &unset, sizeof unset);
    }
    std::size_t size(int of) const {
        return reinterpret_cast<std::size_t>(values[of]);
    }
    const char* time() const {
        float milliseconds;
        std::memcpy(&milliseconds, &values[4], sizeof milliseconds);
        return milliseconds >= 0 ? "set" : "not set";
    }
    const char* names(const char* word) const {
        return std::strstr(errors, word) != nullptr ? "names" : "does not name";
    }

    char information[1024], errors[1024];
    CUjit_option options[5] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                               CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME};
    void* values[5] = {information, nullptr, errors, nullptr, nullptr};
};

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

static void modules() {
    CUmodule module;
    Log good(1024), bad(1024), small(8);
    CUresult result = cuModuleLoadDataEx(&module, kGood, 5, good.options, good.values);
    std::printf("good: %s, %zu bytes of information, %zu of errors, time %s\n", name(result), good.size(1),
                good.size(3), good.time());
    result = cuModuleLoadDataEx(&module, kBad, 5, bad.options, bad.values);
    std::printf("bad: %s, %zu bytes of information, errors %s at their size, time %s\n", name(result), bad.size(1),
                std::strlen(bad.errors) == bad.size(3) ? "end" : "do not end", bad.time());
    std::printf("the message %s the instruction\n", bad.names("nonsense"));
    cuModuleLoadDataEx(&module, kBad, 5, small.options, small.values);
    std::printf("a buffer of 8: %zu bytes of %s message\n", small.size(3),
                std::string(bad.errors, 4) == std::string(small.errors, 4) ? "the same" : "another");
    CUlibrary library;
    Log of_library(1024);
    result = cuLibraryLoadData(&library, kBad, of_library.options, of_library.values, 5, nullptr, nullptr, 0);
    std::printf("library: %s, the message %s the instruction\n", name(result), of_library.names("nonsense"));
}

static CUresult add(CUlinkState state, const char* text, const char* what) {
    return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1, what, 0, nullptr,
                         nullptr);
}

static void linker() {
    CUlinkState state;
    Log bad(1024), whole(1024);
    cuLinkCreate(5, bad.options, bad.values, &state);
    CUresult result = add(state, kBad, "bad_part");
    std::printf("linker, a bad part: %s, the message %s the instruction\n", name(result), bad.names("nonsense"));
    cuLinkDestroy(state);

    cuLinkCreate(5, whole.options, whole.values, &state);
    result = add(state, kCaller, "caller");
    void* image;
    std::size_t bytes;
    const CUresult linked = cuLinkComplete(state, &image, &bytes);
    std::printf("linker, nobody defines it: %s, whole: %s, the message %s the function\n", name(result), name(linked),
                whole.names("missing"));
    cuLinkDestroy(state);
}

int main() {
    CUdevice device;
    CUcontext context;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    modules();
    linker();
}
