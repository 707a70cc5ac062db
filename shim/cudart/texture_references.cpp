// Texture and surface references of programs of CUDA 11 and older: variables of the program that stand for variables of
// its PTX (.texref, .surfref). What is bound to one is described by fields of the program's variable, as they are when
// it is bound.
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "arrays.h"
#include "attributes.h"
#include "base/process_object.h"
#include "state.h"
#include "texture_resources.h"

using namespace heddle::cudart;
using heddle::runtime::Texture;

// CUDA 11's structs (texture_types.h, surface_types.h), which newer headers do not have.
struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int reserved[14];
};
struct surfaceReference {
    cudaChannelFormatDesc channelDesc;
};

namespace {

struct Reference {
    Module* module = nullptr;
    std::string name; // in the PTX
    Texture::Kind kind = Texture::Kind::Texture;
    bool normalised_values = false;
    std::optional<std::uint64_t> handle; // once its module is loaded
    std::size_t offset = 0;              // of what is bound, behind an aligned address
};

// By the address of the program's variable. Programs register references before main.
std::unordered_map<const void*, Reference>& references() {
    static auto& all = heddle::process_object<std::unordered_map<const void*, Reference>>("texture references");
    return all;
}

cudaError_t not_a(Texture::Kind kind) {
    return kind == Texture::Kind::Texture ? cudaErrorInvalidTexture : cudaErrorInvalidSurface;
}

// The reference of a variable, with its handle. Null: `error` says why.
Reference* find(State& state, const void* variable, Texture::Kind kind, cudaError_t& error) {
    const auto at = references().find(variable);
    error = at == references().end() || at->second.kind != kind ? not_a(kind) : state.load(*at->second.module);
    if (error != cudaSuccess)
        return nullptr;
    Reference& found = at->second;
    if (!found.handle) {
        try {
            const auto in_ptx = state.device().variable(*found.module->loaded, found.name);
            if (in_ptx.object == kind)
                found.handle = in_ptx.address;
        } catch (const heddle::UserError&) { // optimised away
        }
    }
    if (!found.handle) {
        complain(fmt::format("the program's PTX has no {} reference '{}'",
                             kind == Texture::Kind::Texture ? "texture" : "surface", found.name));
        error = not_a(kind);
        return nullptr;
    }
    return &found;
}

cudaTextureDesc sampler_of(const textureReference& reference, bool normalised_values) {
    cudaTextureDesc how{};
    std::memcpy(how.addressMode, reference.addressMode, sizeof how.addressMode);
    how.filterMode = reference.filterMode;
    how.readMode = normalised_values ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.sRGB = reference.sRGB;
    how.normalizedCoords = reference.normalized;
    how.maxAnisotropy = reference.maxAnisotropy;
    how.mipmapFilterMode = reference.mipmapFilterMode;
    how.mipmapLevelBias = reference.mipmapLevelBias;
    how.minMipmapLevelClamp = reference.minMipmapLevelClamp;
    how.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
    return how;
}

// Binds a resource to a texture reference. `offset`: where the offset of linear memory goes; null: it has to be 0.
cudaError_t bind(const textureReference* variable, cudaResourceDesc what, std::size_t* offset) {
    return api([&](State& state) {
        cudaError_t error = cudaSuccess;
        Reference* const reference = find(state, variable, Texture::Kind::Texture, error);
        if (reference == nullptr)
            return error;
        const bool pitched = what.resType == cudaResourceTypePitch2D;
        std::size_t behind = 0;
        if (pitched || what.resType == cudaResourceTypeLinear) {
            void*& begin = pitched ? what.res.pitch2D.devPtr : what.res.linear.devPtr;
            behind = device_address(begin) % kTexelsAlignment;
            if (behind != 0 && offset == nullptr)
                return refuse(fmt::format("a texture reference is bound to {:#x}, which is no multiple of {}: the "
                                          "program has to take an offset",
                                          device_address(begin), kTexelsAlignment),
                              cudaErrorInvalidValue);
            begin = static_cast<char*>(begin) - behind;
            if (!pitched)
                what.res.linear.sizeInBytes += behind;
        }
        Texture texture;
        error = read_resource(state, what, texture);
        if (error == cudaSuccess)
            error = read_sampler(sampler_of(*variable, reference->normalised_values), texture);
        if (error != cudaSuccess)
            return error;
        state.device().bind_texture(*reference->handle, texture);
        reference->offset = behind;
        if (offset != nullptr)
            *offset = behind;
        return cudaSuccess;
    });
}

// The bytes of the allocation from an address on: a program may bind "all that there is".
std::size_t bytes_behind(State& state, const void* pointer) {
    const auto above = state.device_memory.upper_bound(device_address(pointer));
    if (above == state.device_memory.begin())
        return 0;
    const auto& [begin, block] = *std::prev(above);
    const std::uint64_t behind = device_address(pointer) - begin;
    return behind < block.bytes ? block.bytes - behind : 0;
}

void add(void** handle, const void* variable, const char* name, Texture::Kind kind, bool normalised_values) {
    references().insert_or_assign(variable,
                                  Reference{reinterpret_cast<Module*>(handle), name, kind, normalised_values, {}, 0});
}

cudaError_t find_variable(const void** out, const void* symbol, Texture::Kind kind) {
    return api([&](State&) {
        const auto at = references().find(symbol);
        if (out == nullptr || at == references().end() || at->second.kind != kind)
            return out == nullptr ? cudaErrorInvalidValue : not_a(kind);
        *out = symbol;
        return cudaSuccess;
    });
}

} // namespace

