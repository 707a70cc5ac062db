// Texture and surface objects.
#include <cstddef>
#include <cstring>

#include "arrays.h"
#include "texture_resources.h"

using namespace heddle::cudart;
using heddle::runtime::TexelFormat;
using heddle::runtime::Texture;

namespace {

// CUDA 11's struct grew in its course, and got functions of its own then.
constexpr std::size_t kTextureDescBytes =
    HEDDLE_CUDART_VERSION < 12000 ? offsetof(cudaTextureDesc, seamlessCubemap) : sizeof(cudaTextureDesc);

// `bytes`: of the description, which has grown with CUDA's versions.
cudaError_t create_texture(cudaTextureObject_t* out, const cudaResourceDesc* what, const cudaTextureDesc* description,
                           std::size_t bytes, const cudaResourceViewDesc* view) {
    return api([&](State& state) {
        if (out == nullptr || what == nullptr || description == nullptr)
            return cudaErrorInvalidValue;
        cudaTextureDesc how{};
        std::memcpy(&how, description, bytes);
        Texture texture;
        if (const cudaError_t error = read_resource(state, *what, texture); error != cudaSuccess)
            return error;
        if (view != nullptr)
            if (const cudaError_t error = apply_view(*what, *view, texture); error != cudaSuccess)
                return error;
        if (const cudaError_t error = read_sampler(how, texture); error != cudaSuccess)
            return error;
        *out = state.device().add_texture(texture);
        TextureObject& object = state.objects[*out];
        object = {*what, how, view != nullptr, {}};
        if (view != nullptr)
            object.view = *view;
        return cudaSuccess;
    });
}

cudaError_t create_surface(cudaSurfaceObject_t* out, const cudaResourceDesc* what) {
    return api([&](State& state) {
        if (out == nullptr || what == nullptr || what->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        Texture surface;
        if (const cudaError_t error = read_surface(state, *what, surface); error != cudaSuccess)
            return error;
        *out = state.device().add_texture(surface);
        state.objects[*out] = {*what, {}, false, {}};
        return cudaSuccess;
    });
}

// The object of a handle, if it is one of this kind; null else.
const TextureObject* find_object(State& state, std::uint64_t handle, Texture::Kind kind) {
    const Texture* const texture = state.device().texture(handle);
    const auto at = state.objects.find(handle);
    return texture == nullptr || texture->kind != kind || at == state.objects.end() ? nullptr : &at->second;
}

// Handle 0, of no object, is taken, as by free().
cudaError_t destroy(std::uint64_t handle, Texture::Kind kind) {
    return api([&](State& state) {
        if (handle == 0)
            return cudaSuccess;
        if (find_object(state, handle, kind) == nullptr)
            return cudaErrorInvalidValue;
        state.device().remove_texture(handle);
        state.objects.erase(handle);
        return cudaSuccess;
    });
}

cudaError_t describe_resource(cudaResourceDesc* out, std::uint64_t handle, Texture::Kind kind) {
    return api([&](State& state) {
        const TextureObject* const object = find_object(state, handle, kind);
        if (out == nullptr || object == nullptr)
            return cudaErrorInvalidValue;
        *out = object->resource;
        return cudaSuccess;
    });
}

cudaError_t describe_sampler(cudaTextureDesc* out, std::size_t bytes, cudaTextureObject_t handle) {
    return api([&](State& state) {
        const TextureObject* const object = find_object(state, handle, Texture::Kind::Texture);
        if (out == nullptr || object == nullptr)
            return cudaErrorInvalidValue;
        std::memcpy(out, &object->sampler, bytes);
        return cudaSuccess;
    });
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* what,
                                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    return create_texture(out, what, how, kTextureDescBytes, view);
}
HEDDLE_CUDA_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    return destroy(handle, Texture::Kind::Texture);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t handle) {
    return describe_resource(out, handle, Texture::Kind::Texture);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t handle) {
    return describe_sampler(out, kTextureDescBytes, handle);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                                 cudaTextureObject_t handle) {
    return api([&](State& state) {
        const TextureObject* const object = find_object(state, handle, Texture::Kind::Texture);
        if (out == nullptr || object == nullptr || !object->has_view)
            return cudaErrorInvalidValue;
        *out = object->view;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* out, const cudaResourceDesc* what,
                                                       const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    return create_texture(out, what, how, sizeof *how, view);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc_v2(cudaTextureDesc* out, cudaTextureObject_t handle) {
    return describe_sampler(out, sizeof *out, handle);
}
HEDDLE_CUDA_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* what) {
    return create_surface(out, what);
}
HEDDLE_CUDA_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
    return destroy(handle, Texture::Kind::Surface);
}
HEDDLE_CUDA_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t handle) {
    return describe_resource(out, handle, Texture::Kind::Surface);
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const cudaChannelFormatDesc* desc,
                                                                 int device) {
    return api([&](State&) {
        TexelFormat format;
        if (width == nullptr || desc == nullptr || device != 0 || !read_format(*desc, format))
            return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
        *width = (std::size_t{1} << 32) / format.bytes() - 1;
        return cudaSuccess;
    });
}
