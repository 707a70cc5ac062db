#include "mem/dram/timed_channel.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle::mem {

namespace {

constexpr BankMask bit(unsigned bank) {
    return BankMask{1} << bank;
}

} // namespace

TimedChannel::TimedChannel(const DramConfig& config)
    : banks_(static_cast<unsigned>(config.banks)), map_(config.mapping, config.banks, config.row_bytes),
      timing_(config), queue_(config.queue), scheduler_(dram_schedulers().make(config.scheduler, config)),
      restricts_(scheduler_->restricts_transfers()), burst_bytes_(config.burst_bytes()), sector_(config.sector),
      burst_clocks_(config.burst_clocks()), latency_(config.latency), starvation_(config.starvation),
      has_turns_(restricts_ || starvation_ != 0), closed_page_(config.page == "closed"), dual_bus_(config.dual_bus),
      t_refi_(config.t_refi), power_down_(config.power_down), t_xp_(config.t_xp),
      bank_interval_(config.t_rfc_bank == 0 ? 0 : config.t_refi / config.banks),
      read_lookahead_(config.t_cl + config.burst_clocks() + config.latency),
      write_lookahead_(config.t_wl + config.burst_clocks()) {
    lookahead = read_lookahead_;
    if (t_refi_ != 0)
        refresh_at_ = bank_interval_ != 0 ? bank_interval_ : t_refi_;
}

void TimedChannel::push(const DramRequest& request, Cycle now) {
    const DramPlace place = map_.place(request.address);
    assert(request.bytes > 0 && map_.place(request.address + request.bytes - 1).row == place.row &&
           map_.place(request.address + request.bytes - 1).bank == place.bank);
    stats_.found_queued += queue_.size();
    leave_power_down(now);
    queue_.insert(request, place, columns_of(request), now);
    turns_stale_ = has_turns_;
    pushed_at_ = now;
    ++pushed_;
    if (request.use == DramUse::Write && !request.silent)
        lookahead = std::min(read_lookahead_, write_lookahead_);

    const DramSlot served = queue_.serving(place.bank);
    if (served != kNoDramSlot && queue_[served].started)
        return;
    choose(place.bank, now);
    if (queue_.serving(place.bank) == served)
        return;
    // By the rules of the bank and the channel; catch_up() adds what the scheduler allows.
    const DramCommand command = needs_.command(place.bank);
    const Cycle at = std::max(timing_.bank_at(command, place.bank), timing_.channel_at(command));
    wake = std::min(wake, std::max(at, now + 1));
}

void TimedChannel::catch_up(Cycle now) {
    assert(wake > now || pushed_ == 0 || wake > pushed_at_);
    while (wake <= now) {
        const Cycle clock = wake;
        refresh(clock);
        needs_.awaken(timing_, clock);
        look_at_turns(clock);
        issue(clock);
        look_at_turns(clock);
        wake = next_command(clock);
    }
    assert(wake != kNever || completed_ == pushed_); // each request completes exactly once
}

// Refreshes that have become due. No bank has had a command to give since the first of them.
void TimedChannel::refresh_all(Cycle now) {
    for (unsigned bank = 0; bank < banks_; ++bank)
        close_for_refresh(bank, refresh_at_);
    const Cycle more = (now - refresh_at_) / t_refi_; // while no request waited: they find all banks closed
    timing_.refresh(refresh_at_);
    if (more != 0)
        timing_.refresh(refresh_at_ + more * t_refi_);
    stats_.refreshes += more + 1;
    refresh_at_ += (more + 1) * t_refi_;
    for (unsigned bank = 0; bank < banks_; ++bank)
        resume_after_refresh(bank, now);
}

// The same where each bank has a refresh of its own. The first one of a bank closes its row, the last one decides when
// the bank may be activated again.
void TimedChannel::refresh_banks(Cycle now) {
    const Cycle due = (now - refresh_at_) / bank_interval_ + 1;
    const Cycle once = std::min<Cycle>(due, banks_);
    const auto bank = [&](Cycle nth) { return static_cast<unsigned>((refresh_bank_ + nth) % banks_); };
    const auto at = [&](Cycle nth) { return refresh_at_ + nth * bank_interval_; };
    for (Cycle nth = 0; nth < once; ++nth)
        close_for_refresh(bank(nth), at(nth));
    for (Cycle nth = due - once; nth < due; ++nth) {
        timing_.refresh_bank(bank(nth), at(nth));
        resume_after_refresh(bank(nth), now);
    }
    stats_.refreshes += due;
    refresh_bank_ = bank(due);
    refresh_at_ = at(due);
}

