#include "histogram/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/random.h"

namespace histogram {

namespace {

struct Frequency {
    char character;
    unsigned count; ///< in about 1000 characters
};

constexpr Frequency kFrequencies[] = {
    {' ', 171}, {'e', 100}, {'t', 73}, {'a', 64}, {'o', 60}, {'i', 56}, {'n', 56}, {'s', 51},  {'h', 48}, {'r', 48},
    {'d', 33},  {'l', 32},  {'u', 22}, {'c', 21}, {'m', 19}, {'w', 18}, {'f', 17}, {'g', 15},  {'y', 15}, {'p', 14},
    {'b', 11},  {'v', 8},   {'k', 6},  {'j', 1},  {'x', 1},  {'q', 1},  {'z', 1},  {'\n', 15}, {',', 9},  {'.', 8},
    {'T', 2},   {'I', 2},   {'A', 1},  {'S', 1},  {'"', 1},  {'-', 1},  {'1', 1},  {'0', 1},
};

} // namespace

Text random_text(std::size_t size, std::uint64_t seed) {
    Text urn;
    for (const Frequency& frequency : kFrequencies)
        urn.insert(urn.end(), frequency.count, static_cast<std::uint8_t>(frequency.character));
    workload::Random random(seed);
    Text text(size);
    for (std::uint8_t& character : text)
        character = urn[random.below(static_cast<std::uint32_t>(urn.size()))];
    return text;
}

Text read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(path + ": cannot be opened");
    const Text text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (text.empty())
        throw std::runtime_error(path + ": is empty or cannot be read");
    if (text.size() > kMostText)
        throw std::runtime_error(path + ": has more than " + std::to_string(kMostText) + " characters");
    const auto wrong = std::find_if(text.begin(), text.end(), [](std::uint8_t c) { return c >= kCharacters; });
    if (wrong != text.end()) {
        std::array<char, 8> code{};
        std::snprintf(code.data(), code.size(), "0x%02x", unsigned{*wrong});
        throw std::runtime_error(path + ":" + std::to_string(1 + std::count(text.begin(), wrong, '\n')) +
                                 ": the byte " + code.data() + " is no ASCII character");
    }
    return text;
}

} // namespace histogram
