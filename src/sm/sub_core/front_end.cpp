#include "sm/sub_core/front_end.h"

namespace heddle::sm {

FrontEnd::FrontEnd(const ICacheConfig& cache, const SubCoreConfig& config, const warp::UnitTable& units,
                   MemoryPort& memory, unsigned sm, unsigned index, unsigned count)
    : units_(units), size_(static_cast<unsigned>(config.buffer)),
      line_instructions_(static_cast<unsigned>(std::max<std::uint64_t>(1, cache.line / cache.instruction))),
      decode_(config.decode), fetch_(cache, false, units.capacity(), memory, sm, index, count),
      buffers_(units.capacity()), wanted_(units.capacity()), blocked_(units.capacity()), able_(units.capacity()),
      last_(UnitSet::kCapacity - 1) {} // unit 0 goes first

bool FrontEnd::holds_next(UnitId unit) {
    Buffer& buffer = buffers_[unit];
    const Pc pc = units_.pc[unit];
    const bool same_life = buffer.generation == units_.generation[unit];
    if (buffer.count != 0 && buffer.pc == pc && same_life) [[likely]]
        return true;
    buffer.count = 0;
    if (blocked_.contains(unit)) [[unlikely]]
        fetch_.go_elsewhere(unit, pc, blocked_);
    want(unit, buffer.coming != pc || !same_life);
    return false;
}

bool FrontEnd::put_in(const Arrival& arrival) {
    Buffer& buffer = buffers_[arrival.unit];
    if (buffer.coming != arrival.pc || buffer.generation != arrival.generation)
        return false; // a later fetch has replaced it
    buffer.coming = kNoPc;
    if (units_.pc[arrival.unit] != arrival.pc || units_.generation[arrival.unit] != arrival.generation)
        return false;
    buffer.pc = arrival.pc;
    buffer.count = arrival.count;
    return true;
}

UnitId FrontEnd::fetch(Cycle now) {
    if (wanted_units_ == 0)
        return kNoUnit;
    std::uint64_t any = 0;
    for (unsigned i = 0; i < units_.words; ++i)
        any |= able_.word(i) = able(i);
    if (any == 0)
        return kNoUnit;
    const UnitId unit = able_.next_after(last_);
    const Pc pc = units_.pc[unit];
    last_ = unit;
    if (!fetch_.fetch(unit, pc, now)) {
        blocked_.insert(unit);
        return unit;
    }
    want(unit, false);
    Buffer& buffer = buffers_[unit];
    buffer.coming = pc;
    buffer.generation = units_.generation[unit];
    const unsigned in_line = line_instructions_ - pc % line_instructions_;
    next_arrival_ = std::min(next_arrival_, now + decode_);
    arriving_.push({now + decode_, unit, static_cast<std::uint8_t>(std::min(size_, in_line)), buffer.generation, pc});
    return kNoUnit;
}

} // namespace heddle::sm
