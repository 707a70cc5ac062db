// Settings of a core and its on-chip memories.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "mem/cache.h"

namespace heddle::sm {

struct CoreConfig {
    static constexpr std::string_view kSection = "core";
    std::string model = "barrel";
    std::string formation = "pdom";
    std::string scheduler = "rr";
    std::uint64_t width = 32;
    std::uint64_t threads = 1024;
    std::uint64_t blocks = 32;
    std::uint64_t stages = 7;
    double clock_mhz = 1000;
    static std::span<const config::Parameter<CoreConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

struct ICacheConfig {
    static constexpr std::string_view kSection = "icache";
    std::uint64_t size = 4096;
    std::uint64_t ways = 4;
    std::uint64_t line = 64;
    std::uint64_t instruction = 8;
    static std::span<const config::Parameter<ICacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
    [[nodiscard]] mem::CacheShape shape() const {
        return {size, ways, line};
    }
};

struct DCacheConfig {
    static constexpr std::string_view kSection = "dcache";
    bool ideal = false;
    std::uint64_t size = 128 * 1024;
    std::uint64_t ways = 4;
    std::uint64_t line = 128;
    static std::span<const config::Parameter<DCacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
    [[nodiscard]] mem::CacheShape shape() const {
        return {size, ways, line};
    }
};

struct PrivateConfig {
    static constexpr std::string_view kSection = "private";
    std::uint64_t bytes_per_thread = 128;
    static std::span<const config::Parameter<PrivateConfig>> parameters();
};

struct SharedConfig {
    static constexpr std::string_view kSection = "shared";
    std::uint64_t size = 48 * 1024;
    std::uint64_t banks = 32;
    static std::span<const config::Parameter<SharedConfig>> parameters();
};

} // namespace heddle::sm