// A bank that is refreshed at `at` closes its row.
void TimedChannel::close_for_refresh(unsigned bank, Cycle at) {
    if (queue_.open_row(bank) == kNoRow)
        return;
    timing_.precharge(bank, std::max(at, timing_.bank_at(DramCommand::Precharge, bank)));
    queue_.close_row(bank);
    ++stats_.precharges;
}

// Which request a refreshed bank serves, and the command that it needs.
void TimedChannel::resume_after_refresh(unsigned bank, Cycle now) {
    const DramSlot served = queue_.serving(bank);
    if (served != kNoDramSlot && !queue_[served].started)
        choose(bank, now);
    aim(bank, now);
}

// The first request after dram.power_down clocks finds the chips powered down.
void TimedChannel::leave_power_down(Cycle now) {
    if (power_down_ == 0 || queue_.size() != 0 || now <= last_command_ + power_down_)
        return;
    timing_.hold_all(now + t_xp_);
    ++stats_.power_downs;
}

// The request that a bank serves next, when none of its requests has begun.
void TimedChannel::choose(unsigned bank, Cycle now) {
    if (queue_.oldest(bank) != kNoDramSlot) {
        const DramSlot slot = scheduler_->serve(bank, queue_);
        assert(slot == queue_.oldest(bank) || slot == queue_.oldest_hit(bank));
        if (slot == queue_.serving(bank))
            return;
        queue_.serve(bank, slot);
    }
    aim(bank, now);
}

// Finds out which command the bank's request needs next.
void TimedChannel::aim(unsigned bank, Cycle now) {
    const DramSlot slot = queue_.serving(bank);
    if (slot == kNoDramSlot) {
        needs_.clear(bank);
        return;
    }
    const std::uint64_t row = queue_.open_row(bank);
    DramCommand command = DramCommand::Activate;
    if (row == queue_[slot].place.row)
        command = queue_[slot].column_command();
    else if (row != kNoRow)
        command = DramCommand::Precharge;
    needs_.set(bank, command, timing_, now);
}

// The banks that may transfer: the scheduler's choice, or the bank of a request that has waited too long.
void TimedChannel::update_turns(Cycle now) {
    turns_stale_ = false;
    turns_ = restricts_ ? scheduler_->may_transfer(queue_) : ~BankMask{0};
    late_at_ = kNever;
    const DramSlot oldest = queue_.oldest();
    if (starvation_ == 0 || oldest == kNoDramSlot)
        return;
    const Cycle late_at = queue_[oldest].arrival + starvation_ + 1;
    if (now < late_at) {
        late_at_ = late_at;
        return;
    }
    const unsigned bank = queue_[oldest].place.bank;
    turns_ = bit(bank);
    const DramSlot served = queue_.serving(bank);
    if (served != oldest && !queue_[served].started) {
        queue_.serve(bank, oldest);
        aim(bank, now);
    }
}

// The next clock in which a command is possible, as far as it is known. A precharge is possible as soon as the rules of
// its bank allow it.
Cycle TimedChannel::next_command(Cycle now) const {
    if (needs_.ready(DramCommand::Precharge) != 0)
        return now + 1;
    Cycle at = std::min(needs_.next(), late_at_);
    const auto look = [&](DramCommand command, BankMask banks) {
        at = std::min(at, timing_.channel_at(command) |
                              mask_if((needs_.ready(command) & banks) == 0)); // kNever has all bits
    };
    look(DramCommand::Activate, ~BankMask{0});
    look(DramCommand::Read, turns_);
    if (needs_.ready(DramCommand::Write) != 0)
        look(DramCommand::Write, turns_);
    return std::max(at, now + 1);
}

// Gives at most one command.
void TimedChannel::issue(Cycle now) {
    BankMask columns = allowed(DramCommand::Read, now);
    if (needs_.ready(DramCommand::Write) != 0)
        columns |= allowed(DramCommand::Write, now);
    columns &= turns_;
    const BankMask rows = allowed(DramCommand::Activate, now) | needs_.ready(DramCommand::Precharge);
    if ((columns | rows) == 0)
        return;
    last_command_ = now;
    if (dual_bus_ && columns != 0 && rows != 0) [[unlikely]]
        return issue_both(columns, now);
    const unsigned bank = scheduler_->pick(columns, rows, queue_);
    assert(((columns | rows) & bit(bank)) != 0);
    if ((columns & bit(bank)) != 0)
        column_command(bank, now);
    else
        row_command(bank, now);
}

