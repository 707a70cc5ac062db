#include "ir/selection/places.h"

namespace heddle::ir {

std::size_t Places::ConstantHash::operator()(const Constant& c) const {
    std::uint64_t h = c.bits * 0x9e37'79b9'7f4a'7c15ULL;
    h ^= (std::uint64_t{c.variable} << 8) + (static_cast<std::uint64_t>(c.base) << 1) + (c.wide ? 1U : 0U);
    return static_cast<std::size_t>(h ^ (h >> 29));
}

Place Places::virtual_register(const Symbol& symbol, unsigned component) {
    const std::uint64_t key = static_cast<std::uint64_t>(symbol.owner) << 62 | std::uint64_t{component} << 60 |
                              std::uint64_t{symbol.index} << 32 | symbol.number;
    const auto [entry, fresh] = registers_.emplace(key, static_cast<Place>(draft_.registers.size()));
    if (fresh)
        draft_.registers.push_back({symbol.variable->type == Type::B128 ? Type::B64 : symbol.variable->type});
    return entry->second;
}

Place Places::temporary(Type type) {
    draft_.registers.push_back({type});
    return static_cast<Place>(draft_.registers.size() - 1);
}

Place Places::carry_flag() {
    if (carry_flag_ == kNowhere)
        carry_flag_ = temporary(Type::Pred);
    return carry_flag_;
}

Place Places::constant(const Constant& c) {
    const auto [entry, fresh] = constants_.emplace(c, kPool | static_cast<Place>(draft_.constants.size()));
    if (fresh)
        draft_.constants.push_back(c);
    return entry->second;
}

Place Places::constant(std::uint64_t bits, bool wide) {
    Constant c;
    c.bits = wide ? bits : bits & 0xffff'ffffU;
    c.wide = wide;
    return constant(c);
}

std::uint8_t Places::storage(Place place) const {
    if ((place & kPool) != 0)
        return draft_.constants[place & ~kPool].wide ? 8 : 4;
    return draft_.registers[place].storage();
}

} // namespace heddle::ir
