// Tensor maps. The checks are those of the driver API's documentation.
#include <algorithm>
#include <cstring>

#include "driver.h"
#include "runtime/tensor_map.h"
#include "unsupported.h"

using namespace heddle::driver;
using heddle::runtime::TensorMap;

namespace {

constexpr std::uint8_t kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}; // by CUtensorMapDataType

// What both forms of a map have.
struct Description {
    CUtensorMapDataType type;
    cuuint32_t rank;
    const void* begin;
    const cuuint64_t* sizes;
    const cuuint64_t* strides;
    const cuuint32_t* steps;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion; // changes nothing
    CUtensorMapFloatOOBfill fill;
};

bool is_float(CUtensorMapDataType type) {
    return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
}

bool good(const Description& d, unsigned least_rank) {
    if (static_cast<unsigned>(d.type) >= std::size(kElementBytes) || d.rank < least_rank ||
        d.rank > TensorMap::kMostDimensions || d.begin == nullptr ||
        reinterpret_cast<std::uint64_t>(d.begin) % 16 != 0 || d.sizes == nullptr ||
        (d.rank > 1 && d.strides == nullptr) || d.steps == nullptr || d.swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        d.promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
        d.fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA ||
        (d.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_float(d.type)))
        return false;
    for (cuuint32_t i = 0; i < d.rank; ++i)
        if (d.sizes[i] == 0 || d.sizes[i] > std::uint64_t{1} << 32 || d.steps[i] == 0 || d.steps[i] > 8)
            return false;
    for (cuuint32_t i = 0; i + 1 < d.rank; ++i)
        if (d.strides[i] % 16 != 0 || d.strides[i] >= std::uint64_t{1} << 40)
            return false;
    return true;
}

TensorMap map_of(const Description& d) {
    TensorMap map;
    map.rank = static_cast<std::uint8_t>(d.rank);
    map.type = static_cast<std::uint8_t>(d.type);
    map.element_bytes = kElementBytes[d.type];
    map.swizzle = static_cast<heddle::runtime::Swizzle>(d.swizzle);
    map.fills_nan = d.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ? 1 : 0;
    map.begin = reinterpret_cast<std::uint64_t>(d.begin);
    map.step.fill(1);
    for (cuuint32_t i = 0; i < d.rank; ++i) {
        map.size[i] = static_cast<std::uint32_t>(d.sizes[i] - 1);
        if (i != 0) {
            map.step[i] = static_cast<std::uint8_t>(d.steps[i]); // the first dimension has no step
            map.stride[i - 1] = d.strides[i - 1];
        }
    }
    return map;
}

// The rows of a box are chunks of 16 bytes, and lie within a line of the swizzle.
bool rows_fit(const TensorMap& map) {
    constexpr std::uint32_t kLine[] = {~0U, 32, 64, 128};
    return map.row_bytes() % 16 == 0 && map.row_bytes() <= kLine[static_cast<unsigned>(map.swizzle)];
}

CUresult store(const TensorMap& map, CUtensorMap* to) {
    std::memset(to, 0, sizeof *to);
    std::memcpy(to, &map, sizeof map);
    return CUDA_SUCCESS;
}

// Whether a map of this kind can be made; else `error` says why.
bool can_make(const CUtensorMap* map, const Description& d, unsigned least_rank, CUresult& error) {
    const bool interleaved =
        d.interleave == CU_TENSOR_MAP_INTERLEAVE_16B || d.interleave == CU_TENSOR_MAP_INTERLEAVE_32B;
    if (interleaved) {
        heddle::cudart::tell_unsupported("cuTensorMapEncode with an interleaved layout");
        error = CUDA_ERROR_NOT_SUPPORTED;
        return false;
    }
    error = CUDA_ERROR_INVALID_VALUE;
    return map != nullptr && d.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE &&
           reinterpret_cast<std::uint64_t>(map) % 64 == 0 && good(d, least_rank);
}

} // namespace

HEDDLE_DRIVER_API CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                                  void* begin, const cuuint64_t* sizes, const cuuint64_t* strides,
                                                  const cuuint32_t* box, const cuuint32_t* steps,
                                                  CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                  CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    const Description d{type, rank, begin, sizes, strides, steps, interleave, swizzle, promotion, fill};
    CUresult error;
    if (!can_make(map, d, 1, error))
        return error;
    TensorMap out = map_of(d);
    for (cuuint32_t i = 0; i < rank; ++i) {
        if (box == nullptr || box[i] == 0 || box[i] > TensorMap::kLargestBox)
            return CUDA_ERROR_INVALID_VALUE;
        out.box[i] = static_cast<std::uint16_t>(box[i]);
    }
    return rows_fit(out) ? store(out, map) : CUDA_ERROR_INVALID_VALUE;
}

HEDDLE_DRIVER_API CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                                   void* begin, const cuuint64_t* sizes, const cuuint64_t* strides,
                                                   const int* lower, const int* upper, cuuint32_t channels,
                                                   cuuint32_t pixels, const cuuint32_t* steps,
                                                   CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                   CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    const Description d{type, rank, begin, sizes, strides, steps, interleave, swizzle, promotion, fill};
    CUresult error;
    if (!can_make(map, d, 3, error))
        return error;
    if (lower == nullptr || upper == nullptr || channels == 0 || channels > TensorMap::kLargestBox || pixels == 0 ||
        pixels > TensorMap::kMostPixels)
        return CUDA_ERROR_INVALID_VALUE;
    TensorMap out = map_of(d);
    out.im2col = 1;
    out.box[0] = static_cast<std::uint16_t>(channels);
    out.box[1] = static_cast<std::uint16_t>(pixels);
    const int most = rank == 3 ? 32767 : rank == 4 ? 127 : 15; // 16, 8 or 5 bits each
    for (cuuint32_t i = 0; i + 2 < rank; ++i) {
        if (std::min(lower[i], upper[i]) < -most - 1 || std::max(lower[i], upper[i]) > most)
            return CUDA_ERROR_INVALID_VALUE;
        if (static_cast<std::int64_t>(sizes[i + 1]) + upper[i] - lower[i] <= 0) // an area without pixels
            return CUDA_ERROR_INVALID_VALUE;
        out.lower[i] = static_cast<std::int16_t>(lower[i]);
        out.upper[i] = static_cast<std::int16_t>(upper[i]);
    }
    return rows_fit(out) ? store(out, map) : CUDA_ERROR_INVALID_VALUE;
}

HEDDLE_DRIVER_API CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* begin) {
    TensorMap out;
    if (map == nullptr || begin == nullptr || reinterpret_cast<std::uint64_t>(begin) % 16 != 0)
        return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(static_cast<void*>(&out), map, sizeof out);
    if (out.magic != TensorMap::kMagic)
        return CUDA_ERROR_INVALID_VALUE;
    out.begin = reinterpret_cast<std::uint64_t>(begin);
    return store(out, map);
}
