// Settings of a core and its on-chip memories.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "formation/formation.h"
#include "mem/cache/cache.h"

namespace heddle::sm {

struct CoreConfig {
    static constexpr std::string_view kSection = "core";
    std::string model = "barrel";
    std::string code = "ptx";
    std::string dependences = "scoreboard";
    std::string formation = "pdom";
    std::string scheduler = "rr";
    std::uint64_t width = 32;
    std::uint64_t threads = 1024;
    std::uint64_t blocks = 32;
    std::uint64_t stages = 7;
    std::uint64_t registers = 0;
    std::uint64_t register_unit = 1;
    std::uint64_t register_files = 1;
    bool shared_write_back = false;
    double clock_mhz = 1000;
    static std::span<const config::Parameter<CoreConfig>> parameters();
    // Includes the problems of the formation, and reasons why the scheduler cannot work with it.
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
    [[nodiscard]] std::unique_ptr<formation::Formation> make_formation(std::string_view name,
                                                                       const config::Machine& machine) const;
};

struct ICacheConfig : mem::CacheConfig {
    static constexpr std::string_view kSection = "icache";
    ICacheConfig() : CacheConfig{.size = 4096, .line = 64} {}
    std::uint64_t instruction = 8;
    static std::span<const config::Parameter<ICacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

struct CCacheConfig : mem::CacheConfig {
    static constexpr std::string_view kSection = "ccache";
    CCacheConfig() : CacheConfig{.line = 64} {}
    static std::span<const config::Parameter<CCacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

struct TCacheConfig : mem::CacheConfig {
    static constexpr std::string_view kSection = "tcache";
    static constexpr bool kOptional = true;
    static std::span<const config::Parameter<TCacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

struct DCacheConfig : mem::CacheConfig {
    static constexpr std::string_view kSection = "dcache";
    DCacheConfig() : CacheConfig{.size = 128 * 1024} {}
    bool ideal = false;
    std::uint64_t banks = 0;
    std::string write = "back";
    std::string write_local = "back";
    bool write_allocate = true;
    bool store_waits = true;
    bool fill_port = true;
    std::string flush = "never";
    std::string bypass = "none";
    double bypass_rate = 0.5;
    static std::span<const config::Parameter<DCacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

// What the first level of chips after 2017 has; on machines without the section the data cache is as [dcache] says.
struct L1Config {
    static constexpr std::string_view kSection = "l1";
    static constexpr bool kOptional = true;
    std::uint64_t sector = 0;
    std::uint64_t look_ups = 0;
    std::uint64_t bytes = 0;
    std::string carve_outs;
    std::uint64_t reserve = 0;
    static std::span<const config::Parameter<L1Config>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
    // The bytes of shared memory that a kernel may choose, ascending; nothing when the text is wrong.
    [[nodiscard]] std::vector<std::uint64_t> shared_sizes() const;
};

// The settings of the data cache with those of [l1].
[[nodiscard]] DCacheConfig dcache_of(const config::Machine& machine);

struct PrivateConfig {
    static constexpr std::string_view kSection = "private";
    std::uint64_t bytes_per_thread = 128;
    static std::span<const config::Parameter<PrivateConfig>> parameters();
};

struct SharedConfig {
    static constexpr std::string_view kSection = "shared";
    std::uint64_t size = 48 * 1024;
    std::uint64_t unit = 1;
    std::uint64_t banks = 32;
    std::uint64_t latency = 1;
    static std::span<const config::Parameter<SharedConfig>> parameters();
};

// The way between the SMs of a cluster. Machines without the section have none: memory of other blocks is as far away
// as that of the own block.
struct ClusterConfig {
    static constexpr std::string_view kSection = "cluster";
    static constexpr bool kOptional = true;
    std::uint64_t latency = 0;
    std::uint64_t bytes = 0;
    std::uint64_t barrier = 0;
    static std::span<const config::Parameter<ClusterConfig>> parameters();
};

} // namespace heddle::sm
