#include "experiment/unpack.h"

#include <zstd.h>

namespace heddle::experiment {

namespace {

// A block of up to 128 KiB takes at least 4 bytes.
constexpr unsigned long long kMostRatio = 128 * 1024 / 4;

} // namespace

std::optional<std::string> unpack(std::string_view bytes) {
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size / kMostRatio > bytes.size())
        return std::nullopt;
    std::string out(size, '\0');
    if (ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()) != size)
        return std::nullopt;
    return out;
}

} // namespace heddle::experiment
