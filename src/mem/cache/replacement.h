// The replacement contract: which line of a set makes room. The cache stamps its lines in order of time; a policy says
// whether a use renews a line's stamp, and chooses by the stamps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/registry.h"

namespace heddle::mem {

class Replacement {
public:
    Replacement() = default;
    virtual ~Replacement() = default;
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    // Asked once. False: a line keeps the stamp of its allocation.
    [[nodiscard]] virtual bool renews_on_use() const = 0;
    // Asked once. False: the line with the oldest stamp goes, and victim() is never asked.
    [[nodiscard]] virtual bool chooses() const = 0;
    // The way to evict. `stamps`: by way; `candidates`: bit mask of the ways that may go, never 0.
    [[nodiscard]] virtual unsigned victim(std::span<const std::uint64_t> stamps, std::uint64_t candidates);
};

// Policies by name. A policy's file ends with HEDDLE_REPLACEMENT(Class, "name", "meaning", "source"); its constructor
// takes a seed, of use to those that draw lots.
using Replacements = Registry<Replacement, std::uint64_t>;
[[nodiscard]] Replacements& replacements();

#define HEDDLE_REPLACEMENT(Class, ...) HEDDLE_REGISTERED(::heddle::mem::replacements(), Class, __VA_ARGS__)

} // namespace heddle::mem
