// A memory channel that gives commands to banks: precharge, activate, read, write, one a clock, when the timing rules
// (bank_timing.h) allow them and in the order of a scheduler (dram_scheduler.h). Times are command clocks.
//
//   request    ceil(bytes / burst bytes) column commands in one row, of a read as many for each dram.sector; its bank
//              serves nothing else between them
//   read       done `dram.latency` clocks after its last byte is on the bus
//   write      done when its last byte is on the bus
//   atomic     a read; the channel's atomic unit then does one operation a clock, requests in order of their data; done
//              dram.latency clocks later. Its bank writes the result back before it serves anything else
//   starvation while the oldest request has waited for more than dram.starvation clocks, its bank serves it as soon as
//              a request begun there is complete, and no other bank transfers
//   page       closed: the last request for a row in the queue closes it by auto-precharge
//   refresh    every dram.t_refi clocks all banks close their rows and are refreshed, as soon as their rules allow it;
//              with gddr.t_rfc_bank one bank after another. A request that has begun goes on afterwards
//   power-down a request that comes after dram.power_down clocks without one waits for dram.t_xp
//
// Between commands the channel sleeps: the next clock with a command to give is known when one has been given, because
// nothing but a new request can bring it forward.
#pragma once

#include <array>
#include <memory>

#include "base/divider.h"
#include "base/select.h"
#include "mem/dram/address_map.h"
#include "mem/dram/bank_needs.h"
#include "mem/dram/bank_timing.h"
#include "mem/dram/channel.h"
#include "mem/dram/queue.h"
#include "mem/dram/scheduler.h"

namespace heddle::mem {

class TimedChannel final : public DramChannel {
public:
    explicit TimedChannel(const DramConfig& config); // without problems()

    [[nodiscard]] bool accepts() const override {
        return !queue_.full();
    }
    [[gnu::flatten]] void push(const DramRequest& request, Cycle now) override;
    [[gnu::flatten]] void catch_up(Cycle now) override;
    [[nodiscard]] DramStats& stats() override {
        return stats_;
    }

private:
    // Which request each bank serves, and which banks may transfer
    void choose(unsigned bank, Cycle now);
    void aim(unsigned bank, Cycle now);
    void refresh(Cycle now) {
        if (now < refresh_at_)
            return;
        if (bank_interval_ == 0)
            refresh_all(now);
        else
            refresh_banks(now);
    }
    void refresh_all(Cycle now);
    void refresh_banks(Cycle now);
    void close_for_refresh(unsigned bank, Cycle at);
    void resume_after_refresh(unsigned bank, Cycle now);
    void leave_power_down(Cycle now);
    void look_at_turns(Cycle now) {
        if (has_turns_ && (turns_stale_ || now >= late_at_))
            update_turns(now);
    }
    void update_turns(Cycle now);
    // Banks that need a command and may have it by all rules.
    [[nodiscard]] BankMask allowed(DramCommand command, Cycle now) const {
        return needs_.ready(command) & mask_if(now >= timing_.channel_at(command));
    }
    [[nodiscard]] Cycle next_command(Cycle now) const;

    // Commands
    void issue(Cycle now);
    void issue_both(BankMask columns, Cycle now);
    void row_command(unsigned bank, Cycle now);
    void column_command(unsigned bank, Cycle now);
    Cycle transfer(unsigned bank, bool write, Cycle now);
    bool complete(WaitingRequest& waiting, Cycle data_end);
    void push_done(Cycle at, const DramRequest& request);
    void retire(DramSlot slot, Cycle now);
    static void classify(WaitingRequest& waiting, std::uint64_t& counter);
    [[nodiscard]] unsigned bursts_of(std::uint64_t bytes) const {
        return static_cast<unsigned>(burst_bytes_.quotient(bytes + burst_bytes_.divisor() - 1));
    }
    [[nodiscard]] unsigned columns_of(const DramRequest& request) const;

    unsigned banks_;
    AddressMap map_;
    BankTiming timing_;
    DramQueue queue_;
    std::unique_ptr<DramScheduler> scheduler_;
    bool restricts_; // the scheduler restricts the banks that may transfer
    Divider burst_bytes_;
    std::uint64_t sector_; // bytes of a part of a read; 0: all of it
    Cycle burst_clocks_;
    Cycle latency_;
    Cycle starvation_;
    bool has_turns_; // not all banks may transfer at all times
    bool closed_page_;
    bool dual_bus_;
    Cycle t_refi_, power_down_, t_xp_;
    Cycle bank_interval_;  // between the refreshes of two banks; 0: all are refreshed at once
    Cycle read_lookahead_; // from a command to its completion
    Cycle write_lookahead_;

    BankNeeds needs_;
    BankMask turns_ = ~BankMask{0}; // banks that may transfer
    bool turns_stale_ = false;      // the queue has changed since
    Cycle late_at_ = kNever;        // when the oldest request will have waited too long
    bool last_was_write_ = false;
    Cycle refresh_at_ = kNever; // the next refresh
    unsigned refresh_bank_ = 0; // the bank that it is of, when each has its own
    Cycle last_command_ = 0;
    Cycle last_atomic_ = 0; // when the last operation of the last atomic is done

    Cycle pushed_at_ = 0; // for assertions, as the next two
    std::uint64_t pushed_ = 0;
    std::uint64_t completed_ = 0;
    DramStats stats_;
};

} // namespace heddle::mem
