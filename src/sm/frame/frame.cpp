#include "sm/frame/frame.h"

#include <utility>

namespace heddle::sm {

Frame::Frame(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
             TraceSink sink, std::size_t count)
    : contexts(machine, machine.get<CoreConfig>().formation, sm,
               machine.get<mem::InterconnectConfig>().kind == "none" ? exec::Effects::Immediate
                                                                     : exec::Effects::Windowed,
               image, program),
      formation(*contexts.formation), units(formation.units), memory(machine), flights(count),
      long_wait(units.capacity()), at_barrier(units.capacity()),
      progress(units.capacity()), view{.units = units,
                                       .long_wait = long_wait,
                                       .at_barrier = at_barrier,
                                       .progress = progress,
                                       .blocks = contexts.blocks.views(),
                                       .blocks_left = false,
                                       .program = &program},
      trace(std::move(sink)) {}

void Frame::count_warps(Cycle now) {
    if (now > warps_counted_) {
        contexts.stats.warp_cycles += warps_ * (now - warps_counted_);
        contexts.stats.occupied_cycles += warps_ != 0 ? now - warps_counted_ : 0;
        warps_counted_ = now;
    }
    warps_ = contexts.blocks.live_warps();
}

void Frame::record(probe::Timeline& to) {
    timeline = contexts.timeline = memory.timeline = &to;
    sample_due = to.residency.due();
}

} // namespace heddle::sm
