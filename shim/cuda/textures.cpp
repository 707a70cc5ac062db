// Texture and surface objects are the runtime's.
#include <algorithm>
#include <iterator>

#include "arrays.h"
#include "driver.h"

using namespace heddle::driver;

namespace {

cudaError_t read_resource(const CUDA_RESOURCE_DESC& what, cudaResourceDesc& out) {
    out = {};
    switch (what.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        out.resType = cudaResourceTypeArray;
        out.res.array.array = array_of(what.res.array.hArray);
        return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR:
        out.resType = cudaResourceTypeLinear;
        out.res.linear.devPtr = pointer_of(what.res.linear.devPtr);
        out.res.linear.sizeInBytes = what.res.linear.sizeInBytes;
        return read_format(what.res.linear.format, what.res.linear.numChannels, out.res.linear.desc)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    case CU_RESOURCE_TYPE_PITCH2D:
        out.resType = cudaResourceTypePitch2D;
        out.res.pitch2D.devPtr = pointer_of(what.res.pitch2D.devPtr);
        out.res.pitch2D.width = what.res.pitch2D.width;
        out.res.pitch2D.height = what.res.pitch2D.height;
        out.res.pitch2D.pitchInBytes = what.res.pitch2D.pitchInBytes;
        return read_format(what.res.pitch2D.format, what.res.pitch2D.numChannels, out.res.pitch2D.desc)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        out.resType = cudaResourceTypeMipmappedArray;
        out.res.mipmap.mipmap = array_of(what.res.mipmap.hMipmappedArray);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

void tell_resource(const cudaResourceDesc& what, CUDA_RESOURCE_DESC& out) {
    out = {};
    out.resType = static_cast<CUresourcetype>(what.resType);
    switch (what.resType) {
    case cudaResourceTypeLinear:
        out.res.linear.devPtr = device_pointer(what.res.linear.devPtr);
        out.res.linear.sizeInBytes = what.res.linear.sizeInBytes;
        tell_format(what.res.linear.desc, out.res.linear.format, out.res.linear.numChannels);
        return;
    case cudaResourceTypePitch2D:
        out.res.pitch2D.devPtr = device_pointer(what.res.pitch2D.devPtr);
        out.res.pitch2D.width = what.res.pitch2D.width;
        out.res.pitch2D.height = what.res.pitch2D.height;
        out.res.pitch2D.pitchInBytes = what.res.pitch2D.pitchInBytes;
        tell_format(what.res.pitch2D.desc, out.res.pitch2D.format, out.res.pitch2D.numChannels);
        return;
    case cudaResourceTypeMipmappedArray:
        out.res.mipmap.hMipmappedArray = array_of(what.res.mipmap.mipmap);
        return;
    default:
        out.res.array.hArray = array_of(what.res.array.array);
    }
}

// Integers of 8 and 16 bits are read as fractions unless the flag says otherwise; other texels as they are.
cudaError_t read_mode(const cudaResourceDesc& resource, const CUDA_RESOURCE_VIEW_DESC* view, unsigned flags,
                      cudaTextureReadMode& out) {
    cudaChannelFormatDesc format{};
    cudaError_t error = cudaSuccess;
    cudaArray_t array = resource.res.array.array;
    if (resource.resType == cudaResourceTypeMipmappedArray)
        error = cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0);
    if (error != cudaSuccess)
        return error;
    if (resource.resType == cudaResourceTypeArray || resource.resType == cudaResourceTypeMipmappedArray)
        error = cudaGetChannelDesc(&format, array);
    else
        format = resource.resType == cudaResourceTypeLinear ? resource.res.linear.desc : resource.res.pitch2D.desc;
    const bool narrow = view != nullptr && view->format != CU_RES_VIEW_FORMAT_NONE
                            ? view->format < CU_RES_VIEW_FORMAT_UINT_1X32
                            : format.f != cudaChannelFormatKindFloat && format.x < 32;
    const bool fractions = (flags & CU_TRSF_READ_AS_INTEGER) == 0 && narrow;
    out = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    return error;
}

cudaResourceViewDesc read_view(const CUDA_RESOURCE_VIEW_DESC& what) {
    return {static_cast<cudaResourceViewFormat>(what.format),
            what.width,
            what.height,
            what.depth,
            what.firstMipmapLevel,
            what.lastMipmapLevel,
            what.firstLayer,
            what.lastLayer};
}

void read_sampler(const CUDA_TEXTURE_DESC& what, cudaTextureDesc& out) {
    for (int i = 0; i < 3; ++i)
        out.addressMode[i] = static_cast<cudaTextureAddressMode>(what.addressMode[i]);
    out.filterMode = static_cast<cudaTextureFilterMode>(what.filterMode);
    out.sRGB = (what.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
    std::copy(std::begin(what.borderColor), std::end(what.borderColor), out.borderColor);
    out.normalizedCoords = (what.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    out.maxAnisotropy = what.maxAnisotropy;
    out.mipmapFilterMode = static_cast<cudaTextureFilterMode>(what.mipmapFilterMode);
    out.mipmapLevelBias = what.mipmapLevelBias;
    out.minMipmapLevelClamp = what.minMipmapLevelClamp;
    out.maxMipmapLevelClamp = what.maxMipmapLevelClamp;
    out.disableTrilinearOptimization = (what.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0 ? 1 : 0;
    out.seamlessCubemap = (what.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0 ? 1 : 0;
}

void tell_sampler(const cudaTextureDesc& what, CUDA_TEXTURE_DESC& out) {
    out = {};
    for (int i = 0; i < 3; ++i)
        out.addressMode[i] = static_cast<CUaddress_mode>(what.addressMode[i]);
    out.filterMode = static_cast<CUfilter_mode>(what.filterMode);
    out.flags = (what.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0U) |
                (what.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0U) |
                (what.sRGB != 0 ? CU_TRSF_SRGB : 0U) |
                (what.disableTrilinearOptimization != 0 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0U) |
                (what.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0U);
    out.maxAnisotropy = what.maxAnisotropy;
    out.mipmapFilterMode = static_cast<CUfilter_mode>(what.mipmapFilterMode);
    out.mipmapLevelBias = what.mipmapLevelBias;
    out.minMipmapLevelClamp = what.minMipmapLevelClamp;
    out.maxMipmapLevelClamp = what.maxMipmapLevelClamp;
    std::copy(std::begin(what.borderColor), std::end(what.borderColor), out.borderColor);
}

} // namespace

cudaError_t heddle::driver::create_texture(cudaTextureObject_t& object, const CUDA_RESOURCE_DESC& resource,
                                           const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view) {
    cudaResourceDesc texels;
    cudaTextureDesc sampler{};
    cudaError_t error = read_resource(resource, texels);
    if (error == cudaSuccess)
        error = read_mode(texels, view, texture.flags, sampler.readMode);
    if (error != cudaSuccess)
        return error;
    read_sampler(texture, sampler);
    const cudaResourceViewDesc same = view == nullptr ? cudaResourceViewDesc{} : read_view(*view);
    return cudaCreateTextureObject(&object, &texels, &sampler, view == nullptr ? nullptr : &same);
}

HEDDLE_DRIVER_API CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                                             const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
    return in_context([&] {
        if (object == nullptr || resource == nullptr || texture == nullptr)
            return cudaErrorInvalidValue;
        return create_texture(*object, *resource, *texture, view);
    });
}
HEDDLE_DRIVER_API CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
    return in_context([&] {
        cudaResourceViewDesc found;
        const cudaError_t error =
            view == nullptr ? cudaErrorInvalidValue : cudaGetTextureObjectResourceViewDesc(&found, object);
        if (error == cudaSuccess)
            *view = {static_cast<CUresourceViewFormat>(found.format),
                     found.width,
                     found.height,
                     found.depth,
                     found.firstMipmapLevel,
                     found.lastMipmapLevel,
                     found.firstLayer,
                     found.lastLayer,
                     {}};
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuTexObjectDestroy(CUtexObject object) {
    return in_context([&] { return cudaDestroyTextureObject(object); });
}
HEDDLE_DRIVER_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
    return in_context([&] {
        cudaResourceDesc found;
        const cudaError_t error =
            resource == nullptr ? cudaErrorInvalidValue : cudaGetTextureObjectResourceDesc(&found, object);
        if (error == cudaSuccess)
            tell_resource(found, *resource);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
    return in_context([&] {
        cudaTextureDesc found;
        const cudaError_t error =
            texture == nullptr ? cudaErrorInvalidValue : cudaGetTextureObjectTextureDesc(&found, object);
        if (error == cudaSuccess)
            tell_sampler(found, *texture);
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
    return in_context([&] {
        cudaResourceDesc texels;
        if (object == nullptr || resource == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = read_resource(*resource, texels);
        return error != cudaSuccess ? error : cudaCreateSurfaceObject(object, &texels);
    });
}
HEDDLE_DRIVER_API CUresult cuSurfObjectDestroy(CUsurfObject object) {
    return in_context([&] { return cudaDestroySurfaceObject(object); });
}
HEDDLE_DRIVER_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
    return in_context([&] {
        cudaResourceDesc found;
        const cudaError_t error =
            resource == nullptr ? cudaErrorInvalidValue : cudaGetSurfaceObjectResourceDesc(&found, object);
        if (error == cudaSuccess)
            tell_resource(found, *resource);
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, CUarray_format format,
                                                              unsigned channels, CUdevice device) {
    return of_device(device, [&] {
        cudaChannelFormatDesc desc;
        if (!read_format(format, channels, desc))
            return cudaErrorInvalidValue;
        return cudaDeviceGetTexture1DLinearMaxWidth(texels, &desc, device);
    });
}
