// Where the fields of a tensor map lie that `tensormap.replace` changes: bytes from its beginning. exec::TensorMap
// (exec/tensor_map.h) says what the fields mean.
#pragma once

#include <cstdint>

namespace heddle::ir::tensor_map {

inline constexpr std::int64_t kBytes = 128; // of a map
inline constexpr std::int64_t kRank = 4;
inline constexpr std::int64_t kElementBytes = 5;
inline constexpr std::int64_t kSwizzle = 6;
inline constexpr std::int64_t kFillsNan = 8;
inline constexpr std::int64_t kType = 9;
inline constexpr std::int64_t kStep = 10;
inline constexpr std::int64_t kBegin = 16;
inline constexpr std::int64_t kStride = 24;
inline constexpr std::int64_t kSize = 56;
inline constexpr std::int64_t kBox = 76;

} // namespace heddle::ir::tensor_map
