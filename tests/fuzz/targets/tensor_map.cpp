// Tensor maps, whose bytes a program may change: the rows of boxes that fit into shared memory.
#include "exec/tensor_map.h"

#include <cstring>

#include "target.h"

using namespace heddle;

namespace {

constexpr std::uint64_t kShared = 256 * 1024;

struct Input {
    exec::TensorMap map;
    std::array<std::int32_t, exec::TensorMap::kMostDimensions> at;
    std::array<std::uint16_t, 3> offsets;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input;
    if (size < sizeof input)
        return 0;
    std::memcpy(static_cast<void*>(&input), data, sizeof input);
    if (!input.map.is_valid() || input.map.box_bytes() > kShared)
        return 0;
    exec::TensorRows rows(input.map, input.at, input.offsets);
    std::array<exec::TensorRun, 3> runs;
    std::uint64_t bytes = 0;
    for (unsigned count = 0; rows.next(runs, count);)
        for (unsigned i = 0; i < count; ++i) {
            if (runs[i].offset + runs[i].bytes > input.map.box_bytes())
                std::abort();
            bytes += runs[i].bytes;
        }
    if (bytes != input.map.box_bytes())
        std::abort();
    return 0;
}
