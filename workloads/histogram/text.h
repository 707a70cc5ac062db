// The text of histogram: a seeded generator and a reader. Host code only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace histogram {

constexpr std::size_t kCharacters = 128; ///< of ASCII

/// The most characters, so that 32-bit indices and counters reach them.
constexpr std::size_t kMostText = std::size_t{1} << 30;

using Text = std::vector<std::uint8_t>;

/// Letters, spaces and punctuation about as often as in English prose, each drawn for itself.
Text random_text(std::size_t size, std::uint64_t seed);

/// Reads a file of ASCII characters. An error is a std::runtime_error that says "file:line: what".
Text read_text(const std::string& path);

} // namespace histogram
