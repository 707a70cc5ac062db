// CUDA arrays are the runtime's.
#include "arrays.h"

#include <algorithm>
#include <iterator>

#include "driver.h"

using namespace heddle::driver;

namespace {

struct Format {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
};
constexpr Format kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

// CU_AD_FORMAT_UNORM_INT8X1 to SNORM_INT16X4, which name the number of channels, too: the kinds of the runtime are in
// the same order.
constexpr int kFirstNormalised = CU_AD_FORMAT_UNORM_INT8X1, kLastNormalised = CU_AD_FORMAT_SNORM_INT16X4;
constexpr int kFirstKind = cudaChannelFormatKindUnsignedNormalized8X1,
              kLastKind = cudaChannelFormatKindSignedNormalized16X4;

bool is_normalised(int format) {
    return format >= kFirstNormalised && format <= kLastNormalised;
}
Format normalised(int number) {
    return {static_cast<CUarray_format>(kFirstNormalised + number), number % 6 < 3 ? 8 : 16,
            static_cast<cudaChannelFormatKind>(kFirstKind + number)};
}

CUresult create(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR& what) {
    return in_context([&] {
        cudaChannelFormatDesc format;
        if (array == nullptr || !read_format(what.Format, what.NumChannels, format))
            return cudaErrorInvalidValue;
        cudaArray_t made = nullptr;
        const cudaError_t error = cudaMalloc3DArray(&made, &format, {what.Width, what.Height, what.Depth}, what.Flags);
        if (error == cudaSuccess)
            *array = array_of(made);
        return error;
    });
}

CUresult describe(CUDA_ARRAY3D_DESCRIPTOR& out, CUarray array) {
    return in_context([&] {
        cudaChannelFormatDesc format;
        cudaExtent extent;
        const cudaError_t error = cudaArrayGetInfo(&format, &extent, &out.Flags, array_of(array));
        if (error != cudaSuccess)
            return error;
        out.Width = extent.width;
        out.Height = extent.height;
        out.Depth = extent.depth;
        tell_format(format, out.Format, out.NumChannels);
        return cudaSuccess;
    });
}

} // namespace

bool heddle::driver::read_format(CUarray_format format, unsigned channels, cudaChannelFormatDesc& out) {
    const auto found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                    [&](const Format& each) { return each.format == format; });
    const bool known = found != std::end(kFormats) || is_normalised(format);
    if (!known || (channels != 1 && channels != 2 && channels != 4))
        return false;
    const Format what = is_normalised(format) ? normalised(format - kFirstNormalised) : *found;
    const auto bits = [&](unsigned channel) { return channel < channels ? what.bits : 0; };
    out = {bits(0), bits(1), bits(2), bits(3), what.kind};
    return true;
}

void heddle::driver::tell_format(const cudaChannelFormatDesc& desc, CUarray_format& format, unsigned& channels) {
    channels = desc.w != 0 ? 4 : desc.y != 0 ? 2 : 1;
    if (desc.f >= kFirstKind && desc.f <= kLastKind)
        format = normalised(desc.f - kFirstKind).format;
    for (const Format& each : kFormats)
        if (each.bits == desc.x && each.kind == desc.f)
            format = each.format;
}

HEDDLE_DRIVER_API CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what) {
    if (what == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return create(array, {what->Width, what->Height, 0, what->Format, what->NumChannels, 0});
}
HEDDLE_DRIVER_API CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what) {
    return what == nullptr ? CUDA_ERROR_INVALID_VALUE : create(array, *what);
}
HEDDLE_DRIVER_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* what, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR all{};
    if (what == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = describe(all, array);
    if (result == CUDA_SUCCESS)
        *what = {all.Width, all.Height, all.Format, all.NumChannels};
    return result;
}
HEDDLE_DRIVER_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* what, CUarray array) {
    return what == nullptr ? CUDA_ERROR_INVALID_VALUE : describe(*what, array);
}
HEDDLE_DRIVER_API CUresult cuArrayDestroy(CUarray array) {
    return in_context([&] { return cudaFreeArray(array_of(array)); });
}
// Only arrays that are mapped to memory later have requirements, and there are none of these.
HEDDLE_DRIVER_API CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice device) {
    return of_device(device, [] { return cudaErrorInvalidValue; });
}
HEDDLE_DRIVER_API CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray,
                                                                 CUdevice device) {
    return of_device(device, [] { return cudaErrorInvalidValue; });
}

HEDDLE_DRIVER_API CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* what,
                                                  unsigned levels) {
    return in_context([&] {
        cudaChannelFormatDesc format;
        if (array == nullptr || what == nullptr || !read_format(what->Format, what->NumChannels, format))
            return cudaErrorInvalidValue;
        cudaMipmappedArray_t made = nullptr;
        const cudaError_t error =
            cudaMallocMipmappedArray(&made, &format, {what->Width, what->Height, what->Depth}, levels, what->Flags);
        if (error == cudaSuccess)
            *array = array_of(made);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
    return in_context([&] { return cudaFreeMipmappedArray(array_of(array)); });
}
HEDDLE_DRIVER_API CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
    return in_context([&] {
        cudaArray_t found = nullptr;
        if (level == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetMipmappedArrayLevel(&found, array_of(array), number);
        if (error == cudaSuccess)
            *level = array_of(found);
        return error;
    });
}
