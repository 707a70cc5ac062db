// A reference is a variable of a module whose address is the handle of an object. What the program sets describes an
// object; before a launch the handle comes to stand for it.
#include "texture_references.h"

#include <type_traits>

#include "arrays.h"

using namespace heddle::driver;
using heddle::runtime::Device;
using heddle::runtime::Texture;

ReferenceState& heddle::driver::reference_state() {
    static ReferenceState all;
    return all;
}

namespace {

// Calls f(device) as a function of the runtime.
template <class F>
cudaError_t on_device(F&& f) {
    return __cudaHeddleOnDevice(
        [](Device& device, void* data) {
            (*static_cast<std::remove_reference_t<F>*>(data))(device);
            return cudaSuccess;
        },
        &f);
}

// The reference comes to stand for what the object stands for, which ends.
cudaError_t take_over(std::uint64_t reference, std::uint64_t object) {
    return on_device([=](Device& device) {
        const Texture what = *device.texture(object);
        device.bind_texture(reference, what);
    });
}

void bind(CUtexref_st& reference) {
    reference.changed = false;
    cudaTextureObject_t object = 0;
    if (create_texture(object, reference.resource, reference.how, nullptr) == cudaSuccess) {
        (void)take_over(reference.handle, object);
        (void)cudaDestroyTextureObject(object);
    } else {
        (void)on_device([&](Device& device) { device.bind_texture(reference.handle, Texture()); });
    }
}

// The initialiser of the variable.
void read_initialiser(const Texture& texture, CUDA_TEXTURE_DESC& out) {
    using Outside = heddle::runtime::Sampler::Outside;
    for (std::size_t d = 0; d < texture.sampler.outside.size(); ++d)
        switch (texture.sampler.outside[d]) {
        case Outside::Wrap:
            out.addressMode[d] = CU_TR_ADDRESS_MODE_WRAP;
            break;
        case Outside::Clamp:
            out.addressMode[d] = CU_TR_ADDRESS_MODE_CLAMP;
            break;
        case Outside::Mirror:
            out.addressMode[d] = CU_TR_ADDRESS_MODE_MIRROR;
            break;
        case Outside::Border:
            out.addressMode[d] = CU_TR_ADDRESS_MODE_BORDER;
            break;
        }
    out.filterMode = texture.sampler.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    out.flags = texture.sampler.normalised_coordinates ? CU_TRSF_NORMALIZED_COORDINATES : 0U;
}

} // namespace

void heddle::driver::bind_references() {
    const std::lock_guard lock(reference_state().mutex);
    for (const auto& [handle, reference] : reference_state().textures)
        if (reference->changed)
            bind(*reference);
}

HEDDLE_DRIVER_API CUresult cuModuleGetTexRef(CUtexref* out, CUmodule module, const char* name) {
    return in_context([&] {
        std::uint64_t handle = 0;
        if (out == nullptr || name == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = __cudaHeddleReference(&handle, library_of(module), name, false);
            error != cudaSuccess)
            return error;
        const std::lock_guard lock(reference_state().mutex);
        std::unique_ptr<CUtexref_st>& reference = reference_state().textures[handle];
        if (reference == nullptr) {
            reference = std::make_unique<CUtexref_st>();
            reference->handle = handle;
            const cudaError_t error =
                on_device([&](Device& device) { read_initialiser(*device.texture(handle), reference->how); });
            if (error != cudaSuccess)
                return error;
        }
        *out = reference.get();
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuModuleGetSurfRef(CUsurfref* out, CUmodule module, const char* name) {
    return in_context([&] {
        std::uint64_t handle = 0;
        if (out == nullptr || name == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = __cudaHeddleReference(&handle, library_of(module), name, true);
            error != cudaSuccess)
            return error;
        const std::lock_guard lock(reference_state().mutex);
        std::unique_ptr<CUsurfref_st>& reference = reference_state().surfaces[handle];
        if (reference == nullptr)
            reference = std::make_unique<CUsurfref_st>();
        reference->handle = handle;
        *out = reference.get();
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned flags) {
    return in_context([&] {
        const std::lock_guard lock(reference_state().mutex);
        if (reference == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_of(array);
        cudaSurfaceObject_t object = 0;
        if (const cudaError_t error = cudaCreateSurfaceObject(&object, &resource); error != cudaSuccess)
            return error;
        reference->array = array;
        const cudaError_t error = take_over(reference->handle, object);
        const cudaError_t last = cudaDestroySurfaceObject(object);
        return error != cudaSuccess ? error : last;
    });
}
HEDDLE_DRIVER_API CUresult cuSurfRefGetArray(CUarray* array, CUsurfref reference) {
    return in_context([&] {
        if (array == nullptr || reference == nullptr || reference->array == nullptr)
            return cudaErrorInvalidValue;
        *array = reference->array;
        return cudaSuccess;
    });
}
// What is bound to a reference of a module is seen by kernels without this function.
HEDDLE_DRIVER_API CUresult cuParamSetTexRef(CUfunction, int unit, CUtexref reference) {
    return in_context(
        [&] { return unit != CU_PARAM_TR_DEFAULT || reference == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

HEDDLE_DRIVER_API CUresult cuTexRefCreate(CUtexref* out) {
    return in_context([&] {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = new CUtexref_st;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefDestroy(CUtexref reference) {
    return in_context([&] {
        if (reference == nullptr || reference->handle != 0) // one of a module lives as long as it
            return cudaErrorInvalidValue;
        delete reference;
        return cudaSuccess;
    });
}
