// When banks and the buses they share can take commands: the timing rules of GDDR3 and GDDR5 (JESD212), in command
// clocks. Knows no requests. No refresh and no tFAW: neither is in the machines that are modelled.
//
//   bank     tRC, tRAS, tRP, tRCD, tWR, tRTP
//   group    tCCDL between column commands, tRTPL from a read to a precharge
//   channel  tRRD; tCCD; the data bus, on which a read's data come tCL after the command and a write's tWL;
//            tWTR from a write's last data to a read; tRTW from a read to a write
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "mem/dram_config.h"

namespace heddle::mem {

inline constexpr unsigned kMaxTimedBanks = 64; // bits of a BankMask
using BankMask = std::uint64_t;                // bit b: bank b

enum class DramCommand : std::uint8_t { Activate, Precharge, Read, Write };
inline constexpr unsigned kDramCommands = 4;

class BankTiming {
public:
    explicit BankTiming(const DramConfig& config);

    // The first clock in which the rules of the bank itself allow a command.
    [[nodiscard]] Cycle bank_at(DramCommand command, unsigned bank) const {
        switch (command) {
        case DramCommand::Activate:
            return activate_at_[bank];
        case DramCommand::Precharge:
            return precharge_at_[bank];
        default:
            return column_at_[bank];
        }
    }
    // Those of `banks` to which the rules of group and channel allow the command at `now`.
    [[nodiscard]] BankMask allowed(DramCommand command, BankMask banks, Cycle now) const;
    // The first clock in which they allow it to one of `banks`; kNever for none.
    [[nodiscard]] Cycle first(DramCommand command, BankMask banks) const;

    // A command is given at `now`, when all rules allow it. A column command's answer is the clock after its last data
    // on the bus.
    void activate(unsigned bank, Cycle now);
    void precharge(unsigned bank, Cycle now);
    Cycle read(unsigned bank, Cycle now);
    Cycle write(unsigned bank, Cycle now);
    // The bank closes its row by itself as soon as it may (a column command with auto-precharge).
    void auto_precharge(unsigned bank) {
        precharge(bank, precharge_at_[bank]);
    }
    // The bank takes no column command before `until`.
    void hold_columns(unsigned bank, Cycle until);

private:
    using Times = std::array<Cycle, kMaxTimedBanks>;

    [[nodiscard]] const Times& group_rule(DramCommand command) const {
        return command == DramCommand::Precharge ? group_precharge_at_ : group_column_at_;
    }
    Cycle& channel_at(DramCommand command) {
        return channel_at_[static_cast<unsigned>(command)];
    }

    Cycle t_wl_, t_cl_, t_rp_, t_rc_, t_ras_, t_rcd_, t_rrd_, t_ccd_l_, t_wr_, t_rtp_, t_rtp_l_;
    Cycle burst_;          // clocks of data of one column command
    Cycle same_direction_; // read to read, write to write
    Cycle read_to_write_;
    Cycle write_to_read_; // command to command
    unsigned groups_;
    unsigned group_mask_ = 0;
    std::array<BankMask, kMaxTimedBanks> members_{}; // of a group
    Times activate_at_{}, precharge_at_{}, column_at_{};
    Times group_column_at_{}, group_precharge_at_{};
    std::array<Cycle, kDramCommands> channel_at_{};
};

} // namespace heddle::mem