// `read_as_fractions`: integers become numbers from 0 to 1, or -1 to 1.
HEDDLE_CUDA_API void __cudaRegisterTexture(void** handle, const textureReference* variable, const void**,
                                           const char* name, int, int read_as_fractions, int) {
    add(handle, variable, name, Texture::Kind::Texture, read_as_fractions != 0);
}
HEDDLE_CUDA_API void __cudaRegisterSurface(void** handle, const surfaceReference* variable, const void**,
                                           const char* name, int, int) {
    add(handle, variable, name, Texture::Kind::Surface, false);
}

HEDDLE_CUDA_API cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* variable, const void* pointer,
                                            const cudaChannelFormatDesc* format, std::size_t bytes) {
    if (variable == nullptr || pointer == nullptr || format == nullptr)
        return record(cudaErrorInvalidValue);
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = const_cast<void*>(pointer);
    what.res.linear.desc = *format;
    what.res.linear.sizeInBytes = bytes;
    if (bytes == 0xffff'ffffU) // what the header's functions pass when the program gives no size
        (void)api([&](State& state) {
            what.res.linear.sizeInBytes = bytes_behind(state, pointer);
            return cudaSuccess;
        });
    return bind(variable, what, offset);
}
HEDDLE_CUDA_API cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* variable,
                                              const void* pointer, const cudaChannelFormatDesc* format,
                                              std::size_t width, std::size_t height, std::size_t pitch) {
    if (variable == nullptr || pointer == nullptr || format == nullptr)
        return record(cudaErrorInvalidValue);
    cudaResourceDesc what{};
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D = {const_cast<void*>(pointer), *format, width, height, pitch};
    return bind(variable, what, offset);
}
HEDDLE_CUDA_API cudaError_t cudaBindTextureToArray(const textureReference* variable, cudaArray_const_t array,
                                                   const cudaChannelFormatDesc*) {
    if (variable == nullptr)
        return record(cudaErrorInvalidValue);
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = const_cast<cudaArray_t>(array);
    return bind(variable, what, nullptr);
}
HEDDLE_CUDA_API cudaError_t cudaBindTextureToMipmappedArray(const textureReference* variable,
                                                            cudaMipmappedArray_const_t array,
                                                            const cudaChannelFormatDesc*) {
    if (variable == nullptr)
        return record(cudaErrorInvalidValue);
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
    return bind(variable, what, nullptr);
}
HEDDLE_CUDA_API cudaError_t cudaUnbindTexture(const textureReference* variable) {
    return api([&](State& state) {
        cudaError_t error = cudaSuccess;
        Reference* const reference = find(state, variable, Texture::Kind::Texture, error);
        if (reference != nullptr)
            state.device().bind_texture(*reference->handle, Texture());
        return error;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference* variable) {
    return api([&](State& state) {
        cudaError_t error = cudaSuccess;
        const Reference* const reference = find(state, variable, Texture::Kind::Texture, error);
        if (reference == nullptr)
            return error;
        if (offset == nullptr)
            return cudaErrorInvalidValue;
        *offset = reference->offset;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureReference(const textureReference** out, const void* symbol) {
    return find_variable(reinterpret_cast<const void**>(out), symbol, Texture::Kind::Texture);
}
HEDDLE_CUDA_API cudaError_t cudaGetSurfaceReference(const surfaceReference** out, const void* symbol) {
    return find_variable(reinterpret_cast<const void**>(out), symbol, Texture::Kind::Surface);
}
HEDDLE_CUDA_API cudaError_t cudaBindSurfaceToArray(const surfaceReference* variable, cudaArray_const_t array,
                                                   const cudaChannelFormatDesc*) {
    return api([&](State& state) {
        cudaError_t error = cudaSuccess;
        const Reference* const reference = find(state, variable, Texture::Kind::Surface, error);
        if (reference == nullptr)
            return error;
        cudaResourceDesc what{};
        what.resType = cudaResourceTypeArray;
        what.res.array.array = const_cast<cudaArray_t>(array);
        Texture surface;
        error = read_surface(state, what, surface);
        if (error == cudaSuccess)
            state.device().bind_texture(*reference->handle, surface);
        return error;
    });
}
