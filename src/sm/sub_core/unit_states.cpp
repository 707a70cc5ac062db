#include "sm/sub_core/unit_states.h"

#include <bit>
#include <utility>

namespace heddle::sm {

using warp::FlightId;

UnitStates::UnitStates(Frame& frame, const DecodedKernel& kernel, std::span<FrontEnd> fronts,
                       std::span<IssueUnit> issue_units, LatencyWheel& wheel, unsigned first_item, unsigned pipes,
                       bool loads_are_long, const Hazards& hazards, const WarpgroupProducts* products,
                       const CopyGroups* copies, const CopyGroups* bulk_stores)
    : frame_(frame), units_(frame.units), kernel_(&kernel), fronts_(fronts), issue_units_(issue_units), wheel_(wheel),
      first_item_(first_item), load_store_(static_cast<State>(pipes)),
      none_(static_cast<State>(pipes + 1 + kProducers)),
      divides_rows_(frame.formation.needs().divides_rows || frame.formation.traits().take_several_slots),
      units_are_rows_(frame.formation.needs().units_are_rows), loads_are_long_(loads_are_long),
      by_bits_(frame.contexts.config.dependences == "control"), hazards_(hazards),
      by_hazards_(!by_bits_ && units_are_rows_ && hazards.any()), products_(products), copies_(copies),
      bulk_stores_(bulk_stores),
      by_ends_(by_bits_ || by_hazards_ || products != nullptr || copies != nullptr || bulk_stores != nullptr),
      scoreboard_(static_cast<unsigned>(frame.contexts.config.threads / frame.contexts.config.width), divides_rows_),
      reads_(units_.capacity(), by_hazards_ ? hazards.readers : 0), counters_(by_bits_ ? units_.capacity() : 0),
      standing_(units_.capacity()), known_(units_.capacity()), await_constant_(units_.capacity()),
      unresolved_(units_.capacity(), frame.formation.traits().die_at_issue) {
    waiting_of_row_.assign(frame.contexts.config.threads / frame.contexts.config.width * known_.words(), 0);
    for (unsigned u = 0; u < units_.capacity(); ++u) {
        standing_[u].state = none_;
        standing_[u].issue_unit = static_cast<std::uint8_t>(u % issue_units_.size());
        standing_[u].front = static_cast<std::uint8_t>(u % fronts_.size());
    }
}

// Predicates have no bypass: their latency is that to their use as a guard already.
void UnitStates::issued_by_hazards(const warp::Group& group, const Decoded& op, Writer writer, Ends ends) {
    const RowId row = group.part[0].row;
    if (reads_.are_counted())
        reads_.add(row, kernel_->reads_of(group.pc), writer, ends.read);
    if (ends.written == Scoreboard::kUntilCleared)
        return;
    const bool at_write = hazards_.at_write && (op.uniform || (op.fixed && op.results_written != 0));
    const Cycle until = at_write ? ends.stored + 1 : ends.written; // the scoreboard shows a write in the next cycle
    write(row, op, writer, until + (op.uniform ? hazards_.uniform_lead : 0));
}

void UnitStates::release(const warp::Flight& flight, const Decoded& op) {
    if (by_bits_) [[unlikely]]
        counters_.down(flight.group.unit, kernel_->control(flight.group.pc).write);
    else
        scoreboard_.clear(flight.group, op.results());
    for (unsigned p = 0; p < flight.group.parts; ++p)
        evaluate_waiting(flight.group.part[p].row, flight.id);
}

void UnitStates::await_constant(UnitId unit) {
    await_constant_.insert(unit);
    ++constants_;
    evaluate_registers(unit);
}

void UnitStates::constant_came(UnitId unit) {
    if (!await_constant_.contains(unit))
        return;
    await_constant_.erase(unit);
    --constants_;
    if (waits_for_register(unit))
        evaluate_registers(unit);
}

void UnitStates::missed(const warp::Flight& flight) {
    if (loads_are_long_)
        return;
    for (unsigned p = 0; p < flight.group.parts; ++p)
        evaluate_waiting(flight.group.part[p].row, flight.id);
}

void UnitStates::note_passing(RowId row, std::span<const RegisterNumber> registers, Pc pc) {
    for (const RegisterNumber number : registers) {
        const std::size_t at = std::size_t{row} * scoreboard_.registers() + number;
        if (at >= passed_.size())
            passed_.resize(at + 1, kNoPc);
        passed_[at] = pc;
    }
}

// Where instructions pass, units are rows.
Pc UnitStates::producer(UnitId unit) const {
    const Writer writer = standing_[unit].blocker;
    if (const FlightId copy = awaited_copy(unit, kernel_->at(units_.pc[unit])); copy != warp::kNoFlight)
        return frame_.flights[copy].group.pc;
    if (by_bits_)
        return writer == kNoWriter ? kNoPc : counters_.producer(unit, kernel_->control(units_.pc[unit]), frame_.clock);
    if (writer.flight() != Writer::kPassing)
        return writer == kNoWriter ? kNoPc : frame_.flights[writer.flight()].group.pc;
    const unsigned r = scoreboard_.awaited(unit, kernel_->needs(units_.pc[unit]), writer, frame_.clock);
    const std::size_t at = std::size_t{unit} * scoreboard_.registers() + r;
    return r < scoreboard_.registers() && at < passed_.size() ? passed_[at] : kNoPc;
}

void UnitStates::look_at_joined() {
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t can = units_.eligible.word(i) & units_.alive.word(i);
        for (std::uint64_t w = units_.grown.word(i) & known_.word(i) & can; w != 0; w &= w - 1)
            evaluate(static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w))));
    }
}

