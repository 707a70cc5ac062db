// Grey images: PGM files and a seeded generator. Host code only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace filter {

struct Image {
    std::size_t width = 0;
    std::size_t height = 0;
    unsigned brightest = 255;         ///< the value of white, at most 255
    bool plain = false;               ///< in a file as decimal numbers (P2), not as bytes (P5)
    std::vector<std::uint8_t> pixels; ///< row by row, from the top
};

/// The most pixels that one side of an image may have, so that all of them together have 32-bit indices.
constexpr std::size_t kMostSide = 16384;

/// Reads one PGM image, P2 or P5. An error is a std::runtime_error that says "file:line: what", or
/// "file: byte: what" among the bytes of a P5 image.
Image read_pgm(const std::string& path);

/// Writes the image as its `plain` says. A std::runtime_error says why a file cannot be written.
void write_pgm(const std::string& path, const Image& image);

/// A square image with edges of many directions and strengths: discs and rectangles of random greys over a gradient,
/// with a little noise.
Image random_image(std::size_t side, std::uint64_t seed);

} // namespace filter
