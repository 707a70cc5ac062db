#include "sm/frame/timed_core.h"

#include <utility>

namespace heddle::sm {

TimedCore::TimedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
                     const TraceSink& trace, std::size_t flights, bool holds)
    : contexts_(machine, machine.get<CoreConfig>().formation, sm,
                machine.get<mem::InterconnectConfig>().kind == "none" ? exec::Effects::Immediate
                                                                      : exec::Effects::Windowed,
                image, program),
      formation_(*contexts_.formation), units_(formation_.units), runs_ahead_(formation_.needs().runs_ahead),
      memory_(machine), flights_(flights), data_(machine, sm, memory_, flights_, holds), long_wait_(units_.capacity()),
      at_barrier_(units_.capacity()), progress_(units_.capacity()), view_{.units = units_,
                                                                          .long_wait = long_wait_,
                                                                          .at_barrier = at_barrier_,
                                                                          .progress = progress_,
                                                                          .blocks = contexts_.blocks.views(),
                                                                          .blocks_left = false,
                                                                          .program = &program},
      trace_(trace) {
    for (std::size_t f = 0; f < flights_.size(); ++f)
        flights_[f].id = static_cast<warp::FlightId>(f);
    if (runs_ahead_)
        data_.watch_divergence(machine.get<ViewsConfig>());
}

unsigned TimedCore::place_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    catch_up(now);
    wake_ = now;
    const unsigned slot = contexts_.start_block(ctaid, global_id, now);
    units_.alive.for_each([&](UnitId u) {
        if (units_.block[u] == slot)
            progress_[u] = 0;
    });
    return slot;
}

namespace {

// Of the flight's threads those in `lanes`, by part, are left; all of them have the same data or wait for theirs.
void keep(warp::Flight& flight, const std::array<LaneMask, kMaxParts>& lanes) {
    warp::Group& group = flight.group;
    const unsigned parts = std::exchange(group.parts, std::uint16_t{0});
    group.threads = 0;
    for (unsigned p = 0; p < parts; ++p) {
        if (lanes[p] == 0)
            continue;
        group.part[group.parts++] = {group.part[p].row, lanes[p]};
        group.threads = static_cast<std::uint16_t>(group.threads + count_lanes(lanes[p]));
    }
}

} // namespace

void TimedCore::divide(warp::Flight& behind, warp::Flight& ahead) {
    const warp::FlightId id = ahead.id;
    ahead = behind;
    ahead.id = id;
    ahead.lines_left = 0;
    ahead.waits_long = false;
    keep(ahead, behind.hit);
    for (unsigned p = 0; p < behind.group.parts; ++p)
        behind.hit[p] = behind.group.part[p].lanes & ~behind.hit[p];
    keep(behind, behind.hit);
    behind.hit.fill(0);
    data_.divide(ahead, behind);
    formation_.divided(ahead, behind);
    if (ahead.group.unit == behind.group.unit)
        return;
    ahead.generation = units_.generation[ahead.group.unit];
    progress_[ahead.group.unit] = 0;
}

void TimedCore::record(probe::Timeline& timeline) {
    timeline_ = contexts_.timeline = memory_.timeline = &timeline;
    sample_due_ = timeline.residency.due();
}

probe::SmShape TimedCore::shape() const {
    return {units_.capacity(), static_cast<unsigned>(contexts_.config.threads / contexts_.config.width),
            static_cast<unsigned>(contexts_.config.blocks)};
}

void TimedCore::sample(Cycle clock) {
    timeline_->sample(clock, block_order());
    sample_due_ = timeline_->residency.due();
}

} // namespace heddle::sm
