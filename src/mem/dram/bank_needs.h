// The command that each bank of a channel needs next, and whether the rules of the bank and of its group allow it.
// Times are command clocks.
//
//   idle      the bank serves no request and needs no command
//   ready     the rules of the bank and its group allow the command; those of the channel are not in question here
//   asleep    they forbid it; awaken() looks at the rules again when they allow it, or at the end of the wheel's span
#pragma once

#include <array>
#include <bit>

#include "base/mask_wheel.h"
#include "mem/dram/bank_timing.h"

namespace heddle::mem {

class BankNeeds {
public:
    // The banks that are ready for a command.
    [[nodiscard]] BankMask ready(DramCommand command) const {
        return ready_[static_cast<unsigned>(command)];
    }
    // The command that a bank needs, or needed last when it is idle.
    [[nodiscard]] DramCommand command(unsigned bank) const {
        return command_of_[bank];
    }
    // The next clock in which awaken() has work; kNever when no bank is asleep.
    [[nodiscard]] Cycle next() const {
        return sleepers_.next();
    }
    // The bank is idle.
    void clear(unsigned bank) {
        ready_for(command_of_[bank]) &= ~bit(bank);
        asleep_ &= ~bit(bank);
    }
    void set(unsigned bank, DramCommand command, const BankTiming& timing, Cycle now) {
        ready_for(command_of_[bank]) &= ~bit(bank);
        command_of_[bank] = command;
        rest(bank, timing, now);
    }
    // A column command was given to a bank: banks of its group that were ready may have to wait.
    void put_off_group(unsigned bank, const BankTiming& timing, Cycle now) {
        const BankMask group = timing.group_of(bank) & ~bit(bank);
        if ((group & (ready(DramCommand::Read) | ready(DramCommand::Write) | ready(DramCommand::Precharge))) == 0)
            return;
        for (const DramCommand command : {DramCommand::Read, DramCommand::Write, DramCommand::Precharge}) {
            const BankMask banks = ready(command) & group;
            const Cycle until = timing.group_at(command, bank);
            if (banks == 0 || until <= now)
                continue;
            ready_for(command) ^= banks;
            put_to_sleep(banks, until, now);
        }
    }
    // Clock `now` has come. Clocks ascend.
    void awaken(const BankTiming& timing, Cycle now) {
        // Some banks have got another command meanwhile.
        for (BankMask due = sleepers_.collect(now) & asleep_; due != 0; due &= due - 1)
            rest(static_cast<unsigned>(std::countr_zero(due)), timing, now);
    }

private:
    [[nodiscard]] static constexpr BankMask bit(unsigned bank) {
        return BankMask{1} << bank;
    }
    [[nodiscard]] BankMask& ready_for(DramCommand command) {
        return ready_[static_cast<unsigned>(command)];
    }
    // Makes a bank ready, or puts it to sleep while the rules forbid the command that it needs.
    void rest(unsigned bank, const BankTiming& timing, Cycle now) {
        const Cycle at = timing.bank_at(command_of_[bank], bank);
        if (at > now)
            return put_to_sleep(bit(bank), at, now);
        asleep_ &= ~bit(bank);
        ready_for(command_of_[bank]) |= bit(bank);
    }
    void put_to_sleep(BankMask banks, Cycle until, Cycle now) {
        asleep_ |= banks;
        sleepers_.put(banks, until, now);
    }

    std::array<DramCommand, kMaxTimedBanks> command_of_{};
    std::array<BankMask, kDramCommands> ready_{}; // by the command that they need
    BankMask asleep_ = 0;
    MaskWheel<BankMask> sleepers_; // by the clock in which they look again
};

} // namespace heddle::mem
