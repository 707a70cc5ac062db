#include "exec/tensor_map.h"

#include <algorithm>
#include <bit>

namespace heddle::exec {

namespace {

// Elements of a box in a dimension that are copied.
std::uint32_t copied(const TensorMap& map, unsigned dimension) {
    const std::uint32_t step = map.step[dimension];
    return (map.box[dimension] + step - 1) / step;
}

} // namespace

bool TensorMap::is_valid() const {
    const bool counts = magic == kMagic && rank >= (im2col != 0 ? 3 : 1) && rank <= kMostDimensions;
    return counts && im2col <= 1 && fills_nan <= 1 && std::has_single_bit(element_bytes) && element_bytes <= 8 &&
           swizzle <= Swizzle::Bytes128 && has_box() &&
           std::all_of(step.begin(), step.begin() + rank, [](std::uint8_t s) { return s != 0; });
}

bool TensorMap::has_box() const {
    const auto within = [](std::uint16_t elements, std::uint16_t most) { return elements != 0 && elements <= most; };
    if (im2col != 0)
        return within(box[0], kLargestBox) && within(box[1], kMostPixels);
    return std::all_of(box.begin(), box.begin() + rank, [&](std::uint16_t b) { return within(b, kLargestBox); });
}

std::uint64_t TensorMap::rows() const {
    if (im2col != 0)
        return box[1];
    std::uint64_t rows = 1;
    for (unsigned d = 1; d < rank; ++d)
        rows *= copied(*this, d);
    return rows;
}

TensorRows::TensorRows(const TensorMap& map, std::array<std::int32_t, TensorMap::kMostDimensions> at,
                       std::array<std::uint16_t, 3> offsets, bool gathers)
    : map_(map), at_(at), offsets_(offsets), gathers_(gathers) {
    std::copy(at.begin(), at.end(), place_.begin());
}

bool TensorRows::next(std::array<TensorRun, 3>& runs, unsigned& count) {
    if (row_ == map_.rows())
        return false;
    bool inside = true;
    Address row = map_.begin;
    for (unsigned d = 1; d < map_.rank; ++d) {
        const bool spatial = map_.im2col != 0 && d + 1 < map_.rank;
        const std::int64_t place = place_[d] + (spatial ? offsets_[d - 1] : 0);
        inside = inside && place >= 0 && place <= std::int64_t{map_.size[d]};
        row += static_cast<std::uint64_t>(place) * map_.stride[d - 1];
    }
    const std::int64_t first = at_[0], length = map_.box[0], size = std::int64_t{map_.size[0]} + 1;
    const std::int64_t left = inside ? std::clamp<std::int64_t>(-first, 0, length) : length;
    const std::int64_t right = inside ? std::clamp<std::int64_t>(size - first, left, length) : length;
    const std::uint32_t begin = row_ * map_.row_bytes();
    count = 0;
    const auto add = [&](std::int64_t from, std::int64_t to, bool in_tensor) {
        const auto offset = static_cast<std::uint32_t>(from) * map_.element_bytes;
        const auto bytes = static_cast<std::uint32_t>(to - from) * map_.element_bytes;
        if (bytes != 0)
            runs[count++] = {begin + offset, bytes,
                             in_tensor ? row + static_cast<std::uint64_t>(first + from) * map_.element_bytes : 0};
    };
    add(0, left, false);
    add(left, right, true);
    add(right, length, false);
    ++row_;
    if (gathers_)
        place_[1] = at_[std::min(1U + row_, kGathered)];
    else if (map_.im2col != 0)
        next_pixel();
    else
        next_row();
    return true;
}

// The box of pixels is traversed in the dimensions between the first and the last, from lower corner to upper corner;
// then the last dimension, the image, is the next.
void TensorRows::next_pixel() {
    for (unsigned d = 1; d + 1 < map_.rank; ++d) {
        place_[d] += map_.step[d];
        if (place_[d] <= std::int64_t{map_.size[d]} + map_.upper[d - 1])
            return;
        place_[d] = map_.lower[d - 1];
    }
    place_[map_.rank - 1U] += map_.step[map_.rank - 1U];
}

void TensorRows::next_row() {
    for (unsigned d = 1; d < map_.rank; ++d) {
        place_[d] += map_.step[d];
        if (++index_[d] < copied(map_, d))
            return;
        index_[d] = 0;
        place_[d] = at_[d];
    }
}

} // namespace heddle::exec
