#include "sm/frame/timed_core.h"

namespace heddle::sm {

TimedCore::TimedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
                     const TraceSink& trace, std::size_t flights, bool holds)
    : frame_(machine, sm, image, program, trace, flights),
      load_store_(machine, sm, frame_.memory, frame_.flights, holds) {}

unsigned TimedCore::place_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    catch_up(now);
    wake_ = now;
    if (!blocks_have_begun_)
        begin_blocks();
    had_blocks_ = true;
    const unsigned slot = frame_.contexts.start_block(ctaid, global_id, now);
    frame_.count_warps(now);
    frame_.units.alive.for_each([&](UnitId u) {
        if (frame_.units.block[u] == slot)
            frame_.progress[u] = 0;
    });
    return slot;
}

probe::SmShape TimedCore::shape() const {
    const CoreConfig& config = frame_.contexts.config;
    return {frame_.units.capacity(), static_cast<unsigned>(config.threads / config.width),
            static_cast<unsigned>(config.blocks)};
}

void TimedCore::sample(Cycle clock) {
    frame_.timeline->sample(clock, block_order());
    frame_.sample_due = frame_.timeline->residency.due();
}

} // namespace heddle::sm
