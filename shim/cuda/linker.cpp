// The linker: collects PTX and looks for errors in it. It is linked when the result is loaded. The result is a linked
// image, or the PTX itself where there is only one text.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/source.h"
#include "driver.h"
#include "fat_binary.h"
#include "jit_log.h"
#include "linked_image.h"
#include "object_files.h"
#include "runtime/device.h"

using namespace heddle::driver;
using heddle::cudart::Image;

struct CUlinkState_st {
    std::vector<std::vector<char>> parts;        // texts and fat binaries, each with a null byte behind it
    std::vector<char> image;                     // of several parts, once it is complete
    std::vector<heddle::runtime::PtxText> texts; // of the parts that are texts
    heddle::cudart::JitLog log;

    // To stderr and to the program's buffers.
    void complain(const char* call, const std::string& message) {
        std::fflush(stdout); // keeps the order of a program's output and heddle's
        std::fprintf(stderr, "heddle: %s: %s\n", call, message.c_str());
        log.add(message);
    }
};

namespace {

std::mutex mutex;
std::vector<std::unique_ptr<CUlinkState_st>>& states() {
    static auto* const all = new std::vector<std::unique_ptr<CUlinkState_st>>;
    return *all;
}

template <class F>
CUresult with_state(CUlinkState state, F&& body) {
    return in_context([&] {
        const std::lock_guard lock(mutex);
        const bool known =
            std::any_of(states().begin(), states().end(), [&](const auto& each) { return each.get() == state; });
        return known ? body(*state) : cudaErrorInvalidResourceHandle;
    });
}

// Looks for errors in a part, which ends with a null byte. What is loaded from memory has no size any more: a fat
// binary that is cut short is found here.
cudaError_t check(CUlinkState_st& state, const std::vector<char>& part, std::string name) {
    constexpr const char* kCall = "cuLinkAddData";
    const Image kind = heddle::cudart::kind_of(part.data());
    if (kind == Image::FatBinary) {
        try {
            (void)heddle::cudart::parse_fat_binary(reinterpret_cast<const std::byte*>(part.data()), part.size());
            return cudaSuccess;
        } catch (const heddle::UserError& e) {
            state.complain(kCall, e.what());
        }
    }
    if (kind != Image::Text)
        return cudaErrorInvalidKernelImage;
    const heddle::runtime::PtxText text{std::move(name), part.data()};
    if (const std::string errors = heddle::runtime::errors_of({text}, false); !errors.empty()) {
        state.complain(kCall, errors);
        return heddle::runtime::is_too_new(text) ? cudaErrorUnsupportedPtxVersion : cudaErrorInvalidPtx;
    }
    state.texts.push_back(text);
    return cudaSuccess;
}

// A text or a fat binary.
cudaError_t add_part(CUlinkState_st& state, std::string_view data, const std::string& name) {
    std::vector<char> part(data.begin(), data.end());
    part.push_back(0);
    const cudaError_t error = check(state, part, name);
    if (error == cudaSuccess)
        state.parts.push_back(std::move(part));
    return error;
}

bool has_ptx(std::string_view fat_binary) {
    try {
        return !heddle::cudart::parse_fat_binary(reinterpret_cast<const std::byte*>(fat_binary.data()),
                                                 fat_binary.size())
                    .ptx.empty();
    } catch (const heddle::UserError&) {
        return true; // which add_part() reports
    }
}

// The fat binaries of object files that have PTX. CUDA's library of device code has none; heddle has its functions.
cudaError_t add_objects(CUlinkState_st& state, const std::vector<std::string_view>& objects, const std::string& name) {
    constexpr std::string_view kDeviceRuntime = "__cudaCDP2";
    bool is_of_use = false;
    for (const std::string_view object : objects) {
        is_of_use = is_of_use || object.find(kDeviceRuntime) != std::string_view::npos;
        for (const std::string_view each : fat_binaries_of_object(object))
            if (has_ptx(each)) {
                is_of_use = true;
                if (const cudaError_t error = add_part(state, each, name); error != cudaSuccess)
                    return error;
            }
    }
    if (is_of_use)
        return cudaSuccess;
    state.complain("cuLinkAddData", name + " has no PTX, and heddle runs no machine code: compile it with "
                                           "-gencode arch=compute_80,code=compute_80");
    return cudaErrorNoKernelImageForDevice;
}

cudaError_t add(CUlinkState_st& state, CUjitInputType type, std::string_view data, const char* name) {
    if (!state.image.empty())
        return cudaErrorInvalidValue; // it is complete
    const std::string shown = name != nullptr ? name : "part " + std::to_string(state.parts.size() + 1);
    cudaError_t error = cudaErrorNoKernelImageForDevice; // machine code
    if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY)
        error = add_part(state, data, shown);
    else if (type == CU_JIT_INPUT_OBJECT)
        error = add_objects(state, {data}, shown);
    else if (type == CU_JIT_INPUT_LIBRARY)
        error = add_objects(state, files_of_archive(data), shown);
    state.log.write();
    return error;
}

