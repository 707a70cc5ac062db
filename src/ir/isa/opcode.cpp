#include "ir/isa/opcode.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "base/suggest.h"

namespace heddle::ir {

namespace {

constexpr std::array kOpcodes{
#define HEDDLE_OPCODE(name, text, kind, work, executable, meaning)                                                     \
    OpcodeInfo{text, Kind::kind, Work::work, executable, meaning},
#include "ir/isa/opcodes.def"
#undef HEDDLE_OPCODE
};

// Instructions that PTX 9.0 defines beyond the table.
constexpr Refusal kOthers[] = {
    {"clusterlaunchcontrol", "clusters of blocks that are launched late"},
    {"multimem", "memory of several devices, of which one is simulated"},
    {"st.bulk", "stores of zeros to a range of shared memory, of devices after sm_90"},
    {"tcgen05", "the tensor memory of sm_100"},
};

std::unordered_map<std::string_view, Opcode> make_names() {
    std::unordered_map<std::string_view, Opcode> names;
    for (std::size_t i = 0; i < kOpcodes.size(); ++i)
        names.emplace(kOpcodes[i].name, static_cast<Opcode>(i));
    for (const Refusal& other : kOthers)
        names.emplace(other.name, Opcode::Other);
    return names;
}

} // namespace

const OpcodeInfo& info(Opcode opcode) {
    return kOpcodes.at(static_cast<std::size_t>(opcode));
}

std::optional<Opcode> find_opcode(std::string_view name) {
    static const std::unordered_map<std::string_view, Opcode> names = make_names();
    const auto found = names.find(name);
    if (found == names.end())
        return std::nullopt;
    return found->second;
}

std::span<const Refusal> refused_opcodes() {
    return kOthers;
}

std::string nearest_opcode(std::string_view name) {
    Suggestion best(name);
    for (const OpcodeInfo& row : kOpcodes)
        best.consider(row.name);
    for (const Refusal& other : kOthers)
        best.consider(other.name);
    return best.name();
}

} // namespace heddle::ir
