#include "mem/timed_channel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace heddle::mem {

namespace {

constexpr BankMask bit(unsigned bank) {
    return BankMask{1} << bank;
}

} // namespace

TimedChannel::TimedChannel(const DramConfig& config)
    : map_(config.mapping, config.banks, config.row_bytes), timing_(config), queue_(config.queue),
      scheduler_(dram_schedulers().make(config.scheduler, config)), restricts_(scheduler_->restricts_transfers()),
      burst_bytes_(config.burst_bytes()), burst_clocks_(config.burst_clocks()), latency_(config.latency),
      starvation_(config.starvation), has_turns_(restricts_ || starvation_ != 0), closed_page_(config.page == "closed"),
      read_lookahead_(config.t_cl + config.burst_clocks() + config.latency),
      write_lookahead_(config.t_wl + config.burst_clocks()) {
    lookahead = read_lookahead_;
}

void TimedChannel::push(const DramRequest& request, Cycle now) {
    const DramPlace place = map_.place(request.address);
    assert(request.bytes > 0 && map_.place(request.address + request.bytes - 1).row == place.row &&
           map_.place(request.address + request.bytes - 1).bank == place.bank);
    stats_.found_queued += queue_.size();
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
    // By the rules of the bank and the channel; what the scheduler allows is for tick() to see.
    const DramCommand command = need_of_[place.bank];
    const Cycle at = std::max(timing_.bank_at(command, place.bank), timing_.channel_at(command));
    command_at_ = std::min(command_at_, std::max(at, now + 1));
    wake = std::min(command_at_, done_at);
}

void TimedChannel::tick(Cycle now) {
    assert(now <= wake && (pushed_ == 0 || now > pushed_at_));
    if (now >= done_at)
        deliver(now);
    if (now >= command_at_) {
        if (now >= next_awake_)
            awaken(now);
        look_at_turns(now);
        issue(now);
        look_at_turns(now);
        command_at_ = next_command(now);
    }
    wake = std::min(command_at_, done_at);
    assert(wake != kNever || completed_ == pushed_); // each request completes exactly once
}

void TimedChannel::catch_up(Cycle now) {
    while (wake <= now)
        TimedChannel::tick(wake);
}

void TimedChannel::deliver(Cycle now) {
    while (done_at <= now) {
        RingQueue<Done>* next = nullptr;
        for (RingQueue<Done>* queue : {&reads_, &atomics_, &writes_})
            if (!queue->empty() && queue->front().at == done_at)
                next = queue;
        done.push(next->pop());
        ++completed_;
        done_at = next_delivery();
    }
}

Cycle TimedChannel::next_delivery() const {
    Cycle at = kNever;
    for (const RingQueue<Done>* queue : {&reads_, &atomics_, &writes_})
        if (!queue->empty())
            at = std::min(at, queue->front().at);
    return at;
}

// The request that a bank serves next, when none of its requests has begun.
void TimedChannel::choose(unsigned bank, Cycle now) {
    if (queue_.oldest(bank) != kNoDramSlot) {
        const DramSlot slot = scheduler_->serve(bank, queue_);
        assert(slot == queue_.oldest(bank) || slot == queue_.oldest_hit(bank));
        queue_.serve(bank, slot);
    }
    aim(bank, now);
}

// Finds out which command the bank's request needs next.
void TimedChannel::aim(unsigned bank, Cycle now) {
    needs(need_of_[bank]) &= ~bit(bank);
    const DramSlot slot = queue_.serving(bank);
    if (slot == kNoDramSlot) {
        asleep_ &= ~bit(bank);
        return;
    }
    const std::uint64_t row = queue_.open_row(bank);
    DramCommand command = DramCommand::Activate;
    if (row == queue_[slot].place.row)
        command = queue_[slot].writes ? DramCommand::Write : DramCommand::Read;
    else if (row != kNoRow)
        command = DramCommand::Precharge;
    need_of_[bank] = command;
    needs(command) |= bit(bank);
    rest(bank, now);
}

