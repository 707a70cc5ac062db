#include "sm/functional/functional.h"

namespace heddle::sm {

Functional::Functional(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program,
                       unsigned sms)
    : sms_(sms), contexts_(machine, machine.get<CoreConfig>().code == "native" ? "its" : "pdom", 0,
                           exec::Effects::Immediate, image, program, sms) {
    flight_.id = 0;
}

void Functional::begin(const exec::Launch& launch, Cycle /*now*/) {
    // A launch with the rows of several SMs has their room. On one SM a cluster stands for several.
    const CoreConfig& core = contexts_.config;
    const std::uint64_t sms = launch.rows / (core.threads / core.width);
    contexts_.make_room(launch, static_cast<unsigned>(sms), static_cast<unsigned>(launch.cluster.count()));
    contexts_.begin_threads();
    if (traces_)
        traces_->begin_launch(launch.kernel->name, launch.grid, launch.block);
}

void Functional::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = contexts_.start_block(ctaid, global_id, now);
    if (traces_)
        traces_->start_block(global_id, contexts_.blocks.first_row(slot));
}

const probe::ThreadTraces& Functional::trace_threads(const probe::ThreadTraceOptions& options) {
    const CoreConfig& core = contexts_.config;
    return traces_.emplace(options, static_cast<unsigned>(core.threads / core.width) * sms_,
                           static_cast<unsigned>(core.width));
}

// Threads whose guard is false count too: they occupy the issue slot.
void Functional::trace() {
    const warp::Group& group = flight_.group;
    for (unsigned p = 0; p < group.parts; ++p) {
        traces_->issued(group.part[p].row, group.part[p].lanes, group.pc);
        if (flight_.outcome.kind == warp::Outcome::Kind::Barrier)
            traces_->passed_barrier(group.part[p].row, flight_.outcome.taken[p]);
    }
}

Functional::Accesses::Accesses(probe::SmProfile& to, const config::Machine& machine)
    : addresses(machine, 0, 1, false, stats), profile(to, machine) {}

void Functional::count_in(probe::SmProfile& profile, const config::Machine& machine) {
    contexts_.profile = &profile;
    accesses_ = std::make_unique<Accesses>(profile, machine);
}

// No register is waited for.
void Functional::profile_access() {
    PendingAccess& pending = accesses_->pending;
    pending.start(flight_, access_);
    accesses_->addresses.prepare(pending, flight_, access_);
    accesses_->profile.prepared(flight_, access_, pending);
    accesses_->profile.begin();
}

Cycle Functional::run(Cycle now, Cycle until) {
    formation::Formation& formation = *contexts_.formation;
    warp::UnitTable& units = formation.units;
    // Units take turns, since a unit may wait for others. A turn is long, which is cheap.
    constexpr unsigned kTurn = 1000;
    try {
        while (now < until) {
            last_ = units.eligible.next_after(last_);
            if (last_ == kNoUnit)
                contexts_.report_deadlock(now);
            const UnitId unit = last_;
            for (unsigned n = 0; n < kTurn && now < until && units.eligible.contains(unit); ++n, ++now) {
                units.eligible.erase(unit);
                formation.form(unit, contexts_.program.ops[units.pc[unit]], contexts_.executor, flight_.group);
                contexts_.execute(flight_, now, access_);
                contexts_.count_slot(flight_.group.pc, flight_.group.threads);
                if (traces_) [[unlikely]]
                    trace();
                if (accesses_ && access_.count != 0) [[unlikely]]
                    profile_access();
                formation.returned(flight_, now);
                const bool ended = contexts_.commit(flight_, now);
                contexts_.changes.clear();
                if (ended)
                    return now + 1;
            }
        }
    } catch (const formation::Livelock& livelock) {
        contexts_.report_livelock(livelock);
    }
    return now;
}

} // namespace heddle::sm
