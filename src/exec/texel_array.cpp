#include "exec/texel_array.h"

namespace heddle::exec {

TexelArray TexelArray::tiled(TexelFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t depth) {
    TexelArray out;
    out.layout = Layout::Tiled;
    out.format = format;
    out.width = width;
    out.height = std::max(1U, height);
    out.depth = std::max(1U, depth);
    out.pitch = (std::uint64_t{width} * format.bytes() + kTileBytes - 1) / kTileBytes * kTileBytes;
    return out;
}

TexelArray TexelArray::next_level(bool layered) const {
    TexelArray out = tiled(format, std::max(1U, width / 2), height / 2, layered ? depth : depth / 2);
    out.begin = begin + bytes();
    return out;
}

std::uint64_t TexelArray::bytes() const {
    switch (layout) {
    case Layout::Linear:
        return std::uint64_t{width} * format.bytes();
    case Layout::Pitch:
        return (height - 1) * pitch + std::uint64_t{width} * format.bytes();
    case Layout::Tiled:
        break;
    }
    return pitch * depth * (height == 1 ? 1 : bands() * kTileRows);
}

} // namespace heddle::exec