// Puts a bank to sleep while its rules forbid the command that it needs. Further ahead than the wheel reaches, it looks
// again on the way.
void TimedChannel::rest(unsigned bank, Cycle now) {
    const Cycle at = timing_.bank_at(need_of_[bank], bank);
    if (at <= now) {
        asleep_ &= ~bit(bank);
        return;
    }
    asleep_ |= bit(bank);
    const Cycle look = std::min(at, now + kWheel - 1);
    wheel_[look % kWheel] |= bit(bank);
    wheel_used_ |= bit(look % kWheel);
    next_awake_ = std::min(next_awake_, look);
}

void TimedChannel::awaken(Cycle now) {
    while (next_awake_ <= now) {
        const auto slot = static_cast<unsigned>(next_awake_ % kWheel);
        // Some were sent on to another request meanwhile, some put off by their group.
        BankMask due = std::exchange(wheel_[slot], 0) & asleep_;
        wheel_used_ &= ~bit(slot);
        next_awake_ =
            wheel_used_ == 0
                ? kNever
                : next_awake_ + static_cast<unsigned>(std::countr_zero(std::rotr(wheel_used_, static_cast<int>(slot))));
        for (; due != 0; due &= due - 1)
            rest(static_cast<unsigned>(std::countr_zero(due)), now);
    }
}

// Who may transfer: the scheduler's choice, or the bank of a request that has waited too long.
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

// When a command is possible next, as far as one can tell.
Cycle TimedChannel::next_command(Cycle now) const {
    Cycle at = std::min(next_awake_, late_at_);
    const auto look = [&](DramCommand command, BankMask banks) {
        const BankMask ready = needs_[static_cast<unsigned>(command)] & banks;
        at = std::min(at, timing_.channel_at(command) | mask_if(ready == 0)); // kNever has all bits
    };
    look(DramCommand::Activate, ~asleep_);
    look(DramCommand::Precharge, ~asleep_);
    look(DramCommand::Read, turns_ & ~asleep_);
    look(DramCommand::Write, turns_ & ~asleep_);
    return std::max(at, now + 1);
}

// Gives at most one command.
void TimedChannel::issue(Cycle now) {
    const BankMask columns = (allowed(DramCommand::Read, now) | allowed(DramCommand::Write, now)) & turns_ & ~asleep_;
    const BankMask rows = (allowed(DramCommand::Activate, now) | allowed(DramCommand::Precharge, now)) & ~asleep_;
    if ((columns | rows) == 0)
        return;
    const unsigned bank = scheduler_->pick(columns, rows, queue_);
    assert(((columns | rows) & bit(bank)) != 0);
    if ((columns & bit(bank)) != 0)
        column_command(bank, now);
    else
        row_command(bank, now);
}

void TimedChannel::row_command(unsigned bank, Cycle now) {
    WaitingRequest& waiting = queue_[queue_.serving(bank)];
    if (queue_.open_row(bank) == kNoRow) {
        classify(waiting, stats_.row_closed);
        timing_.activate(bank, now);
        queue_.open_row(bank, waiting.place.row);
        ++stats_.activates;
    } else {
        classify(waiting, stats_.row_conflicts);
        timing_.precharge(bank, now);
        queue_.close_row(bank);
        ++stats_.precharges;
    }
    aim(bank, now);
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
    if (--waiting.columns == 0 && complete(waiting, data_end))
        retire(slot, now);
    else
        aim(bank, now);
    const BankMask put_off = needs(DramCommand::Read) | needs(DramCommand::Write) | needs(DramCommand::Precharge);
    for (BankMask left = timing_.group_of(bank) & put_off & ~asleep_; left != 0; left &= left - 1)
        rest(static_cast<unsigned>(std::countr_zero(left)), now);
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
        reads_.push({data_end + latency_, request.id, request.use});
        break;
    case DramUse::Write:
        ++stats_.writes;
        if (!request.silent)
            writes_.push({data_end, request.id, request.use});
        completed_ += request.silent ? 1 : 0;
        break;
    case DramUse::Atomic:
        if (waiting.writes)
            return true;
        ++stats_.atomics;
        last_atomic_ = std::max(data_end, last_atomic_ + 1) + (request.operations - 1);
        atomics_.push({last_atomic_ + latency_, request.id, request.use});
        waiting.writes = true;
        waiting.columns = columns_of(request);
        timing_.hold_columns(waiting.place.bank, last_atomic_);
    }
    done_at = next_delivery();
    return request.use != DramUse::Atomic;
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
