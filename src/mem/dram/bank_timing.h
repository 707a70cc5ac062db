// When banks and the buses they share can take commands: the timing rules of GDDR3, GDDR5 (JESD212) and GDDR6
// (JESD250), in command clocks. Requests are not visible here.
//
//   bank     tRC, tRAS, tRP, tRCD (tRCDWR of a write), tWR, tRTP; tRFCpb from its refresh, which finds it closed
//   group    tCCDL between column commands, tRTPL from a read to a precharge, tWTRL from a write's last data to a read
//   channel  tRRD; tFAW, which holds of any four activates; tCCD; the data bus, on which a read's data come tCL after
//   the command and a write's tWL;
//            tWTR from a write's last data to a read; tRTW from a read to a write
//   all      tRFC from a refresh, which finds all banks closed; tXP from the end of a power-down
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "mem/dram/config.h"

namespace heddle::mem {

inline constexpr unsigned kMaxTimedBanks = 64; // bits of a BankMask
using BankMask = std::uint64_t;                // bit b: bank b

enum class DramCommand : std::uint8_t { Activate, Precharge, Read, Write };
inline constexpr unsigned kDramCommands = 4;

class BankTiming {
public:
    explicit BankTiming(const DramConfig& config);

    // The first clock in which the rules of the bank and its group allow a command.
    [[nodiscard]] Cycle bank_at(DramCommand command, unsigned bank) const {
        const auto c = static_cast<unsigned>(command);
        return std::max(bank_at_[bank].at[c], group_at_[bank & group_mask_].at[c]);
    }
    // The first clock in which the rules of the channel allow a command.
    [[nodiscard]] Cycle channel_at(DramCommand command) const {
        return channel_at_[static_cast<unsigned>(command)];
    }
    // The first clock in which the rules of the bank's group alone allow a command.
    [[nodiscard]] Cycle group_at(DramCommand command, unsigned bank) const {
        return group_at_[bank & group_mask_].at[static_cast<unsigned>(command)];
    }
    // The banks of a bank's group, whose times a column command to it may put off.
    [[nodiscard]] BankMask group_of(unsigned bank) const {
        return members_[bank & group_mask_];
    }

    // A command is given at `now`, when all rules allow it. A column command's answer is the clock after its last data
    // on the bus.
    void activate(unsigned bank, Cycle now);
    void precharge(unsigned bank, Cycle now);
    Cycle read(unsigned bank, Cycle now);
    Cycle write(unsigned bank, Cycle now);
    // The bank closes its row by itself as soon as it may (a column command with auto-precharge).
    void auto_precharge(unsigned bank) {
        precharge(bank, of(bank_at_, DramCommand::Precharge, bank));
    }
    // The bank takes no column command before `until`.
    void hold_columns(unsigned bank, Cycle until);
    // All banks are refreshed as soon after `now` as the rules of each allow an activate; they are closed. Takes tRFC.
    void refresh(Cycle now);
    // The same of one bank. Takes tRFCpb.
    void refresh_bank(unsigned bank, Cycle now);
    // No bank takes a command before `until`.
    void hold_all(Cycle until);

private:
    // By bank or group, then by command: a command has to do with one or two lines of the host's cache.
    struct alignas(32) Times4 {
        std::array<Cycle, kDramCommands> at{};
    };
    using Times = std::array<Times4, kMaxTimedBanks>;

    static Cycle& of(Times& times, DramCommand command, unsigned which) {
        return times[which].at[static_cast<unsigned>(command)];
    }
    static void put_off(Cycle& at, Cycle until) {
        at = std::max(at, until);
    }
    void put_off_columns_of_group(unsigned bank, Cycle read, Cycle write);
    void set_channel(DramCommand command, Cycle at) {
        channel_at_[static_cast<unsigned>(command)] = at;
    }

    Cycle t_wl_, t_cl_, t_rp_, t_rc_, t_ras_, t_rcd_, t_rcd_write_, t_rrd_, t_ccd_l_, t_wr_, t_rtp_, t_rtp_l_, t_faw_,
        t_rfc_, t_rfc_bank_;
    unsigned banks_;
    Cycle burst_;          // clocks of data of one column command
    Cycle same_direction_; // read to read, write to write
    Cycle read_to_write_;
    Cycle write_to_read_;   // command to command
    Cycle write_to_read_l_; // the same within a group
    unsigned group_mask_;
    std::array<BankMask, kMaxTimedBanks> members_{}; // by group
    Times bank_at_{};
    Times group_at_{};
    std::array<Cycle, kDramCommands> channel_at_{};
    std::array<Cycle, 4> window_{}; // when the last four activates let another follow, tFAW after each
    std::size_t window_next_ = 0;   // the oldest of them
};

} // namespace heddle::mem
