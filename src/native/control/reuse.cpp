#include "native/control/bits.h"

namespace heddle::native {

namespace {

bool reads_cache(const Instruction& i, const Target& target) {
    const Pipe pipe = info(i.op).pipe;
    return !target.is_variable(i.op) && pipe != Pipe::Branch && pipe != Pipe::Uniform;
}

bool overwrites(const Instruction& i, const Operand& o) {
    for (const Operand& d : i.dst)
        if (d.is_register(o.file) && d.number < o.number + o.count && o.number < d.number + d.count)
            return true;
    return false;
}

} // namespace

void set_reuse(Function& function, const Target& target) {
    constexpr std::size_t kSlots = 3; // source slots with an entry
    for (const std::uint32_t b : function.order) {
        auto& code = function.blocks[b].code;
        for (std::size_t n = 0; n + 1 < code.size(); ++n) {
            if (!reads_cache(code[n], target) || !reads_cache(code[n + 1], target))
                continue;
            for (std::size_t s = 0; s < kSlots; ++s) {
                Operand& o = code[n].src.at(s + code[n].mods.carried);
                const Operand& again = code[n + 1].src.at(s + code[n + 1].mods.carried);
                o.reuse = o.is_register(File::Vector) && again.is_register(File::Vector) && o.number == again.number &&
                          o.count == again.count && !overwrites(code[n], o);
            }
        }
    }
}

} // namespace heddle::native