void UnitStates::forget_the_dead() {
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t left = known_.word(i) & units_.eligible.word(i) & units_.alive.word(i);
        if (left != known_.word(i))
            mark_all();
        known_.word(i) = left;
    }
}

// The writer that the unit's next instruction, at `pc`, waits for.
inline Scoreboard::Block UnitStates::blocker_of(UnitId unit, Pc pc) {
    if (by_bits_ && constants_ == 0 && !kernel_->at(pc).awaits_groups())
        return counters_.blocker(unit, kernel_->control(pc), frame_.clock);
    if (by_ends_ || constants_ != 0) [[unlikely]]
        return blocker_by_ends(unit, pc);
    const std::uint64_t* needs = kernel_->needs(pc);
    return units_are_rows_ ? scoreboard_.blocker({unit, 0}, needs, frame_.clock) : blocker_of_parts(unit, needs);
}

Scoreboard::Block UnitStates::blocker_by_ends(UnitId unit, Pc pc) {
    const Cycle now = frame_.clock;
    if (constants_ != 0 && await_constant_.contains(unit))
        return {Writer(Writer::kPassing, static_cast<unsigned>(Producer::OnChip)), Scoreboard::kUntilCleared};
    const Decoded& next = kernel_->at(pc);
    if (const FlightId copy = awaited_copy(unit, next); copy != warp::kNoFlight)
        return {Writer(copy, static_cast<unsigned>(Producer::Memory)), Scoreboard::kUntilCleared};
    if (const std::uint8_t groups = next.awaited_groups; groups != Decoded::kAwaitsNoProduct)
        if (const Cycle done = products_->done(unit, groups); done > now)
            return {Writer(Writer::kPassing, static_cast<unsigned>(Producer::Alu)), done};
    if (by_bits_)
        return counters_.blocker(unit, kernel_->control(pc), now);
    const std::uint64_t* const needs = kernel_->needs(pc);
    if (next.uniform && hazards_.uniform_lead != 0) {
        Scoreboard::Block block = scoreboard_.blocker_at(unit, needs, now + hazards_.uniform_lead);
        if (block.until != Scoreboard::kUntilCleared)
            block.until -= hazards_.uniform_lead;
        if (block.writer != kNoWriter)
            return block;
    } else if (const Scoreboard::Block block = scoreboard_.blocker({unit, 0}, needs, now); block.writer != kNoWriter) {
        return block;
    }
    return reads_.are_counted() ? reads_.blocker(unit, kernel_->reads_of(pc), kernel_->writes_of(pc), now)
                                : Scoreboard::Block{};
}

FlightId UnitStates::awaited_copy(UnitId unit, const Decoded& next) const {
    const CopyGroups* const groups = next.of_bulk ? bulk_stores_ : copies_;
    if (groups == nullptr || next.awaited_copies == Decoded::kAwaitsNoCopy)
        return warp::kNoFlight;
    return next.awaited_copies == Decoded::kAwaitsAllCopies ? groups->awaited(unit)
                                                            : groups->awaited(unit, next.awaited_copies);
}

// blocker_of() for a unit with threads of any rows.
Scoreboard::Block UnitStates::blocker_of_parts(UnitId unit, const std::uint64_t* needs) {
    for (const warp::Part& part : frame_.formation.members(unit))
        if (const Scoreboard::Block block = scoreboard_.blocker(part, needs, frame_.clock); block.writer != kNoWriter) {
            waiting_of_row_[std::size_t{part.row} * known_.words() + unit / 64] |= std::uint64_t{1} << (unit % 64);
            return block;
        }
    return {};
}

