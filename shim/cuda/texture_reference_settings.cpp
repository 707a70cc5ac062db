// What the program sets and asks of texture references.
#include <algorithm>
#include <iterator>

#include "arrays.h"
#include "texture_references.h"

using namespace heddle::driver;

namespace {

// The frame of functions that change a reference.
template <class F>
CUresult change(CUtexref reference, F&& set) {
    return in_context([&] {
        const std::lock_guard lock(reference_state().mutex);
        if (reference == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = set(*reference);
        reference->changed = error == cudaSuccess ? reference->described : reference->changed;
        return error;
    });
}

// The frame of functions that ask for a property.
template <class T, class F>
CUresult tell(T* out, CUtexref reference, F&& get) {
    return in_context([&] {
        const std::lock_guard lock(reference_state().mutex);
        if (reference == nullptr || out == nullptr)
            return cudaErrorInvalidValue;
        return get(*reference);
    });
}

CUresult set_resource(CUtexref reference, const CUDA_RESOURCE_DESC& resource) {
    return change(reference, [&](CUtexref_st& r) {
        r.resource = resource;
        r.described = true;
        return cudaSuccess;
    });
}

bool is_mode(CUaddress_mode mode) {
    return mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER;
}
bool is_filter(CUfilter_mode mode) {
    return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned flags) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    return flags != CU_TRSA_OVERRIDE_FORMAT ? CUDA_ERROR_INVALID_VALUE : set_resource(reference, resource);
}
HEDDLE_DRIVER_API CUresult cuTexRefSetMipmappedArray(CUtexref reference, CUmipmappedArray array, unsigned flags) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = array;
    return flags != CU_TRSA_OVERRIDE_FORMAT ? CUDA_ERROR_INVALID_VALUE : set_resource(reference, resource);
}
HEDDLE_DRIVER_API CUresult cuTexRefSetAddress(std::size_t* offset, CUtexref reference, CUdeviceptr pointer,
                                              std::size_t bytes) {
    if (offset != nullptr)
        *offset = 0;
    return change(reference, [&](CUtexref_st& r) {
        r.resource = {};
        r.resource.resType = CU_RESOURCE_TYPE_LINEAR;
        r.resource.res.linear.devPtr = pointer;
        r.resource.res.linear.format = r.format;
        r.resource.res.linear.numChannels = static_cast<unsigned>(r.channels);
        r.resource.res.linear.sizeInBytes = bytes;
        r.described = true;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetAddress2D(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* what,
                                                CUdeviceptr pointer, std::size_t pitch) {
    if (what == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = pointer;
    resource.res.pitch2D.format = what->Format;
    resource.res.pitch2D.numChannels = what->NumChannels;
    resource.res.pitch2D.width = what->Width;
    resource.res.pitch2D.height = what->Height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return set_resource(reference, resource);
}
HEDDLE_DRIVER_API CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels) {
    return change(reference, [&](CUtexref_st& r) {
        cudaChannelFormatDesc desc;
        if (!read_format(format, static_cast<unsigned>(channels), desc) ||
            (r.described && r.resource.resType == CU_RESOURCE_TYPE_PITCH2D))
            return cudaErrorInvalidValue;
        r.format = format;
        r.channels = channels;
        if (r.described && r.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
            r.resource.res.linear.format = format;
            r.resource.res.linear.numChannels = static_cast<unsigned>(channels);
        }
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode) {
    return change(reference, [&](CUtexref_st& r) {
        if (dimension < 0 || dimension > 2 || !is_mode(mode))
            return cudaErrorInvalidValue;
        r.how.addressMode[dimension] = mode;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode) {
    return change(reference, [&](CUtexref_st& r) {
        r.how.filterMode = is_filter(mode) ? mode : r.how.filterMode;
        return is_filter(mode) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetMipmapFilterMode(CUtexref reference, CUfilter_mode mode) {
    return change(reference, [&](CUtexref_st& r) {
        r.how.mipmapFilterMode = is_filter(mode) ? mode : r.how.mipmapFilterMode;
        return is_filter(mode) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetMipmapLevelBias(CUtexref reference, float bias) {
    return change(reference, [&](CUtexref_st& r) {
        r.how.mipmapLevelBias = bias;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetMipmapLevelClamp(CUtexref reference, float least, float most) {
    return change(reference, [&](CUtexref_st& r) {
        r.how.minMipmapLevelClamp = least;
        r.how.maxMipmapLevelClamp = most;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetMaxAnisotropy(CUtexref reference, unsigned most) {
    return change(reference, [&](CUtexref_st& r) {
        r.how.maxAnisotropy = most;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetBorderColor(CUtexref reference, float* colour) {
    return change(reference, [&](CUtexref_st& r) {
        if (colour == nullptr)
            return cudaErrorInvalidValue;
        std::copy_n(colour, std::size(r.how.borderColor), r.how.borderColor);
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefSetFlags(CUtexref reference, unsigned flags) {
    constexpr unsigned kFlags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    return change(reference, [&](CUtexref_st& r) {
        if ((flags & ~kFlags) != 0)
            return cudaErrorInvalidValue;
        r.how.flags = flags;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuTexRefGetAddress(CUdeviceptr* pointer, CUtexref reference) {
    return tell(pointer, reference, [&](const CUtexref_st& r) {
        const bool row = r.resource.resType == CU_RESOURCE_TYPE_LINEAR;
        if (!r.described || (!row && r.resource.resType != CU_RESOURCE_TYPE_PITCH2D))
            return cudaErrorInvalidValue;
        *pointer = row ? r.resource.res.linear.devPtr : r.resource.res.pitch2D.devPtr;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetArray(CUarray* array, CUtexref reference) {
    return tell(array, reference, [&](const CUtexref_st& r) {
        if (!r.described || r.resource.resType != CU_RESOURCE_TYPE_ARRAY)
            return cudaErrorInvalidValue;
        *array = r.resource.res.array.hArray;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetMipmappedArray(CUmipmappedArray* array, CUtexref reference) {
    return tell(array, reference, [&](const CUtexref_st& r) {
        if (!r.described || r.resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
            return cudaErrorInvalidValue;
        *array = r.resource.res.mipmap.hMipmappedArray;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref reference, int dimension) {
    return tell(mode, reference, [&](const CUtexref_st& r) {
        if (dimension < 0 || dimension > 2)
            return cudaErrorInvalidValue;
        *mode = r.how.addressMode[dimension];
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetFormat(CUarray_format* format, int* channels, CUtexref reference) {
    return tell(format, reference, [&](const CUtexref_st& r) {
        *format = r.format;
        if (channels != nullptr)
            *channels = r.channels;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetMipmapLevelClamp(float* least, float* most, CUtexref reference) {
    return tell(least, reference, [&](const CUtexref_st& r) {
        *least = r.how.minMipmapLevelClamp;
        if (most != nullptr)
            *most = r.how.maxMipmapLevelClamp;
        return cudaSuccess;
    });
}
HEDDLE_DRIVER_API CUresult cuTexRefGetBorderColor(float* colour, CUtexref reference) {
    return tell(colour, reference, [&](const CUtexref_st& r) {
        std::copy(std::begin(r.how.borderColor), std::end(r.how.borderColor), colour);
        return cudaSuccess;
    });
}

// Functions that tell one member of the description.
#define HEDDLE_TELLS(name, type, member)                                                                               \
    HEDDLE_DRIVER_API CUresult name(type* out, CUtexref reference) {                                                   \
        return tell(out, reference, [&](const CUtexref_st& r) {                                                        \
            *out = static_cast<type>(r.how.member);                                                                    \
            return cudaSuccess;                                                                                        \
        });                                                                                                            \
    }
HEDDLE_TELLS(cuTexRefGetFilterMode, CUfilter_mode, filterMode)
HEDDLE_TELLS(cuTexRefGetMipmapFilterMode, CUfilter_mode, mipmapFilterMode)
HEDDLE_TELLS(cuTexRefGetMipmapLevelBias, float, mipmapLevelBias)
HEDDLE_TELLS(cuTexRefGetMaxAnisotropy, int, maxAnisotropy)
HEDDLE_TELLS(cuTexRefGetFlags, unsigned, flags)
