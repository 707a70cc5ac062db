#include "sm/sub_core/front_end.h"

namespace heddle::sm {

FrontEnd::FrontEnd(const ICacheConfig& cache, const SubCoreConfig& config, const warp::UnitTable& units,
                   MemoryPort& memory, unsigned sm, unsigned index, unsigned count, bool ahead, bool ideal)
    : units_(units), last_(UnitSet::kCapacity - 1), ahead_(ahead), // unit 0 goes first
      wanted_(units.capacity()), blocked_(units.capacity()), able_(units.capacity()), buffers_(units.capacity()),
      size_(static_cast<unsigned>(config.buffer)),
      line_instructions_(static_cast<unsigned>(std::max<std::uint64_t>(1, cache.line / cache.instruction))),
      decode_(config.decode), fetch_(cache, ideal, units.capacity(), memory, sm, index, count) {}

void FrontEnd::empty(Buffer& buffer, UnitId unit) {
    buffer.pc = units_.pc[unit];
    buffer.generation = units_.generation[unit];
    ++buffer.life;
    buffer.count = buffer.coming = 0;
}

bool FrontEnd::holds_next(UnitId unit) {
    Buffer& buffer = buffers_[unit];
    const Pc pc = units_.pc[unit];
    const bool right = buffer.pc == pc && buffer.generation == units_.generation[unit];
    if (buffer.count != 0 && right) [[likely]]
        return true;
    if (buffer.coming != 0 && right)
        return false;
    empty(buffer, unit);
    if (blocked_.contains(unit)) [[unlikely]]
        fetch_.go_elsewhere(unit, pc, blocked_);
    want(unit, true);
    return false;
}

template <bool kPlain>
bool FrontEnd::put_in(const Arrival& arrival) {
    const bool ahead = !kPlain && ahead_;
    Buffer& buffer = buffers_[arrival.unit];
    if (buffer.life != arrival.life)
        return false; // it was emptied since
    const bool has_next = buffer.count != 0;
    const bool is_next = units_.pc[arrival.unit] == buffer.pc && units_.generation[arrival.unit] == buffer.generation;
    if (!is_next && !ahead) {
        empty(buffer, arrival.unit);
        return false;
    }
    buffer.count = static_cast<std::uint8_t>(buffer.count + arrival.count);
    buffer.coming = static_cast<std::uint8_t>(buffer.coming - arrival.count);
    return is_next && !has_next && (!ahead || units_.alive.contains(arrival.unit));
}
template bool FrontEnd::put_in<true>(const Arrival&);
template bool FrontEnd::put_in<false>(const Arrival&);

template <bool kPlain>
UnitId FrontEnd::fetch(Cycle now) {
    const bool ahead = !kPlain && ahead_;
    if (wanted_units_ == 0)
        return kNoUnit;
    std::uint64_t any = 0;
    for (unsigned i = 0; i < units_.words; ++i)
        any |= able_.word(i) = able(i);
    if (any == 0)
        return kNoUnit;
    UnitId unit = last_;
    if (!ahead || last_ >= units_.capacity() || !able_.contains(last_))
        unit = able_.next_after(last_);
    last_ = unit;
    Buffer& buffer = buffers_[unit];
    if (!ahead) { // the buffer is empty, and the unit may have gone elsewhere since
        buffer.pc = units_.pc[unit];
        buffer.generation = units_.generation[unit];
    }
    const Pc pc = buffer.pc + buffer.count + buffer.coming;
    if (!fetch_.fetch(unit, pc, now)) {
        blocked_.insert(unit);
        return unit;
    }
    const auto fetched = static_cast<std::uint8_t>(ahead ? 1 : std::min(size_, in_line(pc)));
    buffer.coming = static_cast<std::uint8_t>(buffer.coming + fetched);
    want(unit, ahead && unsigned{buffer.count} + buffer.coming < size_);
    next_arrival_ = std::min(next_arrival_, now + decode_);
    arriving_.push({now + decode_, unit, fetched, buffer.life});
    return kNoUnit;
}
template UnitId FrontEnd::fetch<true>(Cycle);
template UnitId FrontEnd::fetch<false>(Cycle);

} // namespace heddle::sm
