// Settings of the last-level cache, and of the slices that memory is divided into, with a cache or without.
#pragma once

#include "mem/cache/cache.h"

namespace heddle::mem {

struct LlcConfig : CacheConfig {
    static constexpr std::string_view kSection = "llc";
    static constexpr unsigned kMostChannels = 8; // of a slice
    LlcConfig() : CacheConfig{.ways = 8} {}
    std::uint64_t slices = 1;
    std::uint64_t interleave = 256;
    std::string slice_index = "linear";
    std::uint64_t queue = 8;
    double clock_mhz = 0;
    std::string coherence = "none";
    std::uint64_t atomic_latency = 0; // cycles; set by [l2], as:
    std::uint64_t write_ticks = 0;
    static std::span<const config::Parameter<LlcConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

// What the slices of chips after 2017 have; machines without the section have lines that come as a whole.
struct L2Config {
    static constexpr std::string_view kSection = "l2";
    static constexpr bool kOptional = true;
    std::uint64_t sector = 0;
    std::uint64_t partitions = 1;
    std::uint64_t partition_sms = 8;
    std::uint64_t far_latency = 0;
    bool copies = false;
    std::uint64_t atomic_latency = 0;
    std::uint64_t write_ticks = 0;
    bool host_copies = false;
    static std::span<const config::Parameter<L2Config>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;

private:
    void partition_problems(const LlcConfig& llc, std::vector<std::string>& out) const;
};

// The settings of the last level with those of [l2].
[[nodiscard]] LlcConfig llc_of(const config::Machine& machine);

} // namespace heddle::mem
