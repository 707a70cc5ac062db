#include "mem/dram/address_map.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

namespace heddle::mem {

namespace {

// The letters alone; the default mapping for "".
std::string bits_of(std::string_view mapping, std::uint64_t banks, std::uint64_t row_bytes) {
    std::string out;
    for (const char c : mapping)
        if (c != '_' && c != ' ')
            out += c;
    if (out.empty())
        out = fmt::format("R{:B>{}}{:C>{}}", "", std::countr_zero(banks), "", std::countr_zero(row_bytes));
    return out;
}

} // namespace

AddressMap::AddressMap(std::string_view mapping, std::uint64_t banks, std::uint64_t row_bytes) {
    const std::string bits = bits_of(mapping, banks, row_bytes);
    row_ = runs_of('R', bits);
    bank_ = runs_of('B', bits);
    row_.back().mask = std::numeric_limits<std::uint64_t>::max();
}

// From the least significant run to the most significant.
AddressMap::Runs AddressMap::runs_of(char letter, std::string_view bits) {
    Runs out;
    unsigned to = 0;
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
        const auto is_letter = [&](std::size_t at) { return at < bits.size() && bits[bits.size() - 1 - at] == letter; };
        if (!is_letter(bit))
            continue;
        if (bit == 0 || !is_letter(bit - 1))
            out.push_back({static_cast<unsigned>(bit), to, 0});
        out.back().mask = out.back().mask << 1 | 1;
        ++to;
    }
    return out;
}

std::vector<std::string> AddressMap::problems(std::string_view mapping, std::uint64_t banks, std::uint64_t row_bytes,
                                              std::uint64_t burst_bytes) {
    const std::string bits = bits_of(mapping, banks, row_bytes);
    std::vector<std::string> out;
    if (bits.find_first_not_of("RBC") != std::string::npos)
        out.push_back(fmt::format("dram.mapping = \"{}\" has letters other than R, B and C", mapping));
    if (bits.size() >= 64)
        out.push_back(fmt::format("dram.mapping has {} bits; an address has 64 and a row needs one", bits.size()));
    if (bits.front() != 'R')
        out.emplace_back("dram.mapping must begin with R: the row takes all higher address bits");

    const auto expect = [&](char letter, std::string_view what, std::string_view key, std::uint64_t value) {
        const auto has = std::ranges::count(bits, letter);
        if (const auto needs = std::countr_zero(value); has != needs)
            out.push_back(fmt::format("dram.mapping has {} {} bits ({}), dram.{} = {} needs {}", has, what, letter, key,
                                      value, needs));
    };
    expect('B', "bank", "banks", banks);
    expect('C', "column", "row_bytes", row_bytes);

    const std::size_t unbroken = bits.size() - 1 - std::min(bits.find_last_not_of('C'), bits.size() - 1);
    if (unbroken < 64 && std::uint64_t{1} << unbroken < burst_bytes)
        out.push_back(
            fmt::format("dram.mapping ends in {} column bits: fewer bytes than a burst of {}", unbroken, burst_bytes));
    return out;
}

} // namespace heddle::mem