// A command to a column and one to a row of another bank. A precharge does not stop the bank of the column command.
void TimedChannel::issue_both(BankMask columns, Cycle now) {
    const unsigned bank = scheduler_->pick(columns, 0, queue_);
    column_command(bank, now);
    const BankMask rows = (allowed(DramCommand::Activate, now) | needs_.ready(DramCommand::Precharge)) & ~bit(bank);
    if (rows != 0)
        row_command(scheduler_->pick(0, rows, queue_), now);
}

void TimedChannel::row_command(unsigned bank, Cycle now) {
    WaitingRequest& waiting = queue_[queue_.serving(bank)];
    if (queue_.open_row(bank) == kNoRow) {
        classify(waiting, stats_.row_closed);
        timing_.activate(bank, now);
        queue_.open_row(bank, waiting.place.row);
        ++stats_.activates;
        // The scheduler does not choose again: the row is that of the request that it has chosen.
        needs_.set(bank, waiting.column_command(), timing_, now);
    } else {
        classify(waiting, stats_.row_conflicts);
        timing_.precharge(bank, now);
        queue_.close_row(bank);
        ++stats_.precharges;
        needs_.set(bank, DramCommand::Activate, timing_, now);
    }
}

void TimedChannel::column_command(unsigned bank, Cycle now) {
    const DramSlot slot = queue_.serving(bank);
    WaitingRequest& waiting = queue_[slot];
    // Nothing overtakes a request that has waited too long.
    assert(waiting.started || starvation_ == 0 || slot == queue_.oldest() ||
           now - queue_[queue_.oldest()].arrival <= starvation_);
    classify(waiting, stats_.row_hits);
    waiting.started = true;
    const Cycle data_end = transfer(bank, waiting.writes, now);
    needs_.put_off_group(bank, timing_, now);
    if (--waiting.columns == 0 && complete(waiting, data_end))
        retire(slot, now);
    else
        needs_.set(bank, waiting.column_command(), timing_, now);
}

unsigned TimedChannel::columns_of(const DramRequest& request) const {
    if (sector_ == 0 || request.use != DramUse::Read)
        return bursts_of(request.bytes);
    const std::uint64_t whole = request.bytes / sector_;
    return static_cast<unsigned>(whole) * bursts_of(sector_) + bursts_of(request.bytes - whole * sector_);
}

// The clock after the last data of the column command.
Cycle TimedChannel::transfer(unsigned bank, bool write, Cycle now) {
    stats_.bus_busy += burst_clocks_;
    stats_.turnarounds += write != last_was_write_ ? 1 : 0;
    last_was_write_ = write;
    return write ? timing_.write(bank, now) : timing_.read(bank, now);
}

// The last column command of a request, or of an atomic's first half, was given. True when nothing is left to do.
bool TimedChannel::complete(WaitingRequest& waiting, Cycle data_end) {
    const DramRequest& request = waiting.request;
    stats_.bytes += request.bytes;
    switch (request.use) {
    case DramUse::Read:
        ++stats_.reads;
        stats_.count_read(data_end + latency_ - waiting.arrival);
        push_done(data_end + latency_, request);
        break;
    case DramUse::Write:
        ++stats_.writes;
        if (!request.silent)
            push_done(data_end, request);
        break;
    case DramUse::Atomic:
        if (waiting.writes)
            break;
        ++stats_.atomics;
        last_atomic_ = std::max(data_end, last_atomic_ + 1) + (request.operations - 1);
        push_done(last_atomic_ + latency_, request);
        waiting.writes = true;
        waiting.columns = columns_of(request);
        timing_.hold_columns(waiting.place.bank, last_atomic_);
        return false;
    }
    ++completed_;
    return true;
}

// A request completes at `at`: of several in one clock writes come first, then atomics.
void TimedChannel::push_done(Cycle at, const DramRequest& request) {
    static constexpr unsigned kTurn[] = {2, 0, 1}; // by DramUse
    done.push_sorted({at, request.id, request.use}, [](const Done& a, const Done& b) {
        return a.at != b.at ? a.at < b.at : kTurn[static_cast<unsigned>(a.use)] < kTurn[static_cast<unsigned>(b.use)];
    });
}

// Takes a served request out; its bank goes on to the next.
void TimedChannel::retire(DramSlot slot, Cycle now) {
    const unsigned bank = queue_[slot].place.bank;
    queue_.remove(slot);
    turns_stale_ = has_turns_;
    if (closed_page_ && queue_.oldest_hit(bank) == kNoDramSlot) {
        timing_.auto_precharge(bank);
        queue_.close_row(bank);
        ++stats_.precharges;
    }
    choose(bank, now);
}

// Counts what a request's first command found.
void TimedChannel::classify(WaitingRequest& waiting, std::uint64_t& counter) {
    counter += waiting.classed ? 0 : 1;
    waiting.classed = true;
}

} // namespace heddle::mem
