// Tensor maps: the 128 bytes that describe a tensor in global memory for copies of its tiles (CUDA driver API,
// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col; PTX ISA, "Tensors"). NVIDIA does not publish their layout; this
// is heddle's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.h"
#include "exec/swizzle.h"
#include "ir/tensor_map.h"

namespace heddle::exec {

struct TensorMap {
    static constexpr std::uint32_t kMagic = 0x6864746d;
    static constexpr unsigned kMostDimensions = 5;
    static constexpr std::uint16_t kLargestBox = 256; // elements in a dimension, and channels of im2col
    static constexpr std::uint16_t kMostPixels = 1024;

    std::uint32_t magic = kMagic;
    std::uint8_t rank = 0;
    std::uint8_t element_bytes = 0;
    Swizzle swizzle = Swizzle::None;
    std::uint8_t im2col = 0;                          // 0 or 1; no bool, because a program may have changed the byte
    std::uint8_t fills_nan = 0;                       // 0 or 1: elements outside the tensor are NaNs, else zeros
    std::uint8_t type = 0;                            // CUtensorMapDataType
    std::array<std::uint8_t, kMostDimensions> step{}; // element strides: every how many elements are copied
    Address begin = 0;                                // of element (0, 0, ...)
    std::array<std::uint64_t, kMostDimensions - 1>
        stride{};                                      // bytes from an element to the next in dimensions 1, 2, ...
    std::array<std::uint32_t, kMostDimensions> size{}; // elements, less 1
    // Tiled: elements of a box in each dimension. im2col: channels of a pixel, pixels of a column.
    std::array<std::uint16_t, kMostDimensions> box{};
    // im2col: the corners of the box of pixels, in the dimensions between the first and the last.
    std::array<std::int16_t, 3> lower{}, upper{};

    // Whether the fields are those of a map; a program may have changed its bytes.
    [[nodiscard]] bool is_valid() const;
    // Bytes of a box in shared memory, which may be more than a block has.
    [[nodiscard]] std::uint64_t box_bytes() const {
        return row_bytes() * rows();
    }
    // Bytes of a row of a box: its elements in the first dimension.
    [[nodiscard]] std::uint32_t row_bytes() const {
        return std::uint32_t{box[0]} * element_bytes;
    }
    [[nodiscard]] std::uint64_t rows() const;

private:
    [[nodiscard]] bool has_box() const;
};
static_assert(sizeof(TensorMap) <= ir::tensor_map::kBytes);
static_assert(offsetof(TensorMap, rank) == ir::tensor_map::kRank);
static_assert(offsetof(TensorMap, element_bytes) == ir::tensor_map::kElementBytes);
static_assert(offsetof(TensorMap, swizzle) == ir::tensor_map::kSwizzle);
static_assert(offsetof(TensorMap, fills_nan) == ir::tensor_map::kFillsNan);
static_assert(offsetof(TensorMap, type) == ir::tensor_map::kType);
static_assert(offsetof(TensorMap, step) == ir::tensor_map::kStep);
static_assert(offsetof(TensorMap, begin) == ir::tensor_map::kBegin);
static_assert(offsetof(TensorMap, stride) == ir::tensor_map::kStride);
static_assert(offsetof(TensorMap, size) == ir::tensor_map::kSize);
static_assert(offsetof(TensorMap, box) == ir::tensor_map::kBox);

// A part of a row of a box.
struct TensorRun {
    std::uint32_t offset; // in the box, without swizzle
    std::uint32_t bytes;
    Address address; // in global memory; 0: outside the tensor
};

// The rows of a box, one after the other.
class TensorRows {
public:
    static constexpr unsigned kGathered = 4;

    // `at`: the coordinates of the box; `offsets`: those of im2col. `gathers`: `at` is a column and kGathered rows of a
    // tensor of two dimensions, whose box has as many rows.
    TensorRows(const TensorMap& map, std::array<std::int32_t, TensorMap::kMostDimensions> at,
               std::array<std::uint16_t, 3> offsets, bool gathers = false);

    // The runs of the next row: outside before, inside, outside behind. Runs of 0 bytes are left out. False: there are
    // no more rows.
    bool next(std::array<TensorRun, 3>& runs, unsigned& count);

private:
    void next_pixel();
    void next_row();

    const TensorMap& map_;
    const std::array<std::int32_t, TensorMap::kMostDimensions> at_;
    const std::array<std::uint16_t, 3> offsets_;
    const bool gathers_;
    std::array<std::int64_t, TensorMap::kMostDimensions> place_; // of the row; dimensions of im2col without offsets
    std::array<std::uint32_t, TensorMap::kMostDimensions> index_{};
    std::uint32_t row_ = 0;
};

} // namespace heddle::exec