// Evaluates a unit whose next instruction is in its buffer.
inline void UnitStates::evaluate_registers(UnitId unit) {
    const Pc pc = units_.pc[unit];
    if (const Scoreboard::Block block = blocker_of(unit, pc); block.writer != kNoWriter)
        return wait_for_register(unit, block);
    place(unit, kernel_->at(pc).pipe);
    set_long_wait(unit, false);
    if (prefetches_)
        frame_.contexts.executor.prefetch(pc, static_cast<RowId>(unit));
}

void UnitStates::prefetch() const {
    units_.alive.for_each([&](UnitId unit) {
        if (frame_.long_wait.contains(unit))
            return;
        __builtin_prefetch(frame_.formation.members(unit).data());
        frame_.contexts.executor.prefetch(units_.pc[unit], static_cast<RowId>(unit));
    });
}

void UnitStates::wait_for_register(UnitId unit, Scoreboard::Block block) {
    Standing& standing = standing_[unit];
    if (standing.blocker != block.writer)
        issue_units_[standing.issue_unit].mark();
    standing.blocker = block.writer;
    place(unit, static_cast<State>(load_store_ + 1 + block.writer.kind()));
    if (block.until != Scoreboard::kUntilCleared && !std::exchange(standing.wakes_up, true))
        wheel_.put(static_cast<LatencyWheel::Item>(first_item_ + unit), block.until, frame_.clock);
    set_long_wait(unit, is_long(block.writer));
}

void UnitStates::evaluate(UnitId unit) {
    if (front(unit).holds_next(unit))
        return fetched(unit);
    place(unit, none_);
    set_long_wait(unit, false);
}

void UnitStates::fetched(UnitId unit) {
    unresolved_.end_transfer(unit);
    evaluate_registers(unit);
}

void UnitStates::wake_up(UnitId unit) {
    standing_[unit].wakes_up = false;
    if (waits_for_register(unit))
        evaluate_registers(unit);
}

// A result has come to registers of the row, or a load for them has missed: evaluates the units that wait for the
// flight.
void UnitStates::evaluate_waiting(RowId row, FlightId flight) {
    if (units_are_rows_) {
        if (waits_for_register(row) && !waits_for_another(row, flight))
            evaluate_registers(row);
        return;
    }
    std::uint64_t* waiting = waiting_of_row_.data() + std::size_t{row} * known_.words();
    for (unsigned i = 0; i < units_.words; ++i)
        for (std::uint64_t w = waiting[i]; w != 0; w &= w - 1) {
            const auto unit = static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w)));
            const bool waits = waits_for_register(unit);
            if (waits && waits_for_another(unit, flight))
                continue;
            waiting[i] &= ~(w & (~w + 1));
            if (waits)
                divides_rows_ ? evaluate(unit) : evaluate_registers(unit);
        }
}

void UnitStates::evaluate_row(RowId row) {
    for (unsigned i = 0; i < units_.words; ++i)
        for (std::uint64_t w = known_.word(i); w != 0; w &= w - 1) {
            const auto unit = static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w)));
            if (frame_.formation.members(unit).front().row == row)
                evaluate(unit);
        }
    mark_all();
}

void UnitStates::change_long_wait(UnitId unit, bool waits) {
    frame_.record_memory_wait(unit, waits);
    frame_.long_wait.put(unit, waits);
    issue_unit(unit).policy().long_wait(unit, waits);
}

bool UnitStates::is_long(Writer writer) const {
    return writer.kind() == static_cast<unsigned>(Producer::Memory) &&
           (loads_are_long_ || frame_.flights[writer.flight()].lines_left != 0);
}

void UnitStates::drain(UnitId unit) {
    if (unresolved_.units_die())
        mark_all();
    else
        issue_unit(unit).mark();
    if (unresolved_.begin_drain(unit))
        frame_.record_memory_wait(unit, true);
}

void UnitStates::goes_on(const warp::Flight& flight, bool drained) {
    if (unresolved_.units_die()) {
        drained ? unresolved_.end_drain_of_flight() : unresolved_.end_transfer_of_flight();
        return;
    }
    const UnitId unit = flight.group.unit;
    if (drained && frame_.unit_lives(flight) && unresolved_.end_drain(unit))
        frame_.record_memory_wait(unit, false);
}

} // namespace heddle::sm