// Where all parts are texts: whether they define what they need.
cudaError_t check_whole(CUlinkState_st& state) {
    if (state.texts.size() != state.parts.size())
        return cudaSuccess;
    const std::string errors = heddle::runtime::errors_of(state.texts, true);
    if (!errors.empty())
        state.complain("cuLinkComplete", errors);
    state.log.write();
    return errors.empty() ? cudaSuccess : cudaErrorInvalidPtx;
}

template <class T>
void put(std::vector<char>& out, std::size_t at, T value) {
    std::memcpy(out.data() + at, &value, sizeof value);
}

// A fat binary with one entry, not compressed (shim/cudart/fat_binary.h reads it).
std::vector<char> fat_binary(const std::vector<char>& text) {
    constexpr std::size_t kHeader = 16, kEntry = 64;
    const std::size_t padded = (text.size() + 7) / 8 * 8;
    std::vector<char> out(kHeader + kEntry + padded);
    put(out, 0, std::uint32_t{0xba55ed50});
    put(out, 4, std::uint16_t{1});
    put(out, 6, std::uint16_t{kHeader});
    put(out, 8, std::uint64_t{kEntry + padded});
    char* const entry = out.data() + kHeader;
    put(out, kHeader, std::uint16_t{1}); // PTX
    put(out, kHeader + 2, std::uint16_t{0x0101});
    put(out, kHeader + 4, std::uint32_t{kEntry});
    put(out, kHeader + 8, std::uint64_t{padded});
    put(out, kHeader + 28, std::uint32_t{50}); // older than every device, so it is always chosen
    put(out, kHeader + 40, std::uint64_t{0x11});
    std::memcpy(entry + kEntry, text.data(), text.size());
    return out;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
    return in_context([&] {
        if (state == nullptr)
            return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        states().push_back(std::make_unique<CUlinkState_st>());
        *state = states().back().get();
        (*state)->log = {options, values, count};
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes,
                                         const char* name, unsigned, CUjit_option*, void**) {
    return with_state(state, [&](CUlinkState_st& known) {
        return data == nullptr ? cudaErrorInvalidValue
                               : add(known, type, {static_cast<const char*>(data), bytes}, name);
    });
}

HEDDLE_DRIVER_API CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned,
                                         CUjit_option*, void**) {
    return with_state(state, [&](CUlinkState_st& known) {
        if (file == nullptr)
            return cudaErrorInvalidValue;
        std::ifstream in(file, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(in), {}};
        return in ? add(known, type, content, file) : cudaErrorFileNotFound;
    });
}

HEDDLE_DRIVER_API CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
    return with_state(state, [&](CUlinkState_st& known) {
        if (image == nullptr || known.parts.empty())
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_whole(known); error != cudaSuccess)
            return error;
        if (known.parts.size() == 1) {
            *image = known.parts.front().data();
            if (bytes != nullptr)
                *bytes = known.parts.front().size();
            return cudaSuccess;
        }
        std::vector<std::vector<char>> fat_binaries;
        for (const std::vector<char>& part : known.parts)
            fat_binaries.push_back(heddle::cudart::kind_of(part.data()) == Image::FatBinary ? part : fat_binary(part));
        known.image = heddle::cudart::make_linked_image(fat_binaries);
        *image = known.image.data();
        if (bytes != nullptr)
            *bytes = known.image.size();
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuLinkDestroy(CUlinkState state) {
    return with_state(state, [&](CUlinkState_st&) {
        std::erase_if(states(), [&](const auto& each) { return each.get() == state; });
        return cudaSuccess;
    });
}
