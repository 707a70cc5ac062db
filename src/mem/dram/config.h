// Settings of main memory: which model, and the numbers of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::mem {

struct DramConfig {
    static constexpr std::string_view kSection = "dram";
    std::string model = "simple";
    std::uint64_t channels = 1;
    std::uint64_t clock_mhz = 0;
    std::uint64_t queue = 64;
    std::uint64_t banks = 8;
    std::uint64_t row_bytes = 4096;

    // model = "simple"
    std::uint64_t row_hit = 100;
    std::uint64_t row_conflict = 300;
    std::uint64_t bytes_per_cycle = 32;
    std::string bus = "ready";

    // model = "timed"
    std::string scheduler = "frfcfs";
    std::uint64_t starvation = 0;
    std::string page = "open";
    std::string mapping;
    std::uint64_t bank_groups = 4;
    std::uint64_t bus_bytes = 8;
    std::uint64_t burst = 8;
    std::uint64_t sector = 0;
    std::uint64_t data_per_clock = 4;
    std::uint64_t latency = 100;
    std::uint64_t t_cl = 12;
    std::uint64_t t_wl = 4;
    std::uint64_t t_rp = 12;
    std::uint64_t t_rc = 40;
    std::uint64_t t_ras = 28;
    std::uint64_t t_rcd = 12;
    std::uint64_t t_rrd = 6;
    std::uint64_t t_faw = 0;
    std::uint64_t t_refi = 0;
    std::uint64_t t_rfc = 0;
    std::uint64_t power_down = 0;
    std::uint64_t t_xp = 0;
    std::uint64_t t_ccd = 2;
    std::uint64_t t_ccd_l = 3;
    std::uint64_t t_wr = 12;
    std::uint64_t t_wtr = 5;
    std::uint64_t t_rtw = 12;
    std::uint64_t t_rtp = 2;
    std::uint64_t t_rtp_l = 2;
    bool dual_bus = false; // of commands to rows and to columns; set by [hbm]
    // Set by [gddr]; 0: no rule of their own.
    std::uint64_t t_rcd_write = 0;
    std::uint64_t t_wtr_l = 0;
    std::uint64_t t_rfc_bank = 0;

    static std::span<const config::Parameter<DramConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;

    // Bytes of one column command.
    [[nodiscard]] std::uint64_t burst_bytes() const {
        return bus_bytes * burst;
    }
    // Clocks for which one column command holds the data bus.
    [[nodiscard]] std::uint64_t burst_clocks() const {
        return burst / data_per_clock;
    }

private:
    void mapping_problems(std::uint64_t unbroken, std::vector<std::string>& out) const;
    void timed_problems(std::vector<std::string>& out) const;
};

// What HBM adds; machines without the section have one bus for all commands.
struct HbmConfig {
    static constexpr std::string_view kSection = "hbm";
    static constexpr bool kOptional = true;
    std::string commands = "one";
    static std::span<const config::Parameter<HbmConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

// What GDDR6 adds (JESD250); machines without the section have the rules of GDDR5.
struct GddrConfig {
    static constexpr std::string_view kSection = "gddr";
    static constexpr bool kOptional = true;
    std::uint64_t t_rcd_write = 0;
    std::uint64_t t_wtr_l = 0;
    std::uint64_t t_rfc_bank = 0;
    static std::span<const config::Parameter<GddrConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

// The settings of main memory with those of [hbm] and [gddr].
[[nodiscard]] DramConfig dram_of(const config::Machine& machine);

} // namespace heddle::mem
